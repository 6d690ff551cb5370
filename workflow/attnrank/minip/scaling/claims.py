"""The statistics of the claims on scaling; a unit is a code draw."""

import numpy as np
import pandas as pd

from attnrank.claims import Parameters
from attnrank.minip.scaling.table import per_draw
from attnrank.statistics import NOTHING, Estimate, Frames, Interval, bootstrap, success_rate


def least_at_queries(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the accuracy at rank n times ``factor`` on the scale where it is least."""
    return _extreme(frames, parameters, interval, largest=False)


def greatest_at_queries(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the accuracy at rank n times ``factor`` on the scale where it is greatest."""
    return _extreme(frames, parameters, interval, largest=True)


def dense_exact_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of dense runs, at all scales, that answer every test input."""
    runs = frames["sequences"]
    dense = runs[runs["rank"] == 0]
    return success_rate((dense["accuracy"] == 1.0) & ~dense["diverged"], interval)


def codes_accuracy(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the accuracy on new codes at ``rank``, 0 for dense softmax."""
    runs = frames["codes"]
    own = per_draw(runs[runs["rank"] == parameters["rank"]], "accuracy")
    return bootstrap(_values(own), interval, np.mean)


def _extreme(
    frames: Frames, parameters: Parameters, interval: Interval, *, largest: bool
) -> Estimate:
    runs = per_draw(frames["sequences"], "accuracy")
    found = []
    for queries, group in runs.groupby("queries"):
        own = group[group["rank"] == round(queries * parameters["factor"])]
        found.append(bootstrap(_values(own), interval, np.mean) if len(own) else NOTHING)
    if any(np.isnan(estimate.value) for estimate in found):
        return NOTHING
    choose = max if largest else min
    return choose(found, key=lambda estimate: estimate.value)


def _values(draws: pd.DataFrame) -> pd.Series:
    """Return accuracies, a diverged draw's NaN, so that it cannot pass."""
    return draws["accuracy"].where(~draws["diverged"])
