import numpy as np
import pandas as pd
import pytest

from attnrank.entropic.surrogate import claims, table


def runs() -> pd.DataFrame:
    """Return two tasks of r* = 2 that behave as the paper says, at ranks 1 to 3."""
    rows = [
        {
            "r_star": 2,
            "seed": seed,
            "rank": rank,
            "excess": {1: 0.5, 2: 1e-4, 3: 1e-4}[rank],
            "bound": {1: 0.5, 2: 0.0, 3: 0.0}[rank],
            "closed_form": 0.1,
            "diverged": False,
        }
        for seed in (0, 1)
        for rank in (1, 2, 3)
    ]
    return pd.DataFrame(rows)


DEFICIENCY = {"ratio": 1.1}
ATTAINMENT = {"excess": 5e-4, "jump": 100.0}


def disturbed(seed, rank, **values):
    frame = runs()
    here = (frame["seed"] == seed) & (frame["rank"] == rank)
    for name, value in values.items():
        frame.loc[here, name] = value
    return {"runs": frame}


@pytest.mark.parametrize(
    ("values", "share"),
    [({}, 1.0), ({"excess": 0.6}, 0.5), ({"excess": np.nan, "diverged": True}, 0.5)],
)
def test_deficiency_counts_tasks_whose_students_pay_the_bound(interval, values, share):
    assert claims.deficient(disturbed(1, 1, **values), DEFICIENCY, interval).value == share


@pytest.mark.parametrize(
    ("rank", "values", "share"),
    [
        (2, {}, 1.0),
        (3, {"excess": 1e-3}, 0.5),
        (1, {"excess": 1e-3}, 0.5),
        (1, {"excess": np.nan, "diverged": True}, 0.5),
        (2, {"excess": np.nan, "diverged": True}, 0.5),
    ],
)
def test_attainability_asks_for_the_floor_and_for_the_jump(interval, rank, values, share):
    frames = disturbed(0, rank, **values)
    assert claims.attained(frames, ATTAINMENT, interval).value == share


def recovery(**values) -> dict[str, pd.DataFrame]:
    frame = pd.DataFrame(
        {
            "regime": "under_determined",
            "init_scale": [1e-3, 1e-3, 1.0, 1.0],
            "r_star": 2,
            "seed": [0, 1, 0, 1],
            "numerical_rank_05": [2.0, 2.0, 9.0, 9.0],
            "energy_effective_rank": [2.01, 2.0, 4.0, 4.0],
            "diverged": False,
        }
    )
    for name, value in values.items():
        frame.loc[1, name] = value
    return {"recovery": frame}


SMALL = {
    "regime": "under_determined",
    "init_scale": 1e-3,
    "estimator": "numerical_rank_05",
    "relative": 0.02,
}
LARGE = {"regime": "under_determined", "init_scale": 1.0, "factor": 1.3}


@pytest.mark.parametrize(
    ("values", "share"),
    [
        ({}, 1.0),
        ({"numerical_rank_05": 3.0}, 0.5),
        ({"energy_effective_rank": 2.1}, 0.5),
        ({"energy_effective_rank": np.nan, "diverged": True}, 0.5),
    ],
)
def test_recovery_asks_for_both_estimators(interval, values, share):
    assert claims.recovered(recovery(**values), SMALL, interval).value == share


def test_large_starts_that_miss_are_counted(interval):
    assert claims.missed(recovery(), LARGE, interval).value == 1.0
    assert claims.missed(recovery(), {**LARGE, "factor": 2.5}, interval).value == 0.0


def test_a_regime_without_runs_has_no_value(interval):
    parameters = {**SMALL, "regime": "over_determined"}
    assert np.isnan(claims.recovered(recovery(), parameters, interval).value)


def test_the_transition_table_keeps_the_bound_and_counts_what_diverged(interval):
    frames = disturbed(0, 2, excess=np.nan, diverged=True)
    shown = table.transition(frames, interval).set_index("rank")
    assert shown.loc[1, ["mean", "bound", "closed_form"]].tolist() == [0.5, 0.5, 0.1]
    assert shown.loc[2, ["runs", "diverged"]].tolist() == [2, 1]
    assert shown.loc[2, "mean"] == pytest.approx(1e-4)
