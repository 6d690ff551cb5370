"""The table behind the figure minip_bounds."""

import numpy as np
import pandas as pd

from attnrank.statistics import Estimate, Frames, Interval


def exponent(growth: pd.DataFrame) -> tuple[Estimate, float]:
    """Fit log2(rank) = exponent * m + intercept by least squares.

    Nothing here is random: the interval is the range of the exponent with one width left out.

    Args:
        growth: columns width and rank, three rows or more.

    Returns:
        The exponent, and the intercept.
    """
    widths, values = growth["width"].to_numpy(float), np.log2(growth["rank"].to_numpy(float))
    slope, intercept = np.polyfit(widths, values, 1)
    left_out = [
        np.polyfit(np.delete(widths, k), np.delete(values, k), 1)[0] for k in range(len(widths))
    ]
    return Estimate(slope, min(left_out), max(left_out), len(widths)), float(intercept)


def bounds(frames: Frames, interval: Interval) -> pd.DataFrame:
    """Return every curve of the figure, as log2 of the number of features.

    Args:
        frames: ``bounds``, a table of `schemas.BOUNDS`, and ``realised``, one of
            `schemas.REALISED`.
        interval: not used, as nothing is random.
    """
    del interval
    every = frames["bounds"]
    cube = every[every["family"] == "greedy"]
    parts = [_curve("cube", cube, np.log2(cube["rank"]), cube["length"], cube["eps"])]
    caps = every.drop_duplicates("width")
    parts.append(_curve("cap", caps, np.log2(caps["cap"]), 0, ""))
    realised = frames["realised"][frames["realised"]["exact"]]
    parts.append(_curve("realised", realised, np.log2(realised["features"]), 0, ""))
    for eps, rows in every[every["family"] == "linear"].groupby("eps"):
        fitted, intercept = exponent(rows)
        line = fitted.value * rows["width"] + intercept
        parts.append(_curve("growth", rows, np.log2(rows["rank"]), rows["length"], eps))
        fit = _curve("fit", rows, line, rows["length"], eps)
        parts.append(
            fit.assign(exponent=fitted.value, exponent_low=fitted.low, exponent_high=fitted.high)
        )
    return pd.concat(parts, ignore_index=True)


def _curve(
    series: str,
    rows: pd.DataFrame,
    values: pd.Series,
    length: pd.Series | int,
    eps: pd.Series | str,
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "series": series,
            "width": rows["width"],
            "length": length,
            "eps": eps,
            "log2_value": values,
            "exponent": np.nan,
            "exponent_low": np.nan,
            "exponent_high": np.nan,
        }
    )


TABLES = {"minip_bounds": bounds}
