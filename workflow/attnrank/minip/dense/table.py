"""The table behind the figure minip_dense."""

import numpy as np
import pandas as pd

from attnrank.minip.task import SOLVED
from attnrank.statistics import Frames, Interval, summarise

_LENGTH = 3  # of the trained heads' inputs


def dense(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return errors and thresholds of the fixed head, and what was trained.

    Args:
        frames: ``errors``, ``thresholds`` and ``runs``, tables of `schemas`.
        interval: how intervals are made.

    Returns:
        A table of `schemas.DENSE`.
    """
    runs = frames["runs"]
    solved = runs.groupby("width")["error"].agg(solved=lambda error: int((error < SOLVED).sum()))
    parts = []
    for measure, column in (("trained_error", "error"), ("trained_beta", "beta")):
        extremes = runs.groupby("width")[column].agg(least="min", greatest="max").join(solved)
        summary = summarise(runs, ["width"], column, interval)
        trained = summary.merge(extremes.reset_index(), on="width")
        empty = dict.fromkeys(("beta", "closed_form", "exhaustive"), np.nan)
        parts.append(trained.assign(measure=measure, length=_LENGTH, **empty))
    nothing = {
        **dict.fromkeys(("mean", "low", "high", "least", "greatest"), np.nan),
        **dict.fromkeys(("runs", "diverged", "solved"), 0),
    }
    parts.append(frames["errors"].assign(measure="error", **nothing))
    thresholds = frames["thresholds"].drop(columns="formula")
    parts.append(thresholds.assign(measure="threshold", beta=np.nan, **nothing))
    # Concatenation warns of columns that are all NaN; as plain columns they are not.
    names = list(parts[-1].columns)
    return pd.DataFrame({name: np.concatenate([part[name] for part in parts]) for name in names})


TABLES = {"minip_dense": dense}
