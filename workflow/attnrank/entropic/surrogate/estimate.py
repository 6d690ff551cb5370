"""Risk, bound, closed-form optimum and ranks of the linear surrogate, in float64."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnrank import spectra
from attnrank.entropic.surrogate.moments import Moments, mean_squared_error, moments, row_moments
from attnrank.errors import AttnrankError
from attnrank.spectra import Array


def excess_risk(operator: Array, value: Array, true_operator: Array, true_value: Array) -> Array:
    """Return the exact excess risk of A X V per entry for X ~ N(0, I).

    E |A X V - A* X V*|^2 = |A (x) V - A* (x) V*|^2, which expands to inner products of the factors.

    Args:
        operator: A, (..., n, n).
        value: V, (..., d, d).
        true_operator: A*, (..., n, n).
        true_value: V*, (..., d, d).

    Returns:
        Mean squared error against the clean target, (...,); NaN for a diverged student.
    """

    def inner(left: Array, right: Array) -> Array:
        return (left * right).sum(axis=(-2, -1))

    entries = operator.shape[-1] * value.shape[-1]
    with np.errstate(invalid="ignore", over="ignore"):
        learned = inner(operator, operator) * inner(value, value)
        overlap = inner(operator, true_operator) * inner(value, true_value)
        true = inner(true_operator, true_operator) * inner(true_value, true_value)
        risk = (learned - 2 * overlap + true) / entries
    return np.where(np.isfinite(risk), risk, np.nan)


def check_bound(excess: Array, bound: Array, what: str) -> None:
    """Refuse an excess risk below the tail-energy bound: it would contradict a theorem.

    Args:
        excess: excess risk of each run, NaN for a diverged one, (E,).
        bound: its tail-energy bound, (E,).
        what: which runs these are, for the message.

    Raises:
        AttnrankError: names the run.
    """
    for run in np.flatnonzero(excess < bound * (1 - 1e-9)):
        raise AttnrankError(
            f"{what}, run {run}: excess risk {excess[run]:.9g} is below the bound, "
            f"{bound[run]:.9g}, which is impossible: risk or bound is wrong"
        )


@dataclass(frozen=True)
class ClosedForm:
    """Closed-form students of E training sets.

    Attributes:
        operator: A of rank r, (E, n, n).
        value: V, (E, d, d).
        loss: mean squared error per entry on the training set, (E,).
        sweeps: alternations used, (E,).
        converged: the last sweep lowered the loss by less than the tolerance, (E,).
    """

    operator: Array
    value: Array
    loss: Array
    sweeps: NDArray[np.int64]
    converged: NDArray[np.bool_]


def closed_form(
    inputs: Array, targets: Array, rank: int, *, sweeps: int, tolerance: float
) -> ClosedForm:
    """Fit A X V by reduced-rank regression (Izenman 1975), alternating between A and V.

    Each half-sweep is an exact minimum: A of rank r given V by reduced-rank regression, V given A
    by least squares. So the training loss never rises, and the end is a minimum in A and in V
    separately. A training set leaves the alternation when a sweep lowers its loss by less than
    ``tolerance`` times the loss, or after ``sweeps``.

    Args:
        inputs: X, (E, N, n, d); at least n / d samples, or A is not determined.
        targets: Y, (E, N, n, d).
        rank: r, 1 to n.
        sweeps: alternations at most.
        tolerance: relative fall of the loss.

    Raises:
        numpy.linalg.LinAlgError: the samples do not determine A or V.
    """
    data = moments(inputs, targets)
    count, tokens, width = len(data.energy), data.tokens, data.width
    # Cov(Y, X) = A* (x) V* for white inputs: its leading singular vector is close to V*.
    value = np.linalg.svd(data.cross, full_matrices=False)[2][:, 0].reshape(count, width, width)
    operator = np.empty((count, tokens, tokens))
    loss = data.energy.copy()
    used = np.zeros(count, dtype=np.int64)
    converged = np.zeros(count, dtype=bool)
    for _ in range(sweeps):
        open_ = np.flatnonzero(~converged)
        if not len(open_):
            break
        part = Moments(data.energy[open_], data.cross[open_], data.gram[open_], tokens, width)
        operator[open_] = _reduced_rank(part, value[open_], rank)
        value[open_], new = _least_squares(part, operator[open_])
        converged[open_] = loss[open_] - new < tolerance * loss[open_]
        loss[open_] = new
        used[open_] += 1
    return ClosedForm(
        operator, value, mean_squared_error(operator, value, inputs, targets), used, converged
    )


def _reduced_rank(data: Moments, value: Array, rank: int) -> Array:
    """Return the best A of a rank for given V, (E, n, n)."""
    square = (len(value), data.tokens, data.tokens)
    cross = (data.cross @ value.reshape(len(value), -1, 1)).reshape(square)
    weight = value @ value.swapaxes(1, 2)
    gram = (data.gram @ weight.reshape(len(value), -1, 1)).reshape(square)
    free = np.linalg.solve(gram, cross.swapaxes(1, 2)).swapaxes(1, 2)
    # The best rank-r fit keeps the r output directions with the largest fitted energy.
    fitted = free @ cross.swapaxes(1, 2)
    kept = np.linalg.eigh((fitted + fitted.swapaxes(1, 2)) / 2)[1][:, :, -rank:]
    return kept @ (kept.swapaxes(1, 2) @ free)


def _least_squares(data: Moments, operator: Array) -> tuple[Array, Array]:
    """Return the best V for given A, (E, d, d), and the loss there, (E,)."""
    square = (len(operator), data.width, data.width)
    cross = (operator.reshape(len(operator), 1, -1) @ data.cross).reshape(square)
    weight = operator.swapaxes(1, 2) @ operator
    gram = (weight.reshape(len(operator), 1, -1) @ data.gram).reshape(square)
    value = np.asarray(np.linalg.solve(gram, cross), dtype=np.float64)
    return value, data.energy - (cross * value).sum(axis=(1, 2))


def least_norm(inputs: Array, targets: Array, value: Array) -> Array:
    """Return the interpolating A of least Frobenius norm when V is known, (E, n, n).

    Row i is the pseudo-inverse solution on the samples that label token i. It is where gradient
    descent on A itself, unfactorised, ends from zero: what a student does without the bias of
    factors. When every token is labelled all rows see one span, A = A* P with P the projection on
    it, and any other interpolant A* P + B (I - P) has larger singular values: then A* P has rank r*
    and the least *nuclear* norm as well, and the two biases cannot be told apart.

    Args:
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d), NaN where not labelled.
        value: V, (E, d, d).
    """
    data = row_moments(inputs, targets, value)
    # pinv(Z_i')' Z_i y_i by way of the Gram matrix, whose null directions are cut at 1e-10.
    inverse = np.linalg.pinv(data.gram, rcond=1e-10, hermitian=True)
    return (inverse @ data.cross[..., None])[..., 0]


def least_nuclear_norm(
    inputs: Array, targets: Array, value: Array, *, sweeps: int, tolerance: float
) -> Array:
    """Return the interpolating A of least nuclear norm when V is known, (E, n, n).

    Douglas-Rachford splitting (Lions & Mercier 1979; Combettes & Pesquet 2007) between the
    interpolants and the shrinkage of singular values, from the interpolant of least Frobenius norm.
    It is the solution that paper A's recovery argument names as the limit of gradient descent.

    Args:
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d), NaN where not labelled; free of noise.
        value: V, (E, d, d).
        sweeps: iterations at most.
        tolerance: a training set stops when it moves by less, relative to its Frobenius norm.
    """
    gram = row_moments(inputs, targets, value).gram
    seen = np.linalg.pinv(gram, rcond=1e-10, hermitian=True) @ gram
    least = least_norm(inputs, targets, value)
    norm = np.linalg.norm(least, axis=(1, 2))
    step = 0.3 * np.linalg.norm(least, 2, axis=(1, 2))[:, None]
    state, low_rank = least.copy(), least.copy()
    open_ = np.arange(len(least))
    for _ in range(sweeps):
        now = state[open_]
        fitting = now - (seen[open_] @ now[..., None])[..., 0] + least[open_]
        left, values, right = np.linalg.svd(2 * fitting - now)
        low_rank[open_] = left * np.maximum(values - step[open_], 0)[:, None] @ right
        move = low_rank[open_] - fitting
        state[open_] += move
        open_ = open_[np.linalg.norm(move, axis=(1, 2)) > tolerance * norm[open_]]
        if not len(open_):
            break
    return low_rank


def rank_estimates(operator: Array) -> dict[str, Array]:
    """Return every rank estimator of operators (..., n, n), NaN for one that is not finite."""
    finite = np.isfinite(operator).all(axis=(-2, -1), keepdims=True)
    values = np.linalg.svd(np.where(finite, operator, 0.0), compute_uv=False)
    return spectra.estimates(np.where(np.squeeze(finite, axis=-1), values, np.nan))
