"""The tables of the scaling, from runs to figure."""

from attnrank.columns import DIVERGED, SUMMARY
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

SPLITS = ("sequences", "codes")
SPLIT = Column("split", "string", "what is new in the test", allowed=SPLITS)
CASE = (
    SPLIT,
    Column("queries", "int64", "n, query words of a code", low=1),
    Column("width", "int64", "m, bits of a token", low=1),
    Column("rank", "int64", "features; 0 for dense softmax", low=0),
)
MEASURES = ("accuracy", "train_accuracy", "strict")

RUNS = Schema(
    "scaling_runs",
    1,
    "scaling_train",
    (
        *CASE,
        Column("draw", "int64", "number of the code draw", low=0),
        Column("seed", "int64", "seed of the initialisation", low=0),
        Column("train_accuracy", "float64", "share of training inputs exact", low=0, high=1),
        Column("accuracy", "float64", "share of test inputs with error < 1/2", low=0, high=1),
        Column("error", "float64", "greatest error on test inputs", unit="bits", nan=True),
        DIVERGED,
    ),
    key=("split", "queries", "rank", "draw", "seed"),
)
SHOWN = Schema(
    "minip_scaling",
    1,
    "table",
    (
        Column("measure", "string", "what is summarised over code draws", allowed=MEASURES),
        *CASE,
        *SUMMARY,
    ),
    key=("measure", "split", "queries", "rank"),
)

SOURCES = {
    "sequences": Source("train/minip_scaling/sequences.parquet", RUNS),
    "codes": Source("train/minip_scaling/codes.parquet", RUNS),
}
FIGURES = {"minip_scaling": Figure(SHOWN, ("sequences", "codes"))}
