"""The tables of the linear surrogate, from data to figure."""

from attnrank.columns import DIVERGED, ESTIMATORS, EXCESS, LOSS, R_STAR, RANK, SEED, SUMMARY
from attnrank.tables import Column, Schema

OPERATOR = Column("operator", "float64", "A, learned", shape=("tokens", "tokens"), nan=True)
VALUE = Column("value", "float64", "V, learned or given", shape=("width", "width"), nan=True)
REGIME = Column(
    "regime",
    "string",
    "more equations than unknowns, or fewer",
    allowed=("over_determined", "under_determined"),
)
INIT_SCALE = Column("init_scale", "float64", "scale of the initial factors", low=0)

TASKS = Schema(
    "surrogate_tasks",
    1,
    "surrogate_data or surrogate_recovery_data",
    (
        R_STAR,
        SEED,
        Column("operator", "float64", "A*, the teacher's operator", shape=("tokens", "tokens")),
        Column("value", "float64", "V*, the teacher's value map", shape=("width", "width")),
        Column("inputs", "float64", "X", shape=("samples", "tokens", "width")),
        Column("targets", "float64", "Y, with label noise", shape=("samples", "tokens", "width")),
    ),
    key=("r_star", "seed"),
)
STUDENTS = Schema(
    "surrogate_students",
    1,
    "surrogate_train",
    (R_STAR, SEED, RANK, LOSS, DIVERGED, OPERATOR, VALUE),
    key=("r_star", "seed"),
)
RECOVERED = Schema(
    "surrogate_recovered",
    1,
    "surrogate_recovery_train",
    (REGIME, INIT_SCALE, R_STAR, SEED, LOSS, DIVERGED, OPERATOR, VALUE),
    key=("r_star", "seed"),
)
RUNS = Schema(
    "surrogate_runs",
    1,
    "surrogate_estimate",
    (
        R_STAR,
        RANK,
        SEED,
        EXCESS,
        Column("bound", "float64", "tail-energy bound that no student of this rank beats", low=0),
        Column("closed_form", "float64", "excess risk of alternating reduced-rank regression"),
        LOSS,
        DIVERGED,
        *ESTIMATORS,
    ),
    key=("r_star", "rank", "seed"),
)
RECOVERY_RUNS = Schema(
    "surrogate_recovery_runs",
    1,
    "surrogate_recovery_estimate",
    (REGIME, INIT_SCALE, R_STAR, SEED, EXCESS, LOSS, DIVERGED, *ESTIMATORS),
    key=("regime", "init_scale", "r_star", "seed"),
)
TRANSITION = Schema(
    "surrogate_transition",
    1,
    "surrogate_transition_table",
    (
        R_STAR,
        RANK,
        Column("bound", "float64", "tail-energy bound", low=0),
        Column("closed_form", "float64", "mean excess risk of the closed-form optimum"),
        *SUMMARY,
    ),
    key=("r_star", "rank"),
)
RECOVERY = Schema(
    "surrogate_recovery",
    1,
    "surrogate_recovery_table",
    (REGIME, Column("estimator", "string", "rank estimator"), R_STAR, INIT_SCALE, *SUMMARY),
    key=("regime", "estimator", "r_star", "init_scale"),
)
