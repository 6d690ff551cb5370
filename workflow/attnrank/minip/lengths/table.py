"""The table behind the figure minip_lengths."""

import pandas as pd

from attnrank.errors import AttnrankError
from attnrank.minip.task import SOLVED
from attnrank.statistics import Frames, Interval, summarise

_BY = ["width", "length", "rank"]


def lengths(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return the greatest error against width, length and rank, from each source.

    Args:
        frames: ``runs``, ``construction`` and ``optimum``, tables of `schemas`.
        interval: how intervals are made.

    Returns:
        A table of `schemas.LENGTHS`. For the optimum, low and high are the bracket of the
        bisection; for the construction they are its error.
    """
    runs = frames["runs"]
    groups = runs.groupby(_BY)["error"]
    extremes = groups.agg(
        least="min", greatest="max", solved=lambda error: int((error < SOLVED).sum())
    )
    trained = summarise(runs, _BY, "error", interval).merge(extremes.reset_index(), on=_BY)
    parts = [trained.assign(series="trained")]
    for series, low in (("construction", "error"), ("optimum", "lower")):
        rows = frames[series]
        fixed = pd.DataFrame(
            {
                "width": rows["width"],
                "length": rows["length"],
                "mean": rows["error"],
                "low": rows[low],
                "high": rows["error"],
                "least": rows[low],
                "greatest": rows["error"],
            }
        )
        parts.append(fixed.assign(series=series, rank=1, runs=0, diverged=0, solved=0))
    return pd.concat(parts, ignore_index=True)


def check_optimum(runs: pd.DataFrame, optimum: pd.DataFrame) -> None:
    """Refuse a trained head of rank 1 that beats every head of rank 1: one of the two is wrong.

    Raises:
        AttnrankError: names the run.
    """
    bound = optimum.set_index(["width", "length"])["lower"]
    for run in runs[runs["rank"] == 1].itertuples():
        lower = float(bound.get((run.width, run.length), 0.0))
        # Training is in single precision, whose rounding on errors near 1 is below 1e-5.
        if run.error < lower - 1e-5:
            raise AttnrankError(
                f"the rank-1 head of width {run.width}, length {run.length}, seed {run.seed} has "
                f"error {run.error:.6f}, but the linear program finds none below {lower:.6f}: "
                "training or program is wrong"
            )


TABLES = {"minip_lengths": lengths}
