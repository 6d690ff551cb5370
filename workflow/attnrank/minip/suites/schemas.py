"""The files of a certificate."""

from attnrank.tables import Column, Schema

_ERROR = Column("eps", "string", "error that the head may make, a fraction p/q")
_PAIR = (
    Column("query", "int64", "query i; its own key is key i", low=0),
    Column("key", "int64", "the other key j", low=0),
)

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
        _ERROR,
        *_PAIR,
        Column("ratio", "string", "proven: alpha(x_i, y_i) >= ratio * alpha(x_i, y_j), p/q"),
    ),
    key=("eps", "query", "key"),
)
PROOFS = Schema(
    "certificate_proofs",
    1,
    "certify_suite",
    (
        _ERROR,
        *_PAIR,
        Column("sequence", "int64", "row of the suite, from 0, whose inequality is used", low=0),
        Column("side", "string", "its upper or its lower inequality", allowed=("upper", "lower")),
        Column("multiplier", "string", "weight of the inequality, p/q"),
    ),
    key=("eps", "query", "key", "sequence", "side"),
)
CERTIFICATE = Schema(
    "certificate",
    1,
    "certify_suite",
    (
        _ERROR,
        Column("rank", "int64", "fewer nonnegative features are impossible", low=1),
        Column("ratio", "string", "Lambda, the least ratio over all pairs, p/q; 0 without pairs"),
        Column("dominance", "int64", "rank certified by diagonal dominance", low=1),
        Column("trace", "int64", "rank certified by trace and Frobenius norm", low=1),
        Column("sign_split", "int64", "rank certified by the signs of a dependency", low=1),
        Column("queries", "int64", "n, queries and keys of the matrix", low=1),
        Column("sequences", "int64", "distinct sequences in the suite", low=1),
        Column("query", "string", "the query's place", allowed=("first", "last")),
        Column("positional", "bool", "whether maps that depend on the position are covered"),
    ),
    key=("eps",),
)
