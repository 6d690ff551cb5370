"""The second moments through which the squared loss depends on the data.

The mean squared error of A X V over a training set is a quadratic form in A (x) V:

    N n d * mse = |Y|^2 - 2 vec(A)' C vec(V) + vec(A'A)' G vec(VV'),

with C[ij, ae] = sum Y_ie X_ja and G[jk, ab] = sum X_ja X_kb over the samples. A full-batch step
then costs n^2 d^2 instead of N n d (n + d), and is the same step: nothing is approximated.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnrank.spectra import Array


@dataclass(frozen=True)
class Moments:
    """Moments of E training sets, divided by the number of target entries N n d.

    Attributes:
        energy: |Y|^2 / (N n d), (E,).
        cross: C, (E, n n, d d).
        gram: G, (E, n n, d d).
        tokens: n.
        width: d.
    """

    energy: Array
    cross: Array
    gram: Array
    tokens: int
    width: int


def moments(inputs: Array, targets: Array) -> Moments:
    """Sum the moments of training sets X and Y, each (E, N, n, d), all labelled, in float64."""
    count, samples, tokens, width = inputs.shape
    entries = samples * tokens * width
    x = inputs.reshape(count, samples, tokens * width)
    y = targets.reshape(count, samples, tokens * width)

    def pairs(left: Array, right: Array) -> Array:
        """Sum left_ia right_jb over samples, ordered as [ij, ab]."""
        total = (np.swapaxes(left, 1, 2) @ right).reshape(count, tokens, width, tokens, width)
        return total.transpose(0, 1, 3, 2, 4).reshape(count, tokens**2, width**2) / entries

    # C is [i e, j a] as [ij, ea]; V has rows a, so its last two axes are swapped to [ij, ae].
    cross = pairs(y, x).reshape(count, tokens**2, width, width).swapaxes(2, 3)
    return Moments(
        energy=(y**2).sum(axis=(1, 2)) / entries,
        cross=np.ascontiguousarray(cross).reshape(count, tokens**2, width**2),
        gram=pairs(x, x),
        tokens=tokens,
        width=width,
    )


@dataclass(frozen=True)
class RowMoments:
    """Moments of E training sets when V is known, divided by the number of labelled entries.

    The error of row a_i of A depends on the samples that label token i only:
    mse = energy + sum_i a_i' G_i a_i - 2 c_i' a_i.

    Attributes:
        energy: labelled |Y|^2 per entry, (E,).
        cross: c_i, the rows of (E, n, n).
        gram: G_i, (E, n, n, n).
    """

    energy: Array
    cross: Array
    gram: Array


def row_moments(inputs: Array, targets: Array, value: Array) -> RowMoments:
    """Sum the row moments of X and Y, each (E, N, n, d), for V (E, d, d); NaN is no label."""
    seen, y = labels(targets)
    z = inputs @ value[:, None]
    entries = seen.sum(axis=(1, 2, 3)).astype(np.float64)
    # One label covers a whole token, so its first entry stands for all d.
    gram = np.einsum("esi,esjk->eijk", seen[..., 0] * 1.0, z @ z.swapaxes(2, 3), optimize=True)
    return RowMoments(
        energy=(y**2).sum(axis=(1, 2, 3)) / entries,
        cross=(y @ z.swapaxes(2, 3)).sum(axis=1) / entries[:, None, None],
        gram=gram / entries[:, None, None, None],
    )


def labels(targets: Array) -> tuple[NDArray[np.bool_], Array]:
    """Return which targets are labelled, and the targets with 0 where they are not."""
    seen = np.isfinite(targets)
    return seen, np.where(seen, targets, 0.0)


def mean_squared_error(operator: Array, value: Array, inputs: Array, targets: Array) -> Array:
    """Return the mean squared error of A X V per labelled entry, from the residuals themselves.

    Args:
        operator: A, (E, n, n).
        value: V, (E, d, d).
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d), NaN where not labelled.

    Returns:
        Shape (E,).
    """
    seen, y = labels(targets)
    residual = np.where(seen, operator[:, None] @ inputs @ value[:, None] - y, 0.0)
    return (residual**2).sum(axis=(1, 2, 3)) / seen.sum(axis=(1, 2, 3))
