"""A head with one feature less than there are queries, and the least error the theorem allows it.

The certificate asks that the kernel alpha be nonnegative, not the features. This head shows that it
is tight for that class: n - 1 signed features whose kernel is positive reach the certified error.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, vstack

from attnrank.errors import AttnrankError
from attnrank.minip.witness.inputs import Inputs

Array = NDArray[np.float64]
_LEAST_WEIGHT = 1e-4


@dataclass(frozen=True)
class Head:
    """A constructed head on T tokens with r features.

    Attributes:
        query_features: phi_Q of each query, shape (n, r).
        key_features: phi_K of each token, shape (T, r).
        readout: u(x_i, z) for each query and token, 0 where they never meet, shape (n, T).
        error: greatest absolute error over all inputs.
    """

    query_features: Array
    key_features: Array
    readout: Array
    error: float


def nonnegative_kernel_head(inputs: Inputs, slack: float, mixing: float) -> Head:
    """Build a head with n - 1 features for n queries.

    The n x n kernel of queries and their keys is [[B, pJ], [pJ, C]], B and C of sizes S = n // 2
    and T = n - S with diagonal 1 and off-diagonal ``mixing``. p is such that a combination of the
    first S rows equals one of the others, so its rank is n - 1; its ratio of diagonal to
    off-diagonal, 1/p, is near sqrt(S T), the greatest that the sign split allows. Each other key is
    met by one query only and gets a multiple of the features of that query's own key. Multiples
    and read-outs are linear programs.

    Args:
        inputs: the suite.
        slack: by how much, relatively, the multiples' program may exceed the certified error
            gap / (2 (1 + sqrt(S T))), gap the greatest target.
        mixing: positive, so that every weight is.

    Raises:
        AttnrankError: no head of this form has that error.
    """
    n = len(inputs.query_token)
    first, second = n // 2, n - n // 2
    kernel = np.full((n, n), mixing)
    sums = 1 + (first - 1) * mixing, 1 + (second - 1) * mixing
    off_diagonal = np.sqrt(sums[0] * sums[1] / (first * second))
    kernel[:first, first:] = kernel[first:, :first] = off_diagonal
    np.fill_diagonal(kernel, 1.0)
    left, values, right = np.linalg.svd(kernel)
    query_features = left[:, :-1] * values[:-1]
    own = right[:-1].T
    eps = (1 + slack) * inputs.targets.max() / (2 * (1 + np.sqrt(first * second)))

    key_features = np.zeros((len(inputs.tokens), n - 1))
    key_features[inputs.key_token] = own[np.arange(len(inputs.key_token)) % n]
    fixed = dict(zip(inputs.key_token[:n].tolist(), range(n), strict=True))
    for i in range(n):
        tokens, counts, targets = _of_query(inputs, i)
        weights = _weights(counts, targets, eps, tokens, fixed, kernel[i])
        free = ~np.isin(tokens, inputs.key_token)
        key_features[tokens[free]] = weights[free, None] / kernel[i, i] * own[i]

    alpha = query_features @ key_features.T
    readout, errors = np.zeros_like(alpha), np.zeros(n)
    for i in range(n):
        tokens, counts, targets = _of_query(inputs, i)
        shares = counts * alpha[i, tokens]
        shares /= shares.sum(axis=1, keepdims=True)
        readout[i, tokens] = _readout(shares, targets)
        errors[i] = np.abs(shares @ readout[i, tokens] - targets).max()
    return Head(query_features, key_features, readout, float(errors.max()))


def _of_query(inputs: Inputs, i: int) -> tuple[NDArray[np.int64], Array, Array]:
    """Return a query's tokens (K,), how often its inputs hold them (Q, K), and targets (Q,)."""
    rows = inputs.sequences[inputs.sequences[:, 0] == inputs.query_token[i]]
    targets = inputs.targets[inputs.sequences[:, 0] == inputs.query_token[i]]
    tokens = np.unique(rows)
    counts = (rows[:, :, None] == tokens).sum(axis=1).astype(np.float64)
    return tokens, counts, targets.astype(np.float64)


def _weights(
    counts: Array,
    targets: Array,
    eps: float,
    tokens: NDArray[np.int64],
    fixed: dict[int, int],
    kernel: Array,
) -> Array:
    """Return weights (K,) that allow the error eps, with those of the n keys as they are."""
    scaled = counts * targets[:, None]
    upper = hstack([csr_array(-scaled - eps * counts), csr_array(counts)])
    lower = hstack([csr_array(scaled - eps * counts), csr_array(-counts)])
    bounds: list[tuple[float | None, float | None]] = [
        (kernel[fixed[token]],) * 2 if token in fixed else (_LEAST_WEIGHT, None)
        for token in tokens.tolist()
    ]
    bounds += [(None, None)] * len(tokens)
    result = linprog(
        np.zeros(2 * len(tokens)),
        A_ub=vstack([upper, lower]).tocsr(),
        b_ub=np.zeros(2 * len(targets)),
        bounds=bounds,
        method="highs",
    )
    if result.status != 0:
        raise AttnrankError(f"no head of this form has the error {eps}: {result.message}")
    return result.x[: len(tokens)]


def _readout(shares: Array, targets: Array) -> Array:
    """Return the read-out (K,) of least greatest error for given attention, shape (Q, K)."""
    tokens = shares.shape[1]
    slack = -np.ones((len(targets), 1))
    result = linprog(
        np.append(np.zeros(tokens), 1.0),
        A_ub=np.block([[shares, slack], [-shares, slack]]),
        b_ub=np.append(targets, -targets),
        bounds=[(None, None)] * tokens + [(0, None)],
        method="highs",
    )
    return result.x[:tokens]
