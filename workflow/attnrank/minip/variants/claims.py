"""The statistics of the claims on the variants."""

import numpy as np

from attnrank.claims import Parameters
from attnrank.statistics import NOTHING, Estimate, Frames, Interval, bootstrap, exact


def certified_rank(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the least rank that is certified at ``eps`` over the variants."""
    rows = frames["certificate"]
    rows = rows[rows["eps"] == parameters["eps"]]
    return exact(rows["rank"].min(), units=len(rows)) if len(rows) else NOTHING


def least_error(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the least error of any head of rank at most ``rank_high``; a unit is a seed."""
    runs = frames["runs"]
    runs = runs[runs["rank"] <= parameters["rank_high"]]
    return bootstrap(runs.groupby("seed")["error"].min(), interval, np.min)
