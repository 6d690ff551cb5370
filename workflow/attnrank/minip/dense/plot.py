"""Figure minip_dense: errors and threshold temperatures of dense softmax, and trained heads."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, ScalarFormatter

from attnrank import style

_LENGTH = 3


def dense(table: pd.DataFrame) -> Figure:
    """Draw the figure from a table of `schemas.DENSE`."""
    style.use()
    figure, panels = plt.subplot_mosaic("aaabbb;ccddee", figsize=(style.WIDTH, 5.0))
    errors = table[table["measure"] == "error"]
    thresholds = table[table["measure"] == "threshold"]
    _against_width(panels["a"], errors[errors["length"] == _LENGTH])
    _against_beta(panels["b"], errors, thresholds)
    _thresholds(panels["c"], thresholds)
    _trained(panels["d"], table, "trained_error", "greatest |error| (bits)")
    _trained(panels["e"], table, "trained_beta", "learned beta")
    _count_exact(panels["d"], table[table["measure"] == "trained_error"])
    three = thresholds.loc[thresholds["length"] == _LENGTH, "closed_form"].max()
    panels["e"].axhline(three, color="0.4", linewidth=0.8, linestyle="--")
    panels["e"].annotate(
        f"beta* = {three:.4f}",
        (1, three),
        xycoords=("axes fraction", "data"),
        xytext=(0, 2),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=6.5,
        color="0.3",
    )
    for name in "abd":
        panels[name].axhline(0.5, color="0.4", linewidth=0.8, linestyle=":")
        panels[name].set_ylim(bottom=0)
    for letter, axes in panels.items():
        axes.set_title(letter, loc="left", fontweight="bold")
    return figure


def _against_width(axes: plt.Axes, errors: pd.DataFrame) -> None:
    """Draw the error against m: a line by the formula, open markers by enumeration."""
    # Those of the grid of beta stand at one width alone.
    repeated = errors.groupby("beta").filter(lambda rows: len(rows) > 1)
    colours = plt.get_cmap("viridis")(np.linspace(0, 0.85, repeated["beta"].nunique()))
    for colour, (beta, rows) in zip(colours, repeated.groupby("beta"), strict=True):
        mine = rows.sort_values("width")
        axes.plot(mine["width"], mine["closed_form"], color=colour)
        axes.plot(
            mine["width"],
            mine["exhaustive"],
            color=colour,
            marker="o",
            markersize=3,
            markerfacecolor="white",
            linestyle="none",
        )
        lowest = beta == repeated["beta"].min()
        axes.annotate(
            f"beta = {beta:g}" if lowest else f"{beta:g}",
            (mine["width"].iloc[-1], mine["closed_form"].iloc[-1]),
            xytext=(-2, 2) if lowest else (4, 0),
            textcoords="offset points",
            ha="right" if lowest else "left",
            va="bottom" if lowest else "center",
            fontsize=6.5,
            color=colour,
            # A label may lie on the dotted line.
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )
    _powers_of_two(axes, errors["width"])
    axes.set(xlabel="width m (bits)", ylabel="greatest |error| (bits)", title="3 tokens")


def _against_beta(axes: plt.Axes, errors: pd.DataFrame, thresholds: pd.DataFrame) -> None:
    """Draw the error against beta at the greatest width that is enumerated, for each length."""
    known = errors[errors["exhaustive"].notna()]
    width = known["width"].max()
    for place, (length, rows) in enumerate(known[known["width"] == width].groupby("length")):
        mine = rows.sort_values("beta")
        colour = style.COLOURS[place]
        axes.plot(mine["beta"], mine["closed_form"], color=colour, label=f"{length} tokens")
        axes.plot(
            mine["beta"],
            mine["exhaustive"],
            color=colour,
            marker=style.MARKERS[place],
            markersize=2.5,
            markerfacecolor="white",
            linestyle="none",
        )
        here = (thresholds["length"] == length) & (thresholds["width"] == width)
        root = thresholds.loc[here, "exhaustive"].iloc[0]
        axes.vlines(root, 0, 0.5, color=colour, linewidth=0.8, linestyle="--")
    axes.set(
        xlabel="inverse temperature beta",
        ylabel="greatest |error| (bits)",
        title=f"m = {width}, every input",
        ylim=(0, 3),
    )
    axes.legend()


def _thresholds(axes: plt.Axes, thresholds: pd.DataFrame) -> None:
    """Draw the threshold against the number of tokens, every width on one spot, over ln(N - 1)."""
    wide = thresholds[thresholds["width"] >= 2]
    tokens = np.geomspace(wide["length"].min(), wide["length"].max(), 100)
    axes.plot(tokens, np.log(tokens - 1), color="0.4", linewidth=0.8, label="ln(N - 1)")
    axes.plot(
        wide["length"],
        wide["closed_form"],
        color=style.COLOURS[0],
        marker="o",
        linestyle="none",
        label="closed form",
    )
    axes.plot(
        wide["length"],
        wide["exhaustive"],
        color=style.COLOURS[1],
        marker="x",
        linestyle="none",
        label="every input",
    )
    at_three = wide.loc[wide["length"] == _LENGTH, "closed_form"].max()
    axes.annotate(
        f"{at_three:.4f}",
        (_LENGTH, at_three),
        xytext=(6, -2),
        textcoords="offset points",
        va="top",
        fontsize=6.5,
        color="0.3",
    )
    _powers_of_two(axes, wide["length"])
    lengths = sorted(set(wide["length"]))
    axes.set_xticks(lengths, [str(length) for length in lengths])
    axes.set(xlabel="tokens N", ylabel="threshold beta*", title="m >= 2", ylim=(0, None))
    axes.legend(loc="upper left")


def _trained(axes: plt.Axes, table: pd.DataFrame, measure: str, label: str) -> None:
    """Draw a measure of trained heads against the width: mean, interval and range over seeds."""
    rows = table[table["measure"] == measure].sort_values("width")
    colour = style.COLOURS[2]
    axes.vlines(rows["width"], rows["least"], rows["greatest"], color=colour, linewidth=0.6)
    axes.vlines(rows["width"], rows["low"], rows["high"], color=colour, linewidth=2.2)
    axes.plot(rows["width"], rows["mean"], color=colour, marker=style.MARKERS[2])
    _powers_of_two(axes, rows["width"])
    axes.set(xlabel="width m (bits)", ylabel=label, title="3 tokens, trained")
    axes.set_ylim(0, 1.1 * float(rows["greatest"].max()))


def _count_exact(axes: plt.Axes, rows: pd.DataFrame) -> None:
    """Write how many seeds are exact above each width, and how many runs diverged."""
    for row in rows.itertuples():
        axes.annotate(
            f"{row.solved}/{row.runs}",
            (row.width, 0.97),
            xycoords=("data", "axes fraction"),
            ha="center",
            va="top",
            fontsize=6.5,
            color="0.3",
        )
    axes.set_ylim(0, max(0.6, 1.2 * float(rows["greatest"].max())))
    style.note_diverged(axes, rows)


def _powers_of_two(axes: plt.Axes, values: pd.Series) -> None:
    """Make the horizontal axis logarithmic, with the powers of two in range as ticks."""
    low, high = int(values.min()), int(values.max())
    ticks = [2**k for k in range(high.bit_length()) if low <= 2**k <= high]
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.margins(x=0.1)


FIGURES = {"minip_dense": dense}
