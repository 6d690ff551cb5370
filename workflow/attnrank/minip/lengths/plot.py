"""Figure minip_lengths: error of one feature against width, and of more features at each length."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator, NullLocator

from attnrank import style

TOKENS = {1: "1 token", 2: "2 tokens", 3: "3 tokens"}
_SHOWN_LENGTH = 3  # at which more than one width is drawn


def lengths(table: pd.DataFrame) -> Figure:
    """Draw the figure from a table of `schemas.LENGTHS`."""
    style.use()
    figure, (left, right) = plt.subplots(1, 2, figsize=(style.WIDTH, 3.1))
    _one_feature(left, table)
    _more_features(right, table[table["series"] == "trained"])
    for axes in (left, right):
        axes.axhline(0.5, color="0.4", linewidth=0.8, linestyle=":")
        axes.set_ylim(bottom=-0.03)
    style.note_diverged(right, table[table["series"] == "trained"])
    return figure


def _one_feature(axes: plt.Axes, table: pd.DataFrame) -> None:
    """Draw the construction, the optimum and the trained heads of rank 1 against the width."""
    fixed = {
        name: {length: rows.sort_values("width") for length, rows in mine.groupby("length")}
        for name, mine in table[table["rank"] == 1].groupby("series")
    }
    best = fixed["optimum"].get(_SHOWN_LENGTH)
    if best is not None:
        axes.fill_between(best["width"], 0, best["low"], color="0.85", linewidth=0)
        axes.plot(best["width"], best["mean"], color="0.25", label="3 tokens: least possible")
        axes.annotate(
            "impossible for\none feature",
            (best["width"].max(), 0.22 * best["low"].max()),
            xytext=(-4, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=7,
            color="0.3",
        )
    trained = fixed["trained"].get(_SHOWN_LENGTH)
    if trained is not None:
        colour = style.COLOURS[2]
        axes.vlines(trained["width"], trained["least"], trained["greatest"], color=colour)
        axes.plot(
            trained["width"],
            trained["mean"],
            color=colour,
            marker=style.MARKERS[2],
            linestyle="none",
            label="3 tokens: trained, all seeds",
        )
    for length, rows in sorted(fixed["construction"].items(), reverse=True):
        if length < _SHOWN_LENGTH:
            # Both lie at 0: the larger, open marker lets the smaller one be seen.
            axes.plot(
                rows["width"],
                rows["mean"],
                color=style.COLOURS[length - 1],
                marker=style.MARKERS[length - 1],
                markersize=3 + 3.5 * (length - 1),
                markerfacecolor="none" if length > 1 else None,
                linestyle="none",
                clip_on=False,
                zorder=4 - length,
                label=f"{TOKENS[length]}: construction",
            )
    axes.annotate(
        "exact below 1/2",
        (1, 0.5),
        xytext=(0, 2),
        textcoords="offset points",
        fontsize=6.5,
        color="0.3",
    )
    axes.xaxis.set_major_locator(MultipleLocator(2))
    axes.set(xlabel="width m (bits)", ylabel="greatest |error| on the cube (bits)")
    axes.set_title("one feature (rank 1)")
    axes.legend(loc="upper left")


def _more_features(axes: plt.Axes, trained: pd.DataFrame) -> None:
    """Draw trained heads against their rank: each length at the greatest width, three at each."""
    widest = trained["width"].max()
    drawn = []
    for length, mine in trained.groupby("length"):
        for width, rows in mine.groupby("width"):
            if width == widest or length == _SHOWN_LENGTH:
                drawn.append((length, width, rows.sort_values("rank")))
    for place, (length, width, rows) in enumerate(drawn):
        colour = style.COLOURS[min(length - 1, 2)]
        # Narrower tokens are fainter.
        strength = 1.0 if width == widest else 0.75 ** (widest - width)
        marker = style.MARKERS[place % len(style.MARKERS)]
        axes.vlines(
            rows["rank"], rows["low"], rows["high"], color=colour, linewidth=2.2, alpha=strength
        )
        axes.vlines(
            rows["rank"],
            rows["least"],
            rows["greatest"],
            color=colour,
            linewidth=0.6,
            alpha=strength,
        )
        axes.plot(
            rows["rank"],
            rows["mean"],
            color=colour,
            marker=marker,
            alpha=strength,
            label=f"{TOKENS[length]}, m = {width}",
        )
    ranks = sorted(set(trained["rank"]))
    axes.set(xscale="log", xlabel="feature rank r", ylabel="greatest |error| on the cube (bits)")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(ranks, [str(rank) for rank in ranks])
    axes.set_title("trained heads of any rank")
    axes.set_ylim(top=1.5 * trained["greatest"].max())
    axes.legend(loc="upper right")


FIGURES = {"minip_lengths": lengths}
