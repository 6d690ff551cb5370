"""Gather the trained dense heads of every width."""

import pandas as pd

from attnrank import tables
from attnrank.minip.dense import schemas


def main(trained, out):
    parts = [tables.read(path, schemas.RUNS) for path in trained]
    runs = pd.concat([part.frame for part in parts], ignore_index=True)
    tables.write(out, runs, schemas.RUNS, settings=parts[0].settings, seeds=parts[0].seeds)


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(snakemake.input.trained, snakemake.output[0])
