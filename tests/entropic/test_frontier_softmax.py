import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from attnrank.entropic.frontier import mixers, samples, softmax, value_map
from attnrank.entropic.frontier.data import Conditions, draw
from attnrank.entropic.frontier.samples import RefusedError
from attnrank.entropic.teachers import orthogonal

ROW_SPACE = [softmax.row_stochastic_log, softmax.row_space_likelihood]


def task(seed=0, r_star=3, tokens=8, width=12, count=400, kind="softmax", **conditions):
    return draw(
        seed,
        r_star,
        kind=kind,
        tokens=tokens,
        width=width,
        samples=count,
        tau=2.0,
        stream="test",
        conditions=Conditions(**conditions),
    )


@given(seed=st.integers(0, 10**6), r_star=st.integers(1, 6), decay=st.floats(0.1, 1))
@settings(max_examples=15, deadline=None)
def test_without_noise_every_estimate_is_the_kernel(seed, r_star, decay):
    teacher = task(seed, r_star, tokens=4, width=6, count=150, spectrum=decay, value_spectrum=0.3)
    data = teacher.inputs, teacher.clean
    kernel = teacher.kernels[0]
    np.testing.assert_allclose(softmax.likelihood(*data, teacher.values[0]), kernel, atol=1e-6)
    np.testing.assert_allclose(softmax.row_space_likelihood(*data), kernel, atol=1e-5)
    # Weights below the clamp of the logarithm bias it, hardly.
    np.testing.assert_allclose(softmax.row_stochastic_log(*data), kernel, atol=1e-3)


def test_likelihood_works_at_any_number_of_tokens():
    teacher = task(tokens=20, width=6, count=100)
    found = softmax.likelihood(teacher.inputs, teacher.clean, teacher.values[0])
    np.testing.assert_allclose(found, teacher.kernels[0], atol=1e-6)


def test_likelihood_is_at_the_minimum_of_its_objective():
    teacher = task(tokens=5, width=4, count=60, r_star=2)
    y = teacher.outputs(60, 0.5)
    found = softmax.likelihood(teacher.inputs, y, teacher.values[0])
    mixed = y @ np.linalg.inv(teacher.values[0])

    def objective(kernel):
        scores = teacher.inputs @ kernel @ teacher.inputs.swapaxes(1, 2)
        fit = (teacher.inputs @ kernel * mixed).sum(axis=-1)
        return (special.logsumexp(scores, axis=-1) - fit).sum()

    rng = np.random.default_rng(0)
    for _ in range(30):
        assert objective(found + 1e-3 * rng.standard_normal((4, 4))) > objective(found)


def test_likelihood_is_consistent_at_noise_as_large_as_the_signal():
    teacher = task(count=3200)
    errors = []
    for count in (400, 3200):
        y = teacher.outputs(count, 1.0)
        found = softmax.row_space_likelihood(teacher.inputs[:count], y)
        errors.append(np.linalg.norm(found - teacher.kernels[0]) / 2)
    assert errors[0] < 0.3
    assert errors[1] < errors[0] / 2


@pytest.mark.parametrize("estimate", ROW_SPACE)
def test_the_spectrum_does_not_depend_on_bases_and_order(estimate):
    teacher = task(width=10, tokens=6, count=300)
    rng = np.random.default_rng(0)
    turn, mix, order = orthogonal(rng, 10), orthogonal(rng, 10), rng.permutation(6)
    x, y = teacher.inputs, teacher.outputs(300, 0.1)
    expected = samples.singular_values(estimate(x, y))
    for changed in (
        (x @ turn, y),
        (x, y @ mix),
        (x, 100 * y),
        (x[:, order], y[:, order]),
        (x[::-1], y[::-1]),
    ):
        np.testing.assert_allclose(
            samples.singular_values(estimate(*changed)), expected, rtol=1e-5, atol=1e-6
        )


