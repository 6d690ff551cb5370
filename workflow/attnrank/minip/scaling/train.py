"""Train kernel heads of a given rank, and dense softmax heads, on pools of inputs."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnrank import ensemble
from attnrank.minip.losses import exponent, power_loss
from attnrank.minip.scaling.data import TEST, TRAIN, Pool, pairs
from attnrank.minip.training import LARGEST
from attnrank.seeds import generator

# Dense attention relative to its greatest: e^-80 is still a normal number in single precision.
_FAINTEST = -80.0
_CHUNK = 128  # pairs evaluated at once


@dataclass(frozen=True)
class Trained:
    """What became of every model (axis 0, of length B).

    Attributes:
        train_accuracy: share of training inputs with an error below 1/2, (B,).
        accuracy: the same of test inputs, (B,).
        error: greatest absolute error on test inputs, (B,).
        diverged: whether the loss was ever not finite, (B,).
    """

    train_accuracy: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    error: NDArray[np.float64]
    diverged: NDArray[np.bool_]


@dataclass(frozen=True)
class Batch:
    """Pools of one shape side by side, one for each model.

    Attributes:
        queries: signs of the queries' bits, (B, n, m).
        keys: signs of the keys' bits, (B, K, m).
        overlaps: of each query with each key, (B, n, K).
        split: 1 for train, 2 for test, (B, n, P).
    """

    queries: Tensor
    keys: Tensor
    overlaps: Tensor
    split: Tensor


Attention = Callable[[Batch], tuple[Tensor, Tensor]]


def batch(pools: Sequence[Pool]) -> Batch:
    """Stack pools of one shape."""
    queries = torch.from_numpy(np.stack([pool.queries for pool in pools])).float()
    keys = torch.from_numpy(np.stack([pool.keys for pool in pools])).float()
    split = torch.from_numpy(np.stack([pool.split for pool in pools]))
    return Batch(2 * queries - 1, 2 * keys - 1, queries @ keys.transpose(1, 2), split)


def train(
    pools: Sequence[Pool],
    fresh: Sequence[Pool],
    *,
    rank: int,
    draws: Sequence[tuple[int, int]],
    learning_rate: float,
    steps: int,
    warmup: int,
    final_exponent: float,
    inputs: int,
    hidden: int = 0,
) -> Trained:
    """Train one model on each pool, or every model on all pools and test it on fresh ones.

    The read-out u(x, z) = <x, z> is given, to kernel and dense heads alike: only attention is
    learned. A step takes some pairs of keys with every query. The loss is the power mean of the
    absolute errors of training inputs, its exponent growing from 2.

    Args:
        pools: one for each model (``hidden`` 0), or the training codes of all models.
        fresh: pools on which each model is tested, one for each: ``pools`` again for tables.
        rank: features; 0 for dense softmax with scores x^T W z, W learned.
        draws: code draw and seed of each model, which name its start.
        learning_rate: the highest step size of Adam.
        steps: updates.
        warmup: updates over which the step size rises.
        final_exponent: exponent of the loss at the end.
        inputs: inputs of a step, before those that are not for training are left out.
        hidden: width of the hidden layer of the feature maps; 0 for a table of features.
    """
    torch.set_num_threads(1)
    models = len(draws)
    stream = ("minip_scaling.train", len(fresh[0].queries), rank, hidden)
    rngs = [generator(seed, *stream, draw) for draw, seed in draws]

    def normal(*shape: int) -> Tensor:
        drawn = [rng.standard_normal(shape, dtype=np.float32) for rng in rngs]
        return torch.from_numpy(np.stack(drawn))

    tested = batch(fresh)
    shape = tested.queries.shape[1], tested.keys.shape[1], tested.keys.shape[2]
    if rank == 0:
        parameters, attention = _dense(shape[2], normal)
    elif hidden:
        parameters, attention = _networks(shape[2], rank, hidden, normal)
    else:
        parameters, attention = _tables(shape[0], shape[1], rank, normal)
    # Shared by the models: which pairs, and, where all train on the same codes, which code.
    steps_rng = generator(0, "minip_scaling.steps", shape[0])
    first, second = (torch.from_numpy(part) for part in pairs(shape[1]))
    codes = [batch([pool] * models) for pool in pools] if hidden else [batch(pools)]
    each = max(1, inputs // shape[0])

    def losses(step: int) -> Tensor:
        code = codes[int(steps_rng.integers(len(codes)))]
        chosen = torch.from_numpy(steps_rng.choice(len(first), min(each, len(first)), False))
        error = errors(attention(code), code, first[chosen], second[chosen])
        known = (code.split[:, :, chosen] == TRAIN).float()
        loss = power_loss((error * known).flatten(1), exponent(step, steps, final_exponent))
        return loss

    diverged = ensemble.fit(
        [{"params": parameters, "lr": learning_rate}],
        losses,
        steps=steps,
        schedule=ensemble.cosine(steps, warmup=warmup),
        betas=(0.9, 0.99),
    )
    with torch.no_grad():
        known, _ = _measure(attention, codes[0], TRAIN)
        accuracy, error = _measure(attention, tested, TEST)
    return Trained(known, accuracy, error, diverged.numpy())


def errors(attention: tuple[Tensor, Tensor], code: Batch, first: Tensor, second: Tensor) -> Tensor:
    """Return yhat - t of every query with some pairs of keys, (B, n, pairs).

    Args:
        attention: of each query to each key, (B, n, K), and to itself, (B, n).
        code: the pools.
        first: one key of each pair, (pairs,).
        second: the other, (pairs,).
    """
    keys, own = attention[0], attention[1][..., None]
    width = code.queries.shape[2]
    # Sums over the two keys as one matrix product: faster than picking entries.
    counts = torch.zeros(keys.shape[2], len(first))
    places = torch.arange(len(first))
    counts[first, places] += 1
    counts[second, places] += 1
    above = (keys * code.overlaps) @ counts + own * (width / 2)
    below = keys @ counts + own
    target = torch.minimum(code.overlaps[:, :, first], code.overlaps[:, :, second])
    return above / below - target


def _measure(
    attention: Attention, code: Batch, part: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the share of exact inputs of one part of the split, and the greatest error."""
    first, second = (torch.from_numpy(each) for each in pairs(code.keys.shape[1]))
    weights = attention(code)
    models = len(code.queries)
    exact, total = torch.zeros(2, models, dtype=torch.float64)
    greatest = torch.zeros(models)
    for a, b, split in zip(
        first.split(_CHUNK), second.split(_CHUNK), code.split.split(_CHUNK, 2), strict=True
    ):
        mine = split == part
        size = errors(weights, code, a, b).abs()
        exact += ((size < 0.5) & mine).sum((1, 2))
        total += mine.sum((1, 2))
        greatest = torch.maximum(greatest, (size * mine).amax((1, 2)))
    return (exact / total).numpy(), greatest.double().numpy()


