"""The tables of the ladder, from data to figures."""

from attnrank.columns import DIVERGED, EXCESS, LOSS, R_STAR, RANK, SEED, SUMMARY
from attnrank.entropic.columns import TASK
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

TEACHERS = ("signed", "stochastic")
RUNGS = ("B0", "B1", "B2", "B3")
# Which student learns which teacher; those with positions are the controls.
TRAINED = (
    *((rung, "signed") for rung in RUNGS),
    ("B1_positions", "signed"),
    ("B2_positions", "signed"),
    ("B2_positions", "stochastic"),
)
NAMES = (*RUNGS, "B1_positions", "B2_positions")
SEEN = ("content", "content and position")

TEACHER = Column(
    "teacher",
    "string",
    "A* signed of rank r*, or the row softmax of logits of rank r*",
    allowed=TEACHERS,
)
STUDENT = Column("student", "string", "rung of the ladder, or control", allowed=NAMES)
SPREAD = Column(
    "spread", "float64", "share of the mixer's energy that changes with the input", nan=True
)

TASKS = Schema(
    "ladder_tasks",
    1,
    "ladder_data",
    (TEACHER, R_STAR, SEED, *TASK),
    key=("teacher", "r_star", "seed"),
)
MEASURED = Schema(
    "ladder_measured",
    1,
    "ladder_train",
    (STUDENT, TEACHER, R_STAR, SEED, RANK, EXCESS, SPREAD, LOSS, DIVERGED),
    key=("student", "teacher", "r_star", "seed"),
)
RUNS = Schema(
    "ladder_runs",
    1,
    "ladder_estimate",
    (
        *MEASURED.columns,
        Column("bound", "float64", "tail energy of A* above the rank: fixed mixers", low=0),
        Column("equivariance_floor", "float64", "least excess risk without positions", low=0),
        Column("row_stochastic_floor", "float64", "least of a fixed row-stochastic mixer", low=0),
    ),
    key=("student", "teacher", "r_star", "seed", "rank"),
)
KERNELS = Schema(
    "ladder_static_kernels",
    1,
    "ladder_estimate",
    (
        Column("seen", "string", "what queries and keys are computed from", allowed=SEEN),
        R_STAR,
        SEED,
        Column("distinct_inputs", "int64", "inputs that one kernel must serve", low=1),
        Column("residual", "float64", "least squared error over the signal's energy", low=0),
        Column("limit", "float64", "its limit for ever more inputs", low=0, high=1),
    ),
    key=("seen", "r_star", "seed", "distinct_inputs"),
)
LADDER = Schema(
    "ladder",
    1,
    "table",
    (
        Column(
            "quantity",
            "string",
            "excess risk, or excess risk over the task's equivariance floor",
            allowed=("excess", "excess over floor"),
        ),
        STUDENT,
        R_STAR,
        RANK,
        Column("bound", "float64", "mean tail energy of A* above the rank", low=0),
        Column("floor", "float64", "mean equivariance floor", low=0),
        *SUMMARY,
    ),
    key=("quantity", "student", "r_star", "rank"),
)
DIAGNOSIS = Schema(
    "mixer_diagnosis",
    1,
    "table",
    (
        Column(
            "panel",
            "string",
            "what is shown",
            allowed=("static kernel", "spread", "linear control", "softmax control"),
        ),
        Column("series", "string", "the student, or what queries and keys see"),
        TEACHER,
        R_STAR,
        Column("at", "int64", "distinct inputs in panel static kernel, else the rank", low=1),
        Column("reference", "float64", "mean limit, bound or floor, if there is one", nan=True),
        *SUMMARY,
    ),
    key=("panel", "series", "teacher", "r_star", "at"),
)

SOURCES = {
    "runs": Source("ranks/ladder.parquet", RUNS),
    "kernels": Source("ranks/ladder_static_kernels.parquet", KERNELS),
}
FIGURES = {
    "ladder": Figure(LADDER, ("runs",)),
    "mixer_diagnosis": Figure(DIAGNOSIS, ("runs", "kernels")),
}
