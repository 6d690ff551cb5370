"""Figure minip_variants: trained variants over the certified floor, and certified ranks."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullLocator

from attnrank import style

LABELS = {
    "scalar_values": "scalar values",
    "wide_values": "wide values",
    "positional": "positional maps",
    "causal": "causal, positional maps",
}


def variants(table: pd.DataFrame) -> Figure:
    """Draw the figure from a table of `schemas.SHOWN`."""
    style.use()
    figure, (left, right) = plt.subplots(1, 2, figsize=(style.WIDTH, 3.0), width_ratios=[3, 2])
    names = [name for name in LABELS if name in set(table["variant"])]
    _errors(left, table, names)
    _certified(right, table[table["measure"] == "certified"], names)
    return figure


def _errors(axes: plt.Axes, table: pd.DataFrame, names: list[str]) -> None:
    axes.set(xscale="log", yscale="log")
    # The least floor of the variants: below it none of them can be.
    floor = table[table["measure"] == "floor"].groupby("rank")["mean"].min()
    edges = np.append(floor.index - 0.5, floor.index[-1] + 0.5)
    axes.fill_between(
        edges,
        1e-3,
        np.append(floor, floor.iloc[-1]),
        step="post",
        color="0.85",
        linewidth=0,
        label="impossible (certified)",
    )
    for place, name in enumerate(names):
        rows = table[(table["measure"] == "error") & (table["variant"] == name)]
        rows = rows.sort_values("rank")
        # Side by side, so that equal values do not hide one another.
        x = rows["rank"] * 1.03 ** (place - (len(names) - 1) / 2)
        colour = style.COLOURS[place]
        axes.vlines(x, rows["least"], rows["greatest"], color=colour, linewidth=0.6)
        axes.vlines(x, rows["low"], rows["high"], color=colour, linewidth=2.2)
        axes.plot(x, rows["mean"], color=colour, marker=style.MARKERS[place], label=LABELS[name])
    errors = table[table["measure"] == "error"]
    ranks = sorted(set(errors["rank"]))
    axes.axhline(0.5, color="0.4", linewidth=0.8, linestyle=":")
    axes.set_xticks(ranks, [str(rank) for rank in ranks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_yticks([0.05, 0.1, 0.2, 0.5, 1.0, 2.0], ["0.05", "0.1", "0.2", "0.5", "1", "2"])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylim(max(0.01, 0.7 * errors["least"].min()), 1.2 * errors["greatest"].max())
    axes.set_xlim(0.85 * ranks[0], 1.2 * ranks[-1])
    axes.set(xlabel="feature rank r", ylabel="greatest |error| (bits)")
    axes.figure.legend(
        loc="outside lower center", ncols=5, handlelength=1.5, columnspacing=1.2, fontsize=6.5
    )
    style.note_diverged(axes, errors)


def _certified(axes: plt.Axes, rows: pd.DataFrame, names: list[str]) -> None:
    for place, name in enumerate(names):
        mine = rows[rows["variant"] == name].sort_values("eps")
        shift = 0.12 * (place - (len(names) - 1) / 2)
        axes.plot(
            mine["eps"],
            mine["rank"] + shift,
            color=style.COLOURS[place],
            marker=style.MARKERS[place],
            linewidth=0.8,
        )
    axes.axvline(0.5, color="0.4", linewidth=0.8, linestyle=":")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(0, rows["rank"].max() + 0.5)
    axes.set(xlabel="error allowed (bits)", ylabel="certified rank (curves set apart)")


FIGURES = {"minip_variants": variants}
