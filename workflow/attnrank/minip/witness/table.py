"""The table behind the figure minip_transition."""

from collections.abc import Iterable

import pandas as pd

from attnrank.errors import AttnrankError
from attnrank.minip.task import SOLVED
from attnrank.statistics import Frames, Interval, summarise


def transition(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return error and accuracy against rank for each feature map, and the certified floor.

    Args:
        frames: ``runs``, a table of `schemas.RUNS`; ``certificate``, one of
            `schemas.CERTIFICATE`; ``constructed``, one of `schemas.CONSTRUCTED`.
        interval: how intervals are made.

    Returns:
        A table of `schemas.TRANSITION`. The floor has a row for every rank below the greatest
        certified one, trained or not.
    """
    runs, certificate = frames["runs"], frames["certificate"]
    groups = runs.groupby(["feature_map", "rank"])
    solved = groups["error"].agg(lambda error: int((error < SOLVED).sum())).rename("solved")
    parts = []
    for measure in ("error", "accuracy"):
        summary = summarise(runs, ("feature_map", "rank"), measure, interval)
        extremes = groups[measure].agg(least="min", greatest="max").join(solved)
        summary = summary.merge(extremes.reset_index(), on=["feature_map", "rank"])
        parts.append(summary.assign(measure=measure))
    ranks = range(1, int(certificate["rank"].max()))
    parts.append(_fixed("floor", ranks, [error_floor(certificate, rank) for rank in ranks]))
    head = frames["constructed"]
    parts.append(_fixed("constructed", head["features"], head["error"]))
    return pd.concat(parts, ignore_index=True)


def _fixed(measure: str, ranks: Iterable[int], values: Iterable[float]) -> pd.DataFrame:
    """Return rows for values by rank that no seed enters."""
    rows = [
        {"rank": rank, **dict.fromkeys(("mean", "low", "high", "least", "greatest"), value)}
        for rank, value in zip(ranks, values, strict=True)
    ]
    nothing = {"runs": 0, "diverged": 0, "solved": 0}
    return pd.DataFrame(rows).assign(measure=measure, feature_map="any", **nothing)


def error_floor(certificate: pd.DataFrame, rank: int) -> float:
    """Return the greatest error that is certified to need more than ``rank`` features, or 0."""
    beyond = certificate.loc[certificate["rank"] > rank, "error"]
    return float(beyond.max()) if len(beyond) else 0.0


def check_floor(runs: pd.DataFrame, certificate: pd.DataFrame) -> None:
    """Refuse a run below the certified floor: it would contradict a theorem, so it is a bug.

    Raises:
        AttnrankError: names the run.
    """
    for run in runs.itertuples():
        floor = error_floor(certificate, run.rank)
        # Training is in single precision, whose rounding on errors near 1 is below 1e-5.
        if run.error < floor - 1e-5:
            raise AttnrankError(
                f"the {run.feature_map} head of rank {run.rank}, seed {run.seed}, has error "
                f"{run.error:.6f}, but {floor:.6f} or more is certified: "
                "training or certificate is wrong"
            )


TABLES = {"minip_transition": transition}
