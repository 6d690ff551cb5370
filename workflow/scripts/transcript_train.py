"""Train heads of every alphabet on every family: all seeds in one process."""

import pandas as pd

from attnrank import tables
from attnrank.minip.transcript import data, rows, schemas, train


def main(out, settings):
    seeds = range(settings["seeds"])
    adam = {name: settings[name] for name in ("learning_rate", "steps", "warmup")}
    parts = []
    for q, s, levels in rows.cases(settings["queries"], settings["sizes"]):
        heads = train.train(data.family(q, s), levels=levels, seeds=seeds, **adam)
        known = rows.described("trained", q, s, levels)
        parts.append(pd.DataFrame({**known, "seed": seeds, **vars(heads)}))
    tables.write(
        out,
        pd.concat(parts, ignore_index=True),
        schemas.RUNS,
        settings=settings,
        seeds=seeds,
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(out=snakemake.output[0], settings=snakemake.params.settings)
