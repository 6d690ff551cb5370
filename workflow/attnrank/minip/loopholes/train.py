"""Train what evades the bound: several nonnegative heads, and one head with signed features."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnrank import ensemble
from attnrank.minip import training
from attnrank.minip.losses import exponent, power_loss
from attnrank.minip.training import Best, Ints, Layout
from attnrank.seeds import generator

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trained:
    """What became of every seed (axis 0, of length B).

    Attributes:
        error: smallest, over the iterates, of the largest absolute error on the suite, (B,).
        accuracy: greatest share, over the iterates, of inputs with an error below 1/2, (B,).
        margin: least normaliser over sum |alpha| of an input there, 1 for nonnegative heads, (B,).
        final_error: largest absolute error after the last update, (B,).
        bits: least bits for each number of a message that keep every error below 1/2 at the end;
            NaN where none do, or where they were not sought, (B,).
        transcript: bits of a token's whole message at that, (B,).
        diverged: whether the loss was ever not finite, (B,).
    """

    error: Floats
    accuracy: Floats
    margin: Floats
    final_error: Floats
    bits: Floats
    transcript: Floats
    diverged: NDArray[np.bool_]


def train_heads(
    tokens: NDArray[np.uint8],
    sequences: Ints,
    targets: Ints,
    *,
    heads: int,
    rank: int,
    seeds: Sequence[int],
    learning_rate: float,
    steps: int,
    warmup: int,
    final_exponent: float,
    most_bits: int,
) -> Trained:
    """Train the sum of ``heads`` heads with ``rank`` nonnegative features each.

    Every head has a normaliser of its own and a free read-out u_h(x, z); multi-head attention is
    such a sum, since its output map is linear. Features are exp of free numbers.

    Args:
        tokens: bits of the tokens, (T, m).
        sequences: tokens of every input, query first, (S, L).
        targets: (S,).
        heads: number of heads.
        rank: features of each head.
        seeds: each gives one model.
        learning_rate: the highest step size of Adam.
        steps: updates.
        warmup: updates over which the step size rises.
        final_exponent: exponent of the loss at the end.
        most_bits: finest messages tried.
    """
    suite = training.layout(sequences, targets)
    query, key, readout = _start("nonnegative", tokens, suite, heads, rank, seeds)
    best = Best(len(seeds))

    def features(numbers: Tensor) -> Tensor:
        return numbers.clamp(-training.LARGEST, training.LARGEST).exp()

    def answers(key_numbers: Tensor, values: Tensor) -> Tensor:
        attention = _attention(features(query), features(key_numbers), suite)
        both = training.sums(torch.cat([attention * values, attention]), suite)
        above, below = both.view(2, -1, heads, *suite.targets.shape).unbind(0)
        return ((above / below).sum(1) - suite.targets).flatten(1)

    def losses(step: int) -> Tensor:
        error = answers(key, readout)
        best.update(step, error.detach().abs())
        return power_loss(error, exponent(step, steps, final_exponent))

    parameters = {"params": [query, key, readout], "lr": learning_rate}
    schedule = ensemble.cosine(steps, warmup=warmup)
    diverged = ensemble.fit([parameters], losses, steps=steps, schedule=schedule, betas=(0.9, 0.99))
    with torch.no_grad():
        final = answers(key, readout).abs()
        best.update(steps, final)
        bits = _least_bits(answers, key, readout, len(seeds), most_bits)
    # A token sends each head r features, and a value for each query that may read it.
    numbers = heads * (rank + len(suite.query_token))
    return Trained(
        error=best.error.double().numpy(),
        accuracy=best.accuracy.double().numpy(),
        margin=np.ones(len(seeds)),
        final_error=final.amax(1).double().numpy(),
        bits=bits.double().numpy(),
        transcript=numbers * bits.double().numpy(),
        diverged=diverged.numpy(),
    )


def train_signed(
    tokens: NDArray[np.uint8],
    sequences: Ints,
    targets: Ints,
    *,
    rank: int,
    seeds: Sequence[int],
    learning_rate: float,
    steps: int,
    warmup: int,
    final_exponent: float,
    margin: float,
    penalty: float,
) -> Trained:
    """Train one head with ``rank`` features of either sign, its normaliser held positive.

    An iterate counts only if every input's normaliser is at least ``margin`` times sum |alpha|; a
    penalty keeps it there. Features are free numbers that start positive.

    Args:
        tokens: bits of the tokens, (T, m).
        sequences: tokens of every input, query first, (S, L).
        targets: (S,).
        rank: features.
        seeds: each gives one model.
        learning_rate: the highest step size of Adam.
        steps: updates.
        warmup: updates over which the step size rises.
        final_exponent: exponent of the loss at the end.
        margin: least normaliser over sum |alpha|.
        penalty: weight of what is missing to 1.5 times that margin, summed over inputs.
    """
    suite = training.layout(sequences, targets)
    query, key, readout = _start("signed", tokens, suite, 1, rank, seeds)
    best = Best(len(seeds))
    best_margin = torch.full((len(seeds),), math.nan)

    def answers() -> tuple[Tensor, Tensor]:
        attention = _attention(query, key, suite)
        stacked = torch.cat([attention * readout, attention, attention.abs()])
        above, below, size = training.sums(stacked, suite).chunk(3)
        relative = below / size.clamp_min(1e-12)
        safe = torch.where(relative > margin, below, margin * size.clamp_min(1e-12))
        return (above / safe - suite.targets).flatten(1), relative.flatten(1)

    def record(step: int, error: Tensor, relative: Tensor) -> None:
        least = relative.detach().amin(1)
        better = best.update(step, error.detach().abs(), allowed=least >= margin)
        best_margin[better] = least[better]

    def losses(step: int) -> Tensor:
        error, relative = answers()
        record(step, error, relative)
        missing = (1.5 * margin - relative).clamp_min(0).sum(1)
        loss = power_loss(error, exponent(step, steps, final_exponent))
        return loss + penalty * missing

    parameters = {"params": [query, key, readout], "lr": learning_rate}
    schedule = ensemble.cosine(steps, warmup=warmup)
    diverged = ensemble.fit([parameters], losses, steps=steps, schedule=schedule, betas=(0.9, 0.99))
    with torch.no_grad():
        error, relative = answers()
        record(steps, error, relative)
    nothing = np.full(len(seeds), np.nan)
    return Trained(
        error=best.error.double().numpy(),
        accuracy=best.accuracy.double().numpy(),
        margin=best_margin.double().numpy(),
        final_error=error.abs().amax(1).double().numpy(),
        bits=nothing,
        transcript=nothing,
        diverged=diverged.numpy(),
    )


def _start(
    kernel: str,
    tokens: NDArray[np.uint8],
    suite: Layout,
    heads: int,
    rank: int,
    seeds: Sequence[int],
) -> tuple[Tensor, Tensor, Tensor]:
    """Return features of queries and keys, and the read-out, (B * heads, ...), at their start."""
    torch.set_num_threads(1)
    draws = [generator(seed, "minip_loopholes.train", kernel, heads, rank) for seed in seeds]

    def normal(*shape: int) -> Tensor:
        drawn = [rng.standard_normal((heads, *shape), dtype=np.float32) for rng in draws]
        return torch.from_numpy(np.concatenate(drawn))

    query, key = normal(len(suite.query_token), rank), normal(len(tokens), rank)
    if kernel == "signed":
        query, key = query.abs(), key.abs()
    wide = torch.tensor(tokens, dtype=torch.float32)
    overlaps = torch.einsum("nm,nkm->nk", wide[suite.query_token], wide[suite.own])
    readout = overlaps / heads + training.READOUT_NOISE * normal(*suite.own.shape)
    return query.requires_grad_(), key.requires_grad_(), readout.requires_grad_()


def _attention(query: Tensor, key: Tensor, suite: Layout) -> Tensor:
    every = torch.bmm(query, key.transpose(1, 2))
    return every.gather(2, suite.own.expand(len(every), -1, -1))


def quantise(numbers: Tensor, levels: int, axes: tuple[int, ...]) -> Tensor:
    """Round to ``levels`` equally spaced values between least and greatest along ``axes``."""
    low, high = numbers.amin(axes, keepdim=True), numbers.amax(axes, keepdim=True)
    step = ((high - low) / (levels - 1)).clamp_min(1e-12)
    return low + step * ((numbers - low) / step).round()


def _least_bits(
    answers: Callable[[Tensor, Tensor], Tensor],
    key: Tensor,
    readout: Tensor,
    models: int,
    most: int,
) -> Tensor:
    """Return the least bits of a message's numbers at which every error stays below 1/2.

    A token's message to a head is the logarithm of each feature and its value for each query that
    may read it; each is rounded on the range that it has over all tokens, which receivers know.
    """
    bits = torch.full((models,), math.nan)
    for candidate in range(most, 0, -1):
        levels = 2**candidate
        rounded = answers(quantise(key, levels, (1,)), quantise(readout, levels, (2,)))
        bits[rounded.abs().amax(1) < 0.5] = candidate
    return bits
