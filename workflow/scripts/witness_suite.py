"""Build the witness suite and write it as a table of inputs that a reader can open."""

import numpy as np

from attnrank import tables
from attnrank.minip.witness import data, schemas


def main(out, settings):
    suite = data.build_suite(**settings)
    words = np.array(["".join(map(str, bits)) for bits in suite.tokens])
    tables.write(
        out,
        {
            "sequence": np.arange(len(suite.sequences)),
            "kind": suite.kind,
            "query": suite.query,
            "key": suite.key,
            **{f"token_{k + 1}": words[suite.sequences[:, k]] for k in range(3)},
            "overlap_2": suite.levels[:, 0],
            "overlap_3": suite.levels[:, 1],
            "target": suite.targets,
        },
        schemas.SUITE,
        settings=settings,
        seeds=[settings["seed"]],
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(out=snakemake.output[0], settings=snakemake.params.settings)
