"""What every estimator asks of its arrays, and how it refuses what it cannot estimate."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnrank.errors import AttnrankError
from attnrank.spectra import Array

Index = NDArray[np.int64]


class RefusedError(AttnrankError):
    """The data do not meet a condition of the estimator: which, what was found, what is needed."""


@dataclass(frozen=True)
class Samples:
    """Inputs and outputs of one attention layer, in float64.

    Attributes:
        inputs: X, (N, n, d).
        outputs: Y, (N, n, e).
    """

    inputs: Array
    outputs: Array

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Return N, n, d, e."""
        samples, tokens, width = self.inputs.shape
        return samples, tokens, width, self.outputs.shape[2]

    def part(self, chosen: slice) -> "Samples":
        """Return some of the samples."""
        return Samples(self.inputs[chosen], self.outputs[chosen])


def checked(inputs: ArrayLike, outputs: ArrayLike) -> Samples:
    """Return a user's arrays as samples.

    Args:
        inputs: X, (N, n, d).
        outputs: Y, (N, n, e), e = d for a square V.

    Raises:
        RefusedError: the shapes do not belong together, or a number is not finite.
    """
    x, y = np.asarray(inputs, dtype=np.float64), np.asarray(outputs, dtype=np.float64)
    if x.ndim != 3 or y.ndim != 3 or x.shape[:2] != y.shape[:2] or 0 in (*x.shape, *y.shape):
        raise RefusedError(
            "inputs must have shape (N, n, d) and outputs (N, n, e) with the same N and n, none "
            f"of them 0; got {x.shape} and {y.shape}"
        )
    for name, array in (("inputs", x), ("outputs", y)):
        if not np.isfinite(array).all():
            raise RefusedError(f"{name} hold a value that is not finite")
        if not array.any():
            raise RefusedError(f"{name} are all zero")
    return Samples(x, y)


def require_memory(name: str, needed: float, limit: float, allowed: str) -> None:
    """Refuse a computation whose matrices do not fit.

    Args:
        name: of the estimator, with its sizes.
        needed: bytes.
        limit: bytes.
        allowed: what does fit.

    Raises:
        RefusedError: states the memory needed, the limit, and what fits.
    """
    if needed > limit:
        raise RefusedError(
            f"{name} needs {needed / 1e9:.3g} GB of memory, above memory_limit = "
            f"{limit / 1e9:.3g} GB: {allowed}"
        )


def coordinate_moment(inputs: Array) -> Array:
    """Return the second moment of a token's coordinates over all samples, (d, d).

    Raises:
        RefusedError: the tokens lie in a subspace, where no kernel is determined outside.
    """
    flat = inputs.reshape(-1, inputs.shape[-1])
    moment = flat.T @ flat / len(flat)
    least, most = np.linalg.eigvalsh(moment)[[0, -1]]
    if least <= 1e-12 * most:
        raise RefusedError(
            "the inputs lie in a subspace of their coordinates: project them onto it, the kernel "
            "is not determined outside"
        )
    return moment


def kronecker_sum(left: Array, right: Array) -> Array:
    """Return sum_s L_s (x) R_s for symmetric matrices, by one product of their upper triangles.

    Args:
        left: L, (N, a, a).
        right: R, (N, b, b).

    Returns:
        Shape (a b, a b), for vectors flattened row by row.
    """
    (rows, across), (left_index, right_index) = zip(
        *(_triangle(matrix.shape[-1]) for matrix in (left, right)), strict=True
    )
    a, b = len(left_index), len(right_index)
    packed = left[:, *rows].T @ right[:, *across]
    full = packed[left_index[:, None, :, None], right_index[None, :, None, :]]
    return full.reshape(a * b, a * b)


def _triangle(size: int) -> tuple[tuple[Index, Index], Index]:
    """Return the upper triangle's indices, and where in it each entry of the matrix stands."""
    rows, columns = (np.asarray(part, dtype=np.int64) for part in np.triu_indices(size))
    place = np.empty((size, size), dtype=np.int64)
    place[rows, columns] = place[columns, rows] = np.arange(len(rows))
    return (rows, columns), place


def whitened(kernel: Array, inputs: Array) -> Array:
    """Return R K R' with R'R = C, the second moment of the coordinates: the rank stays.

    The noise of an estimated K is large where the inputs are small; here it is even, as the rules
    that choose a rank expect.

    Args:
        kernel: K, (d, d).
        inputs: X, (N, n, d).
    """
    root = np.linalg.cholesky(coordinate_moment(inputs)).T
    return np.asarray(root @ kernel @ root.T)


def singular_values(matrix: Array) -> Array:
    """Return the singular values, descending, (..., k)."""
    return np.asarray(np.linalg.svd(matrix, compute_uv=False), dtype=np.float64)
