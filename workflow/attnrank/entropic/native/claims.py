"""The statistics of the claims on the attention-native rank.

A unit is a task, one kind, tau, r* and seed, unless a statistic says otherwise.
"""

import pandas as pd

from attnrank.claims import Parameters
from attnrank.entropic.native.table import compared, full_rank
from attnrank.statistics import Estimate, Frames, Interval, bootstrap, success_rate

TASK = ["kind", "tau", "r_star", "seed"]


def deficient(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks on which every student below r* does far worse than any from r* on.

    Parameters: ``kind``; ``jump``, the least factor between the least excess risk below r* and the
    greatest from r* on.
    """
    runs = _of(frames["runs"], parameters)
    below, from_r_star = _split(runs)
    least = below.groupby(TASK)["excess"].min()
    greatest = from_r_star.groupby(TASK)["excess"].max()
    # Tasks of r* = 1 have no student below; a diverged student makes its task a failure.
    good = (least / greatest.reindex(least.index) >= parameters["jump"]) & ~_diverged(runs, least)
    return success_rate(good, interval)


def attained(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks on which every student from r* on is near the noise floor.

    Parameters: ``kind``; ``excess``, the greatest excess risk allowed.
    """
    _, from_r_star = _split(_of(frames["runs"], parameters))
    good = (from_r_star["excess"] <= parameters["excess"]) & ~from_r_star["diverged"]
    return _tasks(from_r_star, good, interval)


def recovered(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of tasks whose full-rank student has an energy effective rank of r*.

    Parameters: ``kind``; ``tolerance``, by which the energy effective rank may miss r*.
    """
    runs = full_rank(_of(frames["runs"], parameters))
    return _tasks(runs, _found(runs, "energy_effective_rank", parameters["tolerance"]), interval)


def implicitly_recovered(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of under-determined tasks whose rank gradient descent finds from one start.

    Parameters: ``init_scale``; ``relative``, by which the energy effective rank may miss.
    """
    runs = frames["implicit"]
    runs = runs[runs["init_scale"] == parameters["init_scale"]]
    near = (runs["energy_effective_rank"] / runs["r_star"] - 1).abs() <= parameters["relative"]
    return success_rate(near & ~runs["diverged"], interval)


def start_matters(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of under-determined tasks where a large start ends at a far greater rank.

    Parameters: ``small`` and ``large``, the initial scales; ``factor`` between the energy effective
    ranks found; ``r_star``, the ranks that count.
    """
    runs = frames["implicit"]
    runs = runs[runs["r_star"].isin(parameters["r_star"])]
    key = ["kind", "r_star", "seed", "init_scale"]
    ends = runs.set_index(key)["energy_effective_rank"].unstack()
    if not {parameters["small"], parameters["large"]} <= set(ends.columns):
        return success_rate([], interval)
    return success_rate(
        ends[parameters["large"]] >= parameters["factor"] * ends[parameters["small"]], interval
    )


def compression(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the mean over seeds of the excess risk below r*, softmax over linear.

    Parameters: ``measure``, ratio, or relative, where each excess risk is a share of what K = 0
    leaves; ``tau_low`` and ``tau_high``, between which tau must lie; ``missing_low`` and
    ``missing_high``, between which r* - r must lie. Each seed's value is its mean over those runs.
    """
    both = compared(frames["runs"])
    missing = both["r_star"] - both["rank"]
    both = both[
        both["tau"].between(parameters["tau_low"], parameters["tau_high"])
        & missing.between(parameters["missing_low"], parameters["missing_high"])
    ]
    # A diverged run makes its seed's value NaN, and the verdict "not reproduced".
    ratio = both[parameters["measure"]].where(~both["diverged"])
    return bootstrap(ratio.groupby(both["seed"]).agg(lambda x: x.mean(skipna=False)), interval)


def structured(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of softmax tasks, of every tau, that drop at r* to near the noise floor.

    Parameters: ``jump`` and ``excess``, as in `deficient` and `attained`.
    """
    runs = frames["runs"][frames["runs"]["kind"] == "softmax"]
    runs = runs[runs["r_star"] > 1]
    below, from_r_star = _split(runs)
    least = below.groupby(TASK)["excess"].min()
    greatest = from_r_star.groupby(TASK)["excess"].max().reindex(least.index)
    good = (least / greatest >= parameters["jump"]) & (greatest <= parameters["excess"])
    return success_rate(good & ~_diverged(runs, least), interval)


def accurate(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of softmax tasks, of every tau and r*, that the energy rank gets right.

    Parameters: ``tolerance``, by which it may miss r* in a student of full rank.
    """
    runs = _softmax_full_rank(frames["runs"])
    return _tasks(runs, _found(runs, "energy_effective_rank", parameters["tolerance"]), interval)


def advantage(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return how many more tasks the energy rank gets right than numerical ranks: share of tasks.

    The lead over the best of the named tolerances, as the mean over seeds of the difference of
    shares; a unit is a seed.

    Parameters: ``source``, ``runs`` (full rank, softmax, every tau) or ``implicit`` (softmax, the
    starts up to ``init_scale``); ``percent``, tolerances of the numerical ranks; ``tolerance``, by
    which any estimate may miss r*: 0.5 is rounding.
    """
    if parameters["source"] == "runs":
        runs = _softmax_full_rank(frames["runs"])
    else:
        runs = frames["implicit"]
        runs = runs[(runs["kind"] == "softmax") & (runs["init_scale"] <= parameters["init_scale"])]
    found = pd.DataFrame(
        {
            name: _found(runs, name, parameters["tolerance"])
            for name in (
                "energy_effective_rank",
                *(f"numerical_rank_{percent:02.0f}" for percent in parameters["percent"]),
            )
        }
    )
    shares = found.groupby(runs["seed"]).mean()
    rivals = shares.drop(columns="energy_effective_rank")
    best = rivals.mean().idxmax()
    return bootstrap(shares["energy_effective_rank"] - rivals[best], interval)


def _of(runs: pd.DataFrame, parameters: Parameters) -> pd.DataFrame:
    """Return the runs of a kind, at the tau of the linear ones, at which every r* is trained."""
    tau = runs.loc[runs["kind"] == "linear", "tau"].iloc[0]
    return runs[(runs["kind"] == parameters["kind"]) & (runs["tau"] == tau)]


def _softmax_full_rank(runs: pd.DataFrame) -> pd.DataFrame:
    return full_rank(runs[runs["kind"] == "softmax"])


def _split(runs: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the runs below r*, and those from r* on."""
    below = runs["rank"] < runs["r_star"]
    return runs[below], runs[~below]


def _diverged(runs: pd.DataFrame, tasks: "pd.Series[float]") -> "pd.Series[bool]":
    """Return for each task of an index whether any of its students diverged or has no risk."""
    bad = runs["diverged"] | runs["excess"].isna()
    return bad.groupby([runs[name] for name in TASK]).any().reindex(tasks.index)


def _found(runs: pd.DataFrame, name: str, tolerance: float) -> "pd.Series[bool]":
    """Return whether an estimate is within the tolerance of r*; a diverged run's is not."""
    return ((runs[name] - runs["r_star"]).abs() <= tolerance) & ~runs["diverged"]


def _tasks(runs: pd.DataFrame, good: "pd.Series[bool]", interval: Interval) -> Estimate:
    return success_rate(good.groupby([runs[name] for name in TASK]).all(), interval)
