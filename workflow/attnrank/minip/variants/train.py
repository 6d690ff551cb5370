"""Train every variant of the head on the witness suite: all seeds of a variant at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnrank import ensemble
from attnrank.minip.variants.data import inputs
from attnrank.minip.variants.names import Head
from attnrank.minip.witness.train import errors, exponent, layout, power_loss
from attnrank.seeds import generator

Ints = NDArray[np.int64]

# As in the witness suite's heads: no sum of attention overflows or vanishes in single precision.
_LARGEST = 30.0
_READOUT_NOISE = 0.5


def train(
    tokens: NDArray[np.uint8],
    sequences: Ints,
    targets: Ints,
    *,
    variant: str,
    head: Head,
    rank: int,
    seeds: Sequence[int],
    steps: int,
    learning_rate: float,
    readout_rate: float,
    final_exponent: float,
    warmup: int,
) -> dict[str, NDArray[Any]]:
    """Minimise the largest error of a variant with ``rank`` nonnegative features per token.

    Features are exp of free numbers per token, and per position where the head says so. Adam with
    a cosine schedule on the power mean of the absolute errors, whose exponent grows.

    Args:
        tokens: bits of the tokens, (T, m).
        sequences: tokens of every input of the witness suite, query first, (S, 3).
        targets: (S,).
        variant: its name, for the random streams.
        head: what it leaves free.
        rank: number of features.
        seeds: each gives one model.
        steps: updates.
        learning_rate: the highest step size of Adam for the features.
        readout_rate: the same for values and read-out.
        final_exponent: exponent of the loss at the end.
        warmup: updates over which the step size rises.

    Returns:
        Columns of `schemas.RUNS`, an entry per seed: seed; error, the least greatest error of any
        iterate; step, its number; accuracy there; final_error; diverged.
    """
    torch.set_num_threads(1)
    rows, answers = inputs(sequences, targets, head)
    if head.positional:
        # A token at another position is another token to the head.
        rows = rows + len(tokens) * np.arange(rows.shape[1])
    if head.query == "last":
        rows = np.roll(rows, 1, axis=1)
    suite = layout(rows, answers)
    draws = [generator(seed, "minip_variants.train", variant, rank) for seed in seeds]

    def normal(*shape: int) -> Tensor:
        numbers = [rng.standard_normal(shape, dtype=np.float32) for rng in draws]
        return torch.from_numpy(np.stack(numbers))

    labels, own = np.unique(suite.own.numpy(), return_inverse=True)
    place = torch.from_numpy(own.reshape(suite.own.shape))
    bits = torch.tensor(tokens, dtype=torch.float32)
    query_bits = bits[suite.query_token % len(tokens)]
    label_bits = bits[torch.from_numpy(labels % len(tokens))]
    query_logit = normal(len(query_bits), rank).requires_grad_()
    key_logit = normal(len(labels), rank).requires_grad_()
    readout = [part.requires_grad_() for part in _readout(head, query_bits, label_bits, normal)]

    def answer_errors() -> Tensor:
        query, key = (t.clamp(-_LARGEST, _LARGEST).exp() for t in (query_logit, key_logit))
        attention = _gather(torch.bmm(query, key.transpose(1, 2)), place)
        if head.values:
            scale, shift, value = readout
            u = _gather(torch.bmm(scale, value.transpose(1, 2)) + shift, place)
        else:
            u = _gather(readout[0], place)
        return errors(attention, u, suite)

    best = torch.full((len(seeds),), torch.inf)
    best_step = torch.zeros(len(seeds), dtype=torch.int64)
    accuracy = torch.zeros(len(seeds))

    def record(step: int, size: Tensor) -> Tensor:
        largest = size.amax(1)
        better = largest < best
        best[better], best_step[better] = largest[better], step
        accuracy[better] = (size < 0.5).float().mean(1)[better]
        return largest

    def losses(step: int) -> Tensor:
        error = answer_errors()
        record(step, error.detach().abs())
        return power_loss(error, exponent(step, steps, final_exponent))

    diverged = ensemble.fit(
        [
            {"params": [query_logit, key_logit], "lr": learning_rate},
            {"params": readout, "lr": readout_rate},
        ],
        losses,
        steps=steps,
        schedule=ensemble.cosine(steps, warmup=warmup),
        betas=(0.9, 0.99),
    )
    with torch.no_grad():
        final = record(steps, answer_errors().abs())
    return {
        "seed": np.array(seeds, dtype=np.int64),
        "error": best.double().numpy(),
        "step": best_step.numpy(),
        "accuracy": accuracy.double().numpy(),
        "final_error": final.double().numpy(),
        "diverged": diverged.numpy(),
    }


def _gather(every: Tensor, place: Tensor) -> Tensor:
    """Return the numbers of each query's own tokens, (B, n, K), out of those of all, (B, n, T)."""
    return every.gather(2, place.expand(len(every), -1, -1))


def _readout(head: Head, query_bits: Tensor, label_bits: Tensor, normal: Any) -> list[Tensor]:
    """Return the read-out's start, near <x, z> where the head can hold that.

    A free u(x, z), (B, n, T); or a(x), (B, n, d), b(x), (B, n, 1), and v(z), (B, T, d).
    """
    queries, labels = len(query_bits), len(label_bits)
    if not head.values:
        return [query_bits @ label_bits.T + _READOUT_NOISE * normal(queries, labels)]
    scale = _READOUT_NOISE * normal(queries, head.values)
    value = _READOUT_NOISE * normal(labels, head.values)
    shift = _READOUT_NOISE * normal(queries, 1)
    if head.values >= query_bits.shape[1]:
        width = query_bits.shape[1]
        # Noise on both factors would be far larger in their product.
        scale, value = scale / width, value / width
        scale[:, :, :width] += query_bits
        value[:, :, :width] += label_bits
    else:
        scale += 1.0
        value += label_bits.mean(1, keepdim=True)
    return [scale, shift, value]
