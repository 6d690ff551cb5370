"""The files of a certificate."""

from attnrank.minip.columns import ERROR_BOUND, MULTIPLIERS, PAIR, RANK_BOUNDS, RATIO
from attnrank.tables import Column, Schema

MATRIX = Schema(
    "certificate_matrix",
    1,
    "certify_suite",
    (
        Column("number", "int64", "i", low=0),
        Column("query", "string", "bits of query i"),
        Column("key", "string", "bits of key i"),
    ),
    key=("number",),
)
RATIOS = Schema(
    "certificate_ratios",
    1,
    "certify_suite",
    (
        ERROR_BOUND,
        *PAIR,
        RATIO,
    ),
    key=("eps", "query", "key"),
)
PROOFS = Schema(
    "certificate_proofs",
    1,
    "certify_suite",
    (
        ERROR_BOUND,
        *PAIR,
        *MULTIPLIERS,
    ),
    key=("eps", "query", "key", "sequence", "side"),
)
CERTIFICATE = Schema(
    "certificate",
    1,
    "certify_suite",
    (
        ERROR_BOUND,
        Column("rank", "int64", "fewer nonnegative features are impossible", low=1),
        Column("ratio", "string", "Lambda, the least ratio over all pairs, p/q; 0 without pairs"),
        *RANK_BOUNDS,
        Column("queries", "int64", "n, queries and keys of the matrix", low=1),
        Column("sequences", "int64", "distinct sequences in the suite", low=1),
        Column("query", "string", "the query's place", allowed=("first", "last")),
        Column("positional", "bool", "whether maps that depend on the position are covered"),
    ),
    key=("eps",),
)
