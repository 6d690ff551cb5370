"""Find the fixed dense head's errors and thresholds, on every input and by the closed form."""

from itertools import product

import numpy as np

from attnrank import tables
from attnrank.minip.dense import exact, schemas
from attnrank.minip.task import groups


def main(errors, thresholds, settings):
    found = error_rows(settings)
    tables.write(
        errors, columns(found, schemas.ERRORS), schemas.ERRORS, settings=settings, seeds=[]
    )
    found = threshold_rows(settings)
    tables.write(
        thresholds,
        columns(found, schemas.THRESHOLDS),
        schemas.THRESHOLDS,
        settings=settings,
        seeds=[],
    )


def columns(rows, schema):
    names = [column.name for column in schema.columns]
    return dict(zip(names, zip(*rows, strict=True), strict=True))


def error_rows(settings):
    rows = []
    grid = np.linspace(
        **{
            {"low": "start", "high": "stop", "points": "num"}[key]: value
            for key, value in settings["grid"].items()
        }
    )
    widest = max(settings["widths"])
    for length, width in product(settings["lengths"], settings["widths"]):
        # Against beta, the widest tokens are shown.
        betas = sorted({*settings["betas"], *(grid.tolist() if width == widest else [])})
        every = exact.exhaustive_errors(betas, groups(width, length))
        rows += [
            (length, width, beta, exact.closed_form_error(beta, width, length), error)
            for beta, error in zip(betas, every, strict=True)
        ]
    cells = product(settings["lengths"], settings["far_widths"], settings["betas"])
    rows += [
        (length, width, beta, exact.closed_form_error(beta, width, length), np.nan)
        for length, width, beta in cells
    ]
    return rows


def threshold_rows(settings):
    near = set(product(settings["lengths"], settings["widths"]))
    widths = settings["widths"] + settings["far_widths"]
    lengths = settings["lengths"] + settings["far_lengths"]
    rows = []
    for length, width in product(lengths, widths):
        formula = exact.threshold(width, length)
        rows.append(
            (
                length,
                width,
                formula,
                exact.closed_form_crossing(width, length),
                exact.exhaustive_crossing(width, length) if (length, width) in near else np.nan,
            )
        )
    return rows


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            errors=snakemake.output.errors,
            thresholds=snakemake.output.thresholds,
            settings=snakemake.params.settings,
        )
