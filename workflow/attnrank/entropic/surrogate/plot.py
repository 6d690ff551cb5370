"""Figures surrogate_transition and surrogate_recovery."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator, NullLocator

from attnrank import style

REGIMES = {
    "over_determined": "over-determined: the data identify A",
    "under_determined": "under-determined: the start decides",
}
NORMS = {"frobenius": "-.", "nuclear": "--"}
ESTIMATORS = {
    "numerical_rank_05": "numerical rank (5 %)",
    "energy_effective_rank": "energy effective rank",
}


def transition(table: pd.DataFrame) -> Figure:
    """Draw excess risk against rank, a panel for each r*, from `schemas.TRANSITION`."""
    style.use()
    values = sorted(table["r_star"].unique())
    figure, panels = plt.subplots(
        1, len(values), figsize=(style.WIDTH, 2.8), sharey=True, squeeze=False
    )
    for axes, r_star in zip(panels[0], values, strict=True):
        rows = table[table["r_star"] == r_star].sort_values("rank")
        bound = rows[rows["bound"] > 0]
        axes.plot(
            bound["rank"],
            bound["bound"],
            color="0.2",
            marker="_",
            markersize=16,
            linestyle="none",
            label="tail-energy bound",
        )
        style.series(axes, rows, "rank", place=0, label="trained with Adam, mean and 95 % interval")
        axes.plot(
            rows["rank"],
            rows["closed_form"],
            color="0.1",
            marker="x",
            markersize=5,
            linestyle="none",
            label="alternating reduced-rank regression",
        )
        axes.axvline(r_star, color="0.6", linewidth=0.8, linestyle=":")
        axes.set(title=f"r* = {r_star}", xlabel="student's rank r", yscale="log")
        axes.xaxis.set_major_locator(MultipleLocator(2))
    panels[0][0].set_ylabel("excess risk per entry")
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    style.note_diverged(panels[0][-1], table)
    return figure


def recovery(table: pd.DataFrame) -> Figure:
    """Draw recovered rank against initial scale, from `schemas.RECOVERY`."""
    style.use()
    figure, panels = plt.subplots(
        len(ESTIMATORS), 2, figsize=(style.WIDTH, 4.4), sharex=True, sharey="row", squeeze=False
    )
    values = sorted(table["r_star"].unique())
    for line, (estimator, name) in zip(panels, ESTIMATORS.items(), strict=True):
        for axes, regime in zip(line, REGIMES, strict=True):
            rows = table[(table["estimator"] == estimator) & (table["regime"] == regime)]
            for place, r_star in enumerate(values):
                mine = rows[rows["r_star"] == r_star].sort_values("init_scale")
                colour = style.COLOURS[place]
                axes.axhline(r_star, color=colour, linewidth=0.8, linestyle=":")
                for norm, dashes in NORMS.items():
                    axes.plot(mine["init_scale"], mine[norm], color=colour, linestyle=dashes)
                style.series(axes, mine, "init_scale", place=place, label=f"r* = {r_star}")
            axes.set(xscale="log")
            axes.xaxis.set_minor_locator(NullLocator())
        line[0].set_ylabel(name)
    for axes, title in zip(panels[0], REGIMES.values(), strict=True):
        axes.set_title(title)
    for axes in panels[-1]:
        axes.set_xlabel("initial scale of the factors")
    for name, dashes in {
        "r*": ":",
        "least nuclear norm": "--",
        "least Frobenius norm": "-.",
    }.items():
        panels[0][0].plot([], [], color="0.3", linestyle=dashes, label=name)
    handles = panels[0][0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=len(handles[0]))
    style.note_diverged(panels[-1][-1], table[table["estimator"] == next(iter(ESTIMATORS))])
    return figure


FIGURES = {"surrogate_transition": transition, "surrogate_recovery": recovery}
