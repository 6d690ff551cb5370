"""The statistics of the claims on dense softmax attention."""

import numpy as np

from attnrank.claims import Parameters
from attnrank.minip.task import SOLVED
from attnrank.statistics import NOTHING, Estimate, Frames, Interval, exact, success_rate


def greatest_error(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the greatest error at one ``length`` and ``beta`` over all widths.

    By enumeration of every input where there is one, by the closed form beyond.
    """
    rows = frames["errors"]
    chosen = rows[(rows["length"] == parameters["length"]) & (rows["beta"] == parameters["beta"])]
    if not len(chosen):
        return NOTHING
    return exact(chosen["exhaustive"].fillna(chosen["closed_form"]).max(), units=len(chosen))


def threshold_apart(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return how far thresholds found on every input are from the formula; the greatest.

    The formula is 0.8959 at length 3 and ln(N - 1) beyond, at every width from ``width`` on.
    """
    rows = frames["thresholds"]
    rows = rows[(rows["width"] >= parameters["width"]) & (rows["length"] >= 3)]
    stated = np.where(rows["length"] == 3, parameters["at_three"], np.log(rows["length"] - 1))
    apart = abs(rows["exhaustive"].fillna(rows["closed_form"]) - stated)
    return exact(apart.max(), units=len(rows)) if len(rows) else NOTHING


def solved_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of trained heads that are exact on every test input; a unit is a run."""
    runs = frames["runs"]
    return success_rate((runs["error"] < SOLVED) & ~runs["diverged"], interval)
