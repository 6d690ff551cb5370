"""Gather the variants' runs of all ranks, and hold them against the certified floor."""

import pandas as pd

from attnrank import tables
from attnrank.minip.variants import schemas, table


def main(trained, certificate, out):
    parts = [tables.read(path, schemas.RUNS) for path in trained]
    runs = pd.concat([part.frame for part in parts], ignore_index=True)
    table.check_floor(runs, tables.read(certificate, schemas.CERTIFICATE).frame)
    tables.write(out, runs, schemas.RUNS, settings=parts[0].settings, seeds=parts[0].seeds)


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(snakemake.input.trained, snakemake.input.certificate, snakemake.output[0])
