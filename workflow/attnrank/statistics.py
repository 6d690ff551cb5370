"""Values with an interval: Wilson for success rates, the percentile bootstrap for the rest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

Frames = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Estimate:
    """A value, its confidence interval, and the number of independent units behind it."""

    value: float
    low: float
    high: float
    units: int


NOTHING = Estimate(np.nan, np.nan, np.nan, 0)


@dataclass(frozen=True)
class Interval:
    """How intervals are made: confidence level, bootstrap resamples, and the generator."""

    confidence: float
    resamples: int
    rng: np.random.Generator


def success_rate(successes: ArrayLike, interval: Interval) -> Estimate:
    """Return the share of true entries with its Wilson score interval (Wilson 1927).

    NaN where there is no entry: settings without the ranks that a claim speaks of.
    """
    outcomes = np.asarray(successes, dtype=bool)
    if outcomes.size == 0:
        return NOTHING
    # A second's import, which the workflow's own start must not pay.
    from scipy import stats

    test = stats.binomtest(int(outcomes.sum()), outcomes.size)
    bounds = test.proportion_ci(interval.confidence, method="wilson")
    return Estimate(float(outcomes.mean()), float(bounds.low), float(bounds.high), outcomes.size)


def bootstrap(
    values: ArrayLike,
    interval: Interval,
    statistic: Callable[..., Any] = np.mean,
) -> Estimate:
    """Return a statistic of ``values``, shape (units,), with its percentile bootstrap interval.

    NaN where there is no unit. One unit has no spread to resample: its interval runs from minus to
    plus infinity. A value that
    is not finite (a diverged run) makes the interval NaN, so that nothing is dropped in silence.

    Args:
        values: one value for each independent unit, a seed mostly.
        interval: confidence, resamples and generator.
        statistic: reduces an array along its keyword ``axis``.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1:
        raise ValueError(f"a bootstrap needs values of shape (units,), got {sample.shape}")
    if sample.size == 0:
        return NOTHING
    value = float(statistic(sample, axis=-1))
    if not np.isfinite(sample).all():
        return Estimate(value, np.nan, np.nan, sample.size)
    if sample.size == 1:
        return Estimate(value, -np.inf, np.inf, 1)
    from scipy import stats

    result = stats.bootstrap(
        (sample,),
        statistic,
        n_resamples=interval.resamples,
        confidence_level=interval.confidence,
        method="percentile",
        rng=interval.rng,
    ).confidence_interval
    return Estimate(value, float(result.low), float(result.high), sample.size)


def exact(value: Any, units: int) -> Estimate:
    """Return a value that carries no sampling error, such as a certified bound."""
    return Estimate(float(value), float(value), float(value), units)


def summarise(
    runs: pd.DataFrame, by: Sequence[str], value: str, interval: Interval
) -> pd.DataFrame:
    """Return the mean of a column over seeds in each group, with its bootstrap interval.

    Runs whose column ``diverged`` is true have no meaningful value: they are left out of the mean
    and counted, for the figure to show.

    Args:
        runs: one row per run, with the columns ``by``, ``value`` and ``diverged``.
        by: the columns that make a group.
        value: the column to summarise.
        interval: confidence, resamples and generator.

    Returns:
        The columns ``by``, mean, low, high, runs, diverged; one row per group, sorted.
    """
    rows = []
    for key, group in runs.groupby(list(by), sort=True):
        kept = group.loc[~group["diverged"], value]
        estimate = bootstrap(kept, interval)
        rows.append(
            {
                **dict(zip(by, key, strict=True)),
                "mean": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "runs": len(group),
                "diverged": int(group["diverged"].sum()),
            }
        )
    return pd.DataFrame(rows)
