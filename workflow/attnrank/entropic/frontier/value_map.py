"""Undo the value map V before the mixing is estimated: known V, or unknown V by row spaces."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from attnrank.entropic.frontier.samples import (
    RefusedError,
    Samples,
    checked,
    kronecker_sum,
    require_memory,
)
from attnrank.spectra import Array

# One W stands out where the second eigenvalue is four times the first (in a pilot 3.4 at most for
# two heads and a singular V, 6 and more for one invertible V at noise 0.1), or else where the first
# stands off the next nine by 12 times their mean spacing (there 12 at most from d = 8 on, and more
# until noise spoilt the estimate).
LEAST_RATIO = 4.0
LEAST_ISOLATION = 12.0
LEVELS = 10
# Mean square of a fit's residual over what the noise explains. In the same pilot one softmax head
# left at most 1.2, two heads 1.32 and more; at 1.3 kernels were wrong by a third and more.
GREATEST_MISFIT = 1.3
# Of the mixers' row sums, over their mean: in the pilot 0.6 at most for softmax, 8 and more for
# linear attention.
GREATEST_SPREAD = 1.0


@dataclass(frozen=True)
class Inverse:
    """A right inverse of V: Y W is the mixed inputs M X, up to a factor and to noise.

    Attributes:
        matrix: W, (e, d).
        noise: estimated standard deviation of the noise in Y.
        isolation: of the pencil's smallest eigenvalue from the next: how clearly one W stands out.
    """

    matrix: Array
    noise: float
    isolation: float


def known_inverse(samples: Samples, value: ArrayLike) -> Array:
    """Return V^+, (e, d), of a given V, (d, e).

    Raises:
        RefusedError: V has another shape, or its rank is below d: X V does not determine X.
    """
    v = np.asarray(value, dtype=np.float64)
    _, _, width, out = samples.shape
    if v.shape != (width, out):
        raise RefusedError(f"value must have shape (d, e) = {(width, out)}, got {v.shape}")
    spectrum = np.linalg.svd(v, compute_uv=False)
    if out < width or spectrum[-1] <= 1e-10 * spectrum[0]:
        rank = int((spectrum > 1e-10 * spectrum[0]).sum())
        raise RefusedError(f"value must have rank d = {width} to be undone, got rank {rank}")
    return np.asarray(np.linalg.pinv(v), dtype=np.float64)


def pseudo_inverses(inputs: Array) -> Array:
    """Return X_s^+ of every sample, (N, d, n), for n <= d.

    Raises:
        RefusedError: n > d, or the tokens of a sample are not independent.
    """
    _, tokens, width = inputs.shape
    if tokens > width:
        raise RefusedError(
            f"the mixer of a sample is determined for n <= d only: n = {tokens} tokens"
        )
    outer = inputs @ inputs.swapaxes(1, 2)
    ends = np.linalg.eigvalsh(outer)[:, [0, -1]]
    if np.any(ends[:, 0] <= 1e-12 * ends[:, 1]):
        raise RefusedError(
            "the tokens of a sample are linearly dependent: its mixer is not determined"
        )
    return np.asarray(np.linalg.solve(outer, inputs).swapaxes(1, 2), dtype=np.float64)


def row_space_inverse(
    inputs: ArrayLike, outputs: ArrayLike, *, memory_limit: float = 4e9
) -> Inverse:
    """Invert an unknown V, whatever the mixing, from fewer tokens than coordinates (ours).

    Rows of M X lie in the row space of X, which has n < d dimensions. So W = V^-1 satisfies
    Y W (I - X^+ X) = 0 in every sample, and only its multiples do: a map that keeps every row
    space is a multiple of the identity. White noise of variance s^2 adds s^2 to each eigenvalue of
    the pencil (sum_s Y'Y (x) (I - X^+ X), I (x) n sum_s (I - X^+ X)), so the smallest eigenvector
    is consistent at any noise level and its eigenvalue estimates s^2. Where V has more columns than
    rows, Y is first projected on its d leading directions.

    Args:
        inputs: X, (N, n, d) with n < d; tokens of a sample linearly independent.
        outputs: Y, (N, n, e) with e >= d; noise white over samples, tokens and outputs.
        memory_limit: bytes; the pencil takes 8 d^4, three times over.

    Raises:
        RefusedError: n >= d; e < d; or no single W stands out, because V is singular or too
            ill-conditioned for the noise, because several heads add up, or for want of samples.
    """
    samples = checked(inputs, outputs)
    _, tokens, width, out = samples.shape
    if tokens >= width:
        raise RefusedError(
            f"an unknown V is inverted from row spaces for n < d only: n = {tokens}, d = {width}. "
            "slopes.cross_fit_slopes asks for n / 2 well above d instead"
        )
    if out < width:
        raise RefusedError(
            f"an unknown V is inverted for e >= d only: e = {out} outputs, d = {width}"
        )
    require_memory(
        f"row_space_inverse with d = {width}",
        24.0 * width**4,
        memory_limit,
        f"d = {int((memory_limit / 24.0) ** 0.25)} fits",
    )
    x, y = samples.inputs, samples.outputs
    basis = np.eye(out)
    if out > width:
        flat = y.reshape(-1, out)
        basis = np.linalg.eigh(flat.T @ flat)[1][:, -width:]
        y = y @ basis
    outside = np.eye(width) - pseudo_inverses(x) @ x
    try:
        whiten = np.linalg.inv(np.linalg.cholesky(tokens * outside.sum(axis=0)))
    except np.linalg.LinAlgError:
        raise RefusedError(
            f"{len(x)} samples are too few to invert an unknown V: their row spaces, n = {tokens} "
            f"of d = {width} dimensions, have a direction in common"
        ) from None
    pencil = kronecker_sum(y.swapaxes(1, 2) @ y, whiten @ outside @ whiten.T)
    levels, vector = _smallest(pencil)
    spacing = max((levels[-1] - levels[1]) / (len(levels) - 2), np.finfo(float).tiny)
    isolation = float((levels[1] - levels[0]) / spacing)
    # Where both are rounding, V is singular and there is no noise.
    clear = levels[1] >= LEAST_RATIO * levels[0] and levels[1] > 1e-10 * (y**2).mean()
    if not clear and not isolation >= LEAST_ISOLATION:
        raise RefusedError(
            "no single inverse of V stands out: the smallest eigenvalue is off the next by "
            f"{isolation:.3g} times the spacing of those, and {LEAST_ISOLATION:g} is needed. V may "
            "be singular, several heads may add up, or the noise is too large for so few samples"
        )
    matrix = basis @ vector.reshape(width, width) @ whiten
    return Inverse(matrix, float(np.sqrt(max(levels[0], 0.0))), isolation)


def scaled_by_row_sums(samples: Samples, inverse: Inverse) -> Inverse:
    """Choose the open factor such that the rows of the mixers sum to one, as a softmax's do.

    Args:
        samples: X and Y.
        inverse: W up to a factor.

    Raises:
        RefusedError: besides the noise, the rows differ by more than their mean.
    """
    undone = (inverse.matrix @ pseudo_inverses(samples.inputs).sum(axis=2)[..., None])[..., 0]
    sums = np.einsum("sie,se->si", samples.outputs, undone)
    noise = inverse.noise**2 * (undone**2).sum(axis=1).mean()
    spread = np.sqrt(max(sums.var() - noise, 0.0))
    if not spread < GREATEST_SPREAD * abs(sums.mean()):
        raise RefusedError(
            f"the rows of the mixers sum to {sums.mean():.3g} on average and vary by {spread:.3g} "
            "besides the noise: they are not those of a softmax, which sum to one"
        )
    return replace(inverse, matrix=inverse.matrix / sums.mean())


def check_fit(left: Array, mixed: Array, inverse: Inverse, kind: str) -> None:
    """Refuse a model that leaves more of Z = Y W than the noise.

    The noise was measured outside the row spaces of X, the model's errors lie inside.

    Args:
        left: what the model leaves of Z, (N, n, d).
        mixed: Z, (N, n, d).
        inverse: W and the noise.
        kind: of the model, in words.

    Raises:
        RefusedError: the mean square is more than 1.3 times what the noise explains.
    """
    noise = inverse.noise**2 * (inverse.matrix**2).sum() / mixed.shape[2]
    misfit = (left**2).mean() / max(noise, 1e-12 * (mixed**2).mean())
    if misfit > GREATEST_MISFIT:
        raise RefusedError(
            f"{kind} leaves {misfit:.3g} times what the noise explains, and {GREATEST_MISFIT:g} is "
            "accepted: the outputs are not those of one such head, V is too ill-conditioned for "
            "the noise, or samples are too few"
        )


def _smallest(matrix: Array) -> tuple[Array, Array]:
    """Return the ten smallest eigenvalues and the first's vector, by Lanczos on the inverse."""
    size = len(matrix)
    if size <= 1024:
        values, vectors = linalg.eigh(matrix, subset_by_index=[0, min(LEVELS, size) - 1])
        return values, vectors[:, 0]
    # A shift below zero keeps the factorisation possible where there is no noise at all.
    shift = -1e-9 * np.trace(matrix) / size
    factor = linalg.cho_factor(matrix - shift * np.eye(size))
    inverse = LinearOperator(
        (size, size), matvec=lambda vector: linalg.cho_solve(factor, vector), dtype=np.float64
    )
    start = np.random.default_rng(0).standard_normal(size)

    def lanczos(count: int, tolerance: float) -> tuple[Array, Array]:
        return eigsh(matrix, k=count, sigma=shift, OPinv=inverse, v0=start, tol=tolerance)

    # The others serve as a scale only, and converge slowly, from above: they are close together.
    levels = np.sort(lanczos(LEVELS, 3e-3)[0])
    levels[:1], vector = lanczos(1, 0.0)
    return levels, vector[:, 0]
