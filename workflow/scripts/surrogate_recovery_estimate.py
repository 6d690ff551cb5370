"""Measure the ranks that gradient descent found, beside those of the least-norm interpolant."""

import numpy as np
import pandas as pd

from attnrank import spectra, tables
from attnrank.entropic.surrogate import estimate, schemas


def main(tasks, students, out, least_nuclear):
    drawn = {
        regime: tables.read(path, schemas.TASKS)
        for regime, path in zip(schemas.REGIMES, tasks, strict=True)
    }
    references = {
        regime: _interpolants(regime, table, least_nuclear) for regime, table in drawn.items()
    }
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
            **references[regime],
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


def _interpolants(regime, table, least_nuclear):
    """Return the ranks of the least-norm fits; NaN where noise leaves nothing to interpolate."""
    if regime == "over_determined":
        return {column.name: np.nan for column in schemas.INTERPOLANTS}
    given = [table.arrays[name] for name in ("inputs", "targets", "value")]
    fits = {
        "frobenius": estimate.least_norm(*given),
        "nuclear": estimate.least_nuclear_norm(*given, **least_nuclear),
    }
    return {
        f"{norm}_{name}": spectra.rank_estimates(fits[norm])[name]
        for norm in schemas.NORMS
        for name in schemas.SHOWN
    }


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            tasks=snakemake.input.tasks,
            students=snakemake.input.students,
            out=snakemake.output[0],
            least_nuclear=snakemake.params.least_nuclear,
        )
