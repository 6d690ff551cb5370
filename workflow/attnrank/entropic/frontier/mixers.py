"""The realised mixers M_s of a sample: what attention did, not what its kernel is."""

import numpy as np
from numpy.typing import ArrayLike

from attnrank.entropic.frontier.samples import checked
from attnrank.entropic.frontier.value_map import known_inverse, pseudo_inverses
from attnrank.spectra import Array


def realised_mixers(inputs: ArrayLike, outputs: ArrayLike, value: ArrayLike) -> Array:
    """Return the mixers M_s = Y V^+ X^+ of every sample: V known, n <= d.

    Args:
        inputs: X, (N, n, d) with n <= d.
        outputs: Y, (N, n, e).
        value: V, (d, e), of rank d.

    Returns:
        Shape (N, n, n).

    Raises:
        RefusedError: n > d, dependent tokens, or V not of rank d.
    """
    samples = checked(inputs, outputs)
    mixed = samples.outputs @ known_inverse(samples, value)
    return np.asarray(mixed @ pseudo_inverses(samples.inputs))
