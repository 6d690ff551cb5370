"""The statistics of the claims on the ladder. A unit is a task: one r* and one seed."""

import pandas as pd

from attnrank.claims import Parameters
from attnrank.entropic.ladder.schemas import RUNGS
from attnrank.statistics import Estimate, Frames, Interval, success_rate

TASK = ["r_star", "seed"]


def broken(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks on which B1, B2 and B3 all fail at the greatest rank.

    Parameters: ``floor_share`` of the equivariance floor that their excess risk must reach, and
    ``factor`` over B0's.
    """
    runs = _greatest_rank(frames["runs"], "signed")
    base = runs[runs["student"] == "B0"].set_index(TASK)
    rungs = runs[runs["student"].isin(RUNGS[1:])]
    b0 = base["excess"].reindex(pd.MultiIndex.from_frame(rungs[TASK])).to_numpy()
    high = rungs["excess"] >= parameters["floor_share"] * rungs["equivariance_floor"]
    return _tasks(rungs, high & (rungs["excess"] >= parameters["factor"] * b0), interval)


def one_kernel_for_all(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks on which a static kernel serves one input, but not many.

    Without positions. Parameters: ``exact``, the residual that counts as none for one input, and
    ``limit_share`` of the limit that the residual must reach at the most inputs.
    """
    kernels = frames["kernels"]
    kernels = kernels[kernels["seen"] == "content"]
    count = kernels["distinct_inputs"]
    one, most = kernels[count == 1], kernels[count == count.max()]
    many = (most["residual"] >= parameters["limit_share"] * most["limit"]).groupby(
        [most[name] for name in TASK]
    )
    exact = (one["residual"] <= parameters["exact"]).groupby([one[name] for name in TASK])
    return success_rate(exact.all() & many.all(), interval)


def bound_restored(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks on which B1 with positions follows the bound of a fixed operator.

    Parameters: ``ratio_low`` and ``ratio_high``, between which excess / tail energy must lie below
    r*; ``excess``, the greatest excess risk allowed from r* on.
    """
    runs = frames["runs"]
    runs = runs[runs["student"] == "B1_positions"]
    ratio = runs["excess"] / runs["bound"].where(runs["bound"] > 0)
    paid = ratio.between(parameters["ratio_low"], parameters["ratio_high"])
    reached = runs["excess"] <= parameters["excess"]
    return _tasks(runs, paid.where(runs["rank"] < runs["r_star"], reached), interval)


def row_sums_bind(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of signed tasks on which B2 with positions stays at the floor.

    At the greatest rank. Parameters: ``floor_share`` of the row-stochastic floor that its excess
    risk must reach.
    """
    runs = _greatest_rank(frames["runs"], "signed")
    runs = runs[runs["student"] == "B2_positions"]
    high = runs["excess"] >= parameters["floor_share"] * runs["row_stochastic_floor"]
    return _tasks(runs, high, interval)


def stochastic_attained(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of row-stochastic tasks that B2 with positions solves at every rank from r*.

    Parameters: ``excess``, the greatest excess risk allowed.
    """
    runs = frames["runs"]
    runs = runs[(runs["teacher"] == "stochastic") & (runs["rank"] >= runs["r_star"])]
    return _tasks(runs, runs["excess"] <= parameters["excess"], interval)


def _greatest_rank(runs: pd.DataFrame, teacher: str) -> pd.DataFrame:
    return runs[(runs["teacher"] == teacher) & (runs["rank"] == runs["rank"].max())]


def _tasks(runs: pd.DataFrame, good: "pd.Series[bool]", interval: Interval) -> Estimate:
    """Count the tasks all of whose runs are good; a diverged run is not."""
    good = good.astype(bool) & ~runs["diverged"]
    return success_rate(good.groupby([runs[name] for name in TASK]).all(), interval)
