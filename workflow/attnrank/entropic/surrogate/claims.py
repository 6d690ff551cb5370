"""The statistics of the claims on the linear surrogate. A unit is a task: one r* and one seed."""

import pandas as pd

from attnrank.claims import Parameters
from attnrank.statistics import Estimate, Frames, Interval, success_rate

TASK = ["r_star", "seed"]


def deficient(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks on which every student below r* pays the bound, and little more.

    Parameters: ``ratio_low`` and ``ratio_high``, between which excess / bound must lie.
    """
    runs = frames["runs"]
    below = runs[runs["rank"] < runs["r_star"]]
    ratio = below["excess"] / below["bound"]
    good = ratio.between(parameters["ratio_low"], parameters["ratio_high"]) & ~below["diverged"]
    return _tasks(below, good, interval)


def attained(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks on which every student from r* on is near the noise floor.

    Parameters: ``excess``, the greatest excess risk allowed, and ``jump``, the least factor
    between the excess at the greatest trained rank below r* and that at r*.
    """
    runs = frames["runs"]
    from_r_star = runs[runs["rank"] >= runs["r_star"]]
    good = (from_r_star["excess"] <= parameters["excess"]) & ~from_r_star["diverged"]
    below = runs[runs["rank"] < runs["r_star"]].sort_values("rank")
    before = below.groupby(TASK)["excess"].last()
    after = from_r_star.sort_values("rank").groupby(TASK)["excess"].first()
    jumps = before / after >= parameters["jump"]
    return success_rate(good.groupby([from_r_star[name] for name in TASK]).all() & jumps, interval)


def recovered(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of a regime's tasks whose rank every small start recovers.

    Parameters: ``regime``; ``init_scale``, the greatest start that counts as small; ``relative``,
    by which the energy effective rank may miss r*. The numerical rank at 5 % must equal r*.
    """
    runs = frames["recovery"]
    small = runs["init_scale"] <= parameters["init_scale"]
    runs = runs[(runs["regime"] == parameters["regime"]) & small]
    near = (runs["energy_effective_rank"] / runs["r_star"] - 1).abs() <= parameters["relative"]
    good = near & (runs["numerical_rank_05"] == runs["r_star"]) & ~runs["diverged"]
    return _tasks(runs, good, interval)


def missed(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of a regime's tasks on which large starts end at too high a rank.

    Parameters: ``regime``; ``init_scale``, the least start that counts as large; ``factor`` of r*
    that the energy effective rank must reach.
    """
    runs = frames["recovery"]
    large = runs["init_scale"] >= parameters["init_scale"]
    runs = runs[(runs["regime"] == parameters["regime"]) & large]
    high = runs["energy_effective_rank"] >= parameters["factor"] * runs["r_star"]
    return _tasks(runs, high & ~runs["diverged"], interval)


def _tasks(runs: pd.DataFrame, good: "pd.Series[bool]", interval: Interval) -> Estimate:
    return success_rate(good.groupby([runs[name] for name in TASK]).all(), interval)
