"""Figure minip_transcript: exactness against the bits of the transcript, and the counting line."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from attnrank import style


def transcript(table: pd.DataFrame) -> Figure:
    """Draw the figure from a table of `schemas.SHOWN`."""
    style.use()
    figure, axes = plt.subplots(1, 3, figsize=(style.WIDTH, 2.7), width_ratios=[1, 1, 1])
    exact = table[table["measure"] == "exact"]
    for each, kind in zip(axes, ("constructed", "trained"), strict=False):
        _exactness(each, exact[exact["kind"] == kind], kind)
    axes[1].set_ylabel("")
    axes[1].sharey(axes[0])
    axes[1].tick_params(labelleft=False)
    style.note_diverged(axes[1], exact[exact["kind"] == "trained"])
    _least(axes[2], table)
    return figure


def _exactness(axes: plt.Axes, rows: pd.DataFrame, kind: str) -> None:
    """Draw one point for each family and alphabet, against bits beyond q log2(s + 1)."""
    beyond = rows["bits"] - rows["needed"]
    line = np.linspace(-13, 3, 200)
    axes.set_yscale("log", base=2)
    axes.fill_between(line, np.minimum(1, 2.0**line), 2, color="0.88", linewidth=0)
    axes.plot(line, np.minimum(1, 2.0**line), color="0.35", linewidth=1.0)
    for place, (layers, own) in enumerate(rows.groupby("layers")):
        x = beyond[own.index] + 0.06 * place
        colour = style.COLOURS[place]
        # A mean of 0 exact inputs has no place on a logarithmic axis.
        axes.vlines(x, own["low"].clip(lower=2.0**-13), own["high"], color=colour, linewidth=1.0)
        axes.plot(
            x,
            own["mean"],
            linestyle="",
            marker=style.MARKERS[place],
            markersize=3,
            alpha=0.75,
            color=colour,
            label=f"{layers} layer" + ("s" if layers > 1 else ""),
        )
    low = min(-1.0, float(np.floor(beyond.min())) - 0.3)
    axes.set_xlim(low, max(1.0, float(np.ceil(beyond.max()))) + 0.3)
    axes.set_ylim(2.0 ** (low - 0.3), 1.5)
    axes.set(xlabel="bits beyond q log2(s+1)", ylabel="share of exact inputs", title=kind)
    axes.annotate(
        "impossible",
        (0.05, 0.93),
        xycoords="axes fraction",
        va="top",
        fontsize=7,
        color="0.3",
    )
    axes.legend(loc="lower right")


def _least(axes: plt.Axes, table: pd.DataFrame) -> None:
    """Draw the least bits of exact constructed heads against those needed."""
    limit = float(table["needed"].max()) * 1.08
    axes.fill_between([0, limit], [0, limit], 0, color="0.88", linewidth=0)
    axes.plot([0, limit], [0, limit], color="0.35", linewidth=1.0)
    kinds = (
        ("least_bits", 1, "1 layer, any alphabet"),
        ("least_bits", 2, "2 layers, any alphabet"),
        ("least_whole_bits", 1, "1 layer, whole bits"),
    )
    for place, (measure, layers, label) in enumerate(kinds):
        own = table[(table["measure"] == measure) & (table["layers"] == layers)]
        axes.plot(
            own["needed"],
            own["bits"],
            linestyle="",
            marker=style.MARKERS[place],
            markersize=3 + 2 * (place == 2),
            fillstyle="none" if place == 2 else "full",
            color=style.COLOURS[place],
            label=label,
        )
    axes.set(xlabel="q log2(s+1)", ylabel="least bits of an exact head", title="constructed")
    axes.set_xlim(0, limit)
    axes.set_ylim(0, 1.4 * limit)  # room for the legend
    axes.legend(loc="upper left", handletextpad=0.2)


FIGURES = {"minip_transcript": transcript}
