"""Attention with a leading ensemble axis, for numpy arrays and torch tensors alike.

One definition serves teachers in float64 and students under autograd, so the two cannot differ.
Shapes: inputs X (E, N, n, d), kernels K = W_Q W_K' (E, d, d), values V (E, d, d): E models, N
inputs of n tokens, d numbers in a token. Torch is not imported here: data jobs do without it.
"""

from typing import Any, Literal

import numpy as np
from scipy import special

Kind = Literal["linear", "softmax"]
KINDS: tuple[Kind, ...] = ("linear", "softmax")


def project(inputs: Any, weight: Any) -> Any:
    """Return x_s W for every sample s: (E, N, n, d) and (E, d, k) give (E, N, n, k)."""
    models, samples, tokens, width = inputs.shape
    # One product per model; a broadcast one would copy the weight for every sample.
    flat = inputs.reshape(models, samples * tokens, width) @ weight
    return flat.reshape(models, samples, tokens, weight.shape[-1])


def scores(inputs: Any, kernel: Any) -> Any:
    """Return X K X', the unscaled scores of queries (rows) and keys, (E, N, n, n)."""
    return project(inputs, kernel) @ inputs.swapaxes(-1, -2)


def grams(inputs: Any) -> Any:
    """Return G = X'X / n, (E, N, d, d)."""
    return inputs.swapaxes(-1, -2) @ inputs / inputs.shape[-2]


def mixer(kind: Kind, inputs: Any, kernel: Any) -> Any:
    """Return the mixing matrix of every sample, (E, N, n, n): X K X' / n, or its row softmax.

    The linear mixer is divided by n so that its size does not grow with the number of tokens; the
    softmax takes the scores as they are.
    """
    raw = scores(inputs, kernel)
    if kind == "linear":
        return raw / inputs.shape[-2]
    return special.softmax(raw, axis=-1) if isinstance(raw, np.ndarray) else raw.softmax(-1)


def outputs(kind: Kind, inputs: Any, kernel: Any, value: Any, gram: Any = None) -> Any:
    """Return M(X) X V, (E, N, n, d).

    Args:
        kind: linear or softmax.
        inputs: X.
        kernel: K.
        value: V.
        gram: `grams` of the inputs, if at hand: linear attention is then (X K)(G V), without a
            mixing matrix.
    """
    if kind == "linear":
        return project(inputs, kernel) @ project(grams(inputs) if gram is None else gram, value)
    return mixer(kind, inputs, kernel) @ project(inputs, value)
