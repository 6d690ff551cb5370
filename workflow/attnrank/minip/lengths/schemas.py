"""The tables of the chapter on lengths."""

from attnrank.columns import DIVERGED, RANK, SEED, SUMMARY
from attnrank.minip.columns import EXTREMES, LENGTH, WIDTH
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

# What is no mean over seeds fills mean, low and high too: those of optimum are its bracket.
SERIES = ("construction", "optimum", "trained")

CONSTRUCTION = Schema(
    "minip_construction",
    1,
    "lengths_exact",
    (
        WIDTH,
        LENGTH,
        Column("inputs", "int64", "inputs answered, all of the cube", low=1),
        Column("error", "float64", "greatest error of the construction", unit="bits", low=0),
    ),
    key=("width", "length"),
)
OPTIMUM = Schema(
    "minip_rank_one",
    1,
    "lengths_exact",
    (
        WIDTH,
        LENGTH,
        Column("inputs", "int64", "orbits of inputs in the linear program", low=1),
        Column(
            "lower", "float64", "an error that no rank-1 head attains, or 0", unit="bits", low=0
        ),
        Column("error", "float64", "greatest error of the head that was found", unit="bits", low=0),
        Column("ratio", "float64", "its greatest weight q of a token over its least", low=1),
    ),
    key=("width", "length"),
)
RUNS = Schema(
    "minip_lengths_runs",
    1,
    "lengths_train, lengths_gather",
    (
        WIDTH,
        LENGTH,
        RANK,
        SEED,
        Column("error", "float64", "least greatest error of any step", unit="bits", nan=True),
        Column("accuracy", "float64", "share of inputs with error < 1/2 there", low=0, high=1),
        Column("step", "int64", "the step of that least error", low=0),
        Column("final_error", "float64", "greatest error at the end", unit="bits", nan=True),
        DIVERGED,
    ),
    key=("width", "length", "rank", "seed"),
)
LENGTHS = Schema(
    "minip_lengths",
    1,
    "table",
    (
        Column("series", "string", "where the error is from", allowed=SERIES),
        WIDTH,
        LENGTH,
        RANK,
        *EXTREMES,
        *SUMMARY,
    ),
    key=("series", "width", "length", "rank"),
)

SOURCES = {
    "construction": Source("ranks/minip_construction.parquet", CONSTRUCTION),
    "optimum": Source("ranks/minip_rank_one.parquet", OPTIMUM),
    "runs": Source("ranks/minip_lengths_runs.parquet", RUNS),
}
FIGURES = {"minip_lengths": Figure(LENGTHS, ("runs", "construction", "optimum"))}
