"""The statistics of the claims on the certified bounds; nothing in them is random."""

import numpy as np

from attnrank.claims import Parameters
from attnrank.minip.bounds.table import exponent
from attnrank.statistics import NOTHING, Estimate, Frames, Interval, exact


def growth_exponent(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the slope of log2(rank) against m at ``eps``; interval: one width left out."""
    rows = frames["bounds"]
    rows = rows[(rows["family"] == "linear") & (rows["eps"] == parameters["eps"])]
    return exponent(rows)[0] if len(rows) >= 3 else NOTHING


def share_of_cap(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the least bound over C(m, m/2) at ``length``, over widths up to ``width``."""
    rows = frames["bounds"]
    rows = rows[(rows["family"] == "greedy") & (rows["length"] == parameters["length"])]
    rows = rows[rows["width"] <= parameters["width"]]
    return exact((rows["rank"] / rows["cap"]).min(), units=len(rows)) if len(rows) else NOTHING


def realised_error(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the greatest answer error of the realised heads; infinite if one is not exact."""
    rows = frames["realised"]
    exact_rank = (rows["residual"] < 1) & (rows["mismatch"] < 1e-12)
    return exact(np.where(exact_rank, rows["answer_error"], np.inf).max(), units=len(rows))
