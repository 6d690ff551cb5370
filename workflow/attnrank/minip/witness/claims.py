"""The statistics of the claims on the witness suite."""

import numpy as np
import pandas as pd

from attnrank.claims import Parameters
from attnrank.minip.witness.table import SOLVED
from attnrank.statistics import Estimate, Frames, Interval, bootstrap, exact, success_rate


def least_error(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the least error of any run of rank ``rank_low`` to ``rank_high``; a unit is a seed."""
    runs = _between(frames["runs"], parameters)
    return bootstrap(runs.groupby("seed")["error"].min(), interval, np.min)


def solved_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of runs of these ranks that answer every input; a unit is a run."""
    runs = _between(frames["runs"], parameters)
    return success_rate((runs["error"] < SOLVED) & ~runs["diverged"], interval)


def failed_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of runs of these ranks whose error exceeds ``error``; a unit is a run."""
    runs = _between(frames["runs"], parameters)
    return success_rate(~(runs["error"] <= parameters["error"]), interval)


def sign_split_rank(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the rank that the sign-split bound certifies at the error ``eps``."""
    certificate = frames["certificate"].set_index("eps")
    return exact(certificate.loc[parameters["eps"], "sign_split"], units=1)


def _between(runs: pd.DataFrame, parameters: Parameters) -> pd.DataFrame:
    return runs[runs["rank"].between(parameters["rank_low"], parameters["rank_high"])]
