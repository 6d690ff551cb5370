"""Independent random streams, each named by what it is for."""

import zlib

import numpy as np


def generator(seed: int, *stream: str | int) -> np.random.Generator:
    """Return the generator of one named stream of a seed.

    A stream is named, not drawn in turn, so that adding a rank or a seed to a sweep leaves every
    other draw as it was.

    Args:
        seed: the seed of the run, 0 or more.
        stream: what the numbers are for, such as ``("surrogate.data", r_star)``.
    """
    words = [part if isinstance(part, int) else zlib.crc32(part.encode()) for part in stream]
    return np.random.default_rng(np.random.SeedSequence([seed, *words]))
