"""The tables of the attention-native rank, from data to figure."""

from attnrank.columns import DIVERGED, ESTIMATORS, EXCESS, LOSS, R_STAR, RANK, SEED, SUMMARY
from attnrank.entropic.attention import KINDS
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

KIND = Column("kind", "string", "attention of teacher and student", allowed=KINDS)
TAU = Column(
    "tau", "float64", "Frobenius norm of K*, the standard deviation of the teacher's scores", low=0
)
INIT_SCALE = Column("init_scale", "float64", "scale of the initial factors", low=0)
KERNEL = Column("kernel", "float64", "K, learned", shape=("width", "width"), nan=True)
VALUE = Column("value", "float64", "V, learned or given", shape=("width", "width"), nan=True)
STUCK = Column(
    "stuck", "bool", "rank r* or more, yet the training loss ends above twice the noise variance"
)
STUCK_RUNS = Column("stuck", "int64", "runs that are stuck, and in the mean", low=0)
# With data to spare, or with fewer equations than unknowns.
REGIMES = ("over_determined", "under_determined")
# Shown against the initial scale; with data to spare every estimator is.
SHOWN = ("energy_effective_rank", "numerical_rank_05")
# relative: the ratio, each excess risk as a share of what K = 0 leaves.
QUANTITIES = ("excess", "ratio", "relative", "estimate")

TASKS = Schema(
    "native_tasks",
    1,
    "native_data or native_implicit_data",
    (
        KIND,
        TAU,
        R_STAR,
        SEED,
        Column("kernel", "float64", "K*, the teacher's kernel", shape=("width", "width")),
        Column("value", "float64", "V*, the teacher's value map", shape=("width", "width")),
        Column("inputs", "float64", "X", shape=("samples", "tokens", "width")),
        Column("targets", "float64", "Y, with label noise", shape=("samples", "tokens", "width")),
    ),
    key=("kind", "tau", "r_star", "seed"),
)
STUDENTS = Schema(
    "native_students",
    1,
    "native_train",
    (KIND, TAU, R_STAR, SEED, RANK, LOSS, DIVERGED, KERNEL, VALUE),
    key=("kind", "tau", "r_star", "seed"),
)
RECOVERED = Schema(
    "native_recovered",
    1,
    "native_implicit_train",
    (KIND, TAU, INIT_SCALE, R_STAR, SEED, LOSS, DIVERGED, KERNEL, VALUE),
    key=("kind", "r_star", "seed"),
)
RUNS = Schema(
    "native_runs",
    1,
    "native_estimate",
    (
        KIND,
        TAU,
        R_STAR,
        RANK,
        SEED,
        EXCESS,
        Column("tail", "float64", "share of |K*|_F^2 beyond the student's rank", low=0, high=1),
        Column("uniform", "float64", "excess risk of uniform attention with its best V", low=0),
        LOSS,
        DIVERGED,
        STUCK,
        *ESTIMATORS,
    ),
    key=("kind", "tau", "r_star", "rank", "seed"),
)
IMPLICIT_RUNS = Schema(
    "native_implicit_runs",
    1,
    "native_implicit_estimate",
    (
        KIND,
        INIT_SCALE,
        R_STAR,
        SEED,
        EXCESS,
        LOSS,
        DIVERGED,
        *ESTIMATORS,
        *(
            Column(f"frobenius_{name}", "float64", f"{name} of the least-norm fit", nan=True)
            for name in SHOWN
        ),
    ),
    key=("kind", "init_scale", "r_star", "seed"),
)
TRANSITION = Schema(
    "native_transition",
    1,
    "table",
    (
        KIND,
        R_STAR,
        RANK,
        Column("tail", "float64", "share of |K*|_F^2 beyond the rank", low=0, high=1),
        *SUMMARY,
        STUCK_RUNS,
    ),
    key=("kind", "r_star", "rank"),
)
RECOVERY = Schema(
    "native_recovery",
    1,
    "table",
    (
        Column("regime", "string", "data to spare, or too few", allowed=REGIMES),
        KIND,
        Column("estimator", "string", "rank estimator"),
        R_STAR,
        Column("init_scale", "float64", "scale of the initial factors; NaN: Adam's", nan=True),
        Column("frobenius", "float64", "mean of the least-Frobenius-norm fit", nan=True),
        *SUMMARY,
    ),
    key=("regime", "kind", "estimator", "r_star", "init_scale"),
)
COMPRESSION = Schema(
    "softmax_compression",
    1,
    "table",
    (
        Column(
            "quantity",
            "string",
            "excess risk, softmax over linear excess risk, or rank estimate",
            allowed=QUANTITIES,
        ),
        KIND,
        TAU,
        Column("rank", "int64", "rank of the student; 0: uniform attention, best V", low=0),
        Column("estimator", "string", "rank estimator, or nothing"),
        R_STAR,
        *SUMMARY,
        STUCK_RUNS,
    ),
    key=("quantity", "kind", "tau", "rank", "estimator"),
)

SOURCES = {
    "runs": Source("ranks/native.parquet", RUNS),
    "implicit": Source("ranks/native_implicit.parquet", IMPLICIT_RUNS),
}
FIGURES = {
    "native_transition": Figure(TRANSITION, ("runs",)),
    "native_recovery": Figure(RECOVERY, ("runs", "implicit")),
    "softmax_compression": Figure(COMPRESSION, ("runs",)),
}
