"""Figure minip_scaling: test accuracy against feature rank, at three scales and on new codes."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from attnrank import style

THRESHOLD = 0.95  # fixed before any run


def scaling(table: pd.DataFrame) -> Figure:
    """Draw the figure from a table of `schemas.SHOWN`."""
    style.use()
    figure, axes = plt.subplots(1, 3, figsize=(style.WIDTH, 2.9))
    sequences = table[table["split"] == "sequences"]
    _scales(axes[0], sequences[sequences["measure"] == "accuracy"])
    _scales(axes[1], sequences[sequences["measure"] == "strict"])
    _codes(axes[2], table[table["split"] == "codes"])
    axes[0].axhline(THRESHOLD, color="0.4", linewidth=0.8, linestyle=":")
    axes[0].set(title="new sequences", ylabel="exact test inputs (share)")
    axes[1].set(title="new sequences, strict", ylabel="runs with every test input exact")
    axes[2].set(title="new codes", ylabel="exact inputs (share)")
    axes[1].legend(loc="upper left")
    axes[2].legend(loc="center right", bbox_to_anchor=(1.0, 0.78))
    style.note_diverged(axes[2], table[table["measure"] == "strict"])
    return figure


def _scales(axes: plt.Axes, rows: pd.DataFrame) -> None:
    ranks = sorted(set(rows["rank"]) - {0})
    for place, (queries, own) in enumerate(rows.groupby("queries")):
        label = f"n = {queries}, m = {own['width'].iloc[0]}"
        kernel = own[own["rank"] > 0].sort_values("rank")
        style.series(axes, kernel, "rank", place=place, label=label)
        _dense(axes, own[own["rank"] == 0], ranks, place)
        axes.axvline(queries, color=style.COLOURS[place], linewidth=0.6, linestyle="--", zorder=0)
    _ranks(axes, ranks)


def _codes(axes: plt.Axes, rows: pd.DataFrame) -> None:
    ranks = sorted(set(rows["rank"]) - {0})
    for place, (measure, label) in enumerate((("accuracy", "test"), ("train_accuracy", "train"))):
        own = rows[rows["measure"] == measure]
        kernel = own[own["rank"] > 0].sort_values("rank")
        style.series(axes, kernel, "rank", place=3 + place, label=label)
        _dense(axes, own[own["rank"] == 0], ranks, 3 + place)
    _ranks(axes, ranks)


def _dense(axes: plt.Axes, row: pd.DataFrame, ranks: list[int], place: int) -> None:
    """Draw dense softmax, which has no rank, to the right of the kernels, scales side by side."""
    x = ranks[-1] * 1.9 * 1.22 ** (place % 3)
    colour, marker = style.COLOURS[place], style.MARKERS[place]
    axes.vlines(x, row["low"], row["high"], color=colour, linewidth=1.5)
    axes.plot(x, row["mean"].iloc[0], marker=marker, color=colour, fillstyle="none")


def _ranks(axes: plt.Axes, ranks: list[int]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks([*ranks, ranks[-1] * 2.4], [*map(str, ranks), "dense"])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(ranks[0] * 0.8, ranks[-1] * 4)
    axes.set_ylim(-0.03, 1.05)
    axes.set(xlabel="feature rank r")


FIGURES = {"minip_scaling": scaling}
