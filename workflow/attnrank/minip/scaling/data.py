"""Pools of inputs (x, z, z') over drawn codes, split into disjoint train and test sequences."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnrank.errors import AttnrankError
from attnrank.minip.witness.data import Bits
from attnrank.seeds import generator

TRAIN, TEST = 1, 2
_TRIES = 200_000


@dataclass(frozen=True)
class Pool:
    """All inputs of a query and two keys, in any order: n queries, K keys, P = K (K + 1) / 2 pairs.

    Attributes:
        queries: words of weight m / 2, (n, m).
        keys: complements of the queries, then random words of weight m / 2, (K, m).
        split: 1 for a training input, 2 for a test input, 0 for one that is not used, (n, P).
    """

    queries: Bits
    keys: Bits
    split: NDArray[np.int8]


def pairs(keys: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return both keys of every pair a <= b, each of shape (P,)."""
    first, second = np.triu_indices(keys)
    return first, second


def words(
    count: int,
    width: int,
    rng: np.random.Generator,
    *,
    overlap: int | None = None,
    taken: Sequence[Bits] = (),
) -> Bits:
    """Draw distinct words of weight width / 2.

    Args:
        count: how many.
        width: m, even.
        rng: the generator.
        overlap: greatest overlap of two of them; any if not given.
        taken: words that must not be drawn.

    Raises:
        AttnrankError: so many words were not found.
    """
    found: list[Bits] = []
    used = {word.tobytes() for word in taken}
    for _ in range(_TRIES):
        word = np.zeros(width, dtype=np.uint8)
        word[rng.choice(width, width // 2, replace=False)] = 1
        near = overlap is not None and any(int(word @ other) > overlap for other in found)
        if near or word.tobytes() in used:
            continue
        used.add(word.tobytes())
        found.append(word)
        if len(found) == count:
            return np.stack(found)
    raise AttnrankError(
        f"no {count} words of {width} bits with overlaps of at most {overlap} were found: allow a "
        "greater overlap, more bits, or fewer queries"
    )


def draw_pool(
    draw: int,
    *,
    queries: int,
    width: int,
    overlap: int,
    keys: int,
    train_share: float,
    most_train: int,
    most_test: int,
    taken: Sequence[Bits] = (),
    stream: str = "minip_scaling.pool",
) -> Pool:
    """Draw a code and split its inputs at random.

    Args:
        draw: number of the code draw.
        queries: n.
        width: m.
        overlap: greatest overlap of two queries.
        keys: K, at least n.
        train_share: share of inputs that training may use.
        most_train: training inputs at most.
        most_test: test inputs at most.
        taken: words that may not be in the pool.
        stream: what the code is for.
    """
    rng = generator(draw, stream, queries, width)
    code = words(queries, width, rng, overlap=overlap, taken=taken)
    every = 1 - code
    if keys > queries:
        others = words(keys - queries, width, rng, taken=[*every, *taken])
        every = np.concatenate([every, others])
    count = queries * len(pairs(keys)[0])
    order = rng.permutation(count)
    train = min(most_train, int(train_share * count))
    split = np.zeros(count, dtype=np.int8)
    split[order[:train]] = TRAIN
    split[order[train : train + most_test]] = TEST
    return Pool(code, every, split.reshape(queries, -1))
