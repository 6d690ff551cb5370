"""Measure the ranks that gradient descent found, beside those of the least-norm interpolant."""

import numpy as np
import pandas as pd
from attnrank import tables
from attnrank.entropic.surrogate import estimate, schemas

REGIMES = ("over_determined", "under_determined")


def main(tasks, students, out):
    drawn = {
        regime: tables.read(path, schemas.TASKS)
        for regime, path in zip(REGIMES, tasks, strict=True)
    }
    references = {regime: _least_norm(regime, table) for regime, table in drawn.items()}
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
            **estimate.rank_estimates(learned),
            **references[regime],
        )
        parts.append(part)
    tables.write(
        out,
        pd.concat(parts, ignore_index=True),
        schemas.RECOVERY_RUNS,
        settings={regime: table.settings for regime, table in drawn.items()},
        seeds=drawn[REGIMES[0]].seeds,
    )


def _least_norm(regime, table):
    """Return the ranks of the least-norm interpolant; NaN where nothing interpolates."""
    names = [column.name for column in schemas.LEAST_NORM]
    if regime == "over_determined":
        return {name: np.full(len(table.frame), np.nan) for name in names}
    interpolant = estimate.least_norm(
        table.arrays["inputs"], table.arrays["targets"], table.arrays["value"]
    )
    ranks = estimate.rank_estimates(interpolant)
    return {name: ranks[name.removeprefix("least_norm_")] for name in names}


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(snakemake.input.tasks, snakemake.input.students, snakemake.output[0])
