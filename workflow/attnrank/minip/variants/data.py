"""The witness suite as each variant reads it."""

import numpy as np
from numpy.typing import NDArray

from attnrank.minip.variants.names import Head

Ints = NDArray[np.int64]


def inputs(sequences: Ints, targets: Ints, head: Head) -> tuple[Ints, Ints]:
    """Return the inputs of a variant and their targets.

    Where maps depend on the position, both orders of the two keys are in the suite: only then do
    the constraints of the two orders add up to those of the suite without positions. A query that
    stands last is moved behind the keys.

    Args:
        sequences: tokens of every input, query first, (S, 3).
        targets: (S,).
        head: the variant.
    """
    if head.positional:
        both = np.concatenate([sequences, sequences[:, [0, 2, 1]]])
        sequences, first = np.unique(both, axis=0, return_index=True)
        targets = np.concatenate([targets, targets])[first]
    if head.query == "last":
        sequences = np.roll(sequences, -1, axis=1)
    return np.ascontiguousarray(sequences), targets
