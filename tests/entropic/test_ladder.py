"""The ladder from end to end in small: students against their floors, kernels, claims."""

import numpy as np
import pandas as pd
import pytest

from attnrank.entropic import bounds
from attnrank.entropic.fixed_operator import make_task
from attnrank.entropic.ladder import claims, estimate, train

CASES = [(1, 0), (1, 1), (2, 0)]
TRAINING = {
    "init_scale": 0.1,
    "hidden": 16,
    "learning_rate": 0.03,
    "warmup": 30,
    "steps": 400,
    "batch": 64,
    "test_inputs": 500,
}


def tasks(cases=CASES, logit_scale=None):
    drawn = [
        make_task(
            seed,
            r_star,
            tokens=4,
            width=4,
            samples=256,
            noise=0.1,
            stream="test",
            logit_scale=logit_scale,
        )
        for r_star, seed in cases
    ]
    names = ("operator", "value", "inputs", "targets")
    return [np.stack([getattr(task, name) for task in drawn]) for name in names]


def measured(name, rank, cases=CASES, logit_scale=None, **changes):
    r_star, seeds = zip(*cases, strict=True)
    return train.train_students(
        name,
        *tasks(cases, logit_scale),
        rank=rank,
        r_star=r_star,
        seeds=seeds,
        **TRAINING | changes,
    )


@pytest.mark.parametrize("name", ["B0", "B1_positions"])
def test_the_surrogate_and_linear_attention_with_positions_follow_the_bound(name):
    operator, value, *_ = tasks()
    for rank in (1, 2, 4):
        found = measured(name, rank)
        bound = bounds.tail_energy_bound(operator, value, rank)
        np.testing.assert_allclose(found.excess, bound, rtol=0.1, atol=1e-3)
        assert np.all(found.spread < 0.01)
        np.testing.assert_allclose(found.loss, bound + 0.01, rtol=0.1, atol=1e-3)


@pytest.mark.parametrize("name", ["B1", "B2", "B3"])
def test_no_rung_without_positions_beats_the_equivariance_floor(name):
    operator, value, *_ = tasks()
    floor = bounds.equivariance_floor(operator, value)
    found = measured(name, 4)
    # The test inputs' sampling error is 2 %.
    assert np.all(found.excess > 0.95 * floor)
    assert np.all(found.excess < 1.5 * floor)


def test_softmax_with_positions_keeps_the_row_stochastic_floor_of_a_signed_operator_only():
    operator, value, *_ = tasks()
    floor = [bounds.row_stochastic_floor(*pair) for pair in zip(operator, value, strict=True)]
    assert np.all(measured("B2_positions", 4).excess > 0.9 * np.array(floor))
    assert np.all(measured("B2_positions", 4, logit_scale=1.0).excess < 1e-3)


@pytest.mark.parametrize("name", ["B1", "B3"])
def test_a_student_does_not_depend_on_its_companions(name):
    few = {"steps": 5}
    together, alone = measured(name, 2, **few), measured(name, 2, CASES[1:2], **few)
    np.testing.assert_allclose(together.excess[1], alone.excess[0], rtol=1e-5)
    assert len(set(together.excess)) == 3


def test_diverged_students_are_flagged_not_dropped():
    found = measured("B1", 2, learning_rate=1e30, steps=20)
    assert found.diverged.all()
    assert np.isnan(found.excess).all()


def test_static_kernel_is_the_optimum_that_gradient_descent_finds():
    operator, _, inputs, _ = (part[0] for part in tasks())
    x = inputs[:6]
    mixed = x.swapaxes(1, 2) @ x / 4
    clean = operator @ x
    kernel = np.zeros((4, 4))
    for _ in range(40_000):
        error = x @ kernel @ mixed - clean
        kernel -= 0.004 * (x.swapaxes(1, 2) @ error @ mixed.swapaxes(1, 2)).mean(axis=0)
    found = (error**2).sum() / (clean**2).sum()
    best = estimate.static_kernel_residual(operator, x, positions=False)
    assert 0.1 < best <= found
    assert best == pytest.approx(found, rel=1e-3)


