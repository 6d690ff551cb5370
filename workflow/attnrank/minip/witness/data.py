"""Build the witness suite: minimum-inner-product inputs of three tokens from a Hadamard matrix."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from attnrank.errors import AttnrankError
from attnrank.seeds import generator

Bits = NDArray[np.uint8]
Ints = NDArray[np.int64]

CHAIN = "chain"
DOUBLE = "double"
_TRIES = 1000


@dataclass(frozen=True)
class Suite:
    """The inputs, with T distinct tokens of m bits, S inputs, n queries and k keys.

    Attributes:
        tokens: bits of the distinct tokens, (T, m).
        sequences: tokens of every input, (S, 3); the first is the query.
        targets: smallest overlap of the query with a token of the input, (S,).
        kind: ``"chain"`` (two nodes of a chain) or ``"double"`` (one key twice), (S,).
        query: index i of the query, below n, (S,).
        key: index j of the key at which the chain starts, or of the doubled key, (S,).
        levels: overlap of the query with the second and the third token, (S, 2).
        query_token: token of query i, (n,).
        key_token: token of key j, (k,). Key i is the complement of query i for i < n.
    """

    tokens: Bits
    sequences: Ints
    targets: Ints
    kind: NDArray[np.str_]
    query: Ints
    key: Ints
    levels: Ints
    query_token: Ints
    key_token: Ints


def hadamard_words(order: int = 24) -> Bits:
    """Return the words of the Paley-Hadamard matrix of an order q + 1.

    The matrix is normalised to a first row of ones, and the words are the plus signs of the
    others: any two distinct rows are orthogonal, so each word has weight order/2 and each pair
    the overlap order/4.

    Args:
        order: q + 1 for a prime q = 3 mod 4 (4, 8, 12, 20, 24, ...).

    Returns:
        Bits of shape (order - 1, order).

    Raises:
        AttnrankError: if the order is not of this form.
    """
    q = order - 1
    if q < 3 or q % 4 != 3 or any(q % d == 0 for d in range(2, int(q**0.5) + 1)):
        raise AttnrankError(
            f"order = {order}: the Paley construction needs order - 1 to be a prime that leaves 3 "
            "on division by 4 (order 4, 8, 12, 20, 24, ...)"
        )
    residues = np.unique(np.arange(1, q) ** 2 % q)
    difference = (np.arange(q)[None, :] - np.arange(q)[:, None]) % q
    matrix = np.ones((order, order), dtype=np.int64)
    matrix[1:, 0] = -1
    matrix[1:, 1:] = np.where((difference == 0) | np.isin(difference, residues), 1, -1)
    normalised = matrix * matrix[0]
    return (normalised[1:] > 0).astype(np.uint8)


def min_ip_targets(bits: NDArray[np.integer]) -> Ints:
    """Return min_j <x_1, x_j>, the target of the first token, over all positions of an input.

    Args:
        bits: inputs of L tokens of m bits, (S, L, m).

    Returns:
        Targets of shape (S,).
    """
    wide = bits.astype(np.int64)
    overlaps: Ints = np.einsum("sm,slm->sl", wide[:, 0], wide)
    return overlaps.min(axis=1)


def build_suite(queries: int = 8, keys: int = 12, seed: int = 0, order: int = 24) -> Suite:
    """Build the suite of chains and doubles.

    Query i is word i and key j the complement of word j. For every ordered pair of queries i != j
    a chain of keys of weight order/2 leads from key j (overlap order/4 with query i) to key i
    (overlap 0), one overlap less at each step; every two nodes of a chain make an input with its
    query. No key between the ends of a chain is used twice. Each query also meets every key
    doubled.

    Args:
        queries: number n of queries, at least 2.
        keys: number of doubled keys, at least n.
        seed: picks the bits that change along the chains.
        order: order of the Hadamard matrix. With 8 queries, 12 keys and order 24 the suite has
            1,272 inputs (1,176 from chains, 96 doubles) and 300 tokens.

    Raises:
        AttnrankError: if the sizes do not fit, or too few distinct chains exist.
    """
    words = hadamard_words(order)
    if not 2 <= queries <= keys <= len(words):
        raise AttnrankError(
            f"queries = {queries}, keys = {keys}: 2 <= queries <= keys <= {len(words)} is needed, "
            f"as order {order} gives {len(words)} words"
        )
    rng = generator(seed, "minip.witness.suite")
    index: dict[bytes, int] = {}

    def token(bits: Bits) -> int:
        return index.setdefault(bits.tobytes(), len(index))

    query_words, key_words = words[:queries], 1 - words[:keys]
    query_token = [token(word) for word in query_words]
    key_token = [token(word) for word in key_words]
    rows: list[tuple[str, int, int, int, int]] = []
    for i in range(queries):
        for j in range(queries):
            if i == j:
                continue
            steps = _distinct_chain(query_words[i], key_words[j], set(index), rng)
            if steps is None:
                raise AttnrankError(
                    f"order = {order}, queries = {queries}: no chain of new keys from key {j} to "
                    f"key {i} was found; ask for fewer queries or a larger order"
                )
            chain = [key_token[j], *map(token, steps), key_token[i]]
            rows += [(CHAIN, i, j, first, second) for first, second in combinations(chain, 2)]
        rows += [(DOUBLE, i, k, key_token[k], key_token[k]) for k in range(keys)]

    tokens = np.frombuffer(b"".join(index), dtype=np.uint8).reshape(len(index), order)
    query = np.array([row[1] for row in rows])
    pairs = np.array([row[3:] for row in rows])
    sequences = np.column_stack([np.array(query_token)[query], pairs])
    bits = tokens[sequences].astype(np.int64)
    return Suite(
        tokens=tokens,
        sequences=sequences,
        targets=min_ip_targets(bits),
        kind=np.array([row[0] for row in rows]),
        query=query,
        key=np.array([row[2] for row in rows]),
        levels=np.einsum("sm,slm->sl", bits[:, 0], bits[:, 1:]),
        query_token=np.array(query_token),
        key_token=np.array(key_token),
    )


def _distinct_chain(
    query: Bits, start: Bits, used: set[bytes], rng: np.random.Generator
) -> list[Bits] | None:
    """Return the keys strictly between ``start`` and the query's complement, all of them unused."""
    leave = np.flatnonzero(query & start)
    enter = np.flatnonzero((1 - query) & (1 - start))
    for _ in range(_TRIES):
        key, steps = start.copy(), []
        for out, into in zip(rng.permutation(leave)[:-1], rng.permutation(enter)[:-1], strict=True):
            key[out], key[into] = 0, 1
            steps.append(key.copy())
        if all(step.tobytes() not in used for step in steps):
            return steps
    return None
