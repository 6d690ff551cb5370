import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from attnrank.entropic import bounds


def draw(seed, tokens=4, width=3):
    rng = np.random.default_rng(seed)
    return rng, rng.standard_normal((tokens, tokens)), rng.standard_normal((width, width))


def test_equivariance_floor_is_what_averaging_over_all_permutations_leaves():
    _, operator, value = draw(0)
    eye = np.eye(4)
    moved = [eye[list(p)].T @ operator @ eye[list(p)] for p in itertools.permutations(range(4))]
    mean = np.mean(moved, axis=0)
    np.testing.assert_allclose(bounds.equivariant_part(operator), mean, atol=1e-12)
    expected = (np.kron(operator - mean, value) ** 2).sum() / 12
    assert bounds.equivariance_floor(operator, value) == pytest.approx(expected)


def test_equivariance_floor_is_the_least_squares_over_both_maps_with_any_values():
    """Brute force: every linear equivariant student I (x) V1 + 1 1' (x) V2, V1 and V2 free."""
    _, operator, value = draw(1)
    unit = np.eye(9).reshape(9, 3, 3)
    columns = [np.kron(m, v).ravel() for m in (np.eye(4), np.ones((4, 4))) for v in unit]
    design, target = np.stack(columns, axis=1), np.kron(operator, value).ravel()
    best = np.linalg.lstsq(design, target, rcond=None)[0]
    expected = ((design @ best - target) ** 2).sum() / 12
    assert bounds.equivariance_floor(operator, value) == pytest.approx(expected)


def test_no_nonlinear_equivariant_student_beats_the_equivariance_floor():
    """Pythagoras: its excess risk is the floor plus its distance from the equivariant part."""
    rng, operator, value = draw(2)
    inputs = rng.standard_normal((100_000, 4, 3))
    clean = operator @ inputs @ value
    part = bounds.equivariant_part(operator) @ inputs @ value
    student = part + 0.3 * np.tanh(inputs - inputs.mean(axis=1, keepdims=True) ** 2)
    cross = ((student - part) * (part - clean)).mean(axis=(1, 2))
    assert abs(cross.mean()) < 4 * cross.std() / np.sqrt(len(cross))
    measured = ((part - clean) ** 2).mean()
    assert measured == pytest.approx(bounds.equivariance_floor(operator, value), rel=0.02)


def test_equivariance_floor_vanishes_where_the_operator_commutes():
    operator = 0.7 * np.eye(5) - 0.2
    assert bounds.equivariance_floor(operator, np.eye(2)) == pytest.approx(0, abs=1e-30)
    stacked = bounds.equivariance_floor(np.stack([operator, np.diag([1.0, 0, 0, 0, 0])]), np.eye(2))
    assert stacked.shape == (2,)
    assert stacked[1] > 0


@given(seed=st.integers(0, 10_000), shift=st.floats(-2, 2))
@settings(max_examples=60, deadline=None)
def test_row_stochastic_floor_is_the_distance_to_the_cone_of_all_deterministic_mixers(seed, shift):
    """Brute force: nonnegative combinations of the 27 mixers that pick one token for each row."""
    rng = np.random.default_rng(seed)
    operator, value = rng.standard_normal((3, 3)) + shift, rng.standard_normal((2, 2))
    picks = itertools.product(range(3), repeat=3)
    generators = np.stack([np.eye(3)[list(pick)].ravel() for pick in picks], axis=1)
    distance = min(nnls(generators, sign * operator.ravel())[1] ** 2 for sign in (1, -1))
    expected = distance * (value**2).sum() / 6
    assert bounds.row_stochastic_floor(operator, value) == pytest.approx(expected, abs=1e-10)


def test_no_row_stochastic_mixer_with_any_value_beats_its_floor():
    rng, operator, value = draw(3)
    floor = bounds.row_stochastic_floor(operator, value)
    target = np.kron(operator, value)
    for _ in range(300):
        mixer = rng.dirichlet(np.full(4, 0.3), size=4)
        # The best V given M, entry by entry.
        fitted = np.einsum("ij,iajb->ab", mixer, target.reshape(4, 3, 4, 3)) / (mixer**2).sum()
        assert ((np.kron(mixer, fitted) - target) ** 2).sum() / 12 >= floor - 1e-12


@pytest.mark.parametrize("sign", [1, -1])
def test_row_stochastic_floor_vanishes_for_multiples_of_stochastic_operators(sign):
    rng, _, value = draw(4)
    operator = sign * 2.5 * rng.dirichlet(np.ones(4), size=4)
    assert bounds.row_stochastic_floor(operator, value) == pytest.approx(0, abs=1e-25)


def test_static_kernel_limit_is_where_many_inputs_lead():
    rng = np.random.default_rng(5)
    operator = np.eye(4) + 0.5 * rng.standard_normal((4, 4))
    inputs = rng.standard_normal((100_000, 4, 3))
    mixed = inputs @ (inputs.swapaxes(1, 2) @ inputs) / 4
    clean = operator @ inputs
    # K = k I, k by least squares.
    k = (mixed * clean).sum() / (mixed**2).sum()
    measured = ((k * mixed - clean) ** 2).sum() / (clean**2).sum()
    limit = bounds.static_kernel_limit(operator, 3)
    assert measured == pytest.approx(limit, rel=0.01)
    floor = bounds.equivariance_floor(operator, np.eye(3)) / ((operator**2).sum() / 4)
    assert limit >= floor
