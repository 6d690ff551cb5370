"""The tables of the certified bounds."""

from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

_WIDTH = Column("width", "int64", "m, bits of a token", unit="bits", low=1)
_LENGTH = Column("length", "int64", "N, tokens of an input", low=3)
_EPS = Column("eps", "string", "error that the head may make, a fraction p/q")
_RATIO = Column("ratio", "string", "Lambda: alpha(x_i, y_i) >= Lambda alpha(x_i, y_j), p/q")
FAMILIES = ("greedy", "linear")

PROFILES = Schema(
    "minip_profiles",
    1,
    "bounds_certify",
    (
        _LENGTH,
        _EPS,
        Column("gap", "int64", "g, overlap of query i with key j, where key i has 0", low=1),
        Column("inputs", "int64", "inputs of the pair's chain", low=1),
        _RATIO,
    ),
    key=("length", "eps", "gap"),
)
BOUNDS = Schema(
    "minip_bounds_runs",
    1,
    "bounds_certify",
    (
        Column("family", "string", "greedy codes, or linear ones", allowed=FAMILIES),
        _WIDTH,
        _LENGTH,
        _EPS,
        Column("words", "int64", "size of the constant-weight code", low=2),
        Column("counted", "int64", "words whose distances were counted one by one", low=2),
        Column("gap", "int64", "least gap between two words", low=1),
        Column("gaps", "int64", "different gaps that a ratio was wanted for", low=1),
        _RATIO,
        Column("dominance", "int64", "rank certified by diagonal dominance", low=1),
        Column("trace", "int64", "rank certified by trace and Frobenius norm", low=1),
        Column("sign_split", "int64", "rank certified by the signs of a dependency", low=1),
        Column("rank", "int64", "the greatest of the three: fewer features are impossible", low=1),
        Column("cap", "float64", "C(m, floor(m/2)): no antichain of keys is larger", low=1),
    ),
    key=("family", "width", "length", "eps"),
)
REALISED = Schema(
    "minip_realised",
    1,
    "bounds_realise",
    (
        _WIDTH,
        Column("features", "int64", "2^m", low=2),
        Column("mismatch", "float64", "greatest deviation of <phi_Q, phi_K> from exp(-b<x, z>)"),
        Column("residual", "float64", "||A B - I||_F; below 1 it proves that A has rank 2^m"),
        Column("answer_error", "float64", "greatest error on three tokens", unit="bits"),
        Column("exact", "bool", "mismatch below 1e-12, residual below 1, answer error below 1/2"),
    ),
    key=("width",),
)
SHOWN = Schema(
    "minip_bounds",
    1,
    "table",
    (
        Column(
            "series",
            "string",
            "what the value is",
            allowed=("cube", "cap", "realised", "growth", "fit"),
        ),
        _WIDTH,
        Column("length", "int64", "N, tokens of an input; 0 where it does not matter", low=0),
        Column("eps", "string", "error, a fraction; empty where it does not matter"),
        Column("log2_value", "float64", "log2 of the features"),
        Column("exponent", "float64", "slope of the fit, per bit of width", nan=True),
        Column("exponent_low", "float64", "least slope with one width left out", nan=True),
        Column("exponent_high", "float64", "greatest slope with one width left out", nan=True),
    ),
    key=("series", "width", "length", "eps"),
)

SOURCES = {
    "bounds": Source("ranks/minip_bounds.parquet", BOUNDS),
    "realised": Source("ranks/minip_realised.parquet", REALISED),
}
FIGURES = {"minip_bounds": Figure(SHOWN, ("bounds", "realised"))}
