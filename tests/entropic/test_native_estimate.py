import numpy as np
import pandas as pd
import pytest

from attnrank.entropic import attention
from attnrank.entropic.native import estimate
from attnrank.entropic.native.data import held_out_inputs, make_task, outputs
from attnrank.spectra import rank_estimates
from attnrank.tables import Table

SHAPE = {"tokens": 5, "width": 4, "samples": 30, "held_out": 60, "noise": 0.1}
KINDS = pytest.mark.parametrize("kind", attention.KINDS)


def draw(kind, tau=1.0, seed=0, r_star=2):
    task = make_task(kind, tau, seed, r_star, **SHAPE, stream="test")
    test = held_out_inputs(seed, r_star, tokens=5, width=4, held_out=60, stream="test")
    return task, test, outputs(kind, test, task.kernel, task.value)


@KINDS
def test_excess_risk_is_zero_at_the_teacher_one_at_nothing_and_nan_for_a_diverged_student(kind):
    task, test, clean = draw(kind)
    kernel = np.stack([task.kernel, task.kernel, np.full((4, 4), np.nan), 1e200 * np.eye(4)])
    value = np.stack([task.value, 0 * task.value, task.value, 1e200 * np.eye(4)])
    risk = estimate.excess_risk(kind, test, clean, kernel, value)
    np.testing.assert_allclose(risk[:2], [0, 1], atol=1e-14)
    np.testing.assert_array_equal(np.isnan(risk[2:]), True)


def test_scale_of_linear_factors_does_not_matter():
    task, test, clean = draw("linear")
    risk = estimate.excess_risk("linear", test, clean, 3 * task.kernel[None], task.value[None] / 3)
    assert risk == pytest.approx(0, abs=1e-14)


def test_tail_of_a_flat_kernel_is_the_missing_share():
    task, *_ = draw("linear", r_star=4)
    tails = [estimate.tail_energy(task.kernel, rank) for rank in range(5)]
    assert tails == [1, 0.75, 0.5, 0.25, 0]


def test_uniform_attention_is_the_best_student_without_a_kernel():
    _, test, clean = draw("softmax")
    best = estimate.uniform_excess("softmax", test, clean)
    values = np.random.default_rng(0).standard_normal((50, 4, 4))
    others = estimate.excess_risk("softmax", test, clean, np.zeros((50, 4, 4)), values)
    assert np.all(others > best)
    assert 0 < best < 1


def test_uniform_attention_supplies_nearly_all_of_small_scores_and_nothing_of_linear_attention():
    uniform = [estimate.uniform_excess("softmax", *draw("softmax", tau)[1:]) for tau in (0.1, 1, 8)]
    assert uniform[0] < 0.05 < uniform[1] < uniform[2]
    assert estimate.uniform_excess("linear", *draw("linear")[1:]) == pytest.approx(1)


def test_risks_and_references_of_tables_are_those_of_their_tasks():
    cases = [("linear", 1.0, 2, 0), ("softmax", 3.0, 2, 1)]
    tasks = [draw(kind, tau, seed, r_star)[0] for kind, tau, r_star, seed in cases]
    frame = pd.DataFrame(cases, columns=estimate.TASK)
    arrays = {n: np.stack([getattr(task, n) for task in tasks]) for n in ("kernel", "value")}
    drawn = Table(frame, arrays, {"shape": SHAPE, "stream": "test"}, [0, 1])
    # Students in another order than their tasks; the last is its own teacher.
    rng = np.random.default_rng(0)
    learned = {
        "kernel": np.stack([*rng.standard_normal((2, 4, 4)), tasks[0].kernel]),
        "value": np.stack([*rng.standard_normal((2, 4, 4)), tasks[0].value]),
    }
    students = Table(frame.iloc[[1, 0, 0]].reset_index(drop=True), learned, {}, [])
    risk = estimate.excess_risks(drawn, students)
    for place, (kind, tau, r_star, seed) in enumerate([cases[1], cases[0]]):
        test, clean = draw(kind, tau, seed, r_star)[1:]
        mine = (learned[name][place : place + 1] for name in ("kernel", "value"))
        assert risk[place] == pytest.approx(estimate.excess_risk(kind, test, clean, *mine)[0])
    assert risk[2] == pytest.approx(0, abs=1e-14)
    beside = estimate.references(drawn, [1, 3])
    assert beside["tail"].tolist() == [0.5, 0, 0.5, 0]
    assert beside["uniform"][0] == pytest.approx(1)
    assert beside["uniform"][2] == estimate.uniform_excess("softmax", *draw("softmax", 3.0, 1)[1:])


def test_least_norm_interpolates_has_the_least_norm_and_not_the_rank():
    shape = {"tokens": 3, "width": 8, "samples": 5, "held_out": 20, "noise": 0.0, "stream": "test"}
    tasks = [make_task("linear", 1.0, seed, 1, **shape) for seed in (0, 1)]
    inputs, targets, value, kernel = (
        np.stack([getattr(task, n) for task in tasks])
        for n in ("inputs", "targets", "value", "kernel")
    )
    least = estimate.least_norm(inputs, targets, value)
    fitted = attention.outputs("linear", inputs, least, value)
    np.testing.assert_allclose(fitted, targets, atol=1e-7)
    # The rest of any interpolant, here the teacher, is orthogonal to it.
    np.testing.assert_allclose((least * (kernel - least)).sum(axis=(1, 2)), 0, atol=1e-7)
    assert np.all(rank_estimates(least)["energy_effective_rank"] > 1.2)
