"""Figures native_transition, native_recovery and softmax_compression."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, MultipleLocator, NullLocator

from attnrank import style
from attnrank.entropic.attention import KINDS
from attnrank.entropic.native.schemas import SHOWN

# Estimator: its name, colour and marker. The colours leave the first three to r*.
ESTIMATORS = {
    "numerical_rank_01": ("numerical, 1 %", 9, "v"),
    "numerical_rank_05": ("numerical, 5 %", 8, "^"),
    "numerical_rank_10": ("numerical, 10 %", 7, "<"),
    "energy_effective_rank": ("energy effective", 3, "o"),
    "entropy_effective_rank": ("entropy effective", 5, "s"),
    "participation_ratio": ("participation ratio", 4, "D"),
    "stable_rank": ("stable", 6, "P"),
}


def transition(table: pd.DataFrame) -> Figure:
    """Draw excess risk against rank, a row for each kind and a panel for each r*."""
    style.use()
    values = sorted(table["r_star"].unique())
    figure, panels = plt.subplots(
        2,
        len(values),
        figsize=(style.WIDTH, 4.0),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for place, (line, kind) in enumerate(zip(panels, KINDS, strict=True)):
        for axes, r_star in zip(line, values, strict=True):
            chosen = (table["kind"] == kind) & (table["r_star"] == r_star)
            rows = table[chosen].sort_values("rank")
            tail = rows[rows["tail"] > 0]
            axes.plot(
                tail["rank"],
                tail["tail"],
                color="0.2",
                marker="_",
                markersize=9,
                linestyle="none",
                label="share of the kernel's energy beyond the rank",
            )
            style.series(axes, rows, "rank", place=place, label=f"{kind}, mean and 95 % interval")
            axes.axvline(r_star, color="0.6", linewidth=0.8, linestyle=":")
            axes.set(yscale="log")
            axes.set_xlim(left=0)
            axes.xaxis.set_major_locator(MultipleLocator(4))
        line[0].set_ylabel(f"{kind}: excess risk")
    for axes, r_star in zip(panels[0], values, strict=True):
        axes.set_title(f"r* = {r_star}")
    for axes in panels[-1]:
        axes.set_xlabel("student's rank r")
    handles, labels = panels[0][-1].get_legend_handles_labels()
    more = panels[1][-1].get_legend_handles_labels()
    figure.legend(
        [*handles, more[0][-1]], [*labels, more[1][-1]], loc="outside upper center", ncols=3
    )
    style.note_diverged(panels[-1][-1], table)
    return figure


def recovery(table: pd.DataFrame) -> Figure:
    """Draw estimates with data to spare, and the rank found from each start with too few."""
    style.use()
    figure, panels = plt.subplots(
        2, 3, figsize=(style.WIDTH, 4.6), width_ratios=(1.25, 1, 1), squeeze=False, sharex="col"
    )
    over = table[table["regime"] == "over_determined"]
    under = table[table["regime"] == "under_determined"]
    for line, kind in zip(panels, KINDS, strict=True):
        _estimates(line[0], over[over["kind"] == kind], "r_star")
        line[0].set_ylabel(f"{kind}: estimate minus r*")
        rows = under[under["kind"] == kind]
        for axes, estimator in zip(line[1:], SHOWN, strict=True):
            _starts(axes, rows[rows["estimator"] == estimator])
        line[1].set_ylabel("rank found")
    panels[0][0].set_title("data to spare: full rank")
    panels[0][1].set_title("too few data: energy effective")
    panels[0][2].set_title("too few data: numerical, 5 %")
    panels[-1][0].set_xlabel("r*")
    for axes in panels[-1][1:]:
        axes.set_xlabel("initial scale")
    panels[0][1].plot([], [], color="0.3", linestyle=":", label="r*")
    panels[0][1].plot([], [], color="0.3", linestyle="-.", label="least Frobenius norm")
    left, middle = (axes.get_legend_handles_labels() for axes in panels[0][:2])
    figure.legend(*left, loc="outside upper left", ncols=3)
    figure.legend(*middle, loc="outside upper right", ncols=2)
    shown = table[table["estimator"] == "energy_effective_rank"]
    style.note_diverged(panels[-1][-1], shown)
    return figure


def compression(table: pd.DataFrame) -> Figure:
    """Draw excess risk, its ratio to linear attention's, and the estimates against tau."""
    style.use()
    figure, panels = plt.subplots(1, 3, figsize=(style.WIDTH, 3.4), width_ratios=(1, 1, 1.4))
    quantities = dict(list(table.groupby("quantity")))
    excess = quantities["excess"]
    ranks = sorted(excess["rank"].unique())
    for place, rank in enumerate(ranks):
        colour = style.COLOURS[place]
        name = "uniform" if rank == 0 else f"r = {rank}"
        for axes, quantity in ((panels[0], "excess"), (panels[1], "ratio")):
            mine = _of_rank(quantities[quantity], rank)
            if len(mine):
                style.series(axes, mine, "tau", place=place, label=name)
        relative = _of_rank(quantities["relative"], rank)
        panels[1].plot(relative["tau"], relative["mean"], color=colour, linestyle="--")
        for mean in excess.loc[(excess["rank"] == rank) & (excess["kind"] == "linear"), "mean"]:
            panels[0].axhline(mean, color=colour, linewidth=0.8, linestyle="--")
    panels[1].axhline(1, color="0.3", linewidth=0.8, linestyle=":")
    panels[0].plot([], [], color="0.3", linewidth=0.8, linestyle="--", label="linear")
    panels[1].plot([], [], color="0.3", linestyle="--", label="against K = 0")
    taus = sorted(table["tau"].unique())
    for axes in panels[:2]:
        axes.set_xscale("log", base=2)
        axes.set_xticks(taus, [f"{tau:g}" for tau in taus])
        axes.xaxis.set_minor_locator(NullLocator())
    _estimates(panels[2], quantities["estimate"], "tau")
    r_star = int(table["r_star"].iloc[0])
    panels[0].set(title=f"r* = {r_star}", ylabel="excess risk", yscale="log")
    panels[1].set(title=f"below r* = {r_star}", ylabel="softmax over linear excess risk")
    panels[2].set(title=f"full rank, r = {ranks[-1]}", ylabel="estimate minus r*")
    for axes in panels:
        axes.set_xlabel("tau")
    for axes in panels[:2]:
        axes.legend()
    # Room for the legend above the lines.
    panels[1].set_ylim(0, 1.25 * quantities["relative"]["mean"].max())
    figure.legend(*panels[2].get_legend_handles_labels(), loc="outside upper right", ncols=4)
    style.note_diverged(panels[2], excess[excess["rank"] > 0])
    return figure


