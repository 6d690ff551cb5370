import numpy as np
import pytest

from attnrank.entropic.frontier.data import Conditions, draw

SHAPE = {"tokens": 6, "width": 8, "samples": 50, "tau": 2.0, "stream": "test"}


@pytest.mark.parametrize("kind", ["linear", "softmax"])
def test_clean_outputs_are_attention_and_have_unit_variance(kind):
    task = draw(0, 3, kind=kind, **SHAPE)
    mixed = task.mixers(50) @ task.inputs @ task.values[0]
    np.testing.assert_allclose(task.clean, mixed, atol=1e-12)
    assert task.clean.std() == pytest.approx(1)
    assert task.target == np.linalg.matrix_rank(task.kernels[0]) == 3
    assert np.linalg.norm(task.kernels[0]) == pytest.approx(2)


def test_more_samples_and_other_noise_leave_the_rest_as_it_was():
    small = draw(0, 3, kind="softmax", **SHAPE)
    large = draw(0, 3, kind="softmax", **SHAPE | {"samples": 80})
    np.testing.assert_array_equal(small.inputs, large.inputs[:50])
    np.testing.assert_array_equal(small.kernels, large.kernels)
    np.testing.assert_array_equal(small.errors, large.errors[:50])
    np.testing.assert_allclose(
        small.outputs(20, 0.5) - small.outputs(20, 0.0), 0.5 * small.errors[:20], atol=1e-12
    )


def test_departures_change_what_they_name():
    def task(**changes):
        return draw(1, 4, kind="softmax", conditions=Conditions(**changes), **SHAPE)

    spectrum = np.linalg.svd(task(spectrum=0.1).kernels[0], compute_uv=False)
    assert spectrum[3] / spectrum[0] == pytest.approx(0.1)
    assert task(outputs=2.0).values.shape == (1, 8, 16)
    assert task(outputs=0.5).clean.shape == (50, 6, 4)
    assert np.linalg.matrix_rank(task(value_rank=0.5).values[0]) == 4
    assert np.linalg.cond(task(value_spectrum=0.1).values[0]) == pytest.approx(10)
    two = task(heads=2)
    assert (two.kernels.shape, two.target) == ((2, 8, 8), 8)
    np.testing.assert_array_equal(two.kernels[0], task().kernels[0])


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"coordinate_correlation": 0.5}, 0.5),
        ({"coordinate_correlation": 0.0}, 0.0),
    ],
)
def test_coordinates_correlate_as_asked(changes, expected):
    x = draw(
        0, 1, kind="linear", conditions=Conditions(**changes), **SHAPE | {"samples": 4000}
    ).inputs.reshape(-1, 8)
    moment = x.T @ x / len(x)
    assert moment[0, 1] == pytest.approx(expected, abs=0.04)
    np.testing.assert_allclose(np.diagonal(moment), 1, atol=0.06)


def test_tokens_correlate_as_asked_and_laplace_inputs_have_heavy_tails():
    shape = SHAPE | {"samples": 4000}
    tokens = draw(0, 1, kind="linear", conditions=Conditions(token_correlation=0.5), **shape)
    assert (tokens.inputs[:, 0] * tokens.inputs[:, 1]).mean() == pytest.approx(0.5, abs=0.04)
    laplace = draw(0, 1, kind="linear", conditions=Conditions(tail=1), **shape).inputs
    assert (laplace**2).mean() == pytest.approx(1, abs=0.03)
    assert (laplace**4).mean() == pytest.approx(6, abs=0.6)
