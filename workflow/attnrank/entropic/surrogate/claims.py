"""The statistics of the claims on the linear surrogate. A unit is a task: one r* and one seed."""

import pandas as pd

from attnrank.claims import Parameters
from attnrank.statistics import Estimate, Frames, Interval, success_rate

TASK = ["r_star", "seed"]


def deficient(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks on which every student below r* pays little more than the bound.

    That none pays less is a theorem, and a run that did would have stopped the pipeline.
    Parameters: ``ratio``, the greatest excess / bound allowed.
    """
    runs = frames["runs"]
    below = runs[runs["rank"] < runs["r_star"]]
    good = (below["excess"] <= parameters["ratio"] * below["bound"]) & ~below["diverged"]
    return _tasks(below, good, interval)


def attained(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks on which every student from r* on is near the noise floor.

    Parameters: ``excess``, the greatest excess risk allowed, and ``jump``, the least factor
    between the excess at the greatest trained rank below r* and that at the least from r* on.
    A diverged student fails its task.
    """
    runs = frames["runs"]
    reached = runs["rank"] >= runs["r_star"]
    below = runs.loc[~reached].groupby(TASK)["rank"].max().rename("below")
    at = runs.loc[reached].groupby(TASK)["rank"].min().rename("at")
    runs = runs.join(below, on=TASK).join(at, on=TASK)
    near = (runs["excess"] <= parameters["excess"]) & ~runs["diverged"]
    floor = near[reached].groupby([runs[name] for name in TASK]).all()
    # Rows by task, so that a NaN stays one and fails the comparison.
    before = runs[runs["rank"] == runs["below"]].set_index(TASK)["excess"]
    after = runs[runs["rank"] == runs["at"]].set_index(TASK)["excess"]
    return success_rate(floor & (before / after >= parameters["jump"]), interval)


def recovered(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of a regime's tasks whose rank every small start recovers.

    Parameters: ``regime``; ``init_scale``, the greatest start that counts as small; ``estimator``,
    which must equal r*; ``relative``, by which the energy effective rank may miss it.
    """
    runs = frames["recovery"]
    small = runs["init_scale"] <= parameters["init_scale"]
    runs = runs[(runs["regime"] == parameters["regime"]) & small]
    near = (runs["energy_effective_rank"] / runs["r_star"] - 1).abs() <= parameters["relative"]
    good = near & (runs[parameters["estimator"]] == runs["r_star"]) & ~runs["diverged"]
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