def _of_rank(rows: pd.DataFrame, rank: int) -> pd.DataFrame:
    """Return the softmax rows of a rank, in the order of tau."""
    return rows[(rows["rank"] == rank) & (rows["kind"] == "softmax")].sort_values("tau")


def _estimates(axes: Any, rows: pd.DataFrame, x: str) -> None:
    """Draw how far each estimator is from r*, side by side at each value of x, on a symlog axis."""
    axes.set_yscale("symlog", linthresh=0.01, linscale=0.5)
    values = sorted(rows[x].unique())
    axes.axhline(0, color="0.3", linewidth=0.8, linestyle=":")
    for place, (estimator, (name, colour, marker)) in enumerate(ESTIMATORS.items()):
        mine = rows[rows["estimator"] == estimator].sort_values(x)
        shift = (place - (len(ESTIMATORS) - 1) / 2) * 0.12
        at = np.arange(len(values)) + shift
        reach = [mine["mean"] - mine["low"], mine["high"] - mine["mean"]]
        axes.errorbar(
            at,
            mine["mean"] - mine["r_star"],
            yerr=np.maximum(reach, 0),
            color=style.COLOURS[colour],
            marker=marker,
            linestyle="none",
            elinewidth=0.8,
            label=name,
        )
    axes.set_xticks(range(len(values)), [f"{value:g}" for value in values])


def _starts(axes: Any, rows: pd.DataFrame) -> None:
    """Draw the rank found against the initial scale, a series for each r*."""
    for place, r_star in enumerate(sorted(rows["r_star"].unique())):
        mine = rows[rows["r_star"] == r_star].sort_values("init_scale")
        colour = style.COLOURS[place]
        axes.axhline(r_star, color=colour, linewidth=0.8, linestyle=":")
        axes.plot(mine["init_scale"], mine["frobenius"], color=colour, linestyle="-.")
        style.series(axes, mine, "init_scale", place=place, label=f"r* = {r_star}")
    axes.set(xscale="log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))


FIGURES = {
    "native_transition": transition,
    "native_recovery": recovery,
    "softmax_compression": compression,
}
