import numpy as np
import pytest

from attnrank.entropic.fixed_operator import make_task

SHAPE = {"tokens": 8, "width": 3, "samples": 40, "noise": 0.1, "stream": "test"}


def test_model_and_shapes():
    task = make_task(0, 2, **SHAPE | {"noise": 0.0})
    assert task.inputs.shape == task.targets.shape == (40, 8, 3)
    expected = np.einsum("ij,sja,ae->sie", task.operator, task.inputs, task.value)
    np.testing.assert_allclose(task.targets, expected, atol=1e-12)
    assert np.linalg.matrix_rank(task.operator) == 2
    np.testing.assert_allclose(task.value @ task.value.T, np.eye(3), atol=1e-12)


def test_clean_targets_have_unit_variance_and_noise_its_own():
    clean = make_task(0, 3, **SHAPE | {"noise": 0.0, "samples": 4000}).targets
    noisy = make_task(0, 3, **SHAPE | {"noise": 0.1, "samples": 4000}).targets
    assert clean.var() == pytest.approx(1, rel=0.05)
    assert (noisy - clean).std() == pytest.approx(0.1, rel=0.02)


@pytest.mark.parametrize("logit_scale", [0.5, 2.0])
def test_a_stochastic_operator_is_the_softmax_of_low_rank_logits(logit_scale):
    task = make_task(0, 2, **SHAPE | {"noise": 0.0, "samples": 4000}, logit_scale=logit_scale)
    np.testing.assert_allclose(task.operator.sum(axis=1), 1)
    assert np.all(task.operator > 0)
    logits = logit_scale * np.sqrt(8) * make_task(0, 2, **SHAPE).operator
    assert np.sqrt((logits**2).mean()) == pytest.approx(logit_scale)
    shifts = np.log(task.operator) - logits
    np.testing.assert_allclose(shifts - shifts[:, :1], 0, atol=1e-10)
    assert task.targets.var() == pytest.approx(1, rel=0.05)


def test_signed_and_stochastic_tasks_are_paired():
    signed, stochastic = make_task(0, 2, **SHAPE), make_task(0, 2, **SHAPE, logit_scale=1.0)
    np.testing.assert_array_equal(signed.inputs, stochastic.inputs)
    noise = [t.targets - t.operator @ t.inputs @ t.value for t in (signed, stochastic)]
    np.testing.assert_allclose(*noise, atol=1e-12)


def test_more_samples_extend_the_set_and_keep_the_teacher():
    few, many = make_task(5, 2, **SHAPE), make_task(5, 2, **SHAPE | {"samples": 60})
    np.testing.assert_array_equal(few.operator, many.operator)
    np.testing.assert_array_equal(few.value, many.value)
    np.testing.assert_array_equal(few.inputs, many.inputs[:40])


def test_tasks_repeat_and_differ_by_seed_rank_and_stream():
    task = make_task(0, 2, **SHAPE)
    np.testing.assert_array_equal(task.targets, make_task(0, 2, **SHAPE).targets)
    for other in (
        make_task(1, 2, **SHAPE),
        make_task(0, 3, **SHAPE),
        make_task(0, 2, **SHAPE | {"stream": "other"}),
    ):
        assert not np.any(task.inputs == other.inputs)


def test_labels_cover_whole_tokens_equally_and_change_nothing_else():
    full, part = make_task(0, 2, **SHAPE), make_task(0, 2, **SHAPE, labelled=5)
    seen = np.isfinite(part.targets)
    np.testing.assert_array_equal(seen[..., 0].sum(axis=0), 5)
    assert np.all(seen == seen[..., :1])
    np.testing.assert_array_equal(part.targets[seen], full.targets[seen])
    np.testing.assert_array_equal(part.inputs, full.inputs)


@pytest.mark.parametrize("labelled", [0, 41])
def test_impossible_labels_are_refused(labelled):
    with pytest.raises(ValueError, match=f"labelled = {labelled}"):
        make_task(0, 2, **SHAPE, labelled=labelled)


def test_impossible_rank_is_refused():
    with pytest.raises(ValueError, match="columns = 9"):
        make_task(0, 9, **SHAPE)
