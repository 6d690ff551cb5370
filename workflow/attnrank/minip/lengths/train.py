"""Train nonnegative heads of a given rank on every input of the cube, all seeds at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnrank import ensemble
from attnrank.minip.losses import exponent, power_loss
from attnrank.minip.task import SOLVED, overlaps
from attnrank.seeds import generator

# Products of exp(30) and of exp(-30) are still normal numbers in single precision, so that no sum
# of attention is 0 or infinite.
_LARGEST = 30.0
# A table that starts at <x, z> itself would hand the head half of the answer's structure.
_READOUT_NOISE = 0.5


@dataclass(frozen=True)
class Trained:
    """What became of every seed (axis 0, of length B).

    Attributes:
        seeds: the seeds, (B,).
        best_error: smallest, over the iterates, of the greatest absolute error on the cube, (B,).
        best_step: the iterate that has it; iterate k is after k updates, (B,).
        accuracy: share of the inputs, as multisets, with an error below 1/2 there, (B,).
        final_error: greatest absolute error after the last update, (B,).
        diverged: whether the loss was ever not finite, (B,).
    """

    seeds: NDArray[np.int64]
    best_error: NDArray[np.float64]
    best_step: NDArray[np.int64]
    accuracy: NDArray[np.float64]
    final_error: NDArray[np.float64]
    diverged: NDArray[np.bool_]


@dataclass(frozen=True)
class Inputs:
    """Every input of the cube; each of the 2^m queries has the same Q companies of other tokens.

    Attributes:
        others: how often each token occurs beside the query, (2^m, Q).
        targets: (2^m, Q).
    """

    others: Tensor
    targets: Tensor


def inputs(width: int, length: int) -> Inputs:
    """Return every input of the cube, with the order of the tokens ignored."""
    met = overlaps(width)
    tokens = range(len(met))
    companies = list(combinations_with_replacement(tokens, length - 1))
    chosen = np.array(companies, dtype=np.int64).reshape(len(companies), length - 1)
    others = np.zeros((len(tokens), len(chosen)), dtype=np.float32)
    np.add.at(others, (chosen.T, np.arange(len(chosen))), 1.0)
    least = np.diagonal(met)[:, None].repeat(len(chosen), axis=1)
    for column in chosen.T:
        least = np.minimum(least, met[:, column])
    return Inputs(torch.from_numpy(others), torch.from_numpy(least.astype(np.float32)))


def errors(attention: Tensor, readout: Tensor, given: Inputs) -> Tensor:
    """Return yhat - t of every input.

    Args:
        attention: alpha(x, z) > 0 of every two tokens, (B, 2^m, 2^m).
        readout: u(x, z), (B, 2^m, 2^m).
        given: the inputs.

    Returns:
        Shape (B, 2^m * Q).
    """
    sums = torch.stack([attention * readout, attention])
    own = sums.diagonal(dim1=2, dim2=3)[..., None]
    above, below = (sums @ given.others + own).unbind(0)
    return (above / below - given.targets).flatten(1)


def train(
    width: int,
    length: int,
    rank: int,
    seeds: Sequence[int],
    *,
    steps: int,
    learning_rate: float,
    readout_rate: float,
    final_exponent: float,
    warmup: int,
) -> Trained:
    """Minimise the greatest error of a head with ``rank`` nonnegative features per token.

    Features are exp of free numbers for each token and role, and the read-out u(x, z) is a free
    number for each two tokens, so that only the rank can be what fails. Full batch; the loss is the
    power mean of the absolute errors, whose exponent grows from 2 to ``final_exponent`` over 70 %
    of the steps; Adam with a cosine schedule.

    Args:
        width: m, bits of a token.
        length: N, tokens of an input, the query included.
        rank: r, number of features.
        seeds: each gives one model, whose start depends on the seed, m, N and r alone.
        steps: updates.
        learning_rate: the highest step size of Adam for the features.
        readout_rate: the same for the read-out.
        final_exponent: exponent of the loss at the end.
        warmup: updates over which the step size rises.
    """
    torch.set_num_threads(1)
    given = inputs(width, length)
    draws = [generator(seed, "minip_lengths.train", width, length, rank) for seed in seeds]
    size = 2**width

    def normal(*shape: int) -> Tensor:
        drawn = [rng.standard_normal(shape, dtype=np.float32) for rng in draws]
        return torch.from_numpy(np.stack(drawn))

    query, key = (normal(size, rank).requires_grad_() for _ in range(2))
    met = torch.from_numpy(overlaps(width).astype(np.float32))
    readout = (met + _READOUT_NOISE * normal(size, size)).requires_grad_()
    best = torch.full((len(seeds),), torch.inf)
    best_step = torch.zeros(len(seeds), dtype=torch.int64)
    accuracy = torch.zeros(len(seeds))

    def found() -> Tensor:
        features = [numbers.clamp(-_LARGEST, _LARGEST).exp() for numbers in (query, key)]
        return errors(features[0] @ features[1].transpose(1, 2), readout, given)

    def losses(step: int) -> Tensor:
        error = found()
        record(step, error.detach().abs())
        return power_loss(error, exponent(step, steps, final_exponent))

    def record(step: int, error: Tensor) -> Tensor:
        largest = error.amax(1)
        better = largest < best
        if better.any():
            best[better] = largest[better]
            best_step[better] = step
            accuracy[better] = (error[better] < SOLVED).float().mean(1)
        return largest

    diverged = ensemble.fit(
        [
            {"params": [query, key], "lr": learning_rate},
            {"params": [readout], "lr": readout_rate},
        ],
        losses,
        steps=steps,
        schedule=ensemble.cosine(steps, warmup=warmup),
        betas=(0.9, 0.99),
    )
    with torch.no_grad():
        final = record(steps, found().abs())
    return Trained(
        seeds=np.array(seeds, dtype=np.int64),
        best_error=best.double().numpy(),
        best_step=best_step.numpy(),
        accuracy=accuracy.double().numpy(),
        final_error=final.double().numpy(),
        diverged=diverged.numpy(),
    )
