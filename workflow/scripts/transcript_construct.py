"""Answer every input of every family by constructed heads of every alphabet."""

import pandas as pd

from attnrank import tables
from attnrank.minip.transcript import data, rows, schemas


def main(out, settings):
    found = []
    for q, s, levels in rows.cases(settings["queries"], settings["sizes"]):
        known = rows.described("constructed", q, s, levels)
        answered = vars(data.constructed(q, s, levels))
        found.append({**known, **answered, "seed": 0, "diverged": False})
    tables.write(out, pd.DataFrame(found), schemas.RUNS, settings=settings, seeds=[])


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(out=snakemake.output[0], settings=snakemake.params.settings)
