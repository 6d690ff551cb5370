"""Build the head of one feature less than there are queries, and measure it on the suite."""

import numpy as np

from attnrank import tables
from attnrank.minip.witness import construct, inputs, schemas


def main(suite, out, settings):
    table = tables.read(suite, schemas.SUITE)
    head = construct.nonnegative_kernel_head(inputs.arrays(table.frame), **settings)
    kernel = head.query_features @ head.key_features.T
    tables.write(
        out,
        {
            "features": [head.query_features.shape[1]],
            "kernel_rank": [int(np.linalg.matrix_rank(kernel))],
            "least_weight": [kernel.min()],
            "error": [head.error],
        },
        schemas.CONSTRUCTED,
        settings={"suite": table.settings, "construction": settings},
        seeds=[],
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(snakemake.input.suite, snakemake.output[0], snakemake.params.settings)
