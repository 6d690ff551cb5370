"""Rank estimators on singular values, shared by every chapter of paper A.

Each function takes singular values of shape (..., k), k >= 1, nonnegative and in any order, and
returns an array of shape (...,). Each is invariant to the scale of its input. An all-zero spectrum
has rank 0. A spectrum with a value that is not finite (a diverged run) has rank NaN.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def _normalised(values: Array) -> Array:
    """Divide by the largest value, which keeps squares from overflowing; zeros stay zeros."""
    values = np.asarray(values, dtype=np.float64)
    if np.any(values < 0):
        raise ValueError("singular values are nonnegative: got a negative one")
    top = values.max(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(top > 0, values / np.where(top > 0, top, 1.0), values)


def _or_nan(rank: Array, values: Array) -> Array:
    return np.where(np.isfinite(values).all(axis=-1), rank, np.nan)


def numerical_rank(values: Array, tolerance: float) -> Array:
    """Count the singular values above ``tolerance`` times the largest."""
    scaled = _normalised(values)
    return _or_nan((scaled > tolerance).sum(axis=-1).astype(np.float64), scaled)


def entropy_effective_rank(values: Array) -> Array:
    """Return exp of the Shannon entropy of the normalised singular values (Roy & Vetterli 2007)."""
    scaled = _normalised(values)
    total = scaled.sum(axis=-1, keepdims=True)
    share = scaled / np.where(total > 0, total, 1.0)
    logs = np.log(np.where(share > 0, share, 1.0))
    rank = np.exp(-(share * logs).sum(axis=-1))
    return _or_nan(np.where(total[..., 0] > 0, rank, 0.0), scaled)


def energy_effective_rank(values: Array) -> Array:
    """Return exp of the entropy of the normalised *squared* singular values (paper A)."""
    return entropy_effective_rank(_normalised(values) ** 2)


def participation_ratio(values: Array) -> Array:
    """Return (sum s^2)^2 / sum s^4."""
    energy = _normalised(values) ** 2
    fourth = (energy**2).sum(axis=-1)
    ratio = energy.sum(axis=-1) ** 2 / np.where(fourth > 0, fourth, 1.0)
    return _or_nan(ratio, energy)


def stable_rank(values: Array) -> Array:
    """Return sum s^2 / max s^2, the squared Frobenius over the squared spectral norm."""
    energy = _normalised(values) ** 2
    return _or_nan(energy.sum(axis=-1), energy)


def estimates(values: Array) -> dict[str, Array]:
    """Return every estimator by its name, at the tolerances the project reports."""
    return {
        "numerical_rank_01": numerical_rank(values, 0.01),
        "numerical_rank_05": numerical_rank(values, 0.05),
        "numerical_rank_10": numerical_rank(values, 0.10),
        "energy_effective_rank": energy_effective_rank(values),
        "entropy_effective_rank": entropy_effective_rank(values),
        "participation_ratio": participation_ratio(values),
        "stable_rank": stable_rank(values),
    }


def rank_estimates(matrices: Array) -> dict[str, Array]:
    """Return every estimator of matrices (..., m, n), NaN for one that is not finite."""
    finite = np.isfinite(matrices).all(axis=(-2, -1), keepdims=True)
    values = np.linalg.svd(np.where(finite, matrices, 0.0), compute_uv=False)
    return estimates(np.where(np.squeeze(finite, axis=-1), values, np.nan))
