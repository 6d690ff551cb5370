"""The table behind the figure minip_transcript."""

import numpy as np
import pandas as pd

from attnrank.statistics import Frames, Interval, summarise

_FAMILY = ["kind", "queries", "size", "layers"]


def transcript(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return exactness against bits for every head, and the least bits of exact heads.

    Args:
        frames: ``trained`` and ``constructed``, tables of `schemas.RUNS`.
        interval: how intervals are made.

    Returns:
        A table of `schemas.SHOWN`. Least bits are of constructed heads, whose result is exact.
    """
    runs = pd.concat([frames["trained"], frames["constructed"]], ignore_index=True)
    group = [*_FAMILY, "bits", "needed", "line"]
    shown = summarise(runs, group, "exact", interval).assign(measure="exact")
    built = frames["constructed"]
    return pd.concat(
        [
            _one_value(shown),
            _least(built, "least_bits"),
            _least(built[_whole(built)], "least_whole_bits"),
        ],
        ignore_index=True,
    )


def _one_value(shown: pd.DataFrame) -> pd.DataFrame:
    """Give what is constructed, with one run and no chance in it, an interval of no width."""
    sure = shown["kind"] == "constructed"
    for end in ("low", "high"):
        shown[end] = shown["mean"].where(sure, shown[end])
    return shown


def _whole(built: pd.DataFrame) -> pd.Series:
    """Return the heads whose channels carry whole bits."""
    bits = np.log2(built[["levels_1", "levels_2"]])
    return (bits == bits.round()).all(axis=1)


def _least(built: pd.DataFrame, measure: str) -> pd.DataFrame:
    exact = built[built["exact"] == 1.0]
    least = exact.loc[exact.groupby(_FAMILY)["bits"].idxmin(), [*_FAMILY, "bits", "needed", "line"]]
    ends = dict.fromkeys(("mean", "low", "high"), least["bits"])
    return least.assign(measure=measure, runs=1, diverged=0, **ends)


TABLES = {"minip_transcript": transcript}
