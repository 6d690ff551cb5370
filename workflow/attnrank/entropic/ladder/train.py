"""Train the students of one rank, all r* and seeds at once, and measure them on new inputs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnrank import ensemble
from attnrank.entropic.ladder import students
from attnrank.entropic.ladder.students import STUDENTS, Student
from attnrank.seeds import generator
from attnrank.spectra import Array


@dataclass(frozen=True)
class Measured:
    """E trained students on their test inputs; NaN where a student diverged.

    Attributes:
        excess: mean squared error per entry against the clean target, (E,).
        spread: share of the realised mixer's energy that changes with the input,
            E |M(X) - E M|_F^2 / E |M(X)|_F^2, (E,): 0 for a fixed mixer, at most 1.
        loss: mean squared error per entry on the training set, (E,).
        diverged: the loss was not finite at some step, (E,).
    """

    excess: Array
    spread: Array
    loss: Array
    diverged: NDArray[np.bool_]


def train_students(
    name: str,
    operator: Array,
    value: Array,
    inputs: Array,
    targets: Array,
    *,
    rank: int,
    r_star: Sequence[int],
    seeds: Sequence[int],
    init_scale: float,
    hidden: int,
    learning_rate: float,
    warmup: int,
    steps: int,
    batch: int,
    test_inputs: int,
) -> Measured:
    """Train one kind of student with Adam and a cosine schedule, in float32; measure it in float64.

    Every student goes through its training set in the same order, ``batch`` inputs a step. Initial
    values and test inputs depend on a student's name, seed, r* and rank only.

    Args:
        name: a key of `students.STUDENTS`.
        operator: A*, (E, n, n).
        value: V*, (E, d, d).
        inputs: X, (E, N, n, d).
        targets: Y, (E, N, n, d).
        rank: r, the greatest rank of A or of K.
        r_star: r* of each task, (E,).
        seeds: seed of each task, (E,).
        init_scale: scale of the initial query and key maps.
        hidden: width of B3's feed-forward layer.
        learning_rate: Adam's greatest learning rate.
        warmup: steps over which the rate rises.
        steps: optimiser steps.
        batch: inputs in a step; must divide N.
        test_inputs: new inputs that students are measured on.
    """
    student = STUDENTS[name]
    cases = list(zip(r_star, seeds, strict=True))
    tokens, width = inputs.shape[2:]
    drawn = [
        students.start(
            student,
            generator(seed, "ladder.train", name, true, rank),
            tokens=tokens,
            width=width,
            rank=rank,
            init_scale=init_scale,
            hidden=hidden,
        )
        for true, seed in cases
    ]
    weights = {
        key: torch.tensor(np.stack([one[key] for one in drawn]), dtype=torch.float32)
        for key in drawn[0]
    }
    for weight in weights.values():
        weight.requires_grad_()
    batches = _batches(student, inputs, targets, batch)

    def losses(step: int) -> Tensor:
        x, seen, y = batches[step % len(batches)]
        return (students.outputs(student, weights, x, seen) - y).square().mean((1, 2, 3))

    diverged = ensemble.fit(
        [{"params": list(weights.values()), "lr": learning_rate}],
        losses,
        steps=steps,
        schedule=ensemble.cosine(steps, warmup=warmup),
    )
    final = {key: weight.detach().double() for key, weight in weights.items()}
    test = np.stack(
        [
            generator(seed, "ladder.test", true).standard_normal((test_inputs, tokens, width))
            for true, seed in cases
        ]
    )
    clean = operator[:, None] @ test @ value[:, None]
    excess, spread = _measure(student, final, test, clean)
    loss, _ = _measure(student, final, inputs, targets)
    bad = diverged.numpy() | ~np.isfinite(excess) | ~np.isfinite(loss)
    excess, spread, loss = (np.where(bad, np.nan, found) for found in (excess, spread, loss))
    return Measured(excess, spread, loss, bad)


def _batches(
    student: Student, inputs: Array, targets: Array, batch: int
) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Return X, what attention sees of it, and Y in float32, ``batch`` inputs at a time."""
    parts = []
    for first in range(0, inputs.shape[1], batch):
        x, y = (
            torch.tensor(values[:, first : first + batch], dtype=torch.float32)
            for values in (inputs, targets)
        )
        parts.append((x, students.attention_inputs(student, x), y))
    return parts


def _measure(
    student: Student,
    weights: students.Weights,
    inputs: Array,
    targets: Array,
) -> tuple[Array, Array]:
    """Return mean squared error and spread of the mixer over inputs, each (E,)."""
    error, energy, mean = [], [], []
    count = inputs.shape[1]
    for first in range(0, count, 256):
        x, y = (torch.from_numpy(part[:, first : first + 256]) for part in (inputs, targets))
        seen = students.attention_inputs(student, x)
        found = students.outputs(student, weights, x, seen)
        mixed = students.mixer(student, weights, seen)
        error.append((found - y).square().mean((2, 3)).sum(1))
        energy.append(mixed.square().sum((1, 2, 3)))
        mean.append(mixed.sum(1))
    total = torch.stack(energy).sum(0) / count
    fixed = (torch.stack(mean).sum(0) / count).square().sum((1, 2))
    spread = 1 - fixed / total
    return (torch.stack(error).sum(0) / count).numpy(), spread.clamp(0, 1).numpy()
