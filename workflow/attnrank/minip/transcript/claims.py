"""The statistics of the claims on finite-precision transcripts."""

import pandas as pd

from attnrank.claims import Parameters
from attnrank.statistics import NOTHING, Estimate, Frames, Interval, exact, success_rate


def largest_excess(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return how far any head's share of exact inputs lies above the counting line, at most."""
    runs = pd.concat([frames["trained"], frames["constructed"]])
    return exact((runs["exact"] - runs["line"]).max(), units=len(runs))


def largest_overhead(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the greatest ratio, over families, of the least bits of exact heads to the needed."""
    built = frames["constructed"]
    own = built[built["layers"] == parameters["layers"]].assign(
        ratio=built["bits"] / built["needed"]
    )
    families = own.groupby(["queries", "size"]).ngroups
    least = own[own["exact"] == 1.0].groupby(["queries", "size"])["ratio"].min()
    return exact(least.max(), units=families) if 0 < len(least) == families else NOTHING


def exact_share(frames: Frames, parameters: Parameters, interval: Interval) -> Estimate:
    """Return the share of trained heads of ``layers`` layers that are exact with enough bits.

    Enough: the needed bits or more; in the transcript of an exact head none can be missing.
    """
    trained = frames["trained"]
    enough = trained["bits"] >= trained["needed"] - 1e-9
    runs = trained[enough & (trained["layers"] == parameters["layers"])]
    return success_rate((runs["exact"] == 1.0) & ~runs["diverged"], interval)
