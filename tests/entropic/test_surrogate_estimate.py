import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnrank.entropic import bounds
from attnrank.entropic.fixed_operator import make_task
from attnrank.entropic.surrogate import estimate
from attnrank.entropic.surrogate.moments import mean_squared_error, moments, row_moments

SHAPE = {"tokens": 6, "width": 3, "samples": 60, "noise": 0.1, "stream": "test"}


def stack(*tasks):
    """Return inputs, targets, operators and values of tasks with the ensemble axis in front."""
    names = ("inputs", "targets", "operator", "value")
    return [np.stack([getattr(task, name) for task in tasks]) for name in names]


def test_excess_risk_is_the_expected_error():
    rng = np.random.default_rng(0)
    operator, true_operator = rng.standard_normal((2, 5, 5))
    value, true_value = rng.standard_normal((2, 3, 3))
    inputs = rng.standard_normal((40_000, 5, 3))
    error = operator @ inputs @ value - true_operator @ inputs @ true_value
    per_sample = (error**2).mean(axis=(1, 2))
    risk = estimate.excess_risk(operator, value, true_operator, true_value)
    assert abs(risk - per_sample.mean()) < 4 * per_sample.std() / 200


def test_excess_risk_of_the_teacher_is_zero_at_any_scale_of_its_factors():
    task = make_task(0, 2, **SHAPE)
    risk = estimate.excess_risk(3 * task.operator, task.value / 3, task.operator, task.value)
    assert risk == pytest.approx(0, abs=1e-14)


def test_excess_risk_of_a_diverged_student_is_nan():
    teacher, value = np.eye(4), np.eye(2)
    students = np.stack([teacher, np.full((4, 4), np.nan), np.full((4, 4), np.inf)])
    risk = estimate.excess_risk(students, value, teacher, value)
    np.testing.assert_array_equal(np.isnan(risk), [False, True, True])


@given(
    seed=st.integers(0, 2**32 - 1),
    rank=st.integers(0, 5),
    tilt=st.floats(0, 3),
    near=st.floats(0, 1),
)
@settings(max_examples=200, deadline=None)
def test_no_student_of_a_rank_beats_the_bound(seed, rank, tilt, near):
    """Neither teacher is flat, and students range from random to the truncated teacher."""
    rng = np.random.default_rng(seed)
    true_operator = rng.standard_normal((5, 5)) * np.exp(-tilt * np.arange(5))
    true_value = rng.standard_normal((3, 3)) * np.exp(-tilt * np.arange(3))
    left, values, right = np.linalg.svd(true_operator)
    best = left[:, :rank] * values[:rank] @ right[:rank]
    factors = rng.standard_normal((2, 5, rank))
    operator = near * best + (1 - near) * factors[0] @ factors[1].T
    left, values, right = np.linalg.svd(operator)
    operator = left[:, :rank] * values[:rank] @ right[:rank]
    value = near * true_value + (1 - near) * rng.standard_normal((3, 3))
    bound = bounds.tail_energy_bound(true_operator, true_value, rank)
    scale = bounds.tail_energy_bound(true_operator, true_value, 0)
    risk = estimate.excess_risk(operator, value, true_operator, true_value)
    assert risk >= bound - 1e-12 * scale
    attained = estimate.excess_risk(best, true_value, true_operator, true_value)
    assert attained == pytest.approx(bound, abs=1e-12 * scale)


def test_bound_of_a_flat_teacher_is_the_missing_share():
    task = make_task(0, 4, **SHAPE)
    missing = [bounds.tail_energy_bound(task.operator, task.value, r) for r in range(7)]
    assert missing == pytest.approx([1, 0.75, 0.5, 0.25, 0, 0, 0], abs=1e-12)


def test_bound_is_the_general_kronecker_one_for_orthogonal_values_only():
    rng = np.random.default_rng(0)
    operator = rng.standard_normal((4, 4))
    for value, equal in ((np.eye(3), True), (np.diag([3.0, 1.0, 0.1]), False)):
        spectrum = np.linalg.svd(np.kron(operator, value), compute_uv=False)
        kronecker = (spectrum[2 * 3 :] ** 2).sum() / 12
        bound = bounds.tail_energy_bound(operator, value, 2)
        assert bound >= kronecker - 1e-12
        assert (bound == pytest.approx(kronecker)) == equal


def test_moments_give_the_mean_squared_error():
    inputs, targets, *_ = stack(make_task(0, 2, **SHAPE), make_task(1, 3, **SHAPE))
    rng = np.random.default_rng(1)
    operator, value = rng.standard_normal((2, 6, 6)), rng.standard_normal((2, 3, 3))
    data = moments(inputs, targets)
    weight_a = (operator.swapaxes(1, 2) @ operator).reshape(2, 1, -1)
    weight_v = (value @ value.swapaxes(1, 2)).reshape(2, -1, 1)
    fitted = (weight_a @ data.gram @ weight_v)[:, 0, 0]
    matched = (operator.reshape(2, 1, -1) @ data.cross @ value.reshape(2, -1, 1))[:, 0, 0]
    expected = mean_squared_error(operator, value, inputs, targets)
    np.testing.assert_allclose(data.energy - 2 * matched + fitted, expected, rtol=1e-12)


