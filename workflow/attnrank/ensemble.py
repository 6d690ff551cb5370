"""Train many small models at once: a leading ensemble dimension, one thread, one optimiser."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import torch
from torch import Tensor
from torch.optim.adam import adam

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
    clip: float | None = None,
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
        clip: greatest norm of a model's gradient, over all its parameters; a longer one is
            shortened to it. None: no limit.

    Returns:
        Booleans of shape (models,): true where the loss was ever not finite. Such a model is kept
        as it is, for the caller to flag.
    """
    torch.set_num_threads(1)
    parameters = [group["params"] for group in groups]
    moments = [[(torch.zeros_like(p), torch.zeros_like(p)) for p in own] for own in parameters]
    counts = [[torch.tensor(0.0) for _ in own] for own in parameters]
    diverged: Tensor | None = None
    for step in range(steps):
        loss = losses(step)
        bad = ~torch.isfinite(loss.detach())
        diverged = bad if diverged is None else diverged | bad
        flat = [parameter for own in parameters for parameter in own]
        gradients = iter(_clipped(torch.autograd.grad(loss.sum(), flat), clip))
        with torch.no_grad():
            for group, own, moment, count in zip(groups, parameters, moments, counts, strict=True):
                rate = group["lr"] * schedule(step)
                slopes = [next(gradients) for _ in own]
                if method == "adam":
                    _adam(own, slopes, moment, count, rate, betas)
                else:
                    for parameter, slope in zip(own, slopes, strict=True):
                        parameter -= rate * slope
    if diverged is None:
        raise ValueError(f"steps = {steps}: at least 1 is needed")
    return diverged


def _clipped(gradients: Sequence[Tensor], clip: float | None) -> Sequence[Tensor]:
    """Shorten every model's gradient, over all its parameters, to a norm of ``clip`` at most."""
    if clip is None:
        return gradients
    norm = sum(g.square().reshape(len(g), -1).sum(dim=1) for g in gradients) ** 0.5
    factor = (clip / norm).clamp(max=1.0)
    return [g * factor.reshape(-1, *[1] * (g.ndim - 1)) for g in gradients]


def _adam(
    parameters: list[Tensor],
    gradients: list[Tensor],
    moments: list[tuple[Tensor, Tensor]],
    counts: list[Tensor],
    rate: float,
    betas: tuple[float, float],
) -> None:
    """Take one step of torch's Adam; its optimiser class would import a second's worth of torch."""
    adam(
        parameters,
        gradients,
        [first for first, _ in moments],
        [second for _, second in moments],
        [],
        counts,
        foreach=True,
        amsgrad=False,
        beta1=betas[0],
        beta2=betas[1],
        lr=rate,
        weight_decay=0.0,
        eps=1e-8,
        maximize=False,
    )
