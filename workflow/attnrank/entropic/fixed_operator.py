"""Tasks of a fixed operator: Y = A* X V* + E (paper A, "linear surrogate baseline")."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from attnrank.entropic.teachers import flat_low_rank, orthogonal
from attnrank.seeds import generator
from attnrank.spectra import Array


@dataclass(frozen=True)
class Task:
    """One teacher and its training set, with N samples of n tokens and d numbers in a token.

    Attributes:
        operator: A*, (n, n). Signed: rank r*, flat spectrum, Frobenius norm sqrt(n). Stochastic:
            the row softmax of logits of rank r* and flat spectrum.
        value: V*, orthogonal up to a factor that gives the clean targets unit variance, (d, d).
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
    logit_scale: float | None = None,
) -> Task:
    """Draw a teacher and its data.

    Teacher, inputs, noise and labels have a stream each: more samples extend a training set and
    another noise level leaves teacher and inputs as they were. The signed and the row-stochastic
    task of a seed have the same inputs, noise and singular vectors.

    Args:
        seed: the seed of the run.
        r_star: r*, rank of A* or of its logits, 1 to ``tokens``.
        tokens: n.
        width: d.
        samples: N.
        noise: standard deviation of the label noise, in units of the clean targets'.
        stream: name of the experiment, so that two experiments share no numbers.
        labelled: in how many samples, drawn at random, each token has a target; all by default.
        logit_scale: root mean square of the logits whose row softmax is A*; by default there are
            none, and A* is signed.

    Raises:
        ValueError: r* is not from 1 to ``tokens``, or ``labelled`` not from 1 to ``samples``.
    """
    teacher = generator(seed, stream, r_star, "teacher")
    operator = flat_low_rank(teacher, tokens, r_star, norm=np.sqrt(tokens))
    value = orthogonal(teacher, width)
    if logit_scale is not None:
        operator = special.softmax(logit_scale * np.sqrt(tokens) * operator, axis=1)
        value *= np.sqrt(tokens) / np.linalg.norm(operator)
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
