"""Train heads that send messages of a finite alphabet: what a key sends is learned, and rounded."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnrank import ensemble
from attnrank.minip.transcript.data import Family
from attnrank.seeds import generator

# Read-outs start near the identity, times the range of what their layer has to say.
_READOUT_NOISE = 0.1


@dataclass(frozen=True)
class Trained:
    """What became of every seed (axis 0, of length B).

    Attributes:
        exact: share of inputs of which all answers are exact, at the best iterate, (B,).
        transcripts: different transcripts that its keys send, (B,).
        diverged: whether the loss was ever not finite, (B,).
    """

    exact: NDArray[np.float64]
    transcripts: NDArray[np.int64]
    diverged: NDArray[np.bool_]


def train(
    inputs: Family,
    *,
    levels: tuple[int, ...],
    seeds: Sequence[int],
    learning_rate: float,
    steps: int,
    warmup: int,
) -> Trained:
    """Train one head of rank 1 in each layer, answering by a sum over layers.

    A token's value has q channels in (0, 1), rounded to the layer's levels; gradients pass through
    the rounding (straight-through, Bengio et al. 2013). The values are free numbers for each token,
    so that any message can be learned. The feature of every key is 1, so that it sends nothing
    uncounted; those of query words are learned, and each query has an affine read-out of its own.
    Mean squared error, Adam with a cosine schedule.

    Args:
        inputs: the family, with Z keys and q queries.
        levels: of each layer.
        seeds: each gives one model.
        learning_rate: the highest step size of Adam.
        steps: updates, on all inputs.
        warmup: updates over which the step size rises.
    """
    torch.set_num_threads(1)
    q = len(inputs.queries)
    tokens = len(inputs.keys) + q
    answers = torch.from_numpy(inputs.answers).float()
    draws = [generator(seed, "minip_transcript.train", q, *levels, tokens) for seed in seeds]

    def normal(*shape: int) -> Tensor:
        drawn = [rng.standard_normal(shape, dtype=np.float32) for rng in draws]
        return torch.from_numpy(np.stack(drawn))

    largest = float(inputs.answers.max())
    scales = largest / np.cumprod([1, *levels[:-1]])
    values = [normal(tokens, q).requires_grad_() for _ in levels]
    logits = [(normal(q, 1) - 2).requires_grad_() for _ in levels]
    readouts = [
        (float(scale) * (torch.eye(q) + _READOUT_NOISE * normal(q, q))).requires_grad_()
        for scale in scales
    ]
    bias = torch.zeros(len(seeds), 1, q, requires_grad=True)
    best = torch.full((len(seeds),), -1.0, dtype=torch.float64)
    transcripts = torch.zeros(len(seeds), dtype=torch.int64)

    def forward() -> tuple[Tensor, list[Tensor]]:
        total, codes = bias, []
        for value, logit, readout, count in zip(values, logits, readouts, levels, strict=True):
            code, message = _rounded(value, count)
            codes.append(code[:, q:])
            weight = logit.exp()
            own = (weight * message[:, :q]).sum(1, keepdim=True)
            attended = (own + message[:, q:]) / (1 + weight.sum(1, keepdim=True))
            total = total + torch.bmm(attended, readout)
        return total, codes

    def record(answer: Tensor, codes: list[Tensor]) -> None:
        # In double precision: a share must not round to above what counting allows.
        exact = ((answer - answers).abs() < 0.5).all(2).double().mean(1)
        for model in torch.nonzero(exact > best).flatten().tolist():
            best[model] = exact[model]
            sent = torch.cat([code[model] for code in codes], 1)
            transcripts[model] = len(torch.unique(sent, dim=0))

    def losses(step: int) -> Tensor:
        answer, codes = forward()
        record(answer.detach(), codes)
        return (answer - answers).square().mean((1, 2))

    diverged = ensemble.fit(
        [{"params": [*values, *logits, *readouts, bias], "lr": learning_rate}],
        losses,
        steps=steps,
        schedule=ensemble.cosine(steps, warmup=warmup),
        betas=(0.9, 0.99),
    )
    with torch.no_grad():
        record(*forward())
    return Trained(best.numpy(), transcripts.numpy(), diverged.numpy())


def _rounded(numbers: Tensor, levels: int) -> tuple[Tensor, Tensor]:
    """Return the code, 0 to levels - 1, and the message in [0, 1], whose gradient is unrounded."""
    free = torch.sigmoid(numbers)
    if levels == 1:
        return torch.zeros_like(numbers), 0 * free + 0.5
    code = (free.detach() * (levels - 1)).round()
    return code, free + (code / (levels - 1) - free.detach())
