"""Train nonnegative feature maps of a given rank on the suite, every seed at once."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import softplus

from attnrank import ensemble
from attnrank.minip.feature_maps import FeatureMap
from attnrank.minip.losses import exponent, power_loss
from attnrank.minip.training import LARGEST, READOUT_NOISE, Best, Ints, Layout, errors, layout
from attnrank.seeds import generator


@dataclass(frozen=True)
class Trained:
    """What became of every seed (axis 0, of length B).

    Attributes:
        seeds: the seeds, (B,).
        best_error: smallest, over the iterates, of the largest absolute error on the suite, (B,).
        best_step: the iterate that has it; iterate k is after k updates, (B,).
        accuracy: greatest share, over the iterates, of inputs with an error below 1/2, (B,).
        final_error: largest absolute error after the last update, (B,).
        diverged: whether the loss was ever not finite, (B,).
    """

    seeds: Ints
    best_error: NDArray[np.float64]
    best_step: Ints
    accuracy: NDArray[np.float64]
    final_error: NDArray[np.float64]
    diverged: NDArray[np.bool_]


def train(
    tokens: NDArray[np.uint8],
    sequences: Ints,
    targets: Ints,
    *,
    feature_map: FeatureMap,
    rank: int,
    seeds: Sequence[int],
    steps: int,
    learning_rate: float,
    readout_rate: float,
    final_exponent: float,
    warmup: int = 50,
    hidden: int = 64,
) -> Trained:
    """Minimise the largest error of a head with ``rank`` nonnegative features per token.

    The loss is the power mean of the absolute errors; its exponent grows geometrically from 2 to
    ``final_exponent`` over the first 70 % of the steps. The read-out u(x, z) is a free number for
    each query and token, so that only the features can be what fails; it starts near <x, z>. Adam
    with a cosine schedule.

    Args:
        tokens: bits of the tokens, (T, m).
        sequences: tokens of every input, query first, (S, L).
        targets: (S,).
        feature_map: features are exp or softplus of free numbers per token and role
            (``exp_table``, ``softplus_table``), or exp of a network with one hidden layer on the
            token's bits, one network per role (``mlp``).
        rank: number of features.
        seeds: each gives one model, whose start depends on the seed, the map and the rank alone.
        steps: updates.
        learning_rate: the highest step size of Adam for the features.
        readout_rate: the same for the read-out.
        final_exponent: exponent of the loss at the end.
        warmup: updates over which the step size rises.
        hidden: width of the hidden layer (``mlp``).
    """
    torch.set_num_threads(1)
    suite = layout(sequences, targets)
    draws = [generator(seed, "minip_transition.heads", feature_map, rank) for seed in seeds]

    def normal(*shape: int) -> Tensor:
        return torch.from_numpy(
            np.stack([rng.standard_normal(shape, dtype=np.float32) for rng in draws])
        )

    wide = torch.tensor(tokens, dtype=torch.float32)
    overlaps = torch.einsum("nm,nkm->nk", wide[suite.query_token], wide[suite.own])
    readout = (overlaps + READOUT_NOISE * normal(*suite.own.shape)).requires_grad_()
    parameters, attention = _attention(feature_map, tokens, suite, rank, hidden, normal)
    best = Best(len(seeds))

    def losses(step: int) -> Tensor:
        error = errors(attention(), readout, suite)
        best.update(step, error.detach().abs())
        return power_loss(error, exponent(step, steps, final_exponent))

    diverged = ensemble.fit(
        [
            {"params": parameters, "lr": learning_rate},
            {"params": [readout], "lr": readout_rate},
        ],
        losses,
        steps=steps,
        schedule=ensemble.cosine(steps, warmup=warmup),
        betas=(0.9, 0.99),
    )
    with torch.no_grad():
        final = errors(attention(), readout, suite).abs()
        best.update(steps, final)
    return Trained(
        seeds=np.array(seeds, dtype=np.int64),
        best_error=best.error.double().numpy(),
        best_step=best.step.numpy(),
        accuracy=best.accuracy.double().numpy(),
        final_error=final.amax(1).double().numpy(),
        diverged=diverged.numpy(),
    )


def _attention(
    feature_map: FeatureMap,
    tokens: NDArray[np.uint8],
    suite: Layout,
    rank: int,
    hidden: int,
    normal: Callable[..., Tensor],
) -> tuple[list[Tensor], Callable[[], Tensor]]:
    """Return the parameters of the features and a function from them to alpha, (B, n, K)."""
    if feature_map == "mlp":
        signs = 2 * torch.tensor(tokens, dtype=torch.float32) - 1
        maps = [
            _network(signs[suite.query_token], rank, hidden, normal),
            _network(signs, rank, hidden, normal),
        ]
        parameters = [parameter for own, _ in maps for parameter in own]
        logits = [apply for _, apply in maps]
    else:
        tables = [normal(len(suite.query_token), rank), normal(len(tokens), rank)]
        parameters = [table.requires_grad_() for table in tables]
        logits = [lambda: parameters[0], lambda: parameters[1]]

    def features(numbers: Tensor) -> Tensor:
        bounded = numbers.clamp(-LARGEST, LARGEST)
        return softplus(bounded) if feature_map == "softplus_table" else bounded.exp()

    def attention() -> Tensor:
        query, key = (features(logit()) for logit in logits)
        every = torch.bmm(query, key.transpose(1, 2))
        return every.gather(2, suite.own.expand(len(every), -1, -1))

    return parameters, attention


def _network(
    inputs: Tensor, rank: int, hidden: int, normal: Callable[..., Tensor]
) -> tuple[list[Tensor], Callable[[], Tensor]]:
    """Return the parameters of a network with one hidden layer and its outputs on the inputs."""
    width = inputs.shape[1]
    first = normal(width, hidden) / math.sqrt(width)
    second = 2.0 * normal(hidden, rank) / math.sqrt(hidden)
    first_bias = torch.zeros(len(first), 1, hidden)
    second_bias = torch.zeros(len(first), 1, rank)
    parameters = [first, first_bias, second, second_bias]
    for parameter in parameters:
        parameter.requires_grad_()

    def apply() -> Tensor:
        inner = torch.baddbmm(first_bias, inputs.expand(len(first), -1, -1), first)
        return torch.baddbmm(second_bias, inner.relu(), second)

    return parameters, apply
