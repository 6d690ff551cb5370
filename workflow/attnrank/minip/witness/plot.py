"""Figure minip_transition: error and accuracy against feature rank, over the certified floor."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from attnrank import style

LABELS = {"exp_table": "exp table", "softplus_table": "softplus table", "mlp": "MLP"}


def transition(table: pd.DataFrame) -> Figure:
    """Draw the figure from a table of `schemas.TRANSITION`."""
    style.use()
    figure, (top, bottom) = plt.subplots(
        2, 1, figsize=(0.75 * style.WIDTH, 4.6), sharex=True, height_ratios=[3, 2]
    )
    floor = table[table["measure"] == "floor"].sort_values("rank")
    certified = int(floor["rank"].max()) + 1
    top.set(xscale="log", yscale="log")
    _floor(top, floor, certified)
    maps = [name for name in LABELS if name in set(table["feature_map"])]
    for place, name in enumerate(maps):
        # Side by side, so that equal values do not hide one another.
        shift = 1.03 ** (place - (len(maps) - 1) / 2)
        for axes, measure in ((top, "error"), (bottom, "accuracy")):
            rows = table[(table["measure"] == measure) & (table["feature_map"] == name)]
            _series(axes, rows.sort_values("rank"), shift, place, certified, LABELS[name])
    ranks = sorted(set(table.loc[table["measure"] == "error", "rank"]))
    top.axhline(0.5, color="0.4", linewidth=0.8, linestyle=":")
    top.annotate(
        "exact after rounding below 1/2",
        (ranks[-1], 0.5),
        xytext=(0, 2),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=6.5,
        color="0.3",
    )
    for axes in (top, bottom):
        axes.axvline(certified, color="0.25", linewidth=1.0, linestyle="--")
    top.annotate(
        f"certified bound r = {certified}",
        (certified, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(3, -2),
        textcoords="offset points",
        va="top",
        fontsize=7,
        color="0.25",
    )
    top.set(ylabel="greatest |error| on the suite (bits)")
    top.set_yticks([0.05, 0.1, 0.3, 0.5, 1.0, 1.5], ["0.05", "0.1", "0.3", "0.5", "1", "1.5"])
    top.yaxis.set_minor_locator(NullLocator())
    head = table[table["measure"] == "constructed"]
    top.plot(
        head["rank"],
        head["mean"],
        marker="*",
        markersize=9,
        color="0.1",
        linestyle="none",
        label="constructed: signed features,\nnonnegative kernel",
    )
    top.set_ylim(0.03, 2.0)
    top.legend(
        loc="center right",
        bbox_to_anchor=(1.0, 0.46),
        title="mean, 95 % interval, range over seeds",
    )
    bottom.set(xlabel="feature rank r", ylabel="exact inputs (share, best step)")
    bottom.xaxis.set_minor_locator(NullLocator())
    # A rank too close to the next one on a logarithmic axis keeps its tick and loses its number.
    close = {r for r, after in pairwise(ranks) if after / r < 1.1}
    bottom.set_xticks(ranks, ["" if rank in close else str(rank) for rank in ranks])
    style.note_diverged(bottom, table[table["measure"] == "error"])
    return figure


def _floor(axes: plt.Axes, floor: pd.DataFrame, certified: int) -> None:
    """Shade where no head can be: a rank reaches half-way to its neighbours, on the log scale."""
    ranks = np.append(floor["rank"], certified)
    edges = np.concatenate([[0.8], np.sqrt(ranks[:-1] * ranks[1:])])
    heights = np.append(floor["mean"], floor["mean"].iloc[-1])
    axes.fill_between(
        edges, 1e-3, heights, step="post", color="0.82", linewidth=0, label="impossible (certified)"
    )
    axes.step(edges, heights, where="post", color="0.45", linewidth=1.0)


def _series(
    axes: plt.Axes, rows: pd.DataFrame, shift: float, place: int, certified: int, label: str | None
) -> None:
    """Draw one feature map: a thin line over the range, a thick one over the interval."""
    rows = rows.assign(x=rows["rank"] * shift)
    colour = style.COLOURS[place]
    axes.vlines(rows["x"], rows["least"], rows["greatest"], color=colour, linewidth=0.6)
    axes.vlines(rows["x"], rows["low"], rows["high"], color=colour, linewidth=2.2)
    # Lines stop at the certified rank: between its neighbours they would cross the impossible.
    for part in (rows[rows["rank"] < certified], rows[rows["rank"] >= certified]):
        axes.plot(part["x"], part["mean"], marker=style.MARKERS[place], color=colour, label=label)
        label = None


FIGURES = {"minip_transition": transition}
