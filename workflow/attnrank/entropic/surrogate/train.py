"""Train students A X V of the linear surrogate, all r* and seeds of a job at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnrank import ensemble
from attnrank.entropic.surrogate.moments import (
    Moments,
    RowMoments,
    mean_squared_error,
    moments,
    row_moments,
)
from attnrank.entropic.teachers import orthogonal
from attnrank.seeds import generator
from attnrank.spectra import Array


@dataclass(frozen=True)
class Students:
    """E trained students, in float64.

    Attributes:
        operator: learned A, (E, n, n).
        value: learned (or given) V, (E, d, d).
        loss: mean squared error per entry on the training set at the end, (E,).
        diverged: the loss was not finite at some step; such a student is kept as it is, (E,).
    """

    operator: Array
    value: Array
    loss: Array
    diverged: NDArray[np.bool_]


def moment_loss(
    left: Tensor, right: Tensor, value: Tensor, energy: Tensor, cross: Tensor, gram: Tensor
) -> Tensor:
    """Return the mean squared error of (U W') X V on each training set, from its moments.

    Args:
        left: U, (E, n, r).
        right: W, (E, n, r).
        value: V, (E, d, d).
        energy: (E,), as in `moments.Moments`.
        cross: (E, n n, d d).
        gram: (E, n n, d d).

    Returns:
        Shape (E,).
    """
    operator = left @ right.mT
    fitted = _form((operator.mT @ operator), gram, value @ value.mT)
    return energy + fitted - 2 * _form(operator, cross, value)


def _form(left: Tensor, form: Tensor, right: Tensor) -> Tensor:
    """Return vec(left)' form vec(right), (E,)."""
    return (left.flatten(1) * (form @ right.flatten(1)[..., None])[..., 0]).sum(dim=1)


def row_loss(left: Tensor, right: Tensor, energy: Tensor, cross: Tensor, gram: Tensor) -> Tensor:
    """Return the mean squared error of (U W') X V per label for known V, from row moments.

    Its gradient is exact; it has no second derivatives.

    Args:
        left: U, (E, n, r).
        right: W, (E, n, r).
        energy: (E,), as in `moments.RowMoments`.
        cross: (E, n, n).
        gram: (E, n, n, n).

    Returns:
        Shape (E,).
    """
    operator = left @ right.mT
    here = operator.detach()
    fitted = (gram @ here[..., None])[..., 0]
    # The slope is written out: autograd would read the large Gram matrices three times, not once.
    slope = 2 * (fitted - cross)
    loss = here * (fitted - 2 * cross) + slope * (operator - here)
    return energy + loss.sum(dim=(1, 2))


def train_students(
    inputs: Array,
    targets: Array,
    *,
    rank: int,
    r_star: Sequence[int],
    seeds: Sequence[int],
    init_scale: float,
    learning_rate: float,
    steps: int,
) -> Students:
    """Train A = U W' of one rank, and V, with full-batch Adam and a cosine schedule, in float32.

    The initial values of a student depend on its seed, r* and rank only.

    Args:
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d).
        rank: r, columns of U and W.
        r_star: rank of each training set's teacher, (E,).
        seeds: seed of each training set, (E,).
        init_scale: entries of U and W start as init_scale * N(0, 1) / sqrt(n).
        learning_rate: Adam's first learning rate.
        steps: optimiser steps.
    """
    tokens, width = inputs.shape[2:]

    def draw(rng: np.random.Generator) -> tuple[Array, Array, Array]:
        factors = init_scale / np.sqrt(tokens) * rng.standard_normal((2, tokens, rank))
        return *factors, rng.standard_normal((width, width)) / np.sqrt(width)

    rngs = [
        generator(seed, "surrogate.train", true, rank)
        for true, seed in zip(r_star, seeds, strict=True)
    ]
    start = [np.stack(values) for values in zip(*map(draw, rngs), strict=True)]
    return _descend(
        inputs,
        targets,
        *start,
        learn_value=True,
        learning_rate=learning_rate,
        steps=steps,
        schedule=ensemble.cosine(steps),
        method="adam",
    )


def train_recovery(
    inputs: Array,
    targets: Array,
    *,
    r_star: Sequence[int],
    seeds: Sequence[int],
    init_scale: float,
    learning_rate: float,
    steps: int,
    value: Array | None = None,
) -> Students:
    """Train A = U W' of full rank with plain full-batch gradient descent, in float32.

    Initial factors at two scales are multiples of each other: the draws do not depend on the scale.

    Args:
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d); NaN, where not labelled, is allowed if V is given.
        r_star: rank of each training set's teacher, (E,).
        seeds: seed of each training set, (E,).
        init_scale: entries of U and W start as init_scale * N(0, 1) / sqrt(n).
        learning_rate: step size on the mean squared error per entry.
        steps: gradient steps.
        value: V*, (E, d, d), if the student is given it; otherwise V is learned, from a random
            orthogonal matrix.
    """
    tokens, width = inputs.shape[2:]
    rngs = [
        generator(seed, "surrogate.recovery", true)
        for true, seed in zip(r_star, seeds, strict=True)
    ]
    factors = np.stack([rng.standard_normal((2, tokens, tokens)) for rng in rngs])
    factors *= init_scale / np.sqrt(tokens)
    return _descend(
        inputs,
        targets,
        factors[:, 0],
        factors[:, 1],
        np.stack([orthogonal(rng, width) for rng in rngs]) if value is None else value,
        learn_value=value is None,
        learning_rate=learning_rate,
        steps=steps,
        schedule=ensemble.constant,
        method="gradient descent",
    )


def _descend(
    inputs: Array,
    targets: Array,
    left: Array,
    right: Array,
    value: Array,
    *,
    learn_value: bool,
    learning_rate: float,
    steps: int,
    schedule: ensemble.Schedule,
    method: Literal["adam", "gradient descent"],
) -> Students:
    """Minimise the training loss from given factors and return the students."""
    u, w, v = (torch.tensor(x, dtype=torch.float32) for x in (left, right, value))
    trained = [u, w, v] if learn_value else [u, w]
    for parameter in trained:
        parameter.requires_grad_()
    if learn_value:
        losses = partial(moment_loss, u, w, v, *_tensors(moments(inputs, targets)))
    else:
        losses = partial(row_loss, u, w, *_tensors(row_moments(inputs, targets, value)))
    diverged = ensemble.fit(
        [{"params": trained, "lr": learning_rate}],
        lambda step: losses(),
        steps=steps,
        schedule=schedule,
        method=method,
    )
    # The product of the factors is taken in float64, so that rounding does not add to the rank.
    left, right = (x.detach().double().numpy() for x in (u, w))
    operator = left @ right.swapaxes(1, 2)
    if learn_value:
        value = v.detach().double().numpy()
    with np.errstate(invalid="ignore", over="ignore"):
        loss = mean_squared_error(operator, value, inputs, targets)
    return Students(operator, value, loss, diverged.numpy() | ~np.isfinite(loss))


def _tensors(data: Moments | RowMoments) -> list[Tensor]:
    """Return energy, cross and gram in float32."""
    return [torch.tensor(x, dtype=torch.float32) for x in (data.energy, data.cross, data.gram)]
