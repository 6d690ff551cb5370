"""Train every variant of the head at one rank on the witness suite, all seeds in one process."""

import pandas as pd

from attnrank import tables
from attnrank.minip.variants import names, schemas, train
from attnrank.minip.witness import inputs
from attnrank.minip.witness.schemas import SUITE


def main(suite, out, rank, variants, values, training):
    table = tables.read(suite, SUITE)
    given = inputs.arrays(table.frame)
    seeds = range(training["seeds"])
    optimiser = {key: value for key, value in training.items() if key != "seeds"}
    parts = []
    for variant in variants:
        heads = train.train(
            given.tokens,
            given.sequences,
            given.targets,
            variant=variant,
            head=names.head(variant, values),
            rank=rank,
            seeds=seeds,
            **optimiser,
        )
        parts.append(pd.DataFrame({"variant": variant, "rank": rank, **heads}))
    tables.write(
        out,
        pd.concat(parts, ignore_index=True),
        schemas.RUNS,
        settings={"suite": table.settings, "values": values, "training": training},
        seeds=seeds,
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            suite=snakemake.input.suite,
            out=snakemake.output[0],
            rank=int(snakemake.wildcards.rank),
            variants=snakemake.params.variants,
            values=snakemake.params.values,
            training=snakemake.params.training,
        )
