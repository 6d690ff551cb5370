"""Dense softmax attention with scores -beta <x, z>: its error, and the beta that makes it exact.

The head answers yhat = sum_j e^{-beta <x, x_j>} <x, x_j> / sum_j e^{-beta <x, x_j>}: its scores are
inner products of m-dimensional vectors, and its temperature is 1 / beta.

Closed form. Let t be the least overlap and d_j = <x, x_j> - t >= 0 the gaps, one of them 0. The
error is the weighted mean of the gaps, eps = sum_j d_j e^{-beta d_j} / sum_j e^{-beta d_j} >= 0.
At the greatest error lambda no choice of the gaps makes sum_j (d_j - lambda) e^{-beta d_j}
positive, and the maximisers make it 0; a gap of 0 adds -lambda < 0 and a gap above lambda adds
more than 0, so all gaps but the one that must be 0 are positive, each maximises
(d - lambda) e^{-beta d}, and they may be taken equal. All gaps d <= m are met by an input of the
cube (a query of weight d, N - 1 copies of it, and the zero token), so

    error(beta; m, N) = max over d = 1..m of (N - 1) d / (e^{beta d} + N - 1).

Threshold. The error at gap d is 1/2 where e^{beta d} = (N - 1)(2 d - 1), and below 1/2 beyond that
beta. The head is exact after rounding for beta above

    beta*(m, N) = max over d = 1..m of ln((N - 1)(2 d - 1)) / d.

For N = 3 the gap d = 2 decides: beta* = ln(6) / 2 = 0.8959 for every m >= 2. For N >= 4 it is
d = 1, with a tie at N = 4: beta* = ln(N - 1). Neither grows with m.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from attnrank.minip.task import SOLVED, Group, groups

Floats = NDArray[np.float64]


def closed_form_error(beta: float, width: int, length: int) -> float:
    """Return the greatest error over the cube, from the closed form.

    Args:
        beta: inverse temperature, positive.
        width: m, bits of a token.
        length: N >= 2, tokens of an input, the query included.
    """
    gap = np.arange(1, width + 1, dtype=np.float64)
    # Not e^{beta d}, which overflows.
    small = (length - 1) * np.exp(-beta * gap)
    return float((gap * small / (1 + small)).max())


def exhaustive_errors(betas: Sequence[float], inputs: Sequence[Group]) -> Floats:
    """Return the greatest error over all inputs at each inverse temperature.

    Args:
        betas: inverse temperatures, (K,).
        inputs: every input of the cube, from `attnrank.minip.task.groups`.

    Returns:
        Shape (K,).
    """
    worst = np.zeros(len(betas))
    for group in inputs:
        value = np.arange(group.counts.shape[1])
        target = np.argmax(group.counts > 0, axis=1)
        for k, beta in enumerate(betas):
            weight = np.exp(-beta * value)
            answer = (group.counts @ (weight * value)) / (group.counts @ weight)
            worst[k] = max(worst[k], float(np.abs(answer - target).max()))
    return worst


def threshold(width: int, length: int) -> float:
    """Return beta*, from the formula above.

    Args:
        width: m, bits of a token.
        length: N >= 2. It is 0 for two tokens of one bit: any beta > 0 will do.
    """
    gaps = range(1, width + 1)
    return max(math.log((length - 1) * (2 * gap - 1)) / gap for gap in gaps)


def closed_form_crossing(width: int, length: int) -> float:
    """Return the beta at which the closed form is 1/2."""
    return _crossing(lambda beta: closed_form_error(beta, width, length))


def exhaustive_crossing(width: int, length: int) -> float:
    """Return the beta at which the greatest error over every input of the cube is 1/2."""
    inputs = groups(width, length)
    return _crossing(lambda beta: float(exhaustive_errors([beta], inputs)[0]))


def _crossing(error: Callable[[float], float]) -> float:
    """Return where an error that falls with beta is 1/2, by Brent's method; 0 if it is nowhere."""
    if error(0.0) <= SOLVED:
        return 0.0
    upper = 1.0
    while error(upper) >= SOLVED:
        upper *= 2
    return float(brentq(lambda beta: error(beta) - SOLVED, 0.0, upper, xtol=1e-12, rtol=1e-12))
