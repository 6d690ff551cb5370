"""The best static kernel in closed form, in float64."""

import numpy as np

from attnrank.spectra import Array


def static_kernel_residual(operator: Array, inputs: Array, *, positions: bool) -> float:
    """Return how much of A* X the best linear mixer Z K Z' / n misses with one K for all inputs.

    min over K of sum_s |Z_s K Z_s' X_s / n - A* X_s|_F^2 / sum_s |A* X_s|_F^2: linear least squares
    in the entries of K, of any rank, without noise. V* is known and orthogonal (up to a factor), so
    that it drops out.

    Args:
        operator: A*, (n, n).
        inputs: X, (m, n, d), the m distinct inputs.
        positions: Z is X with one-hot positions appended, (m, n, d + n), instead of X.

    Returns:
        Between 0 and 1.
    """
    count, tokens, width = inputs.shape
    seen = inputs
    if positions:
        one_hot = np.broadcast_to(np.eye(tokens), (count, tokens, tokens))
        seen = np.concatenate([inputs, one_hot], axis=2)
    summed = seen.swapaxes(1, 2) @ inputs / tokens
    # Entry (i, e) of sample s is linear in K_ab with the coefficient z_sia (Z_s' X_s / n)_be.
    design = np.einsum("sia,sbe->sieab", seen, summed).reshape(count * tokens * width, -1)
    target = (operator @ inputs).reshape(-1)
    kernel = np.linalg.lstsq(design, target, rcond=None)[0]
    return float(((design @ kernel - target) ** 2).sum() / (target**2).sum())