@pytest.mark.parametrize("labelled", [None, 7])
def test_row_moments_give_the_mean_squared_error_of_the_labels(labelled):
    inputs, targets, _, value = stack(
        make_task(0, 2, **SHAPE, labelled=labelled), make_task(1, 3, **SHAPE, labelled=labelled)
    )
    operator = np.random.default_rng(1).standard_normal((2, 6, 6))
    data = row_moments(inputs, targets, value)
    fitted = np.einsum("eij,eijk,eik->e", operator, data.gram, operator)
    loss = data.energy + fitted - 2 * (operator * data.cross).sum(axis=(1, 2))
    expected = np.nanmean((operator[:, None] @ inputs @ value[:, None] - targets) ** 2, (1, 2, 3))
    np.testing.assert_allclose(loss, expected, rtol=1e-12)
    np.testing.assert_allclose(
        mean_squared_error(operator, value, inputs, targets), expected, rtol=1e-12
    )


def test_closed_form_given_v_is_the_best_of_its_rank():
    """No small step on the set of rank-r operators, nor any in V, lowers the training loss."""
    inputs, targets, *_ = stack(make_task(0, 3, **SHAPE))
    fit = estimate.closed_form(inputs, targets, 2, sweeps=200, tolerance=1e-14)
    assert fit.converged.all()
    assert np.linalg.matrix_rank(fit.operator[0]) == 2
    left, values, right = np.linalg.svd(fit.operator[0])
    u, w = left[:, :2] * values[:2], right[:2]
    rng = np.random.default_rng(3)
    for _ in range(50):
        du, dw, dv = (1e-3 * rng.standard_normal(x.shape) for x in (u, w, fit.value))
        moved = ((u + du) @ (w + dw))[None], fit.value
        assert mean_squared_error(*moved, inputs, targets) > fit.loss
        assert mean_squared_error(fit.operator, fit.value + dv, inputs, targets) > fit.loss


def test_closed_form_without_noise_is_the_teacher():
    inputs, targets, operator, value = stack(
        *(make_task(s, 2, **SHAPE | {"noise": 0.0}) for s in (0, 1))
    )
    fit = estimate.closed_form(inputs, targets, 2, sweeps=100, tolerance=1e-14)
    assert estimate.excess_risk(fit.operator, fit.value, operator, value) == pytest.approx(
        0, abs=1e-12
    )


def test_closed_form_loss_falls_with_rank_and_with_sweeps():
    inputs, targets, *_ = stack(make_task(0, 3, **SHAPE))
    by_rank = [
        estimate.closed_form(inputs, targets, r, sweeps=50, tolerance=1e-10).loss[0]
        for r in range(1, 7)
    ]
    assert np.all(np.diff(by_rank) < 0)
    by_sweep = [
        estimate.closed_form(inputs, targets, 2, sweeps=s, tolerance=1e-300).loss[0]
        for s in range(1, 6)
    ]
    assert np.all(np.diff(by_sweep) <= 1e-15)


def test_closed_form_of_a_set_does_not_depend_on_its_companions():
    tasks = [make_task(seed, 3, **SHAPE) for seed in range(3)]
    together = estimate.closed_form(*stack(*tasks)[:2], 2, sweeps=50, tolerance=1e-9)
    alone = estimate.closed_form(*stack(tasks[1])[:2], 2, sweeps=50, tolerance=1e-9)
    assert together.sweeps[1] == alone.sweeps[0]
    np.testing.assert_allclose(together.operator[1], alone.operator[0], rtol=1e-12, atol=1e-12)


def test_least_norm_interpolates_and_has_the_least_norm():
    inputs, targets, operator, value = stack(
        *(make_task(s, 2, **SHAPE | {"noise": 0.0}, labelled=1) for s in (0, 1))
    )
    least = estimate.least_norm(inputs, targets, value)
    np.testing.assert_allclose(mean_squared_error(least, value, inputs, targets), 0, atol=1e-16)
    # The rest of any interpolant, here the teacher, is orthogonal to it row by row.
    np.testing.assert_allclose((least * (operator - least)).sum(axis=2), 0, atol=1e-10)


def test_with_every_token_labelled_the_least_norms_agree_and_have_rank_r_star():
    """One span for all rows: the two biases cannot be told apart."""
    inputs, targets, _, value = stack(make_task(0, 2, **SHAPE | {"noise": 0.0, "samples": 1}))
    least = estimate.least_norm(inputs, targets, value)
    nuclear = estimate.least_nuclear_norm(inputs, targets, value, sweeps=500, tolerance=1e-9)
    np.testing.assert_allclose(nuclear, least, atol=1e-7)
    assert estimate.rank_estimates(least)["numerical_rank_01"] == 2


def test_with_part_of_the_labels_least_nuclear_norm_finds_the_teacher_and_least_norm_does_not():
    shape = {"tokens": 12, "width": 3, "samples": 12, "noise": 0.0, "stream": "test"}
    inputs, targets, operator, value = stack(
        *(make_task(s, 1, **shape, labelled=3) for s in (0, 1))
    )
    least = estimate.least_norm(inputs, targets, value)
    nuclear = estimate.least_nuclear_norm(inputs, targets, value, sweeps=2000, tolerance=1e-9)
    np.testing.assert_allclose(mean_squared_error(nuclear, value, inputs, targets), 0, atol=1e-12)
    np.testing.assert_allclose(nuclear, operator, atol=1e-5)
    assert np.all(estimate.rank_estimates(least)["energy_effective_rank"] > 1.5)


def test_rank_estimates_are_nan_for_a_diverged_operator_only():
    operators = np.stack([np.eye(4), np.full((4, 4), np.nan), np.diag([1.0, 1, 0, 0])])
    for name, ranks in estimate.rank_estimates(operators).items():
        np.testing.assert_allclose(ranks, [4, np.nan, 2], err_msg=name)
