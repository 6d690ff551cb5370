"""Train many small models at once: a leading ensemble dimension, one thread, one optimiser."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import torch
from torch import Tensor

Schedule = Callable[[int], float]


def constant(step: int) -> float:
    """Keep the learning rate."""
    return 1.0


def cosine(steps: int, *, warmup: int = 0, floor: float = 0.01) -> Schedule:
    """Return a factor that rises linearly over ``warmup`` steps and falls as a cosine to floor."""

    def factor(step: int) -> float:
        rise = min(1.0, (step + 1) / warmup) if warmup else 1.0
        return rise * (floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * step / steps)))

    return factor


def fit(
    groups: Sequence[dict[str, Any]],
    losses: Callable[[int], Tensor],
    *,
    steps: int,
    schedule: Schedule = constant,
    method: Literal["adam", "gradient descent"] = "adam",
    betas: tuple[float, float] = (0.9, 0.999),
) -> Tensor:
    """Minimise every model's loss in place and say which models diverged.

    Args:
        groups: parameter groups ``{"params": [...], "lr": float}``; every parameter has the
            ensemble as its first axis and a gradient.
        losses: from the step's number to the losses, shape (models,). They are summed, and no
            model's parameters enter another's loss, so each gets its own gradient.
        steps: optimiser steps.
        schedule: factor on the learning rate at each step.
        method: Adam, or plain full-batch gradient descent.
        betas: Adam's decay rates.

    Returns:
        Booleans of shape (models,): true where the loss was ever not finite. Such a model is kept
        as it is, for the caller to flag.
    """
    torch.set_num_threads(1)
    optimiser: torch.optim.Optimizer
    if method == "adam":
        optimiser = torch.optim.Adam(list(groups), betas=betas)
    else:
        optimiser = torch.optim.SGD(list(groups))
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimiser, schedule)
    diverged: Tensor | None = None
    for step in range(steps):
        optimiser.zero_grad()
        loss = losses(step)
        bad = ~torch.isfinite(loss.detach())
        diverged = bad if diverged is None else diverged | bad
        loss.sum().backward()
        optimiser.step()
        scheduler.step()
    if diverged is None:
        raise ValueError(f"steps = {steps}: at least 1 is needed")
    return diverged
