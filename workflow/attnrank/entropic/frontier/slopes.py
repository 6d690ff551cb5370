"""Cross-fit slopes: a rank estimate for linear and softmax attention alike, V unknown (ours)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attnrank.entropic.frontier.samples import RefusedError, Samples, checked, coordinate_moment
from attnrank.spectra import Array

# Tokens of a half for each coordinate: in a pilot 1.25 lost half of a large rank at noise 1.
LEAST_TOKENS = 1.5
CHUNK = 64


@dataclass(frozen=True)
class Slopes:
    """The mean product of the slopes of two halves of the tokens.

    Attributes:
        products: one symmetric matrix for each sample, (N, d, d).
        mean: their mean, (d, d), of rank r*.
    """

    products: Array
    mean: Array

    @property
    def singular_values(self) -> Array:
        """Return what stands for K's singular values, descending, (d,).

        Square roots of the mean's eigenvalues; one below zero, which only noise makes, counts as 0.
        """
        return np.sqrt(np.maximum(np.linalg.eigvalsh(self.mean)[::-1], 0.0))


def cross_fit_slopes(inputs: ArrayLike, outputs: ArrayLike) -> Slopes:
    """Regress outputs on inputs within each half of the tokens of a sample, and multiply.

    Within a sample the outputs of linear attention are X (K G V): the slope B has the column space
    of K. The slope of softmax attention has it too for inputs of an elliptical distribution, where
    the best linear fit to a function of K'x lies in the span of K (Li and Duan 1989). The noises of
    two halves are independent, so mean(B1 B2') has no bias from noise; its rank is r*. V may be
    rectangular or singular; of several heads it gives the rank of [K_1 K_2 ...].

    Coordinates are whitened by the inputs' second moment C: the matrix belongs to C^(1/2) K.

    Args:
        inputs: X, (N, n, d), with n / 2 at least 1.5 d.
        outputs: Y, (N, n, e).

    Raises:
        RefusedError: too few tokens in a half, or two samples at least are not given.
    """
    samples = checked(inputs, outputs)
    count, tokens, width, _ = samples.shape
    half = tokens // 2
    if half < LEAST_TOKENS * width:
        raise RefusedError(
            f"cross_fit_slopes needs n / 2 well above d, at least {LEAST_TOKENS:g} d = "
            f"{LEAST_TOKENS * width:g} tokens in each half, and there are {half}. With n < d, "
            "softmax.row_space_likelihood applies"
        )
    if count < 2:
        raise RefusedError("cross_fit_slopes needs 2 samples at least")
    root = np.linalg.cholesky(coordinate_moment(samples.inputs)).T
    products = np.empty((count, width, width))
    # Slopes of all samples at once would double the memory that the data take.
    for start in range(0, count, CHUNK):
        part = samples.part(slice(start, start + CHUNK))
        first, second = (root @ _slopes(part, s) for s in (slice(0, half), slice(half, 2 * half)))
        product = first @ second.swapaxes(1, 2)
        products[start : start + CHUNK] = (product + product.swapaxes(1, 2)) / 2
    return Slopes(products, products.mean(axis=0))


def _slopes(samples: Samples, chosen: slice) -> Array:
    """Return each sample's regression of Y on X, both centred, over some tokens, (N, d, e)."""
    x, y = samples.inputs[:, chosen], samples.outputs[:, chosen]
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    transposed = x.swapaxes(1, 2)
    try:
        return np.linalg.solve(transposed @ x, transposed @ y)
    except np.linalg.LinAlgError:
        raise RefusedError(
            "the tokens of a sample lie in a subspace: no slope is determined"
        ) from None
