"""Train dense softmax heads: scores x^T W z of m dimensions and a read-out, both learned."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnrank import ensemble
from attnrank.minip.losses import exponent, power_loss
from attnrank.minip.task import SOLVED, cube, overlaps
from attnrank.seeds import generator

Bits = NDArray[np.uint8]

_LENGTH = 3
# The exponent of the loss stays 2 for 40 % of the steps and grows until 80 %.
_START, _STOP = 0.4, 0.8
_BLOCK = 2**14  # test inputs answered at once, so that memory stays small


@dataclass(frozen=True)
class Trained:
    """What became of every seed (axis 0, of length B).

    Attributes:
        seeds: the seeds, (B,).
        error: greatest absolute error on the test inputs, (B,).
        accuracy: share of the test inputs with an error below 1/2, (B,).
        beta: inverse temperature that was learned, minus the mean of the diagonal of W, (B,).
        deviation: greatest deviation of W from -beta times the identity, (B,).
        inputs: number of test inputs.
        diverged: whether the loss was ever not finite, (B,).
    """

    seeds: NDArray[np.int64]
    error: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    beta: NDArray[np.float64]
    deviation: NDArray[np.float64]
    inputs: int
    diverged: NDArray[np.bool_]


def draw(rng: np.random.Generator, count: int, width: int) -> Bits:
    """Return random inputs (count, 3, m), the query first.

    Each token has a density of ones of its own, uniform in [0, 1], so that overlaps of every size
    and gaps of every size occur; tokens of independent fair bits would nearly always have overlaps
    close to m / 4.
    """
    density = rng.random((count, _LENGTH, 1))
    return (rng.random((count, _LENGTH, width)) < density).astype(np.uint8)


def targets(inputs: Bits) -> NDArray[np.int64]:
    """Return the least overlap of the query with a token, itself included: (Q,) of (Q, 3, m)."""
    return (inputs[:, :1].astype(np.int64) * inputs).sum(axis=2).min(axis=1)


def answers(score: Tensor, readout: Tensor, inputs: Tensor) -> Tensor:
    """Return yhat of every input.

    Args:
        score: W, (B, m, m); the scores are x^T W z on bits.
        readout: M, (B, m + 1, m + 1); u(x, z) = (x, 1) M (z, 1) on signs: affine in the value z for
            every query x.
        inputs: bits, (Q, 3, m), the query first.

    Returns:
        Shape (B, Q).
    """
    signs = torch.cat([2 * inputs - 1, torch.ones(*inputs.shape[:2], 1)], dim=2)
    scores = torch.einsum("bqm,qlm->bql", inputs[:, 0] @ score, inputs)
    values = torch.einsum("bqm,qlm->bql", signs[:, 0] @ readout, signs)
    return (torch.softmax(scores, dim=2) * values).sum(2)


def train(
    width: int,
    seeds: Sequence[int],
    *,
    steps: int,
    batch: int,
    pool: int,
    score_rate: float,
    readout_rate: float,
    init_scale: float,
    final_exponent: float,
    warmup: int,
    test: int,
    exhaustive_up_to: int,
) -> Trained:
    """Minimise the error of dense softmax heads on random inputs, then test them.

    Mean squared error for 40 % of the steps, then a power mean whose exponent grows, so that the
    rare inputs count on which the head is worst; Adam with a cosine schedule. All seeds see the
    same inputs, and start from W and M of their own.

    Args:
        width: m, bits of a token.
        seeds: each gives one model.
        steps: updates.
        batch: inputs of an update.
        pool: batches that are drawn, then used in turn.
        score_rate: the highest step size of Adam for W.
        readout_rate: the same for M.
        init_scale: standard deviation of the entries of W and M at the start, times m.
        final_exponent: exponent of the loss at the end.
        warmup: updates over which the step size rises.
        test: fresh random inputs in the test.
        exhaustive_up_to: greatest width at which the test is every input of the cube instead.
    """
    torch.set_num_threads(1)
    rng = generator(0, "minip_dense.batches", width)
    batches = [_pair(draw(rng, batch, width)) for _ in range(pool)]
    draws = [generator(seed, "minip_dense.heads", width) for seed in seeds]

    def normal(size: int) -> Tensor:
        drawn = [own.standard_normal((size, size), dtype=np.float32) for own in draws]
        return torch.from_numpy(np.stack(drawn)) * (init_scale / width)

    score, readout = normal(width).requires_grad_(), normal(width + 1).requires_grad_()

    def losses(step: int) -> Tensor:
        inputs, target = batches[step % pool]
        power = exponent(step, steps, final_exponent, start=_START, stop=_STOP)
        error = answers(score, readout, inputs) - target
        # The mean square, not its root: it is smooth at 0.
        return error.square().mean(1) if power == 2.0 else power_loss(error, power)

    diverged = ensemble.fit(
        [{"params": [score], "lr": score_rate}, {"params": [readout], "lr": readout_rate}],
        losses,
        steps=steps,
        schedule=ensemble.cosine(steps, warmup=warmup),
        betas=(0.9, 0.99),
    )
    learned = score.detach(), readout.detach()
    if width <= exhaustive_up_to:
        worst, solved, count = judge_cube(*learned)
    else:
        fresh = draw(generator(0, "minip_dense.fresh", width), test, width)
        worst, solved, count = judge_inputs(*learned, fresh)
    diagonal = score.detach().diagonal(dim1=1, dim2=2)
    beta = -diagonal.mean(1)
    apart = (score.detach() + beta[:, None, None] * torch.eye(width)).abs().amax((1, 2))
    return Trained(
        seeds=np.array(seeds, dtype=np.int64),
        error=worst.double().numpy(),
        accuracy=(solved.double() / count).numpy(),
        beta=beta.double().numpy(),
        deviation=apart.double().numpy(),
        inputs=count,
        diverged=diverged.numpy(),
    )


def _pair(inputs: Bits) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(inputs.astype(np.float32)), torch.from_numpy(
        targets(inputs).astype(np.float32)
    )


def judge_inputs(score: Tensor, readout: Tensor, given: Bits) -> tuple[Tensor, Tensor, int]:
    """Return each seed's greatest error and number of exact answers, and the number of inputs."""
    worst = torch.zeros(len(score))
    solved = torch.zeros(len(score), dtype=torch.int64)
    for start in range(0, len(given), _BLOCK):
        inputs, target = _pair(given[start : start + _BLOCK])
        error = (answers(score, readout, inputs) - target).abs()
        worst = torch.maximum(worst, error.amax(1))
        solved += (error < SOLVED).sum(1)
    return worst, solved, len(given)


def judge_cube(score: Tensor, readout: Tensor) -> tuple[Tensor, Tensor, int]:
    """Return the same over all 2^{3m} inputs of the cube, from tables of scores and read-outs."""
    tokens = torch.from_numpy(cube(score.shape[1]).astype(np.float32))
    signs = torch.cat([2 * tokens - 1, torch.ones(len(tokens), 1)], dim=1)
    met = torch.from_numpy(overlaps(score.shape[1]).astype(np.float32))
    scores = tokens @ score @ tokens.T
    weights = (scores - scores.amax(2, keepdim=True)).exp()
    parts = weights * (signs @ readout @ signs.T)
    worst = torch.zeros(len(score))
    solved = torch.zeros(len(score), dtype=torch.int64)
    for x in range(len(tokens)):
        below, above = (
            table[:, x, x, None, None] + table[:, x, :, None] + table[:, x, None, :]
            for table in (weights, parts)
        )
        target = torch.minimum(met[x, :, None], met[x, None, :])
        error = (above / below - target).abs()
        worst = torch.maximum(worst, error.amax((1, 2)))
        solved += (error < SOLVED).sum((1, 2))
    return worst, solved, len(tokens) ** _LENGTH
