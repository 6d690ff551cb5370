"""Prove how peaked attention must be on a suite, and bound its rank by that.

The proofs are of `attnrank.minip.duals`: one linear program for each query and pair of keys. What
varies between heads is only what the unknowns are:

- values of any dimension, and read-outs that depend on the query: in every program g = alpha u
  with a free number u(x, z), of which a(x)^T v(z) + b(x) is one; so the program stays as it is.
- position-dependent token maps: one unknown alpha_p(x, z) for each position p besides the query's.
  The program bounds sum_p alpha_p(x, y_i) / sum_p alpha_p(x, y_j), and sum_p alpha_p =
  <phi_Q, sum_p phi_K,p> is again a matrix of rank at most r.
- the causal last query: it stands last and attends to everything before it, so nothing but its
  position changes.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from attnrank.errors import AttnrankError
from attnrank.minip.duals import Ints, Multipliers, System, prove_ratio

QueryPosition = Literal["first", "last"]


@dataclass(frozen=True)
class PairProof:
    """A proof that error <= eps forces alpha(x_i, y_i) >= ratio * alpha(x_i, y_j).

    Attributes:
        eps: the error, exact.
        query: index i of the query and of the key in the numerator.
        key: index j of the key in the denominator.
        numerator: token of key i.
        denominator: token of key j.
        ratio: the proven ratio, exact; positive.
        multipliers: for (row of the suite, side), the weight of that constraint; the others are 0.
    """

    eps: Fraction
    query: int
    key: int
    numerator: int
    denominator: int
    ratio: Fraction
    multipliers: Multipliers


def systems(
    tokens: Ints,
    lengths: Ints,
    targets: Ints,
    *,
    query: QueryPosition = "first",
    positional: bool = False,
) -> dict[int, System]:
    """Sort a suite by query.

    Args:
        tokens: tokens of every input, one input after the other, (sum of lengths,).
        lengths: tokens in each input, at least 1 each, (S,).
        targets: (S,).
        query: whether an input's query is its first or its last token.
        positional: whether each position has token maps of its own; then all lengths are equal.

    Returns:
        The inputs of each query, by its token, in the order of the suite.
    """
    starts = np.cumsum(lengths) - lengths
    asked = tokens[starts if query == "first" else starts + lengths - 1]
    row_of = np.repeat(np.arange(len(lengths)), lengths)
    slot = np.arange(len(tokens)) - starts[row_of] if positional else np.zeros_like(tokens)
    order = np.argsort(asked[row_of], kind="stable")
    distinct, first = np.unique(asked[row_of][order], return_index=True)
    found = {}
    for token, entries in zip(distinct.tolist(), np.split(order, first[1:]), strict=True):
        pairs = np.column_stack([slot[entries], tokens[entries]])
        columns, place = np.unique(pairs, axis=0, return_inverse=True)
        rows, number = np.unique(row_of[entries], return_inverse=True)
        ones = np.ones(len(entries), dtype=np.int64)
        shape = (len(rows), len(columns))
        counts = csr_array((ones, (number, place.ravel())), shape=shape)
        counts.sum_duplicates()
        found[token] = System(rows, columns, counts, targets[rows])
    return found


def key_columns(system: System, key: int, query_slot: int | None) -> list[int]:
    """Return the unknowns of a key: one, or where maps depend on the position one per position."""
    mine = system.columns[:, 1] == key
    if query_slot is not None:
        mine &= system.columns[:, 0] != query_slot
    return np.flatnonzero(mine).tolist()


def prove(
    sequences: Ints,
    targets: Ints,
    query_token: Ints,
    key_token: Ints,
    eps: Fraction,
    *,
    query: QueryPosition = "first",
    positional: bool = False,
) -> list[PairProof]:
    """Prove a ratio for every ordered pair of queries.

    Args:
        sequences: tokens of every input, (S, L).
        targets: target of every input, (S,).
        query_token: token of each query, (n,).
        key_token: tokens of the keys, at least n; key i belongs to query i.
        eps: the error, positive.
        query: whether an input's query is its first or its last token.
        positional: whether each position has token maps of its own. The ratio is then one of
            sums over the positions.

    Returns:
        n (n - 1) proofs, in the order of (i, j).

    Raises:
        AttnrankError: naming every pair without a proof.
    """
    if eps <= 0:
        raise AttnrankError(f"eps = {eps}: the error must be positive")
    count, length = sequences.shape
    found = systems(
        sequences.ravel(), np.full(count, length), targets, query=query, positional=positional
    )
    slot = (0 if query == "first" else length - 1) if positional else None
    proofs, failures = [], []
    for i, token in enumerate(query_token.tolist()):
        for j in range(len(query_token)):
            if j == i:
                continue
            keys = (int(key_token[i]), int(key_token[j]))
            own, other = (key_columns(found[token], key, slot) for key in keys)
            proof = prove_ratio(found[token], own, other, eps)
            if isinstance(proof, str):
                failures.append(f"({i}, {j}): {proof}")
            else:
                proofs.append(PairProof(eps, i, j, *keys, *proof))
    if failures:
        raise AttnrankError(
            f"no certificate at eps = {eps} for {len(failures)} pairs (query, key): "
            + "; ".join(failures)
        )
    return proofs


def rank_bounds(n: int, ratio: Fraction) -> dict[str, int]:
    """Return the rank that three theorems certify for an n x n matrix of scaled attention.

    The matrix has diagonal 1 and off-diagonal entries in [0, 1/ratio]; so has each of its
    principal submatrices, so every size k <= n may be used. In closed form, for n beyond counting.

    - ``dominance``: strictly diagonally dominant, hence rank k, if k - 1 < ratio.
    - ``trace``: rank >= trace^2 / ||.||_F^2 >= k / (1 + (k - 1) / ratio^2), which grows with k
      from ratio 1 on.
    - ``sign_split``: rank k if floor(k/2) ceil(k/2) < ratio^2. Bring the terms of a dependency of
      the rows with negative coefficients to the other side: rows in S and rows in T, both with
      positive coefficients, of sums C_S and C_T; neither is 0, as no entry is negative and the
      diagonal is 1. Adding up the columns in S gives C_S <= C_T |S| / ratio, and those in T give
      C_T <= C_S |T| / ratio, so 1 <= |S| |T| / ratio^2.

    Args:
        n: number of queries, at least 1.
        ratio: the smallest ratio of a diagonal to an off-diagonal entry, positive.
    """
    if n < 1 or ratio <= 0:
        raise ValueError(f"n = {n}, ratio = {ratio}: both must be positive")
    square = ratio * ratio
    # floor(k/2) ceil(k/2) = floor(k^2/4) < square for integers: k^2 <= 4 ceil(square) - 1.
    return {
        "dominance": min(n, _ceil(ratio)),
        "trace": _ceil(n / (1 + (n - 1) / square)) if ratio > 1 else 1,
        "sign_split": min(n, max(1, isqrt(4 * _ceil(square) - 1))),
    }


def _ceil(value: Fraction) -> int:
    return -(-value.numerator // value.denominator)
