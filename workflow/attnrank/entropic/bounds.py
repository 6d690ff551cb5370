"""Excess risks that whole classes of students cannot beat, for X ~ N(0, I): exact, in float64.

A task is Y = A* X V* + E; an excess risk is the mean squared error per entry against A* X V*.
"""

import numpy as np

from attnrank.spectra import Array


def tail_energy_bound(true_operator: Array, true_value: Array, rank: int) -> Array:
    """Return the excess risk that no student of a rank beats (paper A, deficiency).

    sum_{i>r} sigma_i(A*)^2 |V*|_F^2 / (n d). It holds for every V* and V: unfold A (x) V
    along the output tokens to n x (n d d); its columns lie in the span of those of A, so it
    has rank r at most, while the unfolding of A* (x) V* has the singular values sigma_i(A*) |V*|_F;
    Eckart and Young (1936) do the rest. It is attained by the truncated A* with V = V*. (The plain
    argument, that A (x) V has rank r d, gives the sum over all but the r d largest products
    sigma_i(A*) sigma_j(V*) instead, which is the same when V* is orthogonal and weaker otherwise.)

    Args:
        true_operator: A*, (..., n, n).
        true_value: V*, (..., d, d).
        rank: r, 0 or more.

    Returns:
        Shape (...,).
    """
    entries = true_operator.shape[-1] * true_value.shape[-1]
    tail = np.linalg.svd(true_operator, compute_uv=False)[..., rank:]
    return (tail**2).sum(axis=-1) * (true_value**2).sum(axis=(-2, -1)) / entries


def equivariant_part(operator: Array) -> Array:
    """Return the operator nearest to A that commutes with every permutation of tokens, (..., n, n).

    It is a I + b 1 1': the mean of the diagonal on the diagonal, the mean of the rest off it.
    """
    tokens = operator.shape[-1]
    total = operator.sum(axis=(-2, -1))
    trace = np.trace(operator, axis1=-2, axis2=-1)
    off = (total - trace) / (tokens * (tokens - 1))
    diagonal = trace / tokens - off
    return diagonal[..., None, None] * np.eye(tokens) + off[..., None, None]


def equivariance_floor(true_operator: Array, true_value: Array) -> Array:
    """Return the least excess risk of any student without positions, whatever its rank and layers.

    |A* - a I - b 1 1'|_F^2 |V*|_F^2 / (n d) at the nearest a and b. Attention, LayerNorm and
    feed-forward layers commute with permutations P of the tokens: f(P X) = P f(X). The tokens of X
    are exchangeable, so among square-integrable functions g the average (R g)(X) = mean over P of
    P' g(P X) is the orthogonal projection on those that commute, and no f comes nearer to g than
    R g. For g(X) = A* X V* that is R g = (a I + b 1 1') X V*, linear and with V = V*: neither free
    V, nor maps V that differ between a I and b 1 1', nor anything nonlinear lowers the floor.

    Args:
        true_operator: A*, (..., n, n), n >= 2.
        true_value: V*, (..., d, d).

    Returns:
        Shape (...,).
    """
    rest = true_operator - equivariant_part(true_operator)
    return (rest**2).sum(axis=(-2, -1)) * _energy_per_entry(true_operator, true_value)


def row_stochastic_floor(true_operator: Array, true_value: Array) -> Array:
    """Return the least excess risk of a *fixed* mixer with nonnegative rows that sum to one.

    min over row-stochastic M and any V of |A* (x) V* - M (x) V|_F^2 / (n d). The best V for an M is
    c V* with c = <A*, M> / |M|_F^2, so the minimum is the squared distance from A* to the
    matrices c M, that is to the convex cone of nonnegative matrices with equal row sums (c >= 0),
    or to its negative (c <= 0), times |V*|_F^2. Projecting on the cone: row i becomes
    max(a_i - t_i, 0) with the sum c, and the derivative of the squared distance in c is
    -2 sum_i t_i(c), which increases in c; its zero is bracketed and bisected to machine precision.

    It binds students whose softmax does not depend on X. One whose softmax does may go lower.

    Args:
        true_operator: A*, (n, n).
        true_value: V*, (d, d).
    """
    distance = min(
        ((true_operator - sign * _nearest_equal_sums(sign * true_operator)) ** 2).sum()
        for sign in (1.0, -1.0)
    )
    return distance * _energy_per_entry(true_operator, true_value)


def _nearest_equal_sums(matrix: Array) -> Array:
    """Return the nearest nonnegative matrix whose rows have one sum, (n, n)."""
    ordered = -np.sort(-matrix, axis=1)
    sums = ordered.cumsum(axis=1)
    counts = np.arange(1, len(matrix) + 1)

    def thresholds(total: float) -> Array:
        """Return t_i such that the positive parts of a_i - t_i sum to ``total``."""
        # Held, Wolfe and Crowder (1974): the largest prefix whose last entry stays positive.
        each = (sums - total) / counts
        last = (ordered > each).sum(axis=1) - 1
        return each[np.arange(len(matrix)), np.maximum(last, 0)]

    low, high = 0.0, float(np.abs(matrix).sum())
    if ordered[:, 0].sum() <= 0:
        return np.zeros_like(matrix)
    for _ in range(200):
        middle = (low + high) / 2
        if thresholds(middle).sum() > 0:
            low = middle
        else:
            high = middle
    return np.maximum(matrix - thresholds(low)[:, None], 0.0)


def static_kernel_limit(true_operator: Array, width: int) -> Array:
    """Return the least relative error of a linear mixer X K X' / n with one K for all X, V known.

    min over K of E |X K X' X / n - A* X|_F^2 / E |A* X|_F^2 for orthogonal V*. The problem is
    convex in K and unchanged by X -> X Q, K -> Q' K Q for orthogonal Q, so K = k I is optimal. With
    W = X X' (Wishart, d degrees of freedom), E W^2 = d (n + d + 1) I and E tr W^3 =
    n d (n^2 + d^2 + 3 n d + 3 n + 3 d + 4), the minimum over k is
    1 - d (n + d + 1)^2 tr(A*)^2 / (E tr W^3 |A*|_F^2).

    Args:
        true_operator: A*, (..., n, n).
        width: d.

    Returns:
        Shape (...,), between 0 and 1; at least the equivariance floor over the signal.
    """
    n, d = true_operator.shape[-1], width
    cube = n * d * (n**2 + d**2 + 3 * n * d + 3 * n + 3 * d + 4)
    trace = np.trace(true_operator, axis1=-2, axis2=-1)
    energy = (true_operator**2).sum(axis=(-2, -1))
    return 1 - d * (n + d + 1) ** 2 * trace**2 / (cube * energy)


def _energy_per_entry(true_operator: Array, true_value: Array) -> Array:
    """Return |V*|_F^2 / (n d), (...,)."""
    entries = true_operator.shape[-1] * true_value.shape[-1]
    return (true_value**2).sum(axis=(-2, -1)) / entries
