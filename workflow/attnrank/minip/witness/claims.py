"""The statistics of the claims on the witness suite."""

import pandas as pd

from attnrank.claims import Parameters
from attnrank.minip.task import SOLVED
from attnrank.minip.witness.table import error_floor
from attnrank.statistics import NOTHING, Estimate, Frames, Interval, exact, success_rate


def solved_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of runs of these ranks that answer every input; a unit is a run."""
    runs = _between(frames["runs"], parameters)
    return success_rate((runs["error"] < SOLVED) & ~runs["diverged"], interval)


def failed_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of runs of these ranks whose error exceeds ``error``; a unit is a run."""
    runs = _between(frames["runs"], parameters)
    return success_rate(~(runs["error"] <= parameters["error"]), interval)


def sign_split_gain(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return by how much the sign split's rank at the error ``eps`` exceeds the other bounds'."""
    certificate = frames["certificate"]
    found = certificate[certificate["eps"] == parameters["eps"]]
    if found.empty:
        return NOTHING
    others = found[["dominance", "trace"]].max(axis=1)
    return exact((found["sign_split"] - others).iloc[0], units=1)


def constructed_error(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the error of the constructed head, relative to what is certified for its rank."""
    head = frames["constructed"].iloc[0]
    return exact(head["error"] / error_floor(frames["certificate"], head["features"]), units=1)


def _between(runs: pd.DataFrame, parameters: Parameters) -> pd.DataFrame:
    return runs[runs["rank"].between(parameters["rank_low"], parameters["rank_high"])]
