"""The tables of the linear surrogate, from data to figure."""

from attnrank.columns import DIVERGED, ESTIMATORS, EXCESS, LOSS, R_STAR, RANK, SEED, SUMMARY
from attnrank.entropic.columns import TASK
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

OPERATOR = Column("operator", "float64", "A, learned", shape=("tokens", "tokens"), nan=True)
VALUE = Column("value", "float64", "V, learned or given", shape=("width", "width"), nan=True)
REGIMES = ("over_determined", "under_determined")
REGIME = Column("regime", "string", "more equations than unknowns, or fewer", allowed=REGIMES)
# Two interpolants that the learned operators of the under-determined regime are compared with.
NORMS = ("frobenius", "nuclear")
SHOWN = ("numerical_rank_05", "energy_effective_rank")
INTERPOLANTS = tuple(
    Column(f"{norm}_{name}", "float64", f"{name} of the least-{norm}-norm fit", nan=True)
    for norm in NORMS
    for name in SHOWN
)
NUCLEAR_LOSS = Column(
    "nuclear_loss", "float64", "training loss of the least-nuclear-norm fit", nan=True
)
NUCLEAR_DISTANCE = Column(
    "nuclear_distance",
    "float64",
    "Frobenius distance of A from the least-nuclear-norm fit, relative to that fit's norm",
    nan=True,
)
INIT_SCALE = Column("init_scale", "float64", "scale of the initial factors", low=0)

TASKS = Schema(
    "surrogate_tasks",
    1,
    "surrogate_data or surrogate_recovery_data",
    (
        R_STAR,
        SEED,
        *TASK,
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
        Column("closed_form_converged", "bool", "the alternation met its tolerance"),
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
    (
        REGIME,
        INIT_SCALE,
        R_STAR,
        SEED,
        EXCESS,
        LOSS,
        DIVERGED,
        *ESTIMATORS,
        *INTERPOLANTS,
        NUCLEAR_LOSS,
        NUCLEAR_DISTANCE,
    ),
    key=("regime", "init_scale", "r_star", "seed"),
)
TRANSITION = Schema(
    "surrogate_transition",
    1,
    "table",
    (
        R_STAR,
        RANK,
        Column("bound", "float64", "tail-energy bound", low=0),
        Column("closed_form", "float64", "mean excess risk of alternating reduced-rank regression"),
        *SUMMARY,
    ),
    key=("r_star", "rank"),
)
RECOVERY = Schema(
    "surrogate_recovery",
    1,
    "table",
    (
        REGIME,
        Column("estimator", "string", "rank estimator"),
        R_STAR,
        INIT_SCALE,
        *(
            Column(norm, "float64", f"mean of the least-{norm}-norm fit", nan=True)
            for norm in NORMS
        ),
        *SUMMARY,
    ),
    key=("regime", "estimator", "r_star", "init_scale"),
)

SOURCES = {
    "runs": Source("ranks/surrogate.parquet", RUNS),
    "recovery": Source("ranks/surrogate_recovery.parquet", RECOVERY_RUNS),
}
FIGURES = {
    "surrogate_transition": Figure(TRANSITION, ("runs",)),
    "surrogate_recovery": Figure(RECOVERY, ("recovery",)),
}
