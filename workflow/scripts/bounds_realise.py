"""Realise dense softmax with 2^m nonnegative features and check it, for every width."""

import pandas as pd

from attnrank import tables
from attnrank.minip.bounds import realise, schemas


def main(out, realisation):
    rows = []
    for width in realisation["widths"]:
        found = realise.realise(width, realisation["beta"])
        rows.append({"width": width, **vars(found), "exact": found.exact})
    tables.write(out, pd.DataFrame(rows), schemas.REALISED, settings=realisation, seeds=[])


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(out=snakemake.output[0], realisation=snakemake.params.realisation)
