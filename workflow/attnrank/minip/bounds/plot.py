"""Figure minip_bounds: certified features against token width, for many contexts and for three."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MultipleLocator

from attnrank import style


def bounds(table: pd.DataFrame) -> Figure:
    """Draw the figure from a table of `schemas.SHOWN`."""
    style.use()
    figure, (left, right) = plt.subplots(1, 2, figsize=(style.WIDTH, 3.1), width_ratios=[5, 6])
    _cube(left, table)
    _growth(right, table)
    for axes in (left, right):
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"$2^{{{value:g}}}$"))
        axes.set(xlabel="token width m (bits)")
    return figure


def _cube(axes: plt.Axes, table: pd.DataFrame) -> None:
    cube = table[table["series"] == "cube"]
    realised = table[table["series"] == "realised"].sort_values("width")
    axes.plot(
        realised["width"],
        realised["log2_value"],
        color="0.2",
        marker="x",
        linestyle=":",
        label="$2^m$, realised exactly",
    )
    widths = sorted(set(cube["width"]))
    caps = table[(table["series"] == "cap") & table["width"].isin(widths)].sort_values("width")
    axes.plot(
        caps["width"],
        caps["log2_value"],
        color="0.1",
        linestyle="--",
        zorder=5,
        label="cap C(m, m/2)",
    )
    lengths = sorted(set(cube["length"]), reverse=True)
    for place, length in enumerate(lengths):
        rows = cube[cube["length"] == length].sort_values("width")
        axes.plot(
            rows["width"],
            rows["log2_value"],
            color=plt.get_cmap("viridis")(0.9 * place / max(1, len(lengths) - 1)),
            marker=style.MARKERS[place % len(style.MARKERS)],
            label=f"N = {length}",
        )
    eps = cube["eps"].iloc[0]
    axes.set(ylabel="features", title=f"every context length, error {eps}")
    axes.set_xlim(right=max(realised["width"].max(), max(widths)) + 0.5)
    axes.yaxis.set_major_locator(MultipleLocator(2))
    axes.xaxis.set_major_locator(MultipleLocator(2))
    axes.legend(loc="upper left", handlelength=1.6)


def _growth(axes: plt.Axes, table: pd.DataFrame) -> None:
    errors = sorted(set(table.loc[table["series"] == "growth", "eps"]), reverse=True)
    for place, eps in enumerate(errors):
        mine = table[table["eps"] == eps].sort_values("width")
        rows, fit = mine[mine["series"] == "growth"], mine[mine["series"] == "fit"]
        colour = style.COLOURS[place]
        slope, low, high = fit[["exponent", "exponent_low", "exponent_high"]].iloc[0]
        axes.plot(
            rows["width"],
            rows["log2_value"],
            color=colour,
            marker=style.MARKERS[place],
            linestyle="none",
            label=f"error {eps}, certified",
        )
        axes.plot(
            fit["width"],
            fit["log2_value"],
            color=colour,
            label=f"fit: exponent {slope:.3f} m [{low:.3f}, {high:.3f}]",
        )
    axes.set(title="three tokens", ylabel="features")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MultipleLocator(32))
    axes.yaxis.set_major_locator(MultipleLocator(10))
    axes.legend(loc="upper left")


FIGURES = {"minip_bounds": bounds}
