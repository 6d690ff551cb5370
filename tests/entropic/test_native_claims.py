"""Tables and claims on runs made up for the purpose."""

import numpy as np
import pandas as pd
import pytest

from attnrank.entropic.native import claims, table

RANKS = (1, 2, 3)
ESTIMATORS = dict.fromkeys(table.NAMES, 2.0)


def runs(**changes):
    """Return runs that meet every claim: r* = 2, linear at tau = 1, softmax at 1 and 4."""
    rows = [
        {
            "kind": kind,
            "tau": tau,
            "r_star": 2,
            "rank": rank,
            "seed": seed,
            "excess": (0.5 if kind == "linear" else 0.1 * tau) if rank < 2 else 1e-4,
            "tail": max(0, 1 - rank / 2),
            "uniform": 1.0 if kind == "linear" else 0.2,
            "loss": 0.01,
            "diverged": False,
            "stuck": False,
            **ESTIMATORS,
        }
        for kind, tau in (("linear", 1.0), ("softmax", 1.0), ("softmax", 4.0))
        for rank in RANKS
        for seed in range(4)
    ]
    return pd.DataFrame(rows).assign(**changes)


def spoil(frame, where, **values):
    """Change the runs that a query selects."""
    frame.loc[frame.query(where).index, list(values)] = list(values.values())
    return {"runs": frame}


GOOD = {"runs": runs()}


def test_ideal_runs_meet_every_claim(interval):
    for kind in ("linear", "softmax"):
        assert claims.deficient(GOOD, {"kind": kind, "jump": 100}, interval).value == 1
        assert claims.attained(GOOD, {"kind": kind, "excess": 1e-3}, interval).value == 1
        assert claims.recovered(GOOD, {"kind": kind, "tolerance": 0.05}, interval).value == 1
    structured = claims.structured(GOOD, {"jump": 100, "excess": 1e-3}, interval)
    assert (structured.value, structured.units) == (1, 8)
    assert claims.accurate(GOOD, {"tolerance": 0.05}, interval).units == 8


@pytest.mark.parametrize(
    "spoiled",
    [
        {"excess": 5e-3},
        {"excess": np.nan, "diverged": True, **dict.fromkeys(table.NAMES, np.nan)},
    ],
    ids=["stuck", "diverged"],
)
def test_one_bad_student_fails_its_task(interval, spoiled):
    bad = spoil(runs(), "kind == 'softmax' and tau == 1 and rank == 3 and seed == 0", **spoiled)
    for statistic, parameters in (
        (claims.deficient, {"kind": "softmax", "jump": 100}),
        (claims.attained, {"kind": "softmax", "excess": 1e-3}),
    ):
        assert statistic(bad, parameters, interval).value == 0.75
    found = claims.structured(bad, {"jump": 100, "excess": 1e-3}, interval)
    assert found.value == 7 / 8
    linear = claims.attained(bad, {"kind": "linear", "excess": 1e-3}, interval)
    assert linear.value == 1


def test_a_student_below_r_star_that_succeeds_fails_its_task(interval):
    bad = spoil(runs(), "kind == 'linear' and rank == 1 and seed == 0", excess=2e-4)
    assert claims.deficient(bad, {"kind": "linear", "jump": 100}, interval).value == 0.75


COMPRESSION = {"measure": "ratio", "tau_low": 1, "tau_high": 1, "missing_low": 1, "missing_high": 7}


def test_compression_compares_softmax_with_linear_task_by_task(interval):
    assert claims.compression(GOOD, COMPRESSION, interval).value == pytest.approx(0.2)
    sharp = COMPRESSION | {"tau_low": 4, "tau_high": 4}
    assert claims.compression(GOOD, sharp, interval).value == pytest.approx(0.8)
    relative = claims.compression(GOOD, COMPRESSION | {"measure": "relative"}, interval)
    assert (relative.value, relative.units) == (pytest.approx(1), 4)
    bad = spoil(runs(), "kind == 'linear' and rank == 1 and seed == 0", diverged=True)
    assert np.isnan(claims.compression(bad, COMPRESSION, interval).value)


def test_the_energy_rank_leads_by_the_tasks_on_which_numerical_ranks_are_wrong(interval):
    wrong = spoil(runs(), "tau == 4 and rank == 3 and seed == 0", numerical_rank_01=3.0)
    parameters = {"source": "runs", "percent": [1.0], "tolerance": 0.5}
    assert claims.advantage(wrong, parameters, interval).value == pytest.approx(1 / 8)
    best = claims.advantage(wrong, parameters | {"percent": [1.0, 5.0]}, interval)
    assert (best.value, best.low, best.high) == (0, 0, 0)


def implicit():
    energy = {1e-3: 2.02, 0.1: 2.3, 1.0: 5.0}
    rows = [
        {"kind": kind, "init_scale": scale, "r_star": 2, "seed": seed, "diverged": False}
        | ESTIMATORS
        | {"energy_effective_rank": found, "numerical_rank_05": np.ceil(found)}
        | {"frobenius_energy_effective_rank": 3.0, "frobenius_numerical_rank_05": 4.0}
        for kind in ("linear", "softmax")
        for scale, found in energy.items()
        for seed in range(3)
    ]
    return pd.DataFrame(rows)


def test_the_start_decides_where_data_are_too_few(interval):
    frames = {"implicit": implicit()}
    small = {"init_scale": 1e-3, "relative": 0.05}
    assert claims.implicitly_recovered(frames, small, interval).value == 1
    large = {"init_scale": 1.0, "relative": 0.05}
    assert claims.implicitly_recovered(frames, large, interval).value == 0
    starts = {"small": 1e-3, "large": 1.0, "factor": 2.0, "r_star": [1, 2]}
    assert claims.start_matters(frames, starts, interval).value == 1
    assert claims.start_matters(frames, starts | {"factor": 3.0}, interval).value == 0
    assert np.isnan(claims.start_matters(frames, starts | {"large": 9.0}, interval).value)
    lead = {"source": "implicit", "init_scale": 0.1, "percent": [5.0], "tolerance": 0.5}
    assert claims.advantage(frames, lead, interval).value == 1


def test_tables_hold_what_their_schemas_declare(interval):
    from attnrank.entropic.native import schemas

    frames = {"runs": runs(), "implicit": implicit()}
    for name, summarise in table.TABLES.items():
        made = summarise(frames, interval)
        declared = schemas.FIGURES[name].table
        assert set(made) == {column.name for column in declared.columns}
        assert not made.duplicated(list(declared.key)).any()


def test_compression_table_is_of_the_r_star_and_the_ranks_that_every_tau_has(interval):
    other = runs(r_star=3).query("tau == 1")
    frame = pd.concat([runs().query("not (tau == 4 and rank == 2)"), other], ignore_index=True)
    made = table.compression({"runs": frame}, interval)
    assert set(made["r_star"]) == {2}
    excess = made[(made["quantity"] == "excess") & (made["kind"] == "softmax")]
    assert sorted(zip(excess["tau"], excess["rank"], strict=True)) == [
        (1, 0), (1, 1), (1, 3), (4, 0), (4, 1), (4, 3),
    ]  # fmt: skip
    assert excess.set_index(["tau", "rank"])["mean"][4, 1] == pytest.approx(0.4)
