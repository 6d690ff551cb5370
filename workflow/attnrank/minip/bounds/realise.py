"""The exact upper end: 2^m nonnegative features realise dense softmax, which solves the task."""

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_BLOCK = 256  # queries at a time, so that memory is a small part of 4^m numbers


@dataclass(frozen=True)
class Realisation:
    """What was measured at one width.

    Attributes:
        features: 2^m.
        mismatch: greatest |<phi_Q(x), phi_K(z)> - exp(-beta <x, z>)| over all 4^m pairs.
        residual: ||A B - I||_F for the matrix A of all attention weights and the Kronecker power B
            of the inverse of one bit's matrix. Below 1 it proves that A has the full rank 2^m.
        answer_error: greatest error of the head with read-out u(x, z) = <x, z> on length 3,
            exhaustive over all overlaps of a query with itself and two tokens.
    """

    features: int
    mismatch: float
    residual: float
    answer_error: float

    @property
    def exact(self) -> bool:
        """Whether the features are those of the softmax, of full rank, and solve the task."""
        return self.mismatch < 1e-12 and self.residual < 1 and self.answer_error < 0.5


def realise(width: int, beta: float) -> Realisation:
    """Build and check the 2^m features of one width.

    One bit's weights exp(-beta b c) are the 2 x 2 matrix [[1, 1], [1, e^-beta]], with features
    (1, 0) and (0, 1) of a query's bit and (1, 1) and (1, e^-beta) of a key's. The weights of all
    tokens are its m-th Kronecker power, and the features the products over the bits.

    Args:
        width: m.
        beta: inverse temperature.
    """
    bit = np.array([[1.0, 1.0], [1.0, np.exp(-beta)]])
    inverse = np.linalg.inv(bit)
    count = 2**width
    numbers = np.arange(count, dtype=np.uint32)
    mismatch, residual = 0.0, 0.0
    for start in range(0, count, _BLOCK):
        queries = numbers[start : start + _BLOCK]
        weights = np.ones((len(queries), 1))
        for place in reversed(range(width)):
            # Features of the query's bit pick a row of the key's features.
            factor = bit[queries >> place & 1]
            weights = (weights[:, :, None] * factor[:, None, :]).reshape(len(queries), -1)
        dense = np.exp(-beta * np.bitwise_count(queries[:, None] & numbers))
        mismatch = max(mismatch, float(np.abs(weights - dense).max()))
        product = _kronecker(weights, inverse, width)
        product[np.arange(len(queries)), queries] -= 1.0
        residual += float((product**2).sum())
    return Realisation(count, mismatch, float(np.sqrt(residual)), answer_error(width, beta))


def _kronecker(rows: Floats, matrix: Floats, power: int) -> Floats:
    """Return rows times the Kronecker power of a 2 x 2 matrix, one factor at a time."""
    shape = rows.shape
    for place in range(power):
        split = rows.reshape(shape[0], 2**place, 2, -1)
        rows = np.einsum("xabc,bd->xadc", split, matrix).reshape(shape)
    return rows


def answer_error(width: int, beta: float, length: int = 3) -> float:
    """Return the head's greatest error over all inputs of ``length`` tokens of ``width`` bits.

    The answer depends on the overlaps alone: of the query with itself, its weight w, and with each
    other token, any number from 0 to w.
    """
    worst = 0.0
    for weight in range(width + 1):
        picks = list(combinations_with_replacement(range(weight + 1), length - 1))
        overlaps = np.column_stack([np.full(len(picks), weight), np.array(picks)])
        attention = np.exp(-beta * overlaps)
        answer = (attention * overlaps).sum(axis=1) / attention.sum(axis=1)
        worst = max(worst, float(np.abs(answer - overlaps.min(axis=1)).max()))
    return worst
