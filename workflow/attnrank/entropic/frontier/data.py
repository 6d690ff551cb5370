"""Attention teachers and their data, under ideal conditions and under departures from them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attnrank.entropic import attention
from attnrank.entropic.attention import Kind
from attnrank.entropic.teachers import decaying_low_rank
from attnrank.seeds import generator
from attnrank.spectra import Array


@dataclass(frozen=True)
class Conditions:
    """What a teacher and its inputs are like; the defaults are the ideal ones.

    Attributes:
        heads: heads whose outputs add up, each with a K and a V of its own.
        spectrum: smallest over largest nonzero singular value of K, geometric in between; 1: flat.
        outputs: columns of V over its rows, e / d.
        value_rank: rank of V over the greatest possible.
        value_spectrum: as ``spectrum``, of V.
        coordinate_correlation: between neighbouring coordinates of a token, rho^|a - b|.
        token_correlation: between any two tokens of a sample.
        tail: 0 for normal inputs, 1 for Laplace ones, which are not elliptical.
    """

    heads: int = 1
    spectrum: float = 1.0
    outputs: float = 1.0
    value_rank: float = 1.0
    value_spectrum: float = 1.0
    coordinate_correlation: float = 0.0
    token_correlation: float = 0.0
    tail: int = 0

    def changed(self, name: str, level: float) -> "Conditions":
        """Return the conditions with one of them changed."""
        return replace(self, **{name: type(getattr(self, name))(level)})


IDEAL = Conditions()


@dataclass(frozen=True)
class Task:
    """A teacher and its data.

    Attributes:
        kernels: K of each head, (heads, d, d), Frobenius norm tau.
        values: V of each head, scaled with the outputs, (heads, d, e).
        inputs: X, (N, n, d).
        clean: outputs without noise, unit variance per entry, (N, n, e).
        errors: standard normal, (N, n, e).
        kind: of attention.
    """

    kernels: Array
    values: Array
    inputs: Array
    clean: Array
    errors: Array
    kind: Kind

    def outputs(self, samples: int, noise: float) -> Array:
        """Return Y of the first samples at a noise level, (samples, n, e)."""
        return self.clean[:samples] + noise * self.errors[:samples]

    def mixers(self, samples: int) -> Array:
        """Return the true M of the first head and the first samples, (samples, n, n)."""
        kernel = self.kernels[:1]
        return np.asarray(attention.mixer(self.kind, self.inputs[None, :samples], kernel)[0])

    @property
    def target(self) -> int:
        """Return the rank of the kernels side by side: r* for one head."""
        return int(np.linalg.matrix_rank(np.concatenate(list(self.kernels), axis=1), tol=1e-9))


def draw(
    seed: int,
    r_star: int,
    *,
    kind: Kind,
    tokens: int,
    width: int,
    samples: int,
    tau: float,
    stream: str,
    conditions: Conditions = IDEAL,
) -> Task:
    """Draw a teacher of rank r* and its data.

    Each part has a stream of its own: more samples extend a data set, and both kinds of attention
    and all departures that do not change a part share it.

    Args:
        seed: the seed of the run.
        r_star: r*, rank of each K, 1 to ``width``.
        kind: linear or softmax attention.
        tokens: n.
        width: d.
        samples: N.
        tau: Frobenius norm of each K.
        stream: name of the study, so that two studies share no numbers.
        conditions: departures from the ideal.
    """

    def rng(*part: Any) -> np.random.Generator:
        return generator(seed, "frontier", stream, r_star, *part)

    out = round(conditions.outputs * width)
    kernels, values = [], []
    for head in range(conditions.heads):
        kernels.append(
            decaying_low_rank(
                rng("kernel", head), width, width, r_star, tau, decay=conditions.spectrum
            )
        )
        rank = round(conditions.value_rank * min(width, out))
        decay = conditions.value_spectrum
        values.append(decaying_low_rank(rng("value", head), width, out, rank, 1.0, decay=decay))
    shape = (samples, tokens, width)
    x = draw_inputs(rng("inputs"), rng("shared"), shape, conditions)
    clean = np.zeros((samples, tokens, out))
    for kernel, value in zip(kernels, values, strict=True):
        clean += attention.outputs(kind, x[None], kernel[None], value[None])[0]
    size = clean.std()
    return Task(
        kernels=np.stack(kernels),
        values=np.stack(values) / size,
        inputs=x,
        clean=clean / size,
        errors=rng("noise").standard_normal(clean.shape),
        kind=kind,
    )


def draw_inputs(
    own: np.random.Generator,
    shared: np.random.Generator,
    shape: tuple[int, int, int],
    conditions: Conditions,
) -> Array:
    """Return X, unit variance per entry, (N, n, d).

    Args:
        own: source of what a token has for itself.
        shared: source of what the tokens of a sample have in common.
        shape: N, n, d.
        conditions: correlations and tails.
    """
    samples, _, width = shape
    if conditions.tail:
        x = own.laplace(scale=np.sqrt(0.5), size=shape)
    else:
        x = own.standard_normal(shape)
    rho = conditions.token_correlation
    if rho > 0:
        x = np.sqrt(1 - rho) * x + np.sqrt(rho) * shared.standard_normal((samples, 1, width))
    rho = conditions.coordinate_correlation
    if rho > 0:
        places = np.arange(width)
        covariance = rho ** np.abs(places[:, None] - places)
        x = x @ np.linalg.cholesky(covariance).T
    return x
