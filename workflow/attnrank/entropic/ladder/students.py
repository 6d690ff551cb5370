"""The students of the ladder: B0 to B3, and B1 and B2 with positions given to queries and keys."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from torch import Tensor

from attnrank.entropic import blocks
from attnrank.spectra import Array

Weights = Mapping[str, Tensor]


@dataclass(frozen=True)
class Student:
    """One rung, or one control.

    Attributes:
        mixer: A itself (fixed), X K X' / n (linear), or the row softmax of X K X'.
        positions: queries and keys see the token's position as well; values do not.
        block: a whole pre-norm Transformer block around the attention, with a linear read-out.
    """

    mixer: Literal["fixed", "linear", "softmax"]
    positions: bool = False
    block: bool = False


STUDENTS = {
    "B0": Student("fixed"),
    "B1": Student("linear"),
    "B2": Student("softmax"),
    "B3": Student("softmax", block=True),
    "B1_positions": Student("linear", positions=True),
    "B2_positions": Student("softmax", positions=True),
}


def start(
    student: Student,
    rng: np.random.Generator,
    *,
    tokens: int,
    width: int,
    rank: int,
    init_scale: float,
    hidden: int,
) -> dict[str, Array]:
    """Draw the initial weights of one student: kernel K = W_Q W_K' (or A, for B0), V, and the rest.

    Args:
        student: which one.
        rng: source of the numbers.
        tokens: n.
        width: d.
        rank: r, columns of W_Q and W_K.
        init_scale: scale of W_Q and W_K; entries are init_scale * N(0, 1) / sqrt(their rows).
        hidden: width of the feed-forward layer.
    """
    seen = tokens if student.mixer == "fixed" else width + tokens * student.positions

    def normal(rows: int, columns: int, scale: float = 1.0) -> Array:
        return scale * rng.standard_normal((rows, columns)) / np.sqrt(rows)

    weights = {
        "query": normal(seen, rank, init_scale),
        "key": normal(seen, rank, init_scale),
        "value": normal(width, width),
    }
    if student.block:
        weights |= {
            "query_bias": np.zeros((1, rank)),
            "value_bias": np.zeros((1, width)),
            # He et al. (2015): the gain sqrt(2) makes up for the half that relu cuts.
            "up": normal(width, hidden, np.sqrt(2.0)),
            "up_bias": np.zeros((1, hidden)),
            "down": normal(hidden, width),
            "down_bias": np.zeros((1, width)),
            "readout": normal(width, width),
            "readout_bias": np.zeros((1, width)),
        }
    return weights


def attention_inputs(student: Student, inputs: Tensor) -> Tensor:
    """Return what queries and keys are computed from: X, X with positions, or LayerNorm(X)."""
    if student.positions:
        return blocks.with_positions(inputs)
    return blocks.layer_norm(inputs) if student.block else inputs


def mixer(student: Student, weights: Weights, seen: Tensor) -> Tensor:
    """Return the realised mixing matrix of every sample, (E, N, n, n).

    Args:
        student: which one.
        weights: as in `start`, each with the ensemble as its first axis.
        seen: `attention_inputs`, (E, N, n, k).
    """
    kernel = weights["query"] @ weights["key"].mT
    if student.mixer == "fixed":
        return kernel[:, None].expand(-1, seen.shape[1], -1, -1)
    left = blocks.project(seen, kernel)
    if student.block:
        # A key's bias would shift a whole row of scores, which softmax ignores.
        left = left + (weights["query_bias"] @ weights["key"].mT)[:, None]
    scores = left @ seen.mT
    return row_softmax(scores) if student.mixer == "softmax" else scores / seen.shape[2]


def row_softmax(scores: Tensor) -> Tensor:
    """Return the softmax over the last axis; torch's own is 4 times slower on rows of 8."""
    # The shift cancels, so its gradient is not needed.
    powers = (scores - scores.detach().amax(-1, keepdim=True)).exp()
    return powers / powers.sum(-1, keepdim=True)


def outputs(student: Student, weights: Weights, inputs: Tensor, seen: Tensor) -> Tensor:
    """Return a student's predictions, (E, N, n, d).

    Args:
        student: which one.
        weights: as in `start`, each with the ensemble as its first axis.
        inputs: X, (E, N, n, d).
        seen: `attention_inputs`.
    """
    mixed = mixer(student, weights, seen)
    if not student.block:
        return mixed @ blocks.project(inputs, weights["value"])
    values = blocks.project(seen, weights["value"]) + weights["value_bias"][:, None]
    return blocks.after_attention(inputs, mixed @ values, weights)
