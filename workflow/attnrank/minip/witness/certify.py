"""Prove, with linear programs and exact duals, how peaked attention must be on a suite.

A head gives yhat = sum_p g_p / sum_p alpha_p over the positions p of an input, where
alpha(x, z) = <phi_Q(x), phi_K(z)> >= 0 and g = alpha u for a free read-out u(x, z). For one query
x, "every error is at most eps" is linear in (alpha, g): with target t, per input,

    upper:  sum_p g_p - (t + eps) sum_p alpha_p <= 0
    lower: -sum_p g_p + (t - eps) sum_p alpha_p <= 0.

So the smallest ratio alpha(x_i, y_i) / alpha(x_i, y_j) is a linear program, and nonnegative
multipliers of these constraints (its dual) prove a lower bound for it. HiGHS finds the multipliers
in floating point; here they are made rational, and `verify` checks them without this module.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, vstack

from attnrank.errors import AttnrankError

Ints = NDArray[np.int64]
Side = str
Multipliers = dict[tuple[int, Side], Fraction]

UPPER: Side = "upper"
LOWER: Side = "lower"
_SIDES = (UPPER, LOWER)
_NEGLIGIBLE = 1e-9
_LARGEST_DENOMINATOR = 10**6


@dataclass(frozen=True)
class PairProof:
    """A proof that error <= eps forces alpha(x_i, y_i) >= ratio * alpha(x_i, y_j).

    Attributes:
        eps: the error, exact.
        query: index i of the query and of the key in the numerator.
        key: index j of the key in the denominator.
        numerator: token of key i.
        denominator: token of key j.
        ratio: the proven ratio, exact; positive.
        multipliers: for (row of the suite, side), the weight of that constraint; the others are 0.
    """

    eps: Fraction
    query: int
    key: int
    numerator: int
    denominator: int
    ratio: Fraction
    multipliers: Multipliers


@dataclass(frozen=True)
class _Row:
    """The constraints of one query: inputs by row of the suite, and counts of its own tokens."""

    rows: Ints
    tokens: Ints
    counts: Ints
    targets: Ints


def prove(
    sequences: Ints, targets: Ints, query_token: Ints, key_token: Ints, eps: Fraction
) -> list[PairProof]:
    """Prove a ratio for every ordered pair of queries.

    Args:
        sequences: tokens of every input, query first, (S, L).
        targets: target of every input, (S,).
        query_token: token of each query, (n,).
        key_token: tokens of the keys, at least n; key i belongs to query i.
        eps: the error, positive.

    Returns:
        n (n - 1) proofs, in the order of (i, j).

    Raises:
        AttnrankError: naming every pair without a proof.
    """
    if eps <= 0:
        raise AttnrankError(f"eps = {eps}: the error must be positive")
    proofs, failures = [], []
    for i, token in enumerate(query_token):
        row = _row(sequences, targets, int(token))
        for j in range(len(query_token)):
            if j == i:
                continue
            found = _prove_pair(row, int(key_token[i]), int(key_token[j]), eps)
            if isinstance(found, str):
                failures.append(f"({i}, {j}): {found}")
                continue
            ratio, multipliers = found
            tokens = (int(key_token[i]), int(key_token[j]))
            proofs.append(PairProof(eps, i, j, *tokens, ratio, multipliers))
    if failures:
        raise AttnrankError(
            f"no certificate at eps = {eps} for {len(failures)} pairs (query, key): "
            + "; ".join(failures)
        )
    return proofs


def rank_bounds(n: int, ratio: Fraction) -> dict[str, int]:
    """Return the rank that three theorems certify for an n x n matrix of scaled attention.

    The matrix has diagonal 1 and off-diagonal entries in [0, 1/ratio]; so has each of its
    principal submatrices, so every size k <= n may be used.

    - ``dominance``: strictly diagonally dominant, hence rank k, if k - 1 < ratio.
    - ``trace``: rank >= trace^2 / ||.||_F^2 >= k / (1 + (k - 1) / ratio^2).
    - ``sign_split``: rank k if floor(k/2) ceil(k/2) < ratio^2. Bring the terms of a dependency of
      the rows with negative coefficients to the other side: rows in S and rows in T, both with
      positive coefficients, of sums C_S and C_T; neither is 0, as no entry is negative and the
      diagonal is 1. Adding up the columns in S gives C_S <= C_T |S| / ratio, and those in T give
      C_T <= C_S |T| / ratio, so 1 <= |S| |T| / ratio^2.

    Args:
        n: number of queries, at least 1.
        ratio: the smallest ratio of a diagonal to an off-diagonal entry, positive.
    """
    if n < 1 or ratio <= 0:
        raise ValueError(f"n = {n}, ratio = {ratio}: both must be positive")
    sizes = range(1, n + 1)
    square = ratio * ratio
    return {
        "dominance": max(k for k in sizes if k - 1 < ratio),
        "trace": max(_ceil(k / (1 + (k - 1) / square)) for k in sizes),
        "sign_split": max(k for k in sizes if (k // 2) * ((k + 1) // 2) < square),
    }


def _ceil(value: Fraction) -> int:
    return -(-value.numerator // value.denominator)


def _row(sequences: Ints, targets: Ints, query: int) -> _Row:
    rows = np.flatnonzero(sequences[:, 0] == query)
    tokens, place = np.unique(sequences[rows], return_inverse=True)
    counts = np.zeros((len(rows), len(tokens)), dtype=np.int64)
    np.add.at(counts, (np.arange(len(rows))[:, None], place.reshape(len(rows), -1)), 1)
    return _Row(rows, tokens, counts, targets[rows])


def _prove_pair(
    row: _Row, numerator: int, denominator: int, eps: Fraction
) -> tuple[Fraction, Multipliers] | str:
    """Return a ratio and its multipliers, or the reason why there are none."""
    if not (np.isin([numerator, denominator], row.tokens)).all():
        return "the query never meets one of the two keys"
    num, den = (int(np.searchsorted(row.tokens, key)) for key in (numerator, denominator))
    solved = _solve(row, num, den, float(eps))
    if isinstance(solved, str):
        return solved
    weights, alpha = solved
    exact = _solved_exactly(row, num, den, eps, weights, alpha)
    ratio = None if exact is None else _exact_ratio(row, num, den, eps, exact)
    if exact is None or ratio is None:
        return "the floating-point dual could not be made exact"
    if ratio <= 0:
        return f"only the ratio {ratio} can be proven"
    nonzero = {c: value for c, value in exact.items() if value}
    return ratio, {(int(row.rows[c // 2]), _SIDES[c % 2]): v for c, v in nonzero.items()}


def _solve(
    row: _Row, num: int, den: int, eps: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | str:
    """Minimise alpha[num] with alpha[den] = 1; return the multipliers (2 S) and alpha (T)."""
    counts = csr_array(row.counts.astype(np.float64))
    scaled = csr_array(row.counts * row.targets[:, None].astype(np.float64))
    upper = hstack([-scaled - eps * counts, counts])
    lower = hstack([scaled - eps * counts, -counts])
    tokens = len(row.tokens)
    cost = np.zeros(2 * tokens)
    cost[num] = 1.0
    bounds: list[tuple[float | None, float | None]] = [(0.0, None)] * tokens
    bounds[den] = (1.0, 1.0)
    bounds += [(None, None)] * tokens
    result = linprog(
        cost,
        A_ub=vstack([upper, lower]).tocsr(),
        b_ub=np.zeros(2 * len(row.rows)),
        bounds=bounds,
        method="highs",
    )
    if result.status != 0:
        return f"HiGHS stopped: {result.message}"
    # HiGHS gives upper rows, then lower rows; constraint 2 s + side is easier to name.
    weights = np.maximum(-result.ineqlin.marginals, 0.0).reshape(2, -1).T.ravel()
    return weights, result.x[:tokens]


def _constraint(row: _Row, index: int, eps: Fraction) -> Iterable[tuple[int, Fraction, int]]:
    """Yield (token, coefficient of alpha, coefficient of g) of a constraint."""
    s, is_lower = divmod(index, 2)
    target = int(row.targets[s])
    of_alpha = target - eps if is_lower else -(target + eps)
    for token in np.flatnonzero(row.counts[s]):
        count = int(row.counts[s, token])
        yield int(token), of_alpha * count, -count if is_lower else count


def _exact_ratio(
    row: _Row, num: int, den: int, eps: Fraction, guess: dict[int, Fraction]
) -> Fraction | None:
    """Return the ratio that the multipliers prove, or None if they prove nothing."""
    of_alpha = [Fraction(0)] * len(row.tokens)
    of_g = [Fraction(0)] * len(row.tokens)
    of_alpha[num] += 1
    for index, value in guess.items():
        if value < 0:
            return None
        for token, alpha, g in _constraint(row, index, eps):
            of_alpha[token] += value * alpha
            of_g[token] += value * g
    ratio = of_alpha.pop(den)
    return None if any(of_g) or min(of_alpha) < 0 else ratio


def _solved_exactly(
    row: _Row,
    num: int,
    den: int,
    eps: Fraction,
    weights: NDArray[np.float64],
    alpha: NDArray[np.float64],
) -> dict[int, Fraction] | None:
    """Solve the active dual constraints in fractions.

    Multipliers outside the support stay 0; the coefficient of every g and, by complementary
    slackness, of every positive alpha but the denominator's must vanish. Where this leaves a
    multiplier free it keeps its rounded value.
    """
    support = {
        int(c): Fraction(float(weights[c])).limit_denominator(_LARGEST_DENOMINATOR)
        for c in np.flatnonzero(weights > _NEGLIGIBLE)
    }
    active = {int(k) for k in np.flatnonzero(alpha > _NEGLIGIBLE)} - {den}
    equations: dict[tuple[str, int], dict[int, Fraction]] = {}
    for index in support:
        for token, of_alpha, of_g in _constraint(row, index, eps):
            equations.setdefault(("g", token), {})[index] = Fraction(of_g)
            if token in active:
                equations.setdefault(("alpha", token), {})[index] = of_alpha
    right = {name: Fraction(-1 if name == ("alpha", num) else 0) for name in equations}
    pivots: list[tuple[int, dict[int, Fraction], Fraction]] = []
    for name, equation in equations.items():
        left, value = dict(equation), right[name]
        for pivot, other, other_value in pivots:
            factor = left.get(pivot, Fraction(0))
            if factor:
                value -= factor * other_value
                for index, entry in other.items():
                    left[index] = left.get(index, Fraction(0)) - factor * entry
        left = {index: entry for index, entry in left.items() if entry}
        if not left:
            if value:
                return None
            continue
        pivot = max(left, key=lambda index: support[index])
        scale = left[pivot]
        pivots.append((pivot, {c: entry / scale for c, entry in left.items()}, value / scale))
    solution = dict(support)
    for pivot, equation, value in reversed(pivots):
        others = (entry * solution[c] for c, entry in equation.items() if c != pivot)
        solution[pivot] = value - sum(others, Fraction(0))
    return solution
