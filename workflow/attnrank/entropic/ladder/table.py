"""The tables behind the ladder's figures."""

import pandas as pd

from attnrank.entropic.ladder.schemas import RUNGS
from attnrank.statistics import Frames, Interval, summarise

BY = ["series", "teacher", "r_star", "at"]


def ladder(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return excess risk against rank for each rung, plain and over the task's own floor.

    Args:
        frames: ``runs``, a table of `schemas.RUNS`.
        interval: how intervals are made.
    """
    runs = frames["runs"]
    runs = runs[(runs["teacher"] == "signed") & runs["student"].isin(RUNGS)]
    runs = runs.assign(
        floor=runs["equivariance_floor"], over_floor=runs["excess"] / runs["equivariance_floor"]
    )
    by = ["student", "r_star", "rank"]
    references = runs.groupby(by)[["bound", "floor"]].mean().reset_index()
    parts = [
        summarise(runs, by, column, interval).assign(quantity=quantity).merge(references, on=by)
        for quantity, column in (("excess", "excess"), ("excess over floor", "over_floor"))
    ]
    return pd.concat(parts, ignore_index=True)


def diagnosis(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return the four panels of the diagnosis, one below the other.

    Args:
        frames: ``runs``, a table of `schemas.RUNS`, and ``kernels``, one of `schemas.KERNELS`.
        interval: how intervals are made.
    """
    kernels = frames["kernels"].rename(columns={"seen": "series", "distinct_inputs": "at"})
    kernels = kernels.assign(teacher="signed", diverged=False)
    runs = frames["runs"].rename(columns={"student": "series", "rank": "at"})
    full = runs[runs["at"] == runs["at"].max()]
    linear = runs[runs["series"] == "B1_positions"]
    softmax = runs[runs["series"] == "B2_positions"]
    return pd.concat(
        [
            _panel("static kernel", kernels, "residual", "limit", interval),
            _panel("spread", full, "spread", None, interval),
            _panel("linear control", linear, "excess", "bound", interval),
            _panel("softmax control", softmax, "excess", "row_stochastic_floor", interval),
        ],
        ignore_index=True,
    )


def _panel(
    name: str, runs: pd.DataFrame, value: str, reference: str | None, interval: Interval
) -> pd.DataFrame:
    """Return the rows of one panel; no reference is NaN."""
    summary = summarise(runs, BY, value, interval).assign(panel=name)
    if reference is None:
        return summary.assign(reference=float("nan"))
    means = runs.groupby(BY)[reference].mean().rename("reference").reset_index()
    return summary.merge(means, on=BY)


TABLES = {"ladder": ladder, "mixer_diagnosis": diagnosis}