def test_static_kernel_serves_one_input_and_with_positions_all():
    operator, _, inputs, _ = (part[0] for part in tasks())
    residuals = [
        estimate.static_kernel_residual(operator, inputs[:m], positions=False)
        for m in (1, 2, 8, 256)
    ]
    assert residuals[0] < 1e-20
    assert np.all(np.diff(residuals) > 0)
    assert residuals[-1] == pytest.approx(bounds.static_kernel_limit(operator, 4), rel=0.05)
    for m in (1, 8, 64):
        assert estimate.static_kernel_residual(operator, inputs[:m], positions=True) < 1e-20


def runs(**changes):
    """Return runs of two tasks of r* = 2 on which every claim holds, changed in task 1."""
    rows = []
    for seed in (0, 1):
        for student, teacher, excesses in (
            ("B0", "signed", (0.5, 1e-4)),
            *((rung, "signed", (0.99, 0.97)) for rung in ("B1", "B2", "B3")),
            ("B1_positions", "signed", (0.5, 1e-4)),
            ("B2_positions", "signed", (0.6, 0.5)),
            ("B2_positions", "stochastic", (0.1, 1e-4)),
        ):
            for rank, excess in zip((1, 2), excesses, strict=True):
                key = f"{student}_{teacher}_{rank}"
                rows.append(
                    {
                        "student": student,
                        "teacher": teacher,
                        "r_star": 2,
                        "seed": seed,
                        "rank": rank,
                        "excess": changes.get(key, excess) if seed else excess,
                        "diverged": seed == 1 and changes.get("diverged") == key,
                        "bound": 0.5 if rank == 1 else 0.0,
                        "equivariance_floor": 0.96,
                        "row_stochastic_floor": 0.49,
                    }
                )
    return {"runs": pd.DataFrame(rows)}


STATISTICS = {
    claims.broken: {"floor_share": 0.9, "factor": 100.0},
    claims.bound_restored: {"ratio_low": 0.9, "ratio_high": 1.1, "excess": 1e-3},
    claims.row_sums_bind: {"floor_share": 0.9},
    claims.stochastic_attained: {"excess": 1e-3},
}


@pytest.mark.parametrize("statistic", STATISTICS)
def test_claims_hold_on_tasks_where_all_is_well(statistic, interval):
    found = statistic(runs(), STATISTICS[statistic], interval)
    assert (found.value, found.units) == (1, 2)


@pytest.mark.parametrize(
    ("statistic", "change"),
    [
        (claims.broken, {"B3_signed_2": 0.5}),
        (claims.broken, {"B0_signed_2": 0.1}),
        (claims.broken, {"B2_signed_2": np.nan, "diverged": "B2_signed_2"}),
        (claims.bound_restored, {"B1_positions_signed_1": 0.3}),
        (claims.bound_restored, {"B1_positions_signed_2": 0.01}),
        (claims.bound_restored, {"diverged": "B1_positions_signed_2"}),
        (claims.row_sums_bind, {"B2_positions_signed_2": 0.3}),
        (claims.stochastic_attained, {"B2_positions_stochastic_2": 0.01}),
    ],
)
def test_one_run_that_fails_costs_its_task(statistic, change, interval):
    assert statistic(runs(**change), STATISTICS[statistic], interval).value == 0.5


def test_claim_on_static_kernels(interval):
    rows = [
        ("content", 1, 1e-28, 1e-3),
        ("content", 64, 0.96, 0.96),
        ("content and position", 1, 0.0, 0.0),
        ("content and position", 64, 0.0, 0.0),
    ]
    kernels = pd.DataFrame(
        [
            (seen, 2, seed, count, (good, bad)[seed], 0.98)
            for seen, count, good, bad in rows
            for seed in (0, 1)
        ],
        columns=["seen", "r_star", "seed", "distinct_inputs", "residual", "limit"],
    )
    parameters = {"exact": 1e-6, "limit_share": 0.9}
    found = claims.one_kernel_for_all({"kernels": kernels}, parameters, interval)
    assert (found.value, found.units) == (0.5, 2)
