"""The statistics of the claims on lengths."""

import numpy as np
import pandas as pd

from attnrank.claims import Parameters
from attnrank.minip.task import SOLVED
from attnrank.statistics import NOTHING, Estimate, Frames, Interval, exact, success_rate


def construction_error(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the construction's greatest error over all widths and lengths up to ``length``."""
    rows = frames["construction"]
    errors = rows.loc[rows["length"] <= parameters["length"], "error"]
    return exact(errors.max(), units=len(errors)) if len(errors) else NOTHING


def least_optimum(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the least over widths from ``width`` on of what no rank-1 head can beat."""
    rows = frames["optimum"]
    chosen = rows[(rows["length"] == parameters["length"]) & (rows["width"] >= parameters["width"])]
    return exact(chosen["lower"].min(), units=len(chosen)) if len(chosen) else NOTHING


def optimum_apart(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return how far the optimum is from m (N - 2) / (4 (N - 1)) at even m; the greatest, in bits.

    The distance is that of the farther end of the bracket.
    """
    rows = frames["optimum"]
    even = rows[(rows["width"] % 2 == 0) & (rows["length"] >= 2)]
    if not len(even):
        return NOTHING
    formula = even["width"] * (even["length"] - 2) / (4 * (even["length"] - 1))
    apart = np.maximum(abs(even["error"] - formula), abs(even["lower"] - formula))
    return exact(apart.max(), units=len(even))


def solved_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of runs that are exact after rounding on every input; a unit is a run."""
    runs = _chosen(frames["runs"], parameters)
    return success_rate((runs["error"] < SOLVED) & ~runs["diverged"], interval)


def failed_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of runs that are not; a unit is a run."""
    runs = _chosen(frames["runs"], parameters)
    return success_rate(~((runs["error"] < SOLVED) & ~runs["diverged"]), interval)


def _chosen(runs: pd.DataFrame, parameters: Parameters) -> pd.DataFrame:
    """Return the runs of one rank, of a width or more, at lengths from low to high."""
    return runs[
        (runs["rank"] == parameters["rank"])
        & (runs["width"] >= parameters["width"])
        & runs["length"].between(parameters["length_low"], parameters["length_high"])
    ]
