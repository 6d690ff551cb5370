"""The least ratio of two attention weights: a linear program, and its dual made exact.

A head gives yhat = sum_p g_p / sum_p alpha_p over the positions p of an input, where
alpha(x, z) = <phi_Q(x), phi_K(z)> >= 0 and g = alpha u for a free read-out u(x, z). For one query
x, "every error is at most eps" is linear in (alpha, g): with target t, per input,

    upper:  sum_p g_p - (t + eps) sum_p alpha_p <= 0
    lower: -sum_p g_p + (t - eps) sum_p alpha_p <= 0.

So the least ratio alpha(x, y) / alpha(x, y') is a linear program, and nonnegative multipliers of
these constraints (its dual) prove a lower bound for it. HiGHS finds the multipliers in floating
point, here they are made rational, and `attnrank.minip.verify` checks them without this module.
Fewer constraints can only make the bound weaker, never wrong, so a large program is solved on the
constraints that its solution violates most.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, vstack

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Side = str
Multipliers = dict[tuple[int, Side], Fraction]

SIDES: tuple[Side, Side] = ("upper", "lower")
_NEGLIGIBLE = 1e-9
_LARGEST_DENOMINATOR = 10**6
# From so many inputs on, a program begins with few of them and takes in so many at a time.
_LARGE, _BATCH, _ROUNDS = 600, 150, 40
_VIOLATED = 1e-7


@dataclass(frozen=True)
class System:
    """The inputs of one query: R inputs over K unknown weights alpha.

    Attributes:
        rows: number of each input in the suite, (R,).
        columns: slot and token of each unknown, (K, 2). The slot is 0 unless maps depend on the
            position, when it is the position.
        counts: how often each unknown counts in each input, (R, K).
        targets: (R,).
    """

    rows: Ints
    columns: Ints
    counts: csr_array
    targets: Ints


def prove_ratio(
    system: System, own: Sequence[int], other: Sequence[int], eps: Fraction
) -> tuple[Fraction, Multipliers] | str:
    """Prove that the weights ``own`` sum to a ratio times the sum of those of ``other`` or more.

    Args:
        system: the inputs of the query.
        own: columns of the sum in the numerator.
        other: columns of the sum in the denominator, none of them in ``own``.
        eps: the error, positive.

    Returns:
        The exact ratio, positive, and the nonzero multipliers by (row of the suite, side); or the
        reason why there are none.
    """
    if not (len(own) and len(other)):
        return "the query never meets one of the two keys"
    solved = _solve(system, own, other, float(eps))
    if isinstance(solved, str):
        return solved
    weights, alpha = solved
    exact = _solved_exactly(system, own, other, eps, weights, alpha)
    ratio = None if exact is None else _exact_ratio(system, own, other, eps, exact)
    if exact is None or ratio is None:
        return "the floating-point dual could not be made exact"
    if ratio <= 0:
        return f"only the ratio {ratio} can be proven"
    nonzero = {c: value for c, value in exact.items() if value}
    return ratio, {(int(system.rows[c // 2]), SIDES[c % 2]): v for c, v in nonzero.items()}


def _solve(
    system: System, own: Sequence[int], other: Sequence[int], eps: float
) -> tuple[dict[int, float], Ints] | str:
    """Return positive multipliers by constraint 2 r + side, and the columns of positive alpha."""
    total = len(system.rows)
    working = np.arange(total)
    if total > _LARGE:
        working = _first_rows(system, own, other)
    for _ in range(_ROUNDS):
        counts = system.counts[working]
        columns = np.union1d(np.unique(counts.indices), [*own, *other]).astype(np.int64)
        place = {int(column): k for k, column in enumerate(columns)}
        found = _linear_program(
            counts[:, columns],
            system.targets[working],
            [place[c] for c in own],
            [place[c] for c in other],
            eps,
        )
        if isinstance(found, str):
            return found
        weights, alpha, g = found
        fresh = np.empty(0, dtype=np.int64)
        if len(working) < total:
            fresh = _violated(system, columns, alpha, g, eps, working)
        if not len(fresh):
            break
        working = np.concatenate([working, fresh])
    # A round may have been the last before all held: its multipliers prove what they prove.
    used = working[: len(weights) // 2]
    multipliers = {
        2 * int(used[c // 2]) + int(c % 2): float(weights[c])
        for c in np.flatnonzero(weights > _NEGLIGIBLE)
    }
    return multipliers, columns[alpha > _NEGLIGIBLE]


def _first_rows(system: System, own: Sequence[int], other: Sequence[int]) -> Ints:
    """Return the inputs made of tokens that meet both keys, such as the nodes of a chain.

    Of the two keys and the query alone where those are too many.
    """
    lengths = system.counts.sum(axis=1)
    present = system.counts.astype(bool).astype(np.int64)
    by_column = present.T.tocsr()
    met = [(by_column @ present[:, list(key)].sum(axis=1)) > 0 for key in (own, other)]
    always = present.sum(axis=0) == len(lengths)
    rows = np.empty(0, dtype=np.int64)
    for inside in (met[0] & met[1] | always, always):
        inside[[*own, *other]] = True
        rows = np.flatnonzero(system.counts @ inside.astype(np.int64) == lengths)
        if len(rows) <= _LARGE:
            break
    return rows[:_LARGE]


def _violated(
    system: System, columns: Ints, alpha: Floats, g: Floats, eps: float, working: Ints
) -> Ints:
    """Return the inputs whose constraints a solution violates most, at most a batch of them."""
    wide = np.zeros((system.counts.shape[1], 2))
    wide[columns, 0], wide[columns, 1] = alpha, g
    attention, answer = (system.counts @ wide).T
    excess = np.abs(answer - system.targets * attention) - eps * attention
    excess[working] = 0.0
    worst = np.argsort(-excess, kind="stable")[:_BATCH]
    return worst[excess[worst] > _VIOLATED]


def _linear_program(
    counts: csr_array, targets: Ints, own: Sequence[int], other: Sequence[int], eps: float
) -> tuple[Floats, Floats, Floats] | str:
    """Minimise the sum of alpha over ``own`` where it is 1 over ``other``.

    Returns:
        Multipliers of constraint 2 r + side, (2 R,); alpha and g, (K,) each; or why there are none.
    """
    tokens = counts.shape[1]
    if not counts.shape[0]:
        alpha = np.zeros(tokens)
        alpha[other[0]] = 1.0
        return np.zeros(0), alpha, np.zeros(tokens)
    exact = counts.astype(np.float64)
    scaled = csr_array(exact.multiply(targets[:, None].astype(np.float64)))
    upper = hstack([-scaled - eps * exact, exact])
    lower = hstack([scaled - eps * exact, -exact])
    cost, fixed = np.zeros(2 * tokens), np.zeros((1, 2 * tokens))
    cost[list(own)] = fixed[0, list(other)] = 1.0
    result = linprog(
        cost,
        A_ub=vstack([upper, lower]).tocsr(),
        b_ub=np.zeros(2 * len(targets)),
        A_eq=fixed,
        b_eq=[1.0],
        bounds=[(0.0, None)] * tokens + [(None, None)] * tokens,
        method="highs",
    )
    if result.status != 0:
        return f"HiGHS stopped: {result.message}"
    # HiGHS gives upper rows, then lower rows; constraint 2 r + side is easier to name.
    weights = np.maximum(-result.ineqlin.marginals, 0.0).reshape(2, -1).T.ravel()
    return weights, result.x[:tokens], result.x[tokens:]


def _constraint(system: System, index: int, eps: Fraction) -> Iterable[tuple[int, Fraction, int]]:
    """Yield (column, coefficient of alpha, coefficient of g) of a constraint."""
    r, is_lower = divmod(index, 2)
    target = int(system.targets[r])
    of_alpha = target - eps if is_lower else -(target + eps)
    entries = slice(system.counts.indptr[r], system.counts.indptr[r + 1])
    for column, count in zip(
        system.counts.indices[entries].tolist(), system.counts.data[entries].tolist(), strict=True
    ):
        yield column, of_alpha * count, -count if is_lower else count


def _exact_ratio(
    system: System,
    own: Sequence[int],
    other: Sequence[int],
    eps: Fraction,
    guess: dict[int, Fraction],
) -> Fraction | None:
    """Return the ratio that the multipliers prove, or None if they prove nothing."""
    of_alpha = dict.fromkeys([*own, *other], Fraction(0))
    of_g: dict[int, Fraction] = {}
    for column in own:
        of_alpha[column] += 1
    for index, value in guess.items():
        if value < 0:
            return None
        for column, alpha, g in _constraint(system, index, eps):
            of_alpha[column] = of_alpha.get(column, Fraction(0)) + value * alpha
            of_g[column] = of_g.get(column, Fraction(0)) + value * g
    ratio = min(of_alpha.pop(column) for column in other)
    return None if any(of_g.values()) or min(of_alpha.values()) < 0 else ratio


def _solved_exactly(
    system: System,
    own: Sequence[int],
    other: Sequence[int],
    eps: Fraction,
    weights: dict[int, float],
    positive: Ints,
) -> dict[int, Fraction] | None:
    """Solve the active dual constraints in fractions.

    Multipliers outside the support stay 0. The coefficient of every g must vanish and, by
    complementary slackness, that of every positive alpha outside ``other``; those of the positive
    ones in ``other`` must be equal. Where this leaves a multiplier free it keeps its rounded value.
    """
    support = {
        index: Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
        for index, value in weights.items()
    }
    shared = [column for column in other if column in set(positive.tolist())]
    active = set(positive.tolist()) - set(other)
    equations: dict[tuple[str, int], dict[int, Fraction]] = {}

    def add(name: tuple[str, int], index: int, value: Fraction) -> None:
        equation = equations.setdefault(name, {})
        equation[index] = equation.get(index, Fraction(0)) + value

    for index in support:
        for column, of_alpha, of_g in _constraint(system, index, eps):
            add(("g", column), index, Fraction(of_g))
            if column in active:
                add(("alpha", column), index, of_alpha)
            elif column in shared:
                # The first of them less each of the others is 0.
                for rest in shared[1:]:
                    if column in (shared[0], rest):
                        sign = 1 if column == shared[0] else -1
                        add(("other", rest), index, sign * of_alpha)
    right = {
        name: Fraction(-1 if name[0] == "alpha" and name[1] in own else 0) for name in equations
    }
    return _linear_solution(equations, right, support)


def _linear_solution(
    equations: dict[tuple[str, int], dict[int, Fraction]],
    right: dict[tuple[str, int], Fraction],
    start: dict[int, Fraction],
) -> dict[int, Fraction] | None:
    """Solve linear equations in fractions; unknowns that they leave free keep their start."""
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
        pivot = max(left, key=lambda index: start[index])
        scale = left[pivot]
        pivots.append((pivot, {c: entry / scale for c, entry in left.items()}, value / scale))
    solution = dict(start)
    for pivot, equation, value in reversed(pivots):
        others = (entry * solution[c] for c, entry in equation.items() if c != pivot)
        solution[pivot] = value - sum(others, Fraction(0))
    return solution
