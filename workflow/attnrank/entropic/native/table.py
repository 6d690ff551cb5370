"""The tables behind the figures of the attention-native rank."""

import numpy as np
import pandas as pd

from attnrank.columns import ESTIMATORS
from attnrank.entropic.native.schemas import SHOWN
from attnrank.statistics import Frames, Interval, summarise

NAMES = [column.name for column in ESTIMATORS]


def compared(runs: pd.DataFrame) -> pd.DataFrame:
    """Return softmax runs beside the linear runs of the same r*, rank and seed.

    Linear attention does not depend on tau, so each softmax run of any tau has its linear run.

    Args:
        runs: a table of `schemas.RUNS`.

    Returns:
        The softmax runs that have one, with the columns ``ratio``, softmax over linear excess
        risk, and ``relative``, the same with each divided by its excess risk at K = 0, which is 1
        for linear attention; ``diverged`` if either is.
    """
    key = ["r_star", "rank", "seed"]
    linear = runs[runs["kind"] == "linear"]
    linear = linear[[*key, "excess", "diverged"]].rename(
        columns={"excess": "linear", "diverged": "linear_diverged"}
    )
    both = runs[runs["kind"] == "softmax"].merge(linear, on=key)
    ratio = both["excess"] / both["linear"]
    return both.assign(
        ratio=ratio,
        relative=ratio / both["uniform"],
        diverged=both["diverged"] | both["linear_diverged"],
    )


def full_rank(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs at the greatest rank, where the rank is free and estimated."""
    return runs[runs["rank"] == runs["rank"].max()]


def transition(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return excess risk against rank for each kind and r*, at the tau of both kinds.

    Args:
        frames: ``runs``, a table of `schemas.RUNS`.
        interval: how intervals are made.
    """
    runs = _one_tau(frames["runs"])
    by = ["kind", "r_star", "rank"]
    groups = runs.groupby(by)
    others = pd.DataFrame({"tail": groups["tail"].mean(), "stuck": groups["stuck"].sum()})
    return summarise(runs, by, "excess", interval).merge(others.reset_index(), on=by)


def recovery(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return every estimator at full rank, and those `SHOWN` against the initial scale.

    Args:
        frames: ``runs`` and ``implicit``, tables of `schemas.RUNS` and `schemas.IMPLICIT_RUNS`.
        interval: how intervals are made.
    """
    over, under = full_rank(_one_tau(frames["runs"])), frames["implicit"]
    parts = []
    for name in NAMES:
        summary = summarise(over, ("kind", "r_star"), name, interval)
        parts.append(
            summary.assign(
                regime="over_determined", estimator=name, init_scale=np.nan, frobenius=np.nan
            )
        )
    by = ["kind", "r_star", "init_scale"]
    for name in SHOWN:
        summary = summarise(under, by, name, interval)
        least = under.groupby(by)[f"frobenius_{name}"].mean().rename("frobenius")
        summary = summary.merge(least.reset_index(), on=by)
        parts.append(summary.assign(regime="under_determined", estimator=name))
    return pd.concat(parts, ignore_index=True)


def compression(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return what changes with tau at the one r* that is trained at several.

    Args:
        frames: ``runs``, a table of `schemas.RUNS`.
        interval: how intervals are made.
    """
    runs = _one_r_star(frames["runs"])
    soft = runs[runs["kind"] == "softmax"]
    by = ["kind", "tau", "rank", "r_star"]
    # One value per task: every student of a task repeats it.
    uniform = soft[soft["rank"] == soft["rank"].max()].assign(rank=0, diverged=False)
    below = compared(runs).query("rank < r_star")
    parts = [
        summarise(runs, by, "excess", interval).assign(quantity="excess", estimator=""),
        summarise(uniform, by, "uniform", interval).assign(quantity="excess", estimator=""),
        *(
            summarise(below, by, name, interval).assign(quantity=name, estimator="")
            for name in ("ratio", "relative")
        ),
    ]
    for name in NAMES:
        part = summarise(full_rank(soft), by, name, interval)
        parts.append(part.assign(quantity="estimate", estimator=name))
    stuck = runs.groupby(by)["stuck"].sum().reset_index()
    made = pd.concat(parts, ignore_index=True).merge(stuck, on=by, how="left")
    return made.assign(stuck=made["stuck"].fillna(0).astype("int64"))


def _one_tau(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs at the tau of the linear ones, at which every r* is trained."""
    return runs[runs["tau"] == runs.loc[runs["kind"] == "linear", "tau"].iloc[0]]


def _one_r_star(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of the r* that is trained at several tau, at the ranks that all tau have."""
    soft = runs[runs["kind"] == "softmax"]
    taus = soft.groupby("r_star")["tau"].nunique()
    runs = runs[runs["r_star"] == taus.idxmax()]
    per_rank = runs[runs["kind"] == "softmax"].groupby("rank")["tau"].nunique()
    return runs[runs["rank"].isin(per_rank.index[per_rank == per_rank.max()])]


TABLES = {
    "native_transition": transition,
    "native_recovery": recovery,
    "softmax_compression": compression,
}
