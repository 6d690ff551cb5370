"""The task Min-IP on the full cube: t(X) = min_j <x, x_j> over every token, the query included."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

SOLVED = 0.5  # targets are integers: below it, rounding gives the exact answer


def cube(width: int) -> NDArray[np.uint8]:
    """Return every token of ``width`` bits; bit k of row z is bit k of the number z: (2^m, m)."""
    return (np.arange(2**width)[:, None] >> np.arange(width) & 1).astype(np.uint8)


def overlaps(width: int) -> NDArray[np.int16]:
    """Return <x, z> of every two tokens of the cube, (2^m, 2^m): 2 MB at 10 bits."""
    numbers = np.arange(2**width, dtype=np.uint32)
    return np.bitwise_count(numbers[:, None] & numbers).astype(np.int16)


@dataclass(frozen=True)
class Group:
    """All inputs of the cube in which a query meets the same overlaps.

    Attributes:
        weight: |x|, the overlap of the query with itself.
        counts: how many tokens of the input, the query included, have each overlap 0 to m; one row
            for each multiset of overlaps, (G, m + 1).
        inputs: sequences of the cube that the group stands for, in every order of the tokens.
    """

    weight: int
    counts: Ints
    inputs: int


def groups(width: int, length: int) -> list[Group]:
    """Return every input of the cube, grouped by the overlaps of its tokens with the query.

    Every query meets every token of the cube; queries that meet the same overlaps the same number
    of times are taken together, and inputs by the multiset of their overlaps, since attention does
    not see the order of the tokens.

    Args:
        width: m, bits of a token.
        length: N, tokens of an input.
    """
    met = overlaps(width)
    tally = np.stack([(met == value).sum(axis=1) for value in range(width + 1)], axis=1)
    rows, queries = np.unique(tally, axis=0, return_counts=True)
    return [_group(row, int(same), length) for row, same in zip(rows, queries, strict=True)]


def _group(row: Ints, queries: int, length: int) -> Group:
    """Return the inputs of queries for which ``row`` says how many tokens have each overlap."""
    values = np.flatnonzero(row)
    chosen = list(combinations_with_replacement(values.tolist(), length - 1))
    picks = np.array(chosen, dtype=np.int64).reshape(len(chosen), length - 1)
    counts = np.zeros((len(chosen), len(row)), dtype=np.int64)
    np.add.at(counts, (np.arange(len(chosen))[:, None], picks), 1)
    orders = sum(
        prod(int(row[value]) ** int(other[value]) for value in values)
        * factorial(length - 1)
        // prod(factorial(int(taken)) for taken in other)
        for other in counts
    )
    weight = int(values.max())
    counts[:, weight] += 1
    return Group(weight, counts, queries * orders)
