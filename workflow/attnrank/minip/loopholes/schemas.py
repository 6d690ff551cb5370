"""The tables of the loopholes, from linear programs and runs to the figure."""

from attnrank.columns import DIVERGED, RANK, SEED, SUMMARY
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

KERNELS = ("nonnegative", "signed")
KERNEL = Column("kernel", "string", "the sign of features", allowed=KERNELS)
HEADS = Column("heads", "int64", "H, heads whose answers are added up", low=1)
FEATURES = Column("features", "int64", "H r, features of all heads together", low=1)
# margin: of signed heads; impossible: the rank below which linear programs exclude every head.
MEASURES = ("error", "bits", "margin", "certain_rank")

MARGINS = Schema(
    "loopholes_margins",
    1,
    "loopholes_margins",
    (
        Column("error", "float64", "eps, the error allowed", unit="bits", low=0),
        Column("positive", "int64", "rows on one side of the dependency", low=1),
        Column("negative", "int64", "rows on the other side", low=0),
        Column("queries", "int64", "rows there are, the queries of the suite", low=1),
        Column("nonnegative", "bool", "a head with nonnegative features exists"),
        Column("signed", "bool", "a head with features of either sign exists"),
        Column("margin", "float64", "its largest normaliser over sum |alpha|", nan=True),
        Column("built_rank", "int64", "rank of that head, spelled out; 0 if it was not", low=0),
        Column("built_error", "float64", "its greatest error, input by input", nan=True),
    ),
    key=("error", "positive", "negative"),
)
RUNS = Schema(
    "loopholes_runs",
    1,
    "loopholes_train",
    (
        KERNEL,
        HEADS,
        RANK,
        FEATURES,
        SEED,
        Column("error", "float64", "least greatest error of any step", unit="bits", nan=True),
        Column("accuracy", "float64", "greatest share of inputs exact at any step", low=0, high=1),
        Column("margin", "float64", "least normaliser over sum |alpha| there", nan=True),
        Column("final_error", "float64", "greatest error at the end", unit="bits", nan=True),
        Column("bits", "float64", "least bits for each number of a message", nan=True),
        Column("transcript", "float64", "bits of a token's message at that", unit="bits", nan=True),
        DIVERGED,
    ),
    key=("kernel", "heads", "rank", "seed"),
)
SHOWN = Schema(
    "minip_loopholes",
    1,
    "table",
    (
        Column("measure", "string", "what is summarised", allowed=MEASURES),
        KERNEL,
        HEADS,
        Column("features", "int64", "features of all heads; 0 where none are fixed", low=0),
        Column("eps", "float64", "error allowed, of linear programs", unit="bits", nan=True),
        Column("solved", "int64", "seeds with error < 1/2, or that bits were found for", low=0),
        *SUMMARY,
    ),
    key=("measure", "kernel", "heads", "features", "eps"),
)

SOURCES = {
    "margins": Source("ranks/loopholes_margins.parquet", MARGINS),
    "heads": Source("train/minip_loopholes/heads.parquet", RUNS),
    "signed": Source("train/minip_loopholes/signed.parquet", RUNS),
}
FIGURES = {"minip_loopholes": Figure(SHOWN, ("heads", "signed", "margins"))}
