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
