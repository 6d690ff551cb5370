"""Attention teachers Y = M(X) X V* + E with a kernel of rank r* (paper A, attention-native)."""

from dataclasses import dataclass

import numpy as np

from attnrank.entropic import attention
from attnrank.entropic.teachers import flat_low_rank, orthogonal
from attnrank.seeds import generator
from attnrank.spectra import Array


@dataclass(frozen=True)
class Task:
    """One teacher and its training set: N samples of n tokens, d numbers in a token.

    Attributes:
        kernel: K*, rank r*, flat spectrum, Frobenius norm tau, (d, d).
        value: V*, a multiple of an orthogonal matrix, (d, d).
        inputs: X, standard normal, (N, n, d).
        targets: Y, (N, n, d); its clean part has mean square 1 on the held-out inputs.
    """

    kernel: Array
    value: Array
    inputs: Array
    targets: Array


def make_task(
    kind: attention.Kind,
    tau: float,
    seed: int,
    r_star: int,
    *,
    tokens: int,
    width: int,
    samples: int,
    held_out: int,
    noise: float,
    stream: str,
) -> Task:
    """Draw a teacher and its data.

    The draws depend on neither kind nor tau: linear and softmax teachers of any tau share inputs,
    noise and the factors of kernel and value, so that they can be compared task by task.

    Args:
        kind: linear or softmax attention.
        tau: Frobenius norm of K*, which is the standard deviation of the scores x'K*x: an inverse
            temperature for softmax, and without effect on linear attention, whose V* undoes it.
        seed: the seed of the run.
        r_star: r*, rank of K*, 1 to ``width``.
        tokens: n.
        width: d.
        samples: N.
        held_out: samples of `held_out_inputs`, on which clean targets have mean square 1.
        noise: standard deviation of the label noise.
        stream: name of the experiment, so that two experiments share no numbers.

    Raises:
        ValueError: r* is not from 1 to ``width``.
    """
    teacher = generator(seed, stream, r_star, "teacher")
    kernel = flat_low_rank(teacher, width, r_star, norm=tau)
    value = orthogonal(teacher, width)
    test = held_out_inputs(
        seed, r_star, tokens=tokens, width=width, held_out=held_out, stream=stream
    )
    value /= np.sqrt((outputs(kind, test, kernel, value) ** 2).mean())
    shape = (samples, tokens, width)
    inputs = generator(seed, stream, r_star, "inputs").standard_normal(shape)
    errors = generator(seed, stream, r_star, "noise").standard_normal(shape)
    targets = outputs(kind, inputs, kernel, value) + noise * errors
    return Task(kernel, value, inputs, targets)


def held_out_inputs(
    seed: int, r_star: int, *, tokens: int, width: int, held_out: int, stream: str
) -> Array:
    """Return inputs that no student is trained on, for the excess risk, (held_out, n, d)."""
    return generator(seed, stream, r_star, "test").standard_normal((held_out, tokens, width))


def outputs(kind: attention.Kind, inputs: Array, kernel: Array, value: Array) -> Array:
    """Return the outputs of one model, (N, n, d), for X (N, n, d), K (d, d) and V (d, d)."""
    clean: Array = attention.outputs(kind, inputs[None], kernel[None], value[None])[0]
    return clean
