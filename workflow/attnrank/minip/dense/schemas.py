"""The tables of the chapter on dense softmax attention."""

from attnrank.columns import DIVERGED, SEED, SUMMARY
from attnrank.minip.columns import EXTREMES, LENGTH, WIDTH
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

BETA = Column("beta", "float64", "inverse temperature", low=0, nan=True)
# error: greatest error of the fixed head; threshold: the beta at which that is 1/2.
MEASURES = ("error", "threshold", "trained_error", "trained_beta")

ERRORS = Schema(
    "minip_dense_errors",
    1,
    "dense_exact",
    (
        LENGTH,
        WIDTH,
        BETA,
        Column("closed_form", "float64", "greatest error, by the formula", unit="bits", low=0),
        Column(
            "exhaustive",
            "float64",
            "greatest over every input; NaN: too many",
            unit="bits",
            low=0,
            nan=True,
        ),
    ),
    key=("length", "width", "beta"),
)
THRESHOLDS = Schema(
    "minip_dense_thresholds",
    1,
    "dense_exact",
    (
        LENGTH,
        WIDTH,
        Column("formula", "float64", "beta*, max over d of ln((N - 1)(2 d - 1)) / d", low=0),
        Column("closed_form", "float64", "root of closed-form error = 1/2", low=0),
        Column("exhaustive", "float64", "root of exhaustive error = 1/2", low=0, nan=True),
    ),
    key=("length", "width"),
)
RUNS = Schema(
    "minip_dense_runs",
    1,
    "dense_train, dense_gather",
    (
        WIDTH,
        SEED,
        Column("error", "float64", "greatest error on the test inputs", unit="bits", nan=True),
        Column("accuracy", "float64", "share of test inputs with error < 1/2", low=0, high=1),
        Column("inputs", "int64", "test inputs", low=1),
        Column("exhaustive", "bool", "the test inputs are the whole cube"),
        Column("beta", "float64", "inverse temperature learned, -tr(W) / m", nan=True),
        Column("deviation", "float64", "greatest |W + beta I|", low=0, nan=True),
        DIVERGED,
    ),
    key=("width", "seed"),
)
DENSE = Schema(
    "minip_dense",
    1,
    "table",
    (
        Column("measure", "string", "what is shown", allowed=MEASURES),
        LENGTH,
        WIDTH,
        BETA,
        Column("closed_form", "float64", "of the fixed head, by the formula", low=0, nan=True),
        Column("exhaustive", "float64", "of the fixed head, every input", low=0, nan=True),
        *EXTREMES,
        *SUMMARY,
    ),
    key=("measure", "length", "width", "beta"),
)

SOURCES = {
    "errors": Source("ranks/minip_dense_errors.parquet", ERRORS),
    "thresholds": Source("ranks/minip_dense_thresholds.parquet", THRESHOLDS),
    "runs": Source("ranks/minip_dense_runs.parquet", RUNS),
}
FIGURES = {"minip_dense": Figure(DENSE, ("runs", "errors", "thresholds"))}
