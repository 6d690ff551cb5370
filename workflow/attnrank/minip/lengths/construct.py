"""The head of rank 1 that is exact for one and two tokens, checked on every input of the cube."""

import numpy as np

from attnrank.minip.task import overlaps


def construction_error(width: int, length: int) -> float:
    """Return the greatest error of the rank-1 construction over every input of the cube.

    The features are 1, so that attention is uniform; values are the tokens themselves, and the
    affine read-out of a query x is yhat = 2 <x, mean of the tokens> - |x|. One token gives
    2 |x| - |x|; two give |x| + <x, z> - |x|, which is the minimum as <x, z> <= |x|. Both are exact,
    with one head for the two lengths. With three tokens the mean no longer tells two candidates
    apart.

    Numerators are compared in integers, so that 0 means exact. All 2^(m N) inputs are visited; the
    queries one by one, so that memory is that of 2^(m (N - 1)) small integers.

    Args:
        width: m, bits of a token.
        length: N, tokens of an input, the query included.
    """
    worst = 0
    for weight, row in zip(np.diagonal(met := overlaps(width)), met, strict=True):
        total, least = np.array(weight), np.array(weight)
        for _ in range(length - 1):
            total = total[..., None] + row
            least = np.minimum(least[..., None], row)
        # N (yhat - t) = 2 sum_j <x, x_j> - N (|x| + t)
        worst = max(worst, int(np.abs(2 * total - length * (weight + least)).max()))
    return worst / length
