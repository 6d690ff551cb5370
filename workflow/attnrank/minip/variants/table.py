"""The table behind the figure minip_variants."""

import pandas as pd

from attnrank.errors import AttnrankError
from attnrank.minip.witness.table import error_floor
from attnrank.statistics import Frames, Interval, summarise

_ROUNDING = 1e-5  # of errors near 1 in single precision


def variants(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return error against rank, the certified floor and the certified rank of every variant.

    Args:
        frames: ``runs``, a table of `schemas.RUNS`, and ``certificate``, one of
            `schemas.CERTIFICATE`.
        interval: how intervals are made.
    """
    runs, certificate = frames["runs"], frames["certificate"]
    summary = summarise(runs, ("variant", "rank"), "error", interval)
    extremes = runs.groupby(["variant", "rank"])["error"].agg(least="min", greatest="max")
    summary = summary.merge(extremes.reset_index(), on=["variant", "rank"])
    parts = [summary.assign(measure="error", eps=0.0)]
    for variant, mine in certificate.groupby("variant"):
        floors = {rank: error_floor(mine, rank) for rank in range(1, int(mine["rank"].max()))}
        parts.append(_exact("floor", variant, list(floors), list(floors.values()), 0.0))
        parts.append(
            _exact(
                "certified", variant, mine["rank"].tolist(), mine["rank"].tolist(), mine["error"]
            )
        )
    return pd.concat(parts, ignore_index=True)


def _exact(
    measure: str, variant: object, ranks: list[int], values: list[float], eps: float | pd.Series
) -> pd.DataFrame:
    rows = {"measure": measure, "variant": variant, "rank": ranks, "runs": 0, "diverged": 0}
    names = ("mean", "low", "high", "least", "greatest")
    frame = pd.DataFrame({**rows, **{name: [float(v) for v in values] for name in names}})
    return frame.assign(eps=eps if isinstance(eps, float) else eps.to_numpy())


def check_floor(runs: pd.DataFrame, certificate: pd.DataFrame) -> None:
    """Refuse a run below its variant's certified floor: it would contradict a theorem.

    Raises:
        AttnrankError: names the run.
    """
    floors = {
        (variant, rank): error_floor(mine, rank)
        for variant, mine in certificate.groupby("variant")
        for rank in set(runs["rank"])
    }
    for run in runs.itertuples():
        floor = floors[run.variant, run.rank]
        if run.error < floor - _ROUNDING:
            raise AttnrankError(
                f"the {run.variant} head of rank {run.rank}, seed {run.seed}, has error "
                f"{run.error:.6f}, but {floor:.6f} or more is certified: "
                "training or certificate is wrong"
            )


TABLES = {"minip_variants": variants}
