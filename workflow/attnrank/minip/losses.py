"""Losses that near the greatest error, for heads that must be exact on every input."""

from torch import Tensor


def power_loss(error: Tensor, exponent: float) -> Tensor:
    """Return the power mean of |error| along the last axis, which nears the maximum as p grows."""
    size = error.abs()
    largest = size.detach().amax(-1, keepdim=True).clamp_min(1e-9)
    mean = (size / largest).pow(exponent).mean(-1)
    return largest.squeeze(-1) * mean.pow(1 / exponent)


def exponent(
    step: int, steps: int, final: float, *, start: float = 0.0, stop: float = 0.7
) -> float:
    """Return the exponent of the loss: 2 until a share ``start`` of the steps, ``final`` from
    ``stop`` on, and geometric between them.
    """
    progress = (step / steps - start) / (stop - start)
    return 2.0 * (final / 2.0) ** min(1.0, max(0.0, progress))
