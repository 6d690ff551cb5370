from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest
from scipy.optimize import linprog

from attnrank.minip.lengths.construct import construction_error
from attnrank.minip.lengths.optimum import feasible, greatest_error, optimum, program
from attnrank.minip.task import cube

TOLERANCE = 1e-5


def slow_construction(width: int, length: int) -> float:
    """Return the error of the construction, written as an attention head on real vectors."""
    tokens = cube(width).astype(float)
    worst = 0.0
    for X in product(tokens, repeat=length):
        x, keys = X[0], np.array(X)
        alpha = np.ones(length)
        mixed = (alpha[:, None] * keys).sum(0) / alpha.sum()
        worst = max(worst, abs(2 * x @ mixed - x.sum() - (keys @ x).min()))
    return worst


@pytest.mark.parametrize(("width", "length"), [(3, 1), (4, 2), (3, 3), (4, 3)])
def test_the_construction_is_the_head_that_its_docstring_states(width, length):
    assert construction_error(width, length) == pytest.approx(slow_construction(width, length))


@pytest.mark.parametrize("width", [1, 7, 10])
def test_the_construction_is_exact_for_one_and_two_tokens(width):
    assert construction_error(width, 1) == 0.0
    assert construction_error(width, 2) == 0.0


@pytest.mark.parametrize("width", [2, 6])
def test_the_construction_fails_at_three_tokens_by_a_third_of_the_width(width):
    assert construction_error(width, 3) == pytest.approx(width / 3)


def full_program(width: int, length: int):
    """Return the linear program on every token and pair, without any symmetry."""
    tokens = cube(width).astype(int)
    size = len(tokens)
    met = tokens @ tokens.T
    of_q, of_g, targets = [], [], []
    for x in range(size):
        for others in combinations_with_replacement(range(size), length - 1):
            q, g = np.zeros(size), np.zeros((size, size))
            for z in (x, *others):
                q[z] += 1
                g[x, z] += 1
            of_q.append(np.concatenate([q, np.zeros(size * size)]))
            of_g.append(np.concatenate([np.zeros(size), g.ravel()]))
            targets.append(met[x, [x, *others]].min())
    return np.array(of_q), np.array(of_g), np.array(targets), size


def full_feasible(parts, eps: float):
    of_q, of_g, targets, size = parts
    shifted = of_g - targets[:, None] * of_q
    result = linprog(
        np.zeros(of_q.shape[1]),
        A_ub=np.vstack([shifted - eps * of_q, -shifted - eps * of_q]),
        b_ub=np.zeros(2 * len(targets)),
        bounds=[(1, None)] * size + [(None, None)] * size**2,
        method="highs",
    )
    return result.x if result.status == 0 else None


@pytest.mark.parametrize(("width", "length"), [(1, 3), (2, 2), (2, 3), (3, 3), (2, 4)])
def test_symmetry_loses_nothing_against_the_full_linear_program(width, length):
    found = optimum(width, length, TOLERANCE)
    parts = full_program(width, length)
    # Just below the optimum the full program has no head either, just above it has one.
    if found.lower > 0:
        assert full_feasible(parts, found.lower - 1e-4) is None
    assert full_feasible(parts, found.error + 1e-4) is not None


def test_the_mean_over_permutations_of_a_head_is_a_head():
    # The step of the argument: average the full solution, and it still meets every constraint.
    width, eps = 3, 0.32
    of_q, of_g, targets, size = parts = full_program(width, 3)
    solution = full_feasible(parts, eps)
    q, g = solution[:size], solution[size:].reshape(size, size)
    tokens = cube(width).astype(int)
    code = 2 ** np.arange(width)
    moved = [tokens[:, order] @ code for order in permutations(range(width))]
    mean_q = np.mean([q[move] for move in moved], axis=0)
    mean_g = np.mean([g[np.ix_(move, move)] for move in moved], axis=0)
    averaged = np.concatenate([mean_q, mean_g.ravel()])
    answers = (of_g @ averaged) / (of_q @ averaged)
    assert np.abs(answers - targets).max() <= eps + 1e-6
    assert np.allclose(mean_q[[1, 2, 4]], mean_q[1])
    assert np.allclose(mean_q[[3, 5, 6]], mean_q[3])


def test_one_constraint_for_each_orbit_of_inputs():
    width, length = 3, 3
    tokens = cube(width).astype(int)
    seen = set()
    for x in range(len(tokens)):
        for others in combinations_with_replacement(range(len(tokens)), length - 1):
            pairs = sorted((int(tokens[x] @ tokens[z]), int(tokens[z].sum())) for z in others)
            seen.add((int(tokens[x].sum()), *pairs))
    assert len(program(width, length).targets) == len(seen)


@pytest.mark.parametrize(
    ("width", "value"), [(2, 0.25), (3, (3 - 3**0.5) / 4), (4, 0.5), (5, 0.5886), (6, 0.75), (8, 1)]
)
def test_the_optimum_at_three_tokens(width, value):
    found = optimum(width, 3, TOLERANCE)
    assert found.error - found.lower <= TOLERANCE
    assert found.error == pytest.approx(value, abs=1e-4)
    assert (found.q >= 1 - 1e-9).all()


@pytest.mark.parametrize("length", [1, 2])
def test_the_optimum_is_zero_at_one_and_two_tokens(length):
    found = optimum(5, length, TOLERANCE)
    assert found.lower == 0
    assert found.error <= TOLERANCE


def test_the_error_of_a_head_is_computed_from_its_unknowns():
    constraints = program(3, 3)
    unknowns = feasible(constraints, 0.4)
    assert greatest_error(constraints, unknowns) <= 0.4 + 1e-6
    assert feasible(constraints, 0.3) is None
