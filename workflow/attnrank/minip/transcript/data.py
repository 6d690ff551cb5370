"""Inputs with (s+1)^q answers, and heads constructed to send as few bits as they can."""

from dataclasses import dataclass
from itertools import product
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from attnrank.minip.witness.data import Bits, Ints, min_ip_targets

Floats = NDArray[np.float64]
_COLD = 12.0  # the weight of a query word is exp(-12) of a key's


@dataclass(frozen=True)
class Family:
    """Inputs (x_1, ..., x_q, z), one for each key z, over tokens of m = (q + 1) s bits.

    Attributes:
        queries: x_i has ones in block i and in a common block, (q, m).
        keys: z has its first k_i ones in block i and none in the common block, (Z, m).
        answers: of all queries, min_j <x_i, x_j or z> = k_i, (Z, q): every combination once.
    """

    queries: Bits
    keys: Bits
    answers: Ints


def family(q: int, s: int) -> Family:
    """Return the family of q queries and Z = (s + 1)^q keys."""
    queries = np.concatenate(
        [np.repeat(np.eye(q, dtype=np.uint8), s, axis=1), np.ones((q, s), dtype=np.uint8)], axis=1
    )
    counts = np.array(list(product(range(s + 1), repeat=q)))
    blocks = (np.arange(s) < counts[..., None]).reshape(len(counts), q * s)
    keys = np.concatenate([blocks, np.zeros((len(counts), s))], axis=1).astype(np.uint8)
    answers = np.stack([min_ip_targets(_inputs(queries, keys, i)) for i in range(q)], axis=1)
    return Family(queries, keys, answers)


def _inputs(queries: Bits, keys: Bits, asked: int) -> Bits:
    """Return every input with the asked query first, (Z, q + 1, m)."""
    order = np.roll(queries, -asked, axis=0)
    everywhere = np.broadcast_to(order, (len(keys), *order.shape))
    return np.concatenate([everywhere, keys[:, None]], axis=1)


def needed_bits(q: int, s: int) -> float:
    """Return q log2(s + 1), the bits that tell all answers apart."""
    return q * log2(s + 1)


def counting_line(bits: float, q: int, s: int) -> float:
    """Return the greatest share of inputs that so many bits can answer exactly.

    All but the key is the same in every input, so the answers are a function of what the key
    sends: no more inputs can be answered than there are transcripts.
    """
    return min(1.0, 2.0 ** (bits - needed_bits(q, s)))


def transcript_bits(q: int, levels: tuple[int, ...]) -> float:
    """Return the bits of q channels in each layer, with so many levels in it."""
    return q * sum(log2(count) for count in levels)


def alphabets(s: int, layers: int) -> list[tuple[int, ...]]:
    """Return the levels of each layer to try, from one message to the next whole bits.

    One layer: every number up to the power of two at or above s + 1. Two: pairs of 2 or more, the
    first layer no finer than the second, for which neither can be made coarser once s + 1 is met.
    """
    if layers == 1:
        return [(count,) for count in range(1, 2 ** ceil(log2(s + 1)) + 1)]
    pairs = [(a, b) for a in range(2, s + 2) for b in range(a, s + 2)]
    return [(a, b) for a, b in pairs if a * (b - 1) < s + 1 and (a - 1) * b < s + 1]


@dataclass(frozen=True)
class Answered:
    """How a head does: the share of inputs with every answer exact, and transcripts sent."""

    exact: float
    transcripts: int


def constructed(q: int, s: int, levels: tuple[int, ...]) -> Answered:
    """Answer every input by heads of rank 1, each channel quantised, one head in each layer.

    The key's feature is 1 and a query word's exp(-12), so the normaliser says nothing about the
    key. The value has q channels. All layers together send one of K numbers, K the product of
    the levels, for each k_i: the nearest of K equally spaced ones from 0 to s, made whole in one
    layer; in two layers its digits, most significant first, and the residual stream adds up what
    they stand for.
    """
    inputs = family(q, s)
    overlap = inputs.keys.astype(np.int64) @ inputs.queries.T
    count = int(np.prod(levels))
    code = np.rint(overlap / s * (count - 1)).astype(np.int64)
    weight = np.exp(-_COLD)
    answer, sent = np.zeros(overlap.shape), []
    unit = s / max(count - 1, 1)
    rest = count
    for own in levels:
        rest //= own
        digit = code // rest % own
        sent.append(digit)
        value = unit * rest * digit
        if len(levels) == 1:
            value = np.rint(value)
        # Query words send 0; the affine read-out undoes the normaliser, the same in every input.
        attended = value / (1 + q * weight)
        answer += attended * (1 + q * weight)
    if count == 1:
        answer += s // 2
    exact = (np.abs(answer - inputs.answers) < 0.5).all(axis=1)
    return Answered(float(exact.mean()), len(np.unique(np.hstack(sent), axis=0)))
