"""Columns that tables of several chapters share."""

from attnrank.tables import Column

R_STAR = Column("r_star", "int64", "intrinsic rank of the task", low=1)
SEED = Column("seed", "int64", "seed of teacher, data and initialisation", low=0)
RANK = Column("rank", "int64", "rank that the student is allowed", low=1)
LOSS = Column("loss", "float64", "training loss at the end, mean squared error", nan=True)
DIVERGED = Column("diverged", "bool", "the loss was not finite at some step")
EXCESS = Column(
    "excess", "float64", "excess risk: mean squared error against the clean target", nan=True
)
ESTIMATORS = (
    Column("numerical_rank_01", "float64", "singular values above 1 % of the largest", nan=True),
    Column("numerical_rank_05", "float64", "singular values above 5 % of the largest", nan=True),
    Column("numerical_rank_10", "float64", "singular values above 10 % of the largest", nan=True),
    Column("energy_effective_rank", "float64", "exp entropy of squared singular values", nan=True),
    Column("entropy_effective_rank", "float64", "exp entropy of singular values", nan=True),
    Column("participation_ratio", "float64", "(sum s^2)^2 / sum s^4", nan=True),
    Column("stable_rank", "float64", "sum s^2 / max s^2", nan=True),
)
SUMMARY = (
    Column("mean", "float64", "mean over seeds", nan=True),
    Column("low", "float64", "lower end of its bootstrap interval", nan=True),
    Column("high", "float64", "upper end of its bootstrap interval", nan=True),
    Column("runs", "int64", "runs in the group", low=0),
    Column("diverged", "int64", "of which diverged, and are left out of the mean", low=0),
)
