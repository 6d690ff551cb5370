"""Random operators that paper A's teachers are made of: numpy arrays in float64."""

import numpy as np

from attnrank.spectra import Array


def orthonormal(rng: np.random.Generator, rows: int, columns: int) -> Array:
    """Return a matrix whose columns are orthonormal, uniformly distributed (Haar).

    The signs of R's diagonal are moved into Q: the bare Q of a QR factorisation is not uniform
    (Mezzadri 2007, "How to generate random matrices from the classical compact groups").

    Args:
        rng: source of the numbers.
        rows: length of a column.
        columns: how many, 1 to ``rows``.

    Returns:
        Shape (rows, columns).

    Raises:
        ValueError: there are more columns than rows, or none.
    """
    if not 1 <= columns <= rows:
        raise ValueError(f"columns = {columns}: 1 to rows = {rows} are possible")
    q, r = np.linalg.qr(rng.standard_normal((rows, columns)))
    return q * np.where(np.diagonal(r) < 0, -1.0, 1.0)


def orthogonal(rng: np.random.Generator, size: int) -> Array:
    """Return a uniformly distributed (Haar) orthogonal matrix, shape (size, size)."""
    return orthonormal(rng, size, size)


def flat_low_rank(rng: np.random.Generator, size: int, rank: int, norm: float) -> Array:
    """Return a square matrix of a given rank whose nonzero singular values are all equal.

    On a flat spectrum every rank estimator of `attnrank.spectra` equals the rank, so a student's
    estimate can be compared with r* itself.

    Args:
        rng: source of the numbers.
        size: rows and columns.
        rank: r*, 1 to ``size``.
        norm: Frobenius norm; each nonzero singular value is norm / sqrt(rank).

    Returns:
        Shape (size, size).
    """
    left, right = orthonormal(rng, size, rank), orthonormal(rng, size, rank)
    return norm / np.sqrt(rank) * left @ right.T


def decaying_low_rank(
    rng: np.random.Generator, rows: int, columns: int, rank: int, norm: float, *, decay: float
) -> Array:
    """Return a matrix of a given rank whose nonzero singular values fall geometrically.

    Args:
        rng: source of the numbers.
        rows: of the matrix.
        columns: of the matrix.
        rank: 1 to the smaller of both.
        norm: Frobenius norm.
        decay: the smallest nonzero singular value over the largest, above 0; 1 is a flat spectrum.

    Returns:
        Shape (rows, columns).
    """
    left, right = orthonormal(rng, rows, rank), orthonormal(rng, columns, rank)
    values = np.geomspace(1.0, decay, rank)
    return norm / np.linalg.norm(values) * (left * values) @ right.T
