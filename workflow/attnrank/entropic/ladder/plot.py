"""Figures ladder and mixer_diagnosis."""

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from attnrank import style
from attnrank.entropic.ladder.schemas import RUNGS

NAMES = {
    "B0": "B0 linear surrogate",
    "B1": "B1 linear QK",
    "B2": "B2 softmax",
    "B3": "B3 Transformer block",
    "B1_positions": "B1 + positions",
    "B2_positions": "B2 + positions",
}
REFERENCE = {"color": "0.2", "linewidth": 1.0, "linestyle": "--"}


def ladder(table: pd.DataFrame) -> Figure:
    """Draw excess risk against rank for each rung, and below it over the floor.

    Args:
        table: a table of `schemas.LADDER`.
    """
    style.use()
    values = sorted(table["r_star"].unique())
    figure, panels = plt.subplots(
        2,
        len(values),
        figsize=(style.WIDTH, 4.6),
        sharex=True,
        sharey="row",
        squeeze=False,
        height_ratios=(3, 2),
    )
    for column, r_star in enumerate(values):
        above, below = panels[0][column], panels[1][column]
        mine = table[table["r_star"] == r_star].sort_values("rank")
        excess = mine[mine["quantity"] == "excess"]
        for place, rung in enumerate(RUNGS):
            rows = excess[excess["student"] == rung]
            style.series(above, rows, "rank", place=place, label=NAMES[rung])
            if rung != "B0":
                over = mine[(mine["quantity"] != "excess") & (mine["student"] == rung)]
                style.series(below, over, "rank", place=place, label=NAMES[rung])
        bound = excess[(excess["student"] == "B0") & (excess["bound"] > 0)]
        _ticks(above, bound["rank"], bound["bound"], "tail-energy bound")
        above.axhline(excess["floor"].iloc[0], label="equivariance floor", **REFERENCE)
        below.axhline(1, **REFERENCE)
        for axes in (above, below):
            axes.axvline(r_star, color="0.6", linewidth=0.8, linestyle=":")
        above.set(title=f"r* = {r_star}", yscale="log")
        below.set(xlabel="rank r of A (B0) or of K", xticks=sorted(table["rank"].unique()))
    panels[0][0].set_ylabel("excess risk per entry")
    panels[1][0].set_ylabel("excess risk / floor")
    panels[0][-1].legend(loc="center right", bbox_to_anchor=(1, 0.45))
    style.note_diverged(panels[1][-1], table[table["quantity"] == "excess"])
    return figure


def diagnosis(table: pd.DataFrame) -> Figure:
    """Draw static kernels, the spread of realised mixers, and the two controls.

    Args:
        table: a table of `schemas.DIAGNOSIS`.
    """
    style.use()
    figure, panels = plt.subplots(2, 2, figsize=(style.WIDTH, 5.2))
    parts = {name: rows.sort_values("at") for name, rows in table.groupby("panel")}
    values = sorted(table["r_star"].unique())
    _static(panels[0][0], parts["static kernel"], values)
    _spread(panels[0][1], parts["spread"], values)
    _linear(panels[1][0], parts["linear control"], values)
    _softmax(panels[1][1], parts["softmax control"], values)
    panels[1][1].sharey(panels[1][0])
    ranks = sorted(parts["linear control"]["at"].unique())
    for axes in panels[1]:
        axes.set(xlabel="rank r of K", ylabel="excess risk per entry", yscale="log", xticks=ranks)
        axes.legend()
    style.note_diverged(
        panels[1][1], table[table["panel"].isin(("linear control", "softmax control"))]
    )
    return figure


def _static(axes: Any, rows: pd.DataFrame, values: list[int]) -> None:
    """Draw the residual of the best static kernel against the number of distinct inputs."""
    for place, (seen, r_star) in enumerate(
        (seen, r_star) for seen in ("content", "content and position") for r_star in values
    ):
        mine = rows[(rows["series"] == seen) & (rows["r_star"] == r_star)]
        suffix = "" if seen == "content" else ", with positions: 0"
        style.series(axes, mine, "at", place=place, label=f"r* = {r_star}{suffix}")
        if seen == "content":
            _level(axes, mine["reference"].iloc[0], place)
    axes.plot([], [], label="limit, exact", **REFERENCE)
    axes.set(
        title="one kernel for all inputs (closed form)",
        xlabel="distinct inputs",
        ylabel="unexplained share of A* X",
        xscale="log",
        xticks=sorted(rows["at"].unique()),
    )
    axes.set_xticklabels([str(count) for count in sorted(rows["at"].unique())])
    axes.minorticks_off()
    axes.legend()


def _spread(axes: Any, rows: pd.DataFrame, values: list[int]) -> None:
    """Draw how much of each student's realised mixer changes with the input."""
    students = [
        (series, teacher)
        for series in NAMES
        for teacher in ("signed", "stochastic")
        if len(rows[(rows["series"] == series) & (rows["teacher"] == teacher)])
    ]
    for place, r_star in enumerate(values):
        for at, (series, teacher) in enumerate(students):
            kept = (rows["series"] == series) & (rows["teacher"] == teacher)
            row = rows[kept & (rows["r_star"] == r_star)].iloc[0]
            axes.errorbar(
                at + 0.2 * (place - (len(values) - 1) / 2),
                row["mean"],
                yerr=[[row["mean"] - row["low"]], [row["high"] - row["mean"]]],
                color=style.COLOURS[place],
                marker=style.MARKERS[place],
                label=f"r* = {r_star}" if at == 0 else None,
            )
    labels = [
        series.replace("_positions", "\n+ pos.") + ("\nstoch." if teacher == "stochastic" else "")
        for series, teacher in students
    ]
    axes.set(
        title="what of the mixer changes with the input",
        ylabel="spread of M(X), share of energy",
        xticks=range(len(students)),
        ylim=(-0.05, 1.05),
    )
    axes.set_xticklabels(labels)
    axes.legend()


def _linear(axes: Any, rows: pd.DataFrame, values: list[int]) -> None:
    """Draw B1 with positions against the bound of a fixed operator."""
    for place, r_star in enumerate(values):
        style.series(
            axes, rows[rows["r_star"] == r_star], "at", place=place, label=f"r* = {r_star}"
        )
    paid = rows[rows["reference"] > 0]
    _ticks(axes, paid["at"], paid["reference"], "tail-energy bound")
    axes.set_title("B1 + positions, signed A*")


def _softmax(axes: Any, rows: pd.DataFrame, values: list[int]) -> None:
    """Draw B2 with positions on a signed and on a row-stochastic operator."""
    for place, (teacher, r_star) in enumerate(
        (teacher, r_star) for teacher in ("signed", "stochastic") for r_star in values
    ):
        mine = rows[(rows["teacher"] == teacher) & (rows["r_star"] == r_star)]
        style.series(axes, mine, "at", place=place, label=f"{teacher} A*, r* = {r_star}")
        if teacher == "signed":
            _level(axes, mine["reference"].iloc[0], place)
    axes.plot([], [], label="row-stochastic floor", **REFERENCE)
    axes.set_title("B2 + positions")


def _level(axes: Any, height: float, place: int) -> None:
    """Draw a floor or a limit in the colour of its series."""
    axes.axhline(height, **REFERENCE | {"color": style.COLOURS[place]})


def _ticks(axes: Any, x: Any, y: Any, label: str) -> None:
    """Draw a bound as short bars."""
    axes.plot(x, y, color="0.2", marker="_", markersize=16, linestyle="none", label=label)


FIGURES = {"ladder": ladder, "mixer_diagnosis": diagnosis}
