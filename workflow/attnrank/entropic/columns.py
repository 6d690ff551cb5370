"""Columns that tables of several chapters of paper A share."""

from attnrank.tables import Column

# A task of `fixed_operator`: teacher and training set.
TASK = (
    Column("operator", "float64", "A*, the teacher's operator", shape=("tokens", "tokens")),
    Column("value", "float64", "V*, the teacher's value map", shape=("width", "width")),
    Column("inputs", "float64", "X", shape=("samples", "tokens", "width")),
    Column(
        "targets",
        "float64",
        "Y, with label noise; NaN where a token has no label",
        shape=("samples", "tokens", "width"),
        nan=True,
    ),
)
