import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnrank import spectra
from attnrank.entropic.frontier import linear, samples
from attnrank.entropic.frontier.data import Conditions, draw
from attnrank.entropic.frontier.samples import RefusedError
from attnrank.entropic.teachers import orthogonal


def task(seed=0, r_star=2, tokens=5, width=6, count=60, kind="linear", **conditions):
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


@given(seed=st.integers(0, 10**6), r_star=st.integers(1, 6), decay=st.floats(0.05, 1))
@settings(max_examples=25, deadline=None)
def test_known_value_without_noise_gives_the_kernel(seed, r_star, decay):
    teacher = task(seed, r_star, spectrum=decay, value_spectrum=0.3)
    found = linear.least_squares(teacher.inputs, teacher.clean, teacher.values[0])
    np.testing.assert_allclose(found, teacher.kernels[0], atol=1e-8)


def test_known_value_may_be_wider_than_the_inputs():
    teacher = task(outputs=1.5)
    found = linear.least_squares(teacher.inputs, teacher.clean, teacher.values[0])
    np.testing.assert_allclose(found, teacher.kernels[0], atol=1e-8)


@given(seed=st.integers(0, 10**6), r_star=st.integers(1, 5))
@settings(max_examples=15, deadline=None)
def test_unknown_value_without_noise_gives_rank_and_column_space(seed, r_star):
    teacher = task(seed, r_star, tokens=4, width=5, count=60)
    unfolded = linear.unfolded_kernel(teacher.inputs, teacher.clean)
    values = samples.singular_values(unfolded)
    assert spectra.numerical_rank(values, 1e-6) == r_star
    assert spectra.energy_effective_rank(values) == pytest.approx(r_star, abs=1e-6)
    left = np.linalg.svd(teacher.kernels[0])[0][:, :r_star]
    np.testing.assert_allclose(unfolded - left @ (left.T @ unfolded), 0, atol=1e-7)


@given(seed=st.integers(0, 10**6), r_star=st.integers(1, 6))
@settings(max_examples=15, deadline=None)
def test_row_spaces_without_noise_give_the_kernel_up_to_a_factor(seed, r_star):
    teacher = task(seed, r_star, tokens=4, width=6, count=200, value_spectrum=0.3)
    found = linear.row_space_least_squares(teacher.inputs, teacher.clean)
    sign = np.sign((found * teacher.kernels[0]).sum())
    np.testing.assert_allclose(2 * sign * found, teacher.kernels[0], atol=1e-6)


@pytest.mark.parametrize("name", ["least_squares", "unfolded_kernel", "row_space_least_squares"])
def test_ranks_do_not_depend_on_bases_order_and_units(name):
    teacher = task(r_star=2, tokens=4, width=5, count=80)
    rng = np.random.default_rng(0)
    turn, mix = orthogonal(rng, 5), orthogonal(rng, 5)
    order = rng.permutation(4)

    def spectrum(x, y, value):
        rest = (value,) if name == "least_squares" else ()
        values = samples.singular_values(getattr(linear, name)(x, y, *rest))
        return values / values[0]

    x, y, value = teacher.inputs, teacher.outputs(80, 0.05), teacher.values[0]
    expected = spectrum(x, y, value)
    for changed in (
        (x @ turn, y, turn.T @ value),
        (x, y @ mix, value @ mix),
        (x[:, order], y[:, order], value),
        (x[::-1], y[::-1], value),
        (x, 100 * y, 100 * value),
        (10 * x, y, value),
    ):
        np.testing.assert_allclose(spectrum(*changed), expected, atol=1e-7)


def test_more_samples_bring_the_estimate_nearer():
    teacher = task(r_star=2, count=400)
    errors = [
        np.linalg.norm(
            linear.least_squares(teacher.inputs[:n], teacher.outputs(n, 0.3), teacher.values[0])
            - teacher.kernels[0]
        )
        for n in (25, 400)
    ]
    assert errors[1] < errors[0] / 2.5


def test_normal_equations_are_those_of_the_kronecker_product():
    rng = np.random.default_rng(0)
    left, right = rng.standard_normal((7, 3, 3)), rng.standard_normal((7, 4, 4))
    left, right = left + left.swapaxes(1, 2), right + right.swapaxes(1, 2)
    expected = sum(np.kron(a, b) for a, b in zip(left, right, strict=True))
    np.testing.assert_allclose(samples.kronecker_sum(left, right), expected, atol=1e-12)


def test_a_width_beyond_the_memory_states_memory_limit_and_what_fits():
    x = np.ones((1, 1, 64))
    with pytest.raises(RefusedError) as error:
        linear.unfolded_kernel(x, x)
    said = str(error.value)
    for word in ("d = 64", "133120 unknowns", "425 GB", "memory_limit = 4 GB", "d = 29 fits"):
        assert word in said
    teacher = task()
    with pytest.raises(RefusedError, match="d = 4 fits"):
        linear.unfolded_kernel(teacher.inputs, teacher.clean, memory_limit=1e5)
    with pytest.raises(RefusedError, match=r"memory_limit = 1e-06 GB: d = 2 fits"):
        linear.least_squares(teacher.inputs, teacher.clean, teacher.values[0], memory_limit=1e3)


def test_too_few_samples_are_refused():
    teacher = task(tokens=4, width=5, count=18)
    with pytest.raises(RefusedError, match="75 unknowns for each output, and there are N n = 72"):
        linear.unfolded_kernel(teacher.inputs, teacher.clean)
    with pytest.raises(RefusedError, match="do not determine"):
        linear.least_squares(teacher.inputs[:1], teacher.clean[:1], teacher.values[0])


def test_a_value_map_that_cannot_be_undone_is_refused():
    teacher = task(value_rank=0.5)
    with pytest.raises(RefusedError, match="rank d = 6 to be undone, got rank 3"):
        linear.least_squares(teacher.inputs, teacher.clean, teacher.values[0])
    with pytest.raises(RefusedError, match=r"shape \(d, e\) = \(6, 6\), got \(6, 5\)"):
        linear.least_squares(teacher.inputs, teacher.clean, teacher.values[0][:, :5])


def test_softmax_outputs_are_refused_where_v_is_unknown():
    teacher = task(kind="softmax", tokens=8, width=12, count=400, r_star=3)
    with pytest.raises(RefusedError, match="linear attention leaves"):
        linear.row_space_least_squares(teacher.inputs, teacher.outputs(400, 0.1))


@pytest.mark.parametrize(
    ("inputs", "outputs", "said"),
    [
        (np.ones((3, 2)), np.ones((3, 2)), "shape"),
        (np.ones((3, 2, 4)), np.ones((3, 1, 4)), r"\(3, 1, 4\)"),
        (np.ones((0, 2, 4)), np.ones((0, 2, 4)), r"\(0, 2, 4\)"),
        (np.full((3, 2, 4), np.nan), np.ones((3, 2, 4)), "inputs hold"),
        (np.ones((3, 2, 4)), np.full((3, 2, 4), np.inf), "outputs hold"),
        (np.ones((3, 2, 4)), np.zeros((3, 2, 4)), "outputs are all zero"),
    ],
)
def test_arrays_that_make_no_samples_are_refused(inputs, outputs, said):
    with pytest.raises(RefusedError, match=said):
        samples.checked(inputs, outputs)
