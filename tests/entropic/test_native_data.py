import numpy as np
import pytest
import torch

from attnrank.entropic import attention
from attnrank.entropic.native.data import held_out_inputs, make_task, outputs

SHAPE = {
    "tokens": 5,
    "width": 4,
    "samples": 30,
    "held_out": 60,
    "noise": 0.1,
    "stream": "test",
}
KINDS = pytest.mark.parametrize("kind", attention.KINDS)


@KINDS
def test_targets_are_the_teachers_outputs_and_noise(kind):
    clean = make_task(kind, 1.5, 0, 2, **SHAPE | {"noise": 0.0})
    assert clean.inputs.shape == clean.targets.shape == (30, 5, 4)
    expected = outputs(kind, clean.inputs, clean.kernel, clean.value)
    np.testing.assert_allclose(clean.targets, expected, atol=1e-12)
    noisy = make_task(kind, 1.5, 0, 2, **SHAPE | {"samples": 2000})
    clean = make_task(kind, 1.5, 0, 2, **SHAPE | {"samples": 2000, "noise": 0.0})
    assert (noisy.targets - clean.targets).std() == pytest.approx(0.1, rel=0.02)


@KINDS
def test_teachers_are_flat_of_their_rank_and_norm(kind):
    task = make_task(kind, 1.5, 0, 2, **SHAPE)
    values = np.linalg.svd(task.kernel, compute_uv=False)
    np.testing.assert_allclose(values, 1.5 / np.sqrt(2) * np.array([1, 1, 0, 0]), atol=1e-12)
    gram = task.value @ task.value.T
    np.testing.assert_allclose(gram, gram[0, 0] * np.eye(4), atol=1e-12)


@KINDS
def test_clean_targets_have_mean_square_one_on_the_held_out_inputs(kind):
    task = make_task(kind, 1.5, 0, 2, **SHAPE)
    test = held_out_inputs(0, 2, tokens=5, width=4, held_out=60, stream="test")
    assert (outputs(kind, test, task.kernel, task.value) ** 2).mean() == pytest.approx(1)
    assert not np.isin(test, task.inputs).any()


def test_kinds_and_tau_share_inputs_noise_and_factors():
    one, other = (
        make_task(kind, tau, 0, 2, **SHAPE) for kind, tau in (("linear", 1.0), ("softmax", 3.0))
    )
    np.testing.assert_array_equal(one.inputs, other.inputs)
    np.testing.assert_allclose(3 * one.kernel, other.kernel, atol=1e-12)
    np.testing.assert_allclose(
        one.value / np.linalg.norm(one.value), other.value / np.linalg.norm(other.value)
    )


def test_linear_targets_do_not_depend_on_tau():
    one, other = (make_task("linear", tau, 0, 2, **SHAPE) for tau in (1.0, 7.0))
    np.testing.assert_allclose(one.targets, other.targets, atol=1e-12)


def test_more_samples_extend_the_set_and_keep_the_teacher():
    few = make_task("softmax", 1.0, 5, 2, **SHAPE)
    many = make_task("softmax", 1.0, 5, 2, **SHAPE | {"samples": 40})
    np.testing.assert_array_equal(few.kernel, many.kernel)
    np.testing.assert_array_equal(few.value, many.value)
    np.testing.assert_array_equal(few.inputs, many.inputs[:30])


def test_tasks_repeat_and_differ_by_seed_rank_and_stream():
    task = make_task("linear", 1.0, 0, 2, **SHAPE)
    np.testing.assert_array_equal(task.targets, make_task("linear", 1.0, 0, 2, **SHAPE).targets)
    for other in (
        make_task("linear", 1.0, 1, 2, **SHAPE),
        make_task("linear", 1.0, 0, 3, **SHAPE),
        make_task("linear", 1.0, 0, 2, **SHAPE | {"stream": "other"}),
    ):
        assert not np.any(task.inputs == other.inputs)


def test_impossible_rank_is_refused():
    with pytest.raises(ValueError, match="columns = 5"):
        make_task("linear", 1.0, 0, 5, **SHAPE)


@pytest.mark.parametrize("r_star", [1, 3])
@pytest.mark.parametrize(("kind", "free"), [("linear", 1), ("softmax", 0)])
def test_the_data_identify_the_teacher(kind, free, r_star):
    """K and V move the outputs in every direction, but for linear attention's K/c and cV."""
    task = make_task(kind, 1.0, 0, r_star, **SHAPE)
    inputs = torch.tensor(task.inputs[None])

    def model(kernel, value):
        return attention.outputs(kind, inputs, kernel, value).flatten()

    at = torch.tensor(task.kernel[None]), torch.tensor(task.value[None])
    slopes = torch.autograd.functional.jacobian(model, at)
    jacobian = torch.cat([slope.flatten(1) for slope in slopes], dim=1).numpy()
    values = np.linalg.svd(jacobian, compute_uv=False)
    assert jacobian.shape[1] == 2 * 4 * 4
    assert (values < 1e-8 * values[0]).sum() == free
