"""Estimators that take attention for linear, Y = X K (X'X / n) V: least squares, in float64.

They are exact on linear attention (paper A, data-only prediction) and biased on softmax attention.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from attnrank.entropic.frontier.samples import (
    RefusedError,
    Samples,
    checked,
    kronecker_sum,
    require_memory,
)
from attnrank.entropic.frontier.value_map import check_fit, known_inverse, row_space_inverse
from attnrank.spectra import Array

MEMORY_LIMIT = 4e9


def least_squares(
    inputs: ArrayLike, outputs: ArrayLike, value: ArrayLike, *, memory_limit: float = MEMORY_LIMIT
) -> Array:
    """Return the kernel K that fits Y V^+ = X K (X'X / n) best: V known.

    Args:
        inputs: X, (N, n, d).
        outputs: Y, (N, n, e).
        value: V, (d, e), of rank d.
        memory_limit: bytes; the normal equations take 8 d^4, three times over.

    Returns:
        K, (d, d).

    Raises:
        RefusedError: V is not of rank d, the samples do not determine K, or memory.
    """
    samples = checked(inputs, outputs)
    return _fit(samples, samples.outputs @ known_inverse(samples, value), memory_limit)


def row_space_least_squares(
    inputs: ArrayLike, outputs: ArrayLike, *, memory_limit: float = MEMORY_LIMIT
) -> Array:
    """Return the kernel, up to a factor, that fits best with V unknown: n < d (ours).

    V is inverted by `value_map.row_space_inverse`, which leaves a factor open. The matrices have
    8 d^4 bytes, where those of `unfolded_kernel` have 2 d^6.

    Args:
        inputs: X, (N, n, d) with n < d.
        outputs: Y, (N, n, e) with e >= d.
        memory_limit: bytes.

    Returns:
        K up to a factor, Frobenius norm 1, (d, d).

    Raises:
        RefusedError: a condition of `value_map.row_space_inverse` or `value_map.check_fit` fails,
            the samples do not determine K, or memory.
    """
    samples = checked(inputs, outputs)
    inverse = row_space_inverse(inputs, outputs, memory_limit=memory_limit)
    mixed = samples.outputs @ inverse.matrix
    kernel = _fit(samples, mixed, memory_limit)
    x = samples.inputs
    left = mixed - x @ kernel @ (x.swapaxes(1, 2) @ x / x.shape[1])
    check_fit(left, mixed, inverse, "linear attention")
    return kernel / np.linalg.norm(kernel)


def unfolded_kernel(
    inputs: ArrayLike, outputs: ArrayLike, *, memory_limit: float = MEMORY_LIMIT
) -> Array:
    """Return the operator of the d^6 fit, whose rank is that of K: V unknown.

    The outputs are linear in x_i (x) svec(X'X / n) with the coefficients T_{a(bc)e} =
    (K_ab V_ce + K_ac V_be) / 2. T is fitted by least squares; its unfolding along a has the column
    space of K, and equal singular values if K and V are flat.

    Args:
        inputs: X, (N, n, d), with at least d^2 (d + 1) / 2 tokens in all.
        outputs: Y, (N, n, e).
        memory_limit: bytes; the normal equations take 2 d^6, three times over.

    Returns:
        Shape (d, e d (d + 1) / 2).

    Raises:
        RefusedError: fewer tokens than unknowns, the samples do not determine T, or memory.
    """
    samples = checked(inputs, outputs)
    count, tokens, width, out = samples.shape
    pairs = width * (width + 1) // 2
    unknowns = width * pairs

    def needed(size: int) -> float:
        return 24.0 * (size * size * (size + 1) / 2) ** 2

    fits = max((size for size in range(1, width) if needed(size) <= memory_limit), default=0)
    require_memory(
        f"unfolded_kernel with d = {width} ({unknowns} unknowns for each output)",
        needed(width),
        memory_limit,
        f"d = {fits} fits. With n < d, row_space_least_squares needs d^4 instead of d^6",
    )
    if count * tokens < unknowns:
        raise RefusedError(
            f"unfolded_kernel with d = {width} has {unknowns} unknowns for each output, and there "
            f"are N n = {count * tokens} tokens: more samples are needed"
        )
    x, y = samples.inputs, samples.outputs
    gram = x.swapaxes(1, 2) @ x / tokens
    rows, columns = np.triu_indices(width)
    # svec: off-diagonal entries times sqrt 2, so that inner products are those of the matrices.
    packed = gram[:, rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0))
    normal = kronecker_sum(gram * tokens, packed[:, :, None] * packed[:, None, :])
    cross = x.swapaxes(1, 2) @ y
    target = np.tensordot(cross, packed, axes=(0, 0)).transpose(0, 2, 1)
    solution = _solve(normal, target.reshape(unknowns, out))
    return solution.reshape(width, pairs * out)


def _fit(samples: Samples, mixed: Array, memory_limit: float) -> Array:
    """Return the best K for Z = X K G, (d, d), where Z = Y W, (N, n, d), is the mixed inputs."""
    _, tokens, width, _ = samples.shape
    require_memory(
        f"least squares with d = {width}",
        24.0 * width**4,
        memory_limit,
        f"d = {int((memory_limit / 24.0) ** 0.25)} fits",
    )
    x = samples.inputs
    gram = x.swapaxes(1, 2) @ x / tokens
    target = (x.swapaxes(1, 2) @ mixed @ gram).sum(axis=0)
    normal = kronecker_sum(gram * tokens, gram @ gram)
    return _solve(normal, target.reshape(-1, 1)).reshape(width, width)


def _solve(normal: Array, target: Array) -> Array:
    """Solve the normal equations, or say that the samples do not determine the solution."""
    scale = 1 / np.sqrt(np.maximum(np.diagonal(normal), np.finfo(float).tiny))
    message = "the samples do not determine the kernel: more samples are needed"
    try:
        factor = linalg.cho_factor(normal * scale[:, None] * scale, overwrite_a=True)
    except linalg.LinAlgError:
        raise RefusedError(message) from None
    pivots = np.diagonal(factor[0]) ** 2
    if pivots.min() < 1e-10 * pivots.max():
        raise RefusedError(message)
    return scale[:, None] * linalg.cho_solve(factor, scale[:, None] * target)
