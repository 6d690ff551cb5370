"""Figure minip_loopholes: signed features by linear programs, trained heads, transcripts."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from attnrank import style

_SIGNED = 5  # place of signed features in the palette, whatever the number of heads


def loopholes(table: pd.DataFrame) -> Figure:
    """Draw the figure from a table of `schemas.SHOWN`."""
    style.use()
    figure, axes = plt.subplots(2, 2, figsize=(style.WIDTH, 4.8))
    _ranks(axes[0, 0], table[table["measure"] == "certain_rank"])
    _margin(axes[0, 1], table[table["measure"] == "margin"])
    _errors(axes[1, 0], table[table["measure"] == "error"])
    _bits(axes[1, 1], table[table["measure"] == "bits"])
    for letter, each in zip("abcd", axes.flat, strict=True):
        each.set_title(letter, loc="left", fontweight="bold")
    return figure


def _ranks(axes: plt.Axes, rows: pd.DataFrame) -> None:
    for kernel, place in (("nonnegative", 0), ("signed", _SIGNED)):
        own = rows[rows["kernel"] == kernel].sort_values("eps")
        shift = 0.04 if kernel == "nonnegative" else -0.04
        colour, marker = style.COLOURS[place], style.MARKERS[place]
        # What is certain at an error is certain at every smaller one.
        look = {"color": colour, "marker": marker, "label": kernel, "drawstyle": "steps-pre"}
        axes.plot(own["eps"], own["mean"] + shift, **look)
    axes.axvline(0.5, color="0.4", linewidth=0.8, linestyle=":")
    axes.set(xlabel="error allowed (bits)", ylabel="no head of fewer features")
    axes.set_ylim(0.5, rows["mean"].max() + 0.5)
    axes.legend(title="features")


def _margin(axes: plt.Axes, rows: pd.DataFrame) -> None:
    own = rows.sort_values("eps")
    axes.plot(own["eps"], own["mean"], color=style.COLOURS[_SIGNED], marker=style.MARKERS[_SIGNED])
    axes.axhline(1.0, color="0.4", linewidth=0.8)
    axes.annotate(
        "nonnegative features",
        (0, 1.0),
        xycoords=("axes fraction", "data"),
        xytext=(4, -2),
        textcoords="offset points",
        va="top",
        fontsize=6.5,
        color="0.3",
    )
    axes.axvline(0.5, color="0.4", linewidth=0.8, linestyle=":")
    axes.set(xlabel="error allowed (bits)", ylabel="largest margin, signed")
    axes.set_ylim(0, 1.08)


def _errors(axes: plt.Axes, rows: pd.DataFrame) -> None:
    heads = sorted(set(rows["heads"]))
    axes.set(xscale="log", yscale="log")
    for place, count in enumerate(heads):
        own = rows[(rows["kernel"] == "nonnegative") & (rows["heads"] == count)]
        label = "1 head" if count == 1 else f"{count} heads"
        style.series(axes, own.sort_values("features"), "features", place=place, label=label)
    own = rows[rows["kernel"] == "signed"].sort_values("features")
    style.series(axes, own, "features", place=_SIGNED, label="1 head, signed")
    axes.axhline(0.5, color="0.4", linewidth=0.8, linestyle=":")
    ticks = sorted(set(rows["features"]))
    crowded = {value for value in ticks if value - 1 in ticks and value > 2 and value != 8}
    axes.set_xticks(ticks, ["" if value in crowded else str(value) for value in ticks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_yticks(
        [0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 1.5], ["0.01", "0.03", "0.1", "0.3", "0.5", "1", "1.5"]
    )
    axes.set(xlabel="features of all heads", ylabel="greatest |error| (bits)")
    axes.set_ylim(0.12 * rows["low"].min(), 2.0)  # room for the legend
    axes.legend(loc="lower left", ncols=2, columnspacing=1.0, borderaxespad=0.2)
    style.note_diverged(axes, rows)


def _bits(axes: plt.Axes, rows: pd.DataFrame) -> None:
    shown = rows[rows["mean"].notna()]
    totals = [f for f, own in shown.groupby("features") if own["heads"].nunique() > 1]
    heads = sorted(set(rows["heads"]))
    axes.set(xscale="log", yscale="log")
    for place, total in enumerate(totals):
        own = shown[shown["features"] == total].sort_values("heads")
        style.series(axes, own, "heads", place=place, label=f"{total} features")
    axes.set_xticks(heads, [str(count) for count in heads])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    ticks = [bits for bits in (50, 100, 200, 400, 800) if shown["low"].min() <= bits * 1.5]
    axes.set_yticks(ticks, [str(bits) for bits in ticks])
    # Where no head solved the suite there are no bits to show.
    if shown["high"].notna().any():
        axes.set_ylim(0.8 * shown["low"].min(), 1.25 * shown["high"].max())
    axes.set(xlabel="heads", ylabel="least bits of a token's message")
    axes.legend()


FIGURES = {"minip_loopholes": loopholes}
