"""The tables behind the surrogate's figures."""

import pandas as pd

from attnrank.entropic.surrogate.schemas import NORMS, SHOWN
from attnrank.statistics import Frames, Interval, summarise


def transition(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return excess risk against rank for each r*, beside bound and closed-form optimum.

    Args:
        frames: ``runs``, a table of `schemas.RUNS`.
        interval: how intervals are made.
    """
    runs = frames["runs"]
    summary = summarise(runs, ("r_star", "rank"), "excess", interval)
    references = runs.groupby(["r_star", "rank"])[["bound", "closed_form"]].mean()
    return summary.merge(references.reset_index(), on=["r_star", "rank"])


def recovery(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return the rank that gradient descent finds against the initial scale.

    Args:
        frames: ``recovery``, a table of `schemas.RECOVERY_RUNS`.
        interval: how intervals are made.
    """
    runs = frames["recovery"]
    by = ("regime", "r_star", "init_scale")
    parts = []
    for estimator in SHOWN:
        summary = summarise(runs, by, estimator, interval)
        names = {f"{norm}_{estimator}": norm for norm in NORMS}
        references = runs.groupby(list(by))[list(names)].mean().rename(columns=names)
        summary = summary.merge(references.reset_index(), on=by).assign(estimator=estimator)
        parts.append(summary)
    return pd.concat(parts, ignore_index=True)


TABLES = {"surrogate_transition": transition, "surrogate_recovery": recovery}
