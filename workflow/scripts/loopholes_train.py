"""Train heads that evade the bound, of one family: all sizes and seeds in one process."""

import pandas as pd

from attnrank import tables
from attnrank.minip.loopholes import schemas, train
from attnrank.minip.witness import inputs
from attnrank.minip.witness.schemas import SUITE


def main(suite, out, family, seeds, settings):
    table = tables.read(suite, SUITE)
    given = inputs.arrays(table.frame)
    arrays = (given.tokens, given.sequences, given.targets)
    own = {key: value for key, value in settings.items() if key not in ("heads", "features")}
    parts = []
    for heads in settings.get("heads", [1]):
        for features in settings["features"]:
            if features % heads:
                continue
            rank = features // heads
            if family == "heads":
                trained = train.train_heads(
                    *arrays, heads=heads, rank=rank, seeds=range(seeds), **own
                )
            else:
                trained = train.train_signed(*arrays, rank=rank, seeds=range(seeds), **own)
            kernel = "nonnegative" if family == "heads" else "signed"
            sizes = {"kernel": kernel, "heads": heads, "rank": rank, "features": features}
            parts.append(pd.DataFrame({**sizes, "seed": range(seeds), **vars(trained)}))
    tables.write(
        out,
        pd.concat(parts, ignore_index=True),
        schemas.RUNS,
        settings={"suite": table.settings, family: settings},
        seeds=range(seeds),
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            suite=snakemake.input.suite,
            out=snakemake.output[0],
            family=snakemake.wildcards.family,
            seeds=snakemake.params.seeds,
            settings=snakemake.params.settings,
        )
