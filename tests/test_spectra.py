import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnrank import spectra

EFFECTIVE = [
    spectra.entropy_effective_rank,
    spectra.energy_effective_rank,
    spectra.participation_ratio,
    spectra.stable_rank,
]
# Nonzero spectra far from under- and overflow, with zeros among them.
spectrum = st.lists(st.one_of(st.just(0.0), st.floats(1e-6, 1e6)), min_size=1, max_size=12).filter(
    any
)


@pytest.mark.parametrize("rank", [1, 3, 8])
def test_flat_spectrum_has_its_rank_under_every_estimator(rank):
    values = np.r_[np.full(rank, 0.7), np.zeros(8 - rank)]
    for name, estimate in spectra.estimates(values).items():
        assert estimate == pytest.approx(rank, rel=1e-12), name


def test_known_values():
    values = np.array([2.0, 1.0, 1.0])
    assert spectra.entropy_effective_rank(values) == pytest.approx(2**1.5)
    assert spectra.energy_effective_rank(values) == pytest.approx(
        np.exp(-(4 / 6 * np.log(4 / 6) + 2 / 6 * np.log(1 / 6)))
    )
    assert spectra.participation_ratio(values) == pytest.approx(36 / 18)
    assert spectra.stable_rank(values) == pytest.approx(6 / 4)


def test_numerical_rank_counts_strictly_above_the_threshold():
    values = np.array([1.0, 0.2, 0.06, 0.02, 0.001])
    assert [spectra.numerical_rank(values, t) for t in (0.01, 0.05, 0.1, 0.2)] == [4, 3, 2, 1]


@given(spectrum, st.randoms(use_true_random=False), st.floats(1e-3, 1e3))
def test_order_and_scale_do_not_matter(values, random, scale):
    shuffled = random.sample(values, len(values))
    for function in EFFECTIVE:
        before = function(np.array(values))
        assert function(scale * np.array(shuffled)) == pytest.approx(before, rel=1e-9)


@given(spectrum, st.randoms(use_true_random=False), st.integers(-20, 20))
def test_numerical_rank_ignores_order_and_scale(values, random, exponent):
    # A power of two scales without rounding, so that no value crosses the threshold.
    scaled = 2.0**exponent * np.array(random.sample(values, len(values)))
    assert spectra.numerical_rank(scaled, 0.05) == spectra.numerical_rank(np.array(values), 0.05)


@given(spectrum)
def test_effective_ranks_lie_between_one_and_the_number_of_values(values):
    for function in EFFECTIVE:
        assert 1 - 1e-9 <= function(np.array(values)) <= len(values) + 1e-9


@given(spectrum)
def test_squaring_concentrates(values):
    array = np.array(values)
    energy = spectra.energy_effective_rank(array)
    assert energy <= spectra.entropy_effective_rank(array) * (1 + 1e-9)
    assert spectra.stable_rank(array) <= spectra.participation_ratio(array) * (1 + 1e-9)
    assert spectra.participation_ratio(array) <= energy * (1 + 1e-9)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_diverged_spectrum_is_nan_and_its_neighbours_are_not(bad):
    values = np.array([[1.0, bad, 0.5], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    for name, estimate in spectra.estimates(values).items():
        assert np.isnan(estimate[0]), name
        assert estimate[1:] == pytest.approx([2, 0]), name


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_extreme_scales_do_not_underflow_or_overflow(scale):
    for name, estimate in spectra.estimates(scale * np.ones(4)).items():
        assert estimate == pytest.approx(4), name


def test_a_negative_value_is_refused():
    with pytest.raises(ValueError, match="nonnegative"):
        spectra.energy_effective_rank(np.array([1.0, -1e-3]))


def test_rank_estimates_are_nan_for_a_diverged_operator_only():
    operators = np.stack([np.eye(4), np.full((4, 4), np.nan), np.diag([1.0, 1, 0, 0])])
    for name, ranks in spectra.rank_estimates(operators).items():
        np.testing.assert_allclose(ranks, [4, np.nan, 2], err_msg=name)