def _features(numbers: Tensor) -> Tensor:
    return numbers.clamp(-LARGEST, LARGEST).exp()


def _tables(
    queries: int, keys: int, rank: int, normal: Callable[..., Tensor]
) -> tuple[list[Tensor], Attention]:
    """Return free features of each query, as query and as token, and of each key."""
    parameters = [normal(queries, rank), normal(keys, rank), normal(queries, rank)]
    for parameter in parameters:
        parameter.requires_grad_()

    def attention(code: Batch) -> tuple[Tensor, Tensor]:
        query, key, own = map(_features, parameters)
        return query @ key.transpose(1, 2), (query * own).sum(2)

    return parameters, attention


def _networks(
    width: int, rank: int, hidden: int, normal: Callable[..., Tensor]
) -> tuple[list[Tensor], Attention]:
    """Return features that networks with one hidden layer compute from the bits."""
    parameters = []
    for _ in range(2):
        parameters += [
            normal(width, hidden) / math.sqrt(width),
            0 * normal(1, hidden),
            normal(hidden, rank) / math.sqrt(hidden),
            0 * normal(1, rank),
        ]
    for parameter in parameters:
        parameter.requires_grad_()

    def features(tokens: Tensor, own: list[Tensor]) -> Tensor:
        inner = torch.baddbmm(own[1], tokens, own[0]).relu()
        return _features(torch.baddbmm(own[3], inner, own[2]))

    def attention(code: Batch) -> tuple[Tensor, Tensor]:
        query = features(code.queries, parameters[:4])
        key = features(code.keys, parameters[4:])
        own = features(code.queries, parameters[4:])
        return query @ key.transpose(1, 2), (query * own).sum(2)

    return parameters, attention


def _dense(width: int, normal: Callable[..., Tensor]) -> tuple[list[Tensor], Attention]:
    """Return softmax attention with bilinear scores."""
    scores = (0.3 / width * normal(width, width)).requires_grad_()

    def attention(code: Batch) -> tuple[Tensor, Tensor]:
        asked = code.queries @ scores
        both = torch.cat(
            [asked @ code.keys.transpose(1, 2), (asked * code.queries).sum(2, keepdim=True)], 2
        )
        weights = (both - both.detach().amax(2, keepdim=True)).clamp_min(_FAINTEST).exp()
        return weights[:, :, :-1], weights[:, :, -1]

    return [scores], attention
