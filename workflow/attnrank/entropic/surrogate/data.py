"""Tasks of the linear surrogate: Y = A* X V* + E (paper A, "linear surrogate baseline")."""

from dataclasses import dataclass

import numpy as np

from attnrank.entropic.teachers import flat_low_rank, orthogonal
from attnrank.seeds import generator
from attnrank.spectra import Array


@dataclass(frozen=True)
class Task:
    """One teacher and its training set, with N samples of n tokens and d numbers in a token.

    Attributes:
        operator: A*, rank r*, flat spectrum, Frobenius norm sqrt(n), (n, n).
        value: V*, orthogonal, (d, d).
        inputs: X, standard normal, (N, n, d).
        targets: Y, clean part of unit variance per entry, (N, n, d); NaN where not labelled.
    """

    operator: Array
    value: Array
    inputs: Array
    targets: Array


def make_task(
    seed: int,
    r_star: int,
    *,
    tokens: int,
    width: int,
    samples: int,
    noise: float,
    stream: str,
    labelled: int | None = None,
) -> Task:
    """Draw a teacher and its data.

    Teacher, inputs, noise and labels have a stream each: more samples extend a training set and
    another noise level leaves teacher and inputs as they were.

    Args:
        seed: the seed of the run.
        r_star: r*, rank of A*, 1 to ``tokens``.
        tokens: n.
        width: d.
        samples: N.
        noise: standard deviation of the label noise, in units of the clean targets'.
        stream: name of the experiment, so that two experiments share no numbers.
        labelled: in how many samples, drawn at random, each token has a target; all by default.

    Raises:
        ValueError: r* is not from 1 to ``tokens``, or ``labelled`` not from 1 to ``samples``.
    """
    teacher = generator(seed, stream, r_star, "teacher")
    operator = flat_low_rank(teacher, tokens, r_star, norm=np.sqrt(tokens))
    value = orthogonal(teacher, width)
    shape = (samples, tokens, width)
    inputs = generator(seed, stream, r_star, "inputs").standard_normal(shape)
    errors = generator(seed, stream, r_star, "noise").standard_normal(shape)
    targets = operator @ inputs @ value + noise * errors
    if labelled is not None:
        if not 1 <= labelled <= samples:
            raise ValueError(f"labelled = {labelled}: 1 to samples = {samples} are possible")
        order = generator(seed, stream, r_star, "labels").random((samples, tokens)).argsort(axis=0)
        targets[order.argsort(axis=0) >= labelled] = np.nan
    return Task(operator, value, inputs, targets)
