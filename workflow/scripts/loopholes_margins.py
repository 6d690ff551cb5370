"""Solve the linear programs of features of either sign, for every dependency at every error."""

import pandas as pd

from attnrank import tables
from attnrank.minip.loopholes import dependency, schemas
from attnrank.minip.witness.schemas import SUITE


def main(suite, out, settings):
    table = tables.read(suite, SUITE)
    rows = pd.DataFrame(dependency.margins(table.frame, **settings))
    tables.write(
        out, rows, schemas.MARGINS, settings={"suite": table.settings, **settings}, seeds=[]
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(snakemake.input.suite, snakemake.output[0], snakemake.params.settings)
