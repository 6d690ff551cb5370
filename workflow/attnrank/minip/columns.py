"""Columns that tables of several chapters of paper B share."""

from attnrank.tables import Column

WIDTH = Column("width", "int64", "m, width of a token", unit="bits", low=1)
LENGTH = Column("length", "int64", "N, tokens of an input, the query included", low=1)
# Over the seeds of a group, beside their mean; NaN where nothing was trained.
EXTREMES = (
    Column("least", "float64", "least over seeds", nan=True),
    Column("greatest", "float64", "greatest over seeds", nan=True),
    Column("solved", "int64", "seeds with error < 1/2", low=0),
)
# A certificate's proofs: for each pair, its ratio and the multipliers that prove it.
ERROR_BOUND = Column("eps", "string", "error that the head may make, a fraction p/q")
PAIR = (
    Column("query", "int64", "query i; its own key is key i", low=0),
    Column("key", "int64", "the other key j", low=0),
)
RATIO = Column("ratio", "string", "proven: alpha(x_i, y_i) >= ratio * alpha(x_i, y_j), p/q")
MULTIPLIERS = (
    Column("sequence", "int64", "number of the input, from 0, whose inequality is used", low=0),
    Column("side", "string", "its upper or its lower inequality", allowed=("upper", "lower")),
    Column("multiplier", "string", "weight of the inequality, p/q"),
)
RANK_BOUNDS = (
    Column("dominance", "int64", "rank certified by diagonal dominance", low=1),
    Column("trace", "int64", "rank certified by trace and Frobenius norm", low=1),
    Column("sign_split", "int64", "rank certified by the signs of a dependency", low=1),
)
