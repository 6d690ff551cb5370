"""Measure the ranks that gradient descent found, beside those of the least-norm interpolant."""

import numpy as np
import pandas as pd

from attnrank import spectra, tables
from attnrank.entropic.surrogate import estimate, schemas
from attnrank.entropic.surrogate.moments import mean_squared_error


def main(tasks, students, out, least_nuclear):
    drawn = {
        regime: tables.read(path, schemas.TASKS)
        for regime, path in zip(schemas.REGIMES, tasks, strict=True)
    }
    fits = {regime: _fits(regime, table, least_nuclear) for regime, table in drawn.items()}
    parts = []
    for path in students:
        trained = tables.read(path, schemas.RECOVERED)
        regime = trained.frame["regime"].iloc[0]
        true = drawn[regime].arrays
        learned = trained.arrays["operator"]
        part = trained.frame.assign(
            excess=estimate.excess_risk(
                learned, trained.arrays["value"], true["operator"], true["value"]
            ),
            **spectra.rank_estimates(learned),
            **fits[regime][0],
            nuclear_distance=_distance(learned, fits[regime][1]),
        )
        parts.append(part)
    tables.write(
        out,
        pd.concat(parts, ignore_index=True),
        schemas.RECOVERY_RUNS,
        settings={
            **{regime: table.settings for regime, table in drawn.items()},
            "least_nuclear": least_nuclear,
        },
        seeds=drawn[schemas.REGIMES[0]].seeds,
    )


def _fits(regime, table, least_nuclear):
    """Return columns on the least-norm fits, and the fit of least nuclear norm.

    All is NaN where noise leaves nothing to interpolate.
    """
    if regime == "over_determined":
        absent = (*schemas.INTERPOLANTS, schemas.NUCLEAR_LOSS)
        columns = {column.name: np.nan for column in absent}
        return columns, np.full_like(table.arrays["operator"], np.nan)
    inputs, targets, value = (table.arrays[name] for name in ("inputs", "targets", "value"))
    fits = {
        "frobenius": estimate.least_norm(inputs, targets, value),
        "nuclear": estimate.least_nuclear_norm(inputs, targets, value, **least_nuclear),
    }
    columns = {
        f"{norm}_{name}": spectra.rank_estimates(fits[norm])[name]
        for norm in schemas.NORMS
        for name in schemas.SHOWN
    }
    columns["nuclear_loss"] = mean_squared_error(fits["nuclear"], value, inputs, targets)
    return columns, fits["nuclear"]


def _distance(learned, fit):
    """Return the Frobenius distance from a fit, relative to its norm; NaN where there is none."""
    return np.linalg.norm(learned - fit, axis=(1, 2)) / np.linalg.norm(fit, axis=(1, 2))


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            tasks=snakemake.input.tasks,
            students=snakemake.input.students,
            out=snakemake.output[0],
            least_nuclear=snakemake.params.least_nuclear,
        )
