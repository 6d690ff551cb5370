"""Train attention students K = W_Q W_K' of one rank, all tasks of a job in one process."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnrank import ensemble
from attnrank.entropic import attention
from attnrank.seeds import generator
from attnrank.spectra import Array

# Numbers in the inputs of students trained side by side: their activations stay in the cache.
TOGETHER = 100_000


@dataclass(frozen=True)
class Students:
    """E trained students, in float64.

    Attributes:
        kernel: learned K, (E, d, d).
        value: learned (or given) V, (E, d, d).
        loss: mean squared error per entry on the training set at the end, (E,).
        diverged: the loss was not finite at some step; such a student is kept as it is, (E,).
    """

    kernel: Array
    value: Array
    loss: Array
    diverged: NDArray[np.bool_]


def squared_loss(
    kind: attention.Kind,
    inputs: Tensor,
    targets: Tensor,
    gram: Tensor,
    left: Tensor,
    right: Tensor,
    value: Tensor,
) -> Tensor:
    """Return the mean squared error per entry of attention with K = W_Q W_K', (E,).

    Args:
        kind: linear or softmax.
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d).
        gram: `attention.grams` of the inputs, (E, N, d, d).
        left: W_Q, (E, d, r).
        right: W_K, (E, d, r).
        value: V, (E, d, d).
    """
    fitted = attention.outputs(kind, inputs, left @ right.mT, value, gram)
    loss: Tensor = (fitted - targets).square().mean(dim=(1, 2, 3))
    return loss


def train_students(
    kind: attention.Kind,
    inputs: Array,
    targets: Array,
    *,
    rank: int,
    r_star: Sequence[int],
    seeds: Sequence[int],
    init_scale: float,
    learning_rate: float,
    steps: int,
    warmup: int,
) -> Students:
    """Train K = W_Q W_K' of one rank, and V, with full-batch Adam and a cosine schedule.

    The initial values of a student depend on its seed, r* and rank only, not on kind or tau.

    Args:
        kind: linear or softmax.
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d).
        rank: r, columns of W_Q and W_K.
        r_star: rank of each task's teacher, (E,).
        seeds: seed of each task, (E,).
        init_scale: entries of W_Q and W_K start as init_scale * N(0, 1) / sqrt(d), those of V as
            N(0, 1) / sqrt(d).
        learning_rate: Adam's greatest learning rate.
        steps: optimiser steps.
        warmup: of which the learning rate rises.
    """
    width = inputs.shape[-1]
    rngs = [generator(s, "native.train", r, rank) for r, s in zip(r_star, seeds, strict=True)]
    factors = np.stack([rng.standard_normal((2, width, rank)) for rng in rngs])
    value = np.stack([rng.standard_normal((width, width)) for rng in rngs]) / np.sqrt(width)
    return _train(
        kind,
        inputs,
        targets,
        init_scale / np.sqrt(width) * factors,
        value,
        learn_value=True,
        learning_rate=learning_rate,
        steps=steps,
        schedule=ensemble.cosine(steps, warmup=warmup),
    )


def train_implicit(
    kind: attention.Kind,
    inputs: Array,
    targets: Array,
    value: Array,
    *,
    r_star: Sequence[int],
    seeds: Sequence[int],
    init_scale: float,
    learning_rate: float,
    steps: int,
    clip: float,
) -> Students:
    """Train K = W_Q W_K' of full rank, V given, with full-batch clipped gradient descent.

    Initial factors at two scales are multiples of each other: the draws do not depend on the scale.

    Args:
        kind: linear or softmax.
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d).
        value: V*, (E, d, d).
        r_star: rank of each task's teacher, (E,).
        seeds: seed of each task, (E,).
        init_scale: entries of W_Q and W_K start as init_scale * N(0, 1) / sqrt(d).
        learning_rate: step size on the mean squared error per entry.
        steps: gradient steps.
        clip: greatest norm of a student's gradient.
    """
    width = inputs.shape[-1]
    rngs = [generator(s, "native.implicit", r) for r, s in zip(r_star, seeds, strict=True)]
    factors = np.stack([rng.standard_normal((2, width, width)) for rng in rngs])
    return _train(
        kind,
        inputs,
        targets,
        init_scale / np.sqrt(width) * factors,
        value,
        learn_value=False,
        learning_rate=learning_rate,
        steps=steps,
        method="gradient descent",
        clip=clip,
    )


def _train(
    kind: attention.Kind,
    inputs: Array,
    targets: Array,
    factors: Array,
    value: Array,
    **how: Any,
) -> Students:
    """Minimise the training loss from given factors (E, 2, d, r), a few students at a time."""
    size = max(1, TOGETHER // inputs[0].size)
    parts = [
        _descend(kind, *(x[first : first + size] for x in (inputs, targets, factors, value)), **how)
        for first in range(0, len(inputs), size)
    ]
    names = ("kernel", "value", "loss", "diverged")
    return Students(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _descend(
    kind: attention.Kind,
    inputs: Array,
    targets: Array,
    factors: Array,
    value: Array,
    *,
    learn_value: bool,
    learning_rate: float,
    **how: Any,
) -> Students:
    """Train a few students side by side, in float32; ``how`` goes to `ensemble.fit`."""
    x, y = (torch.tensor(a, dtype=torch.float32) for a in (inputs, targets))
    u, w, v = (torch.tensor(a, dtype=torch.float32) for a in (factors[:, 0], factors[:, 1], value))
    trained = [u, w, v] if learn_value else [u, w]
    for parameter in trained:
        parameter.requires_grad_()
    losses = partial(squared_loss, kind, x, y, attention.grams(x), u, w, v)
    groups = [{"params": trained, "lr": learning_rate}]
    diverged = ensemble.fit(groups, lambda step: losses(), **how)
    # The product of the factors is taken in float64, so that rounding does not add to the rank.
    left, right = (a.detach().double().numpy() for a in (u, w))
    kernel = left @ right.swapaxes(1, 2)
    learned = v.detach().double().numpy() if learn_value else value
    with np.errstate(invalid="ignore", over="ignore"):
        error = attention.outputs(kind, inputs, kernel, learned) - targets
        loss = (error**2).mean(axis=(1, 2, 3))
    return Students(kernel, learned, loss, diverged.numpy() | ~np.isfinite(loss))
