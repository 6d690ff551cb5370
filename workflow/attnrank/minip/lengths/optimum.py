"""The least error of any head of rank 1, as a linear program made small by symmetry.

A head of rank 1 has alpha(x, z) = p(x) q(z). Its normaliser cancels p, so that it answers

    yhat(X) = sum_j q(x_j) u(x, x_j) / sum_j q(x_j),   q > 0,

with a free read-out u(x, z): values of any dimension under a read-out that is affine in them and
depends on the query in any way. (q = 0 is excluded by the input that holds only that token.) With
g(x, z) = q(z) u(x, z), "every error is at most eps" is linear in (q, g), for each input X:

    -eps sum_j q(x_j) <= sum_j (g(x, x_j) - t(X) q(x_j)) <= eps sum_j q(x_j).

Symmetry. A permutation pi of the m bits keeps every overlap, hence t, and maps inputs of the cube
to inputs of the cube. If (q, g) meets all constraints, so does (q o pi, g o (pi, pi)): it meets at
X what (q, g) meets at pi X. The constraints are linear and homogeneous and q > 0 is convex, so the
mean over all m! permutations meets them as well. It is constant on orbits: q depends on |z| alone,
and g on the orbit of the pair (x, z), which is (|x|, <x, z>, |z| - <x, z>). So nothing is lost by
asking for such heads only, and one constraint is kept for each orbit of inputs (as a multiset: the
order of the tokens does not matter either). There are m + 1 unknowns q and O(m^3) unknowns g for
2^m and 4^m.

Scale. Constraints are homogeneous and there are finitely many tokens, so q > 0 may be taken as
q >= 1. The least eps is found by bisection: eps is possible or not, and if it is, so is all above.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, vstack

from attnrank.errors import AttnrankError

Floats = NDArray[np.float64]

_FOUND, _INFEASIBLE = 0, 2  # status of scipy's linprog


@dataclass(frozen=True)
class Program:
    """The constraints of one width and length, on the unknowns (q, g) in this order.

    Attributes:
        weights: number of unknowns q.
        of_q: how often each unknown q occurs in each input, (S, unknowns).
        of_g: the same for g, (S, unknowns).
        targets: t of each input, (S,).
    """

    weights: int
    of_q: csr_array
    of_g: csr_array
    targets: Floats


@dataclass(frozen=True)
class Optimum:
    """The least error of any rank-1 head lies in [lower, error].

    Attributes:
        lower: a greatest error that the linear program finds impossible; 0 if none was found.
        error: greatest error of a head that was found, computed from its q and g.
        q: its weight of a token with 0, ..., m ones, (m + 1,).
        inputs: orbits of inputs, each with two constraints.
    """

    lower: float
    error: float
    q: Floats
    inputs: int


def program(width: int, length: int) -> Program:
    """Return the constraints for heads that are constant on orbits, one input for each orbit."""
    unknowns = width + 1
    q_of: list[list[int]] = []
    g_of: list[list[int]] = []
    targets = []
    for weight in range(width + 1):
        # Of the pair (x, z): ones of z inside and outside the ones of x.
        orbits = [(i, o) for i in range(weight + 1) for o in range(width - weight + 1)]
        place = {orbit: unknowns + k for k, orbit in enumerate(orbits)}
        unknowns += len(orbits)
        for others in combinations_with_replacement(orbits, length - 1):
            tokens = [(weight, 0), *others]
            q_of.append([inside + outside for inside, outside in tokens])
            g_of.append([place[orbit] for orbit in tokens])
            targets.append(min(inside for inside, _ in tokens))
    return Program(
        weights=width + 1,
        of_q=_counts(q_of, unknowns),
        of_g=_counts(g_of, unknowns),
        targets=np.array(targets, dtype=np.float64),
    )


def _counts(columns: list[list[int]], unknowns: int) -> csr_array:
    rows = np.repeat(np.arange(len(columns)), len(columns[0]))
    flat = np.ravel(columns)
    return csr_array((np.ones(len(flat)), (rows, flat)), shape=(len(columns), unknowns))


def feasible(constraints: Program, eps: float) -> Floats | None:
    """Return unknowns (q, g) with every error at most eps, or None where there are none.

    Raises:
        AttnrankError: the solver gave no answer.
    """
    shifted = constraints.of_g - constraints.of_q.multiply(constraints.targets[:, None])
    slack = eps * constraints.of_q
    unknowns = constraints.of_q.shape[1]
    result = linprog(
        np.zeros(unknowns),
        A_ub=vstack([shifted - slack, -shifted - slack]).tocsr(),
        b_ub=np.zeros(2 * len(constraints.targets)),
        bounds=[(1, None)] * constraints.weights
        + [(None, None)] * (unknowns - constraints.weights),
        method="highs",
    )
    if result.status == _FOUND:
        return np.asarray(result.x)
    if result.status == _INFEASIBLE:
        return None
    raise AttnrankError(f"rank-1 optimum at eps = {eps}: HiGHS stopped: {result.message}")


def greatest_error(constraints: Program, unknowns: Floats) -> float:
    """Return the greatest error of the head that the unknowns are."""
    total = constraints.of_q @ unknowns
    answers = constraints.of_g @ unknowns / total
    return float(np.abs(answers - constraints.targets).max())


def optimum(width: int, length: int, tolerance: float) -> Optimum:
    """Return the least error of any rank-1 head on the full cube, to a tolerance in bits.

    Args:
        width: m, bits of a token.
        length: N, tokens of an input, the query included.
        tolerance: width of the interval at which the bisection stops.

    Raises:
        AttnrankError: the solver gave no answer.
    """
    constraints = program(width, length)
    # Targets lie in [0, |x|]: the head that answers |x| / 2 errs by m / 2 at most.
    lower, upper = 0.0, width / 2
    found = feasible(constraints, upper + tolerance)
    if found is None:
        raise AttnrankError(f"rank-1 optimum: eps = m / 2 = {upper} is always possible")
    upper = greatest_error(constraints, found)
    # Where 0 itself is possible there is nothing to bisect.
    best = feasible(constraints, 0.0)
    if best is not None:
        found, upper = best, greatest_error(constraints, best)
    while upper - lower > tolerance:
        middle = (lower + upper) / 2
        better = feasible(constraints, middle)
        if better is None:
            lower = middle
        else:
            found, upper = better, min(upper, greatest_error(constraints, better))
    return Optimum(lower, upper, found[: constraints.weights], len(constraints.targets))
