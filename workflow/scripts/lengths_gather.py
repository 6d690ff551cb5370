"""Gather the heads of every length, and hold rank 1 against what no rank-1 head can beat."""

import pandas as pd

from attnrank import tables
from attnrank.minip.lengths import schemas, table


def main(trained, optimum, out):
    parts = [tables.read(path, schemas.RUNS) for path in trained]
    runs = pd.concat([part.frame for part in parts], ignore_index=True)
    table.check_optimum(runs, tables.read(optimum, schemas.OPTIMUM).frame)
    tables.write(out, runs, schemas.RUNS, settings=parts[0].settings, seeds=parts[0].seeds)


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(snakemake.input.trained, snakemake.input.optimum, snakemake.output[0])
