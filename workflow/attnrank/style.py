"""How every figure looks and is saved: print sizes, colour-blind palette, equal bytes."""

from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from attnrank.files import atomic

matplotlib.use("Agg")

WIDTH = 7.0  # inches, the text width of a two-column paper
COLOURS: list[Any] = sns.color_palette("colorblind")
MARKERS = ("o", "s", "^", "D", "v", "P")


def use() -> None:
    """Set fonts, lines and sizes for print."""
    sns.set_theme(
        context="paper",
        style="ticks",
        palette="colorblind",
        rc={
            "font.size": 8,
            "axes.titlesize": 8,
            "axes.labelsize": 8,
            "xtick.labelsize": 7,
            "ytick.labelsize": 7,
            "legend.fontsize": 7,
            "legend.title_fontsize": 7,
            "lines.linewidth": 1.2,
            "lines.markersize": 4,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "legend.frameon": False,
            # Editable text in the PDF, not outlines.
            "pdf.fonttype": 42,
            "figure.constrained_layout.use": True,
        },
    )


def save(figure: Figure, pdf: str | Path, png: str | Path) -> None:
    """Save a figure as PDF and PNG, whole or not at all, without the date that would differ."""
    with atomic(pdf) as temporary:
        figure.savefig(temporary, metadata={"CreationDate": None})
    with atomic(png) as temporary:
        figure.savefig(temporary, dpi=200)


def note_diverged(axes: Any, summary: pd.DataFrame) -> None:
    """Write under the axes how many of the runs behind them diverged and are left out of means.

    If the summary has a column ``stuck``, how many of them are stuck, and in the means, as well.
    """
    diverged, runs = int(summary["diverged"].sum()), int(summary["runs"].sum())
    stuck = f", {int(summary['stuck'].sum())} stuck" if "stuck" in summary else ""
    axes.annotate(
        f"{diverged} of {runs} runs diverged{stuck}",
        (1, 0),
        xycoords="axes fraction",
        xytext=(0, -28),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=6,
        color="0.4",
        annotation_clip=False,
    )


def series(axes: Any, rows: pd.DataFrame, x: str, *, place: int, label: str) -> None:
    """Draw means with their intervals, in the colour and marker of a place in the palette.

    Args:
        axes: where to draw.
        rows: columns ``x``, mean, low, high, in the order of x.
        x: the column along the horizontal axis.
        place: number of the series.
        label: its name in the legend.
    """
    colour = COLOURS[place]
    axes.fill_between(rows[x], rows["low"], rows["high"], color=colour, alpha=0.25, linewidth=0)
    axes.plot(rows[x], rows["mean"], color=colour, marker=MARKERS[place], label=label)
