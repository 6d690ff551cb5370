"""The tables of the witness suite, from data to figure."""

from attnrank.columns import DIVERGED, RANK, SEED, SUMMARY
from attnrank.minip.columns import ERROR_BOUND, MULTIPLIERS, PAIR, RANK_BOUNDS, RATIO
from attnrank.minip.feature_maps import FEATURE_MAPS
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

FEATURE_MAP = Column("feature_map", "string", "how features are made", allowed=FEATURE_MAPS)
# floor: certified for any feature map, no head of this rank errs less.
# constructed: signed features whose kernel is nonnegative, which the certificate covers too.
MEASURES = ("error", "accuracy", "floor", "constructed")

SUITE = Schema(
    "minip_suite",
    1,
    "witness_suite",
    (
        Column("sequence", "int64", "number of the input", low=0),
        Column("kind", "string", "nodes of a chain, or a key twice", allowed=("chain", "double")),
        Column("query", "int64", "number i of the query, token 1", low=0),
        Column("key", "int64", "number j of the key that starts the chain or is doubled", low=0),
        Column("token_1", "string", "bits of the query, the token that is asked"),
        Column("token_2", "string", "bits of the second token"),
        Column("token_3", "string", "bits of the third token"),
        Column("overlap_2", "int64", "<token 1, token 2>", unit="bits", low=0),
        Column("overlap_3", "int64", "<token 1, token 3>", unit="bits", low=0),
        Column("target", "int64", "smallest overlap of token 1 with a token", unit="bits", low=0),
    ),
    key=("sequence",),
)
RATIOS = Schema(
    "minip_ratios",
    1,
    "witness_certify",
    (
        ERROR_BOUND,
        *PAIR,
        RATIO,
    ),
    key=("eps", "query", "key"),
)
PROOFS = Schema(
    "minip_proofs",
    1,
    "witness_certify",
    (
        ERROR_BOUND,
        *PAIR,
        *MULTIPLIERS,
    ),
    key=("eps", "query", "key", "sequence", "side"),
)
CERTIFICATE = Schema(
    "minip_certificate",
    1,
    "witness_verify",
    (
        ERROR_BOUND,
        Column("error", "float64", "eps as a number", unit="bits", low=0),
        Column("ratio", "string", "Lambda, the least ratio over all pairs, p/q"),
        Column("pairs", "int64", "ordered pairs whose proofs were verified", low=1),
        Column("sequences", "int64", "distinct inputs in the suite", low=1),
        *RANK_BOUNDS,
        Column("rank", "int64", "the greatest of the three: fewer features are impossible", low=1),
    ),
    key=("eps",),
)
RUNS = Schema(
    "minip_runs",
    1,
    "witness_train, witness_gather",
    (
        FEATURE_MAP,
        RANK,
        SEED,
        Column("error", "float64", "least greatest error of any step", unit="bits", nan=True),
        Column("accuracy", "float64", "greatest share of inputs with error < 1/2", low=0, high=1),
        Column("step", "int64", "the step of that least error", low=0),
        Column("final_error", "float64", "greatest error at the end", unit="bits", nan=True),
        DIVERGED,
    ),
    key=("feature_map", "rank", "seed"),
)
CONSTRUCTED = Schema(
    "minip_constructed",
    1,
    "witness_construct",
    (
        Column("features", "int64", "signed features, one less than there are queries", low=1),
        Column("kernel_rank", "int64", "rank of the kernel, queries by tokens", low=1),
        Column("least_weight", "float64", "least entry of the kernel"),
        Column("error", "float64", "greatest error on the suite", unit="bits", low=0),
    ),
    key=("features",),
)
TRANSITION = Schema(
    "minip_transition",
    1,
    "table",
    (
        Column("measure", "string", "what is summarised", allowed=MEASURES),
        Column("feature_map", "string", "how features are made", allowed=(*FEATURE_MAPS, "any")),
        RANK,
        Column("least", "float64", "least over seeds", nan=True),
        Column("greatest", "float64", "greatest over seeds", nan=True),
        Column("solved", "int64", "seeds with error < 1/2", low=0),
        *SUMMARY,
    ),
    key=("measure", "feature_map", "rank"),
)

SOURCES = {
    "runs": Source("ranks/minip_runs.parquet", RUNS),
    "certificate": Source("ranks/minip_certificate.parquet", CERTIFICATE),
    "constructed": Source("ranks/minip_constructed.parquet", CONSTRUCTED),
}
FIGURES = {"minip_transition": Figure(TRANSITION, ("runs", "certificate", "constructed"))}
