"""The table behind the figure minip_scaling."""

import pandas as pd

from attnrank.statistics import Frames, Interval, success_rate, summarise

CASE = ["split", "queries", "width", "rank"]


def scaling(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return accuracy against rank on each split and scale.

    Args:
        frames: ``sequences`` and ``codes``, tables of `schemas.RUNS`.
        interval: how intervals are made.

    Returns:
        A table of `schemas.SHOWN`. Accuracies are means over code draws, each the mean of its
        seeds, with bootstrap intervals over draws; ``strict`` is the share of runs that answer
        every test input, with its Wilson interval.
    """
    runs = pd.concat([frames["sequences"], frames["codes"]], ignore_index=True)
    parts = []
    for measure in ("accuracy", "train_accuracy"):
        parts.append(summarise(per_draw(runs, measure), CASE, measure, interval))
        parts[-1]["measure"] = measure
    rows = []
    for key, group in runs.groupby(CASE):
        share = success_rate((group["accuracy"] == 1.0) & ~group["diverged"], interval)
        rows.append(
            {
                **dict(zip(CASE, key, strict=True)),
                **{"mean": share.value, "low": share.low, "high": share.high},
                "runs": len(group),
                "diverged": int(group["diverged"].sum()),
                "measure": "strict",
            }
        )
    return pd.concat([*parts, pd.DataFrame(rows)], ignore_index=True)


def per_draw(runs: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return the mean over seeds on each code draw; a draw counts as diverged if a seed did."""
    groups = runs.groupby([*CASE, "draw"])
    return groups.agg({measure: "mean", "diverged": "any"}).reset_index()


TABLES = {"minip_scaling": scaling}