def test_row_spaces_give_value_and_noise():
    teacher = task(width=12, value_spectrum=0.5)
    found = value_map.row_space_inverse(teacher.inputs, teacher.outputs(400, 0.5))
    assert found.noise == pytest.approx(0.5, rel=0.02)
    product = teacher.values[0] @ found.matrix
    factor = np.trace(product) / 12
    assert np.linalg.norm(product / factor - np.eye(12)) / np.sqrt(12) < 0.15


def test_row_spaces_invert_a_wide_value_map():
    teacher = task(outputs=1.5)
    found = value_map.row_space_inverse(teacher.inputs, teacher.clean)
    product = teacher.values[0] @ found.matrix
    np.testing.assert_allclose(product / product[0, 0], np.eye(12), atol=1e-6)
    assert found.isolation > value_map.LEAST_ISOLATION


@pytest.mark.parametrize("estimate", ROW_SPACE)
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tokens": 12}, "n < d only: n = 12, d = 12"),
        ({"tokens": 14}, "n < d only: n = 14, d = 12"),
        ({"outputs": 0.5}, "e >= d only: e = 6 outputs, d = 12"),
        ({"value_rank": 0.5}, "no single inverse of V stands out"),
        ({"heads": 2}, "no single inverse of V stands out"),
        ({"kind": "linear"}, "they are not those of a softmax"),
        ({"count": 10}, "no single inverse of V stands out"),
        ({"count": 1}, "1 samples are too few to invert an unknown V"),
    ],
)
def test_conditions_that_fail_are_named(estimate, changes, said):
    teacher = task(**changes)
    with pytest.raises(RefusedError, match=said):
        estimate(teacher.inputs, teacher.outputs(len(teacher.inputs), 0.1))


def test_a_singular_value_map_is_refused_without_noise_as_well():
    teacher = task(value_rank=0.5)
    with pytest.raises(RefusedError, match="no single inverse"):
        softmax.row_space_likelihood(teacher.inputs, teacher.clean)


def test_outputs_of_no_softmax_are_refused_where_v_is_known():
    teacher = task(kind="linear")
    with pytest.raises(RefusedError, match="no minimum"):
        softmax.likelihood(teacher.inputs, teacher.clean, teacher.values[0])


def test_inputs_in_a_subspace_are_refused():
    teacher = task(tokens=3, width=6, count=100)
    flat = teacher.inputs.copy()
    flat[..., 0] = 0
    with pytest.raises(RefusedError, match="subspace"):
        softmax.likelihood(flat, teacher.clean, teacher.values[0])
    twice = teacher.inputs[:, [0, 0, 1]]
    with pytest.raises(RefusedError, match="linearly dependent"):
        mixers.realised_mixers(twice, teacher.clean, teacher.values[0])


@pytest.mark.parametrize("kind", ["linear", "softmax"])
def test_realised_mixers_without_noise_are_the_mixers(kind):
    teacher = task(kind=kind, tokens=4, width=6, count=20)
    found = mixers.realised_mixers(teacher.inputs, teacher.clean, teacher.values[0])
    np.testing.assert_allclose(found, teacher.mixers(20), atol=1e-9)
    longer = task(kind=kind, tokens=7, width=6, count=20)
    with pytest.raises(RefusedError, match="n <= d only: n = 7"):
        mixers.realised_mixers(longer.inputs, longer.clean, longer.values[0])


def test_the_dense_and_the_iterative_eigensolver_agree():
    rng = np.random.default_rng(0)
    factor = rng.standard_normal((1100, 1200))
    matrix = factor @ factor.T
    levels, vector = value_map._smallest(matrix)
    values, vectors = np.linalg.eigh(matrix)
    np.testing.assert_allclose(levels[0], values[0], rtol=1e-6)
    np.testing.assert_allclose(levels, values[:10], rtol=0.05)
    assert abs(vector @ vectors[:, 0]) == pytest.approx(1, abs=1e-6)
