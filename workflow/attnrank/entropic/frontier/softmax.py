"""Estimators of the kernel of softmax attention, Y = softmax(X K X') X V, without training (ours).

Paper A leaves a softmax-robust estimate open. Two of these do not know V and ask for n < d.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, special

from attnrank.entropic.frontier.samples import (
    RefusedError,
    checked,
    coordinate_moment,
    kronecker_sum,
)
from attnrank.entropic.frontier.value_map import (
    check_fit,
    known_inverse,
    pseudo_inverses,
    row_space_inverse,
    scaled_by_row_sums,
)
from attnrank.spectra import Array

CLAMP = 1e-6
NEWTON_STEPS = 30


def row_stochastic_log(inputs: ArrayLike, outputs: ArrayLike) -> Array:
    """Return K from the logarithms of the mixers: V unknown, n < d, low noise.

    The rows of a softmax mixer sum to one, so y_i' W (X^+ 1) = 1 with W = V^-1, which is linear in
    W. Then M = Y W X^+, and log M_ij = x_i' K x_j - log Z_i is regressed on K with a free intercept
    for each row and the weights M_ij^2, the inverse variance of the logarithm. Entries below 1e-6,
    negative ones too, are set to 1e-6: with noise that biases K, which tends to 0.

    Args:
        inputs: X, (N, n, d) with n < d.
        outputs: Y, (N, n, e) with e >= d.

    Returns:
        K, (d, d).

    Raises:
        RefusedError: a condition of `value_map.row_space_inverse` fails, which tells whether one
            invertible V explains the outputs; the mixers' rows do not sum to one; or the samples do
            not determine W.
    """
    samples = checked(inputs, outputs)
    # For its conditions alone.
    scaled_by_row_sums(samples, row_space_inverse(inputs, outputs))
    x, y = samples.inputs, samples.outputs
    width, out = samples.shape[2:]
    if out > width:
        flat = y.reshape(-1, out)
        y = y @ np.linalg.eigh(flat.T @ flat)[1][:, -width:]
    undo = pseudo_inverses(x)
    sums = undo.sum(axis=2)
    normal = kronecker_sum(y.swapaxes(1, 2) @ y, sums[:, :, None] * sums[:, None, :])
    target = np.einsum("sie,sf->ef", y, sums).reshape(-1)
    try:
        inverse = linalg.solve(normal, target, assume_a="pos").reshape(width, width)
    except linalg.LinAlgError:
        raise RefusedError("the samples do not determine V: more samples are needed") from None
    mixer = np.maximum(y @ inverse @ undo, CLAMP)
    weights = mixer**2 / (mixer**2).sum(axis=-1, keepdims=True)
    logs = np.log(mixer)
    score = _centred_product(x, weights, logs)
    return _conjugate_gradients(
        partial(_curvature, x, weights), score, _preconditioner(x), tolerance=1e-10
    )


def likelihood(inputs: ArrayLike, outputs: ArrayLike, value: ArrayLike) -> Array:
    """Return K of the greatest quasi-likelihood: V known.

    K minimises sum_i [log sum_j exp(x_i' K x_j) - x_i' K z_i], z_i = V^+' y_i: a multinomial
    logistic regression whose labels are the mixing weights. It asks for their mean sum_j M_ij x_j
    = z_i alone. It is convex, and its gradient is linear in z, so white noise of any size leaves it
    consistent. Newton's method starts at K = 0; nothing is tuned.

    Args:
        inputs: X, (N, n, d).
        outputs: Y, (N, n, e).
        value: V, (d, e), of rank d.

    Returns:
        K, (d, d).

    Raises:
        RefusedError: V is not of rank d; or there is no minimum, and the outputs are not those of a
            softmax with this V.
    """
    samples = checked(inputs, outputs)
    return _newton(samples.inputs, samples.outputs @ known_inverse(samples, value))


def row_space_likelihood(inputs: ArrayLike, outputs: ArrayLike) -> Array:
    """Return K of the greatest quasi-likelihood: V unknown, n < d.

    V is inverted by `value_map.row_space_inverse`, scaled by the rows of the mixers, which sum to
    one. Then as `likelihood`.

    Args:
        inputs: X, (N, n, d) with n < d.
        outputs: Y, (N, n, e) with e >= d.

    Returns:
        K, (d, d).

    Raises:
        RefusedError: a condition of `value_map.row_space_inverse` fails; the mixers' rows do not
            sum to one; there is no minimum; or the fit leaves more than the noise.
    """
    samples = checked(inputs, outputs)
    inverse = scaled_by_row_sums(samples, row_space_inverse(inputs, outputs))
    mixed = samples.outputs @ inverse.matrix
    kernel = _newton(samples.inputs, mixed)
    left = mixed - special.softmax(_scores(samples.inputs, kernel), axis=-1) @ samples.inputs
    check_fit(left, mixed, inverse, "softmax attention")
    return kernel


def _newton(x: Array, mixed: Array) -> Array:
    """Minimise the convex objective of `likelihood` for Z, (N, n, d), by Newton's method."""
    tokens = x.shape[0] * x.shape[1]
    moment = _flat(x).T @ _flat(mixed)
    inverse = _preconditioner(x)
    kernel = np.zeros((x.shape[2], x.shape[2]))

    def objective(at: Array) -> tuple[float, Array]:
        scores = _scores(x, at)
        return float(special.logsumexp(scores, axis=-1).sum() - (at * moment).sum()), scores

    value, scores = objective(kernel)
    first = None
    for _ in range(NEWTON_STEPS):
        weights = special.softmax(scores, axis=-1)
        gradient = _flat(x).T @ _flat(weights @ x) - moment
        # The norm that the preconditioner gives does not depend on the units of the inputs.
        size = float(np.sqrt((gradient * (inverse @ gradient @ inverse)).sum()))
        first = size if first is None else first
        if size <= 1e-9 * first or size <= 1e-9 * np.sqrt(tokens):
            return kernel
        step = _conjugate_gradients(
            partial(_curvature, x, weights), -gradient, inverse, tolerance=min(0.1, size / first)
        )
        slope, length = float((gradient * step).sum()), 1.0
        while length > 1e-6:
            new, scores = objective(kernel + length * step)
            if new <= value + 1e-4 * length * slope + 1e-13 * abs(value):
                break
            length /= 2
        kernel, value = kernel + length * step, new
        if not np.isfinite(kernel).all():
            break
    raise RefusedError(
        f"the likelihood has no minimum that Newton's method finds in {NEWTON_STEPS} steps: the "
        "outputs are not those of a softmax, or the noise is too large for so few samples"
    )


def _flat(x: Array) -> Array:
    return x.reshape(-1, x.shape[-1])


def _scores(x: Array, kernel: Array) -> Array:
    """Return X K X', (N, n, n)."""
    return (_flat(x) @ kernel).reshape(x.shape) @ x.swapaxes(1, 2)


def _centred_product(x: Array, weights: Array, entries: Array) -> Array:
    """Return sum_i x_i sum_j w_ij (l_ij - mean l_i) x_j', (d, d), for weights that sum to one."""
    weighted = weights * entries
    inner = weighted @ x - weighted.sum(axis=-1, keepdims=True) * (weights @ x)
    return _flat(x).T @ _flat(inner)


def _curvature(x: Array, weights: Array, direction: Array) -> Array:
    """Return the weighted normal equations applied to a change of K, (d, d)."""
    return _centred_product(x, weights, _scores(x, direction))


def _preconditioner(x: Array) -> Array:
    return np.asarray(np.linalg.inv(coordinate_moment(x)), dtype=np.float64)


def _conjugate_gradients(
    apply: Callable[[Array], Array], target: Array, inverse: Array, *, tolerance: float
) -> Array:
    """Solve for a (d, d) matrix, preconditioned by C^-1 on both sides."""
    solution = np.zeros_like(target)
    residual = target
    direction = inverse @ residual @ inverse
    energy = start = float((residual * direction).sum())
    for _ in range(20 * len(target)):
        if energy <= tolerance**2 * start:
            break
        curved = apply(direction)
        bend = float((direction * curved).sum())
        if not bend > 0:
            break
        solution = solution + energy / bend * direction
        residual = residual - energy / bend * curved
        turned = inverse @ residual @ inverse
        before, energy = energy, float((residual * turned).sum())
        direction = turned + energy / before * direction
    return solution
