"""The second moments through which the squared loss depends on the data.

The mean squared error of A X V over a training set is a quadratic form in A (x) V:

    N n d * mse = |Y|^2 - 2 vec(A)' C vec(V) + vec(A'A)' G vec(VV'),

with C[ij, ae] = sum Y_ie X_ja and G[jk, ab] = sum X_ja X_kb over the samples. A full-batch step
then costs n^2 d^2 instead of N n d (n + d), and is the same step: nothing is approximated.
"""

from dataclasses import dataclass

import numpy as np

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
    """Sum the moments of training sets X and Y, each (E, N, n, d), in float64."""
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


def mean_squared_error(operator: Array, value: Array, inputs: Array, targets: Array) -> Array:
    """Return the mean squared error of A X V per entry, from the residuals themselves.

    Args:
        operator: A, (E, n, n).
        value: V, (E, d, d).
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d).

    Returns:
        Shape (E,).
    """
    residual = operator[:, None] @ inputs @ value[:, None] - targets
    return (residual**2).mean(axis=(1, 2, 3))
