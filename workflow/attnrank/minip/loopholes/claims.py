"""The statistics of the claims on the loopholes."""

import numpy as np
import pandas as pd

from attnrank.claims import Parameters
from attnrank.minip.loopholes.table import SOLVED, certain
from attnrank.statistics import NOTHING, Estimate, Frames, Interval, bootstrap, exact, success_rate


def built_rank(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the least rank of a signed head that was spelled out with error ``eps`` at most."""
    group = _at(frames, parameters)
    built = group[(group["built_rank"] > 0) & (group["built_error"] < SOLVED)]
    return exact(built["built_rank"].min(), units=1) if len(built) else NOTHING


def certain_rank(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the rank that every head of either sign has if its error is at most ``eps``."""
    group = _at(frames, parameters)
    return exact(certain(group, "signed"), units=1) if len(group) else NOTHING


def solved_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of seeds that solve the suite with ``heads`` heads, ``features`` in all."""
    runs = _runs(frames, parameters)
    return success_rate((runs["error"] < SOLVED) & ~runs["diverged"], interval)


def transcript_ratio(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return bits of ``heads`` heads over bits of one with as many features; a unit is a seed."""
    many = _runs(frames, parameters).set_index("seed")["transcript"]
    one = _runs(frames, {**parameters, "heads": 1}).set_index("seed")["transcript"]
    return bootstrap((many / one).to_numpy(), interval, np.mean)


def _at(frames: Frames, parameters: Parameters) -> pd.DataFrame:
    margins = frames["margins"]
    return margins[np.isclose(margins["error"], parameters["eps"])]


def _runs(frames: Frames, parameters: Parameters) -> pd.DataFrame:
    heads = frames["heads"]
    keep = (heads["heads"] == parameters["heads"]) & (heads["features"] == parameters["features"])
    return heads[keep]
