"""The table behind the figure minip_loopholes."""

import pandas as pd

from attnrank.minip.loopholes.dependency import certain_rank
from attnrank.statistics import Frames, Interval, summarise

SOLVED = 0.5  # below it, rounding gives the exact answer
_GROUP = ("kernel", "heads", "features")


def loopholes(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return errors and transcripts of trained heads, and what linear programs say of signed ones.

    Args:
        frames: ``heads`` and ``signed``, tables of `schemas.RUNS`; ``margins``, one of
            `schemas.MARGINS`.
        interval: how intervals are made.

    Returns:
        A table of `schemas.SHOWN`.
    """
    runs = pd.concat([frames["heads"], frames["signed"]], ignore_index=True)
    parts = [_measure(runs, "error", runs["error"] < SOLVED, interval)]
    sent = frames["heads"]
    # Heads that no number of bits keeps exact have no transcript; they are counted as not solved.
    unknown = sent["transcript"].isna() | sent["diverged"]
    parts.append(
        _measure(sent.assign(diverged=unknown), "transcript", ~unknown, interval).assign(
            measure="bits"
        )
    )
    parts.append(_programs(frames["margins"]))
    return pd.concat(parts, ignore_index=True)


def _measure(runs: pd.DataFrame, value: str, solved: pd.Series, interval: Interval) -> pd.DataFrame:
    summary = summarise(runs, _GROUP, value, interval)
    counts = runs.assign(solved=solved).groupby(list(_GROUP))["solved"].sum().astype(int)
    summary = summary.merge(counts.reset_index(), on=list(_GROUP))
    return summary.assign(measure=value, eps=float("nan"))


def _programs(margins: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for eps, group in margins.groupby("error"):
        row = {"eps": eps, "heads": 1, "features": 0, "solved": 0, "runs": 0, "diverged": 0}
        for kernel in ("nonnegative", "signed"):
            rank = float(certain(group, kernel))
            rows.append({**row, "measure": "certain_rank", "kernel": kernel, "mean": rank})
        margin = largest_margin(group)
        rows.append({**row, "measure": "margin", "kernel": "signed", "mean": margin})
    frame = pd.DataFrame(rows)
    return frame.assign(low=frame["mean"], high=frame["mean"])


def certain(group: pd.DataFrame, kernel: str) -> int:
    """Return the rank below which no head can be, from the dependencies possible at one error."""
    possible = group.loc[group[kernel], ["positive", "negative"]]
    return certain_rank(set(possible.itertuples(index=False, name=None)), group["queries"].iloc[0])


def largest_margin(group: pd.DataFrame) -> float:
    """Return the largest margin of a signed head of rank n - 1 at one error; NaN if there is none.

    Only dependencies that take in every row count, for which a whole head was spelled out.
    """
    whole = group[group["positive"] + group["negative"] == group["queries"]]
    return float(whole["margin"].max())


TABLES = {"minip_loopholes": loopholes}
