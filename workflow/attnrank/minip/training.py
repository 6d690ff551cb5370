"""What chapters that train heads on a finite set of inputs share: answers, loss, best iterate."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Ints = NDArray[np.int64]

# Products of exp(30) and of exp(-30) are still normal numbers in single precision: so no sum of
# attention is 0 or infinite, and no guard has to be added to it that would be one more feature.
LARGEST = 30.0
# Breaks the symmetry between the queries, whose overlaps with their chains are the same numbers.
READOUT_NOISE = 0.5


@dataclass(frozen=True)
class Layout:
    """A suite query by query: n queries with K tokens and Q inputs each.

    Attributes:
        query_token: token of each query, (n,).
        own: the tokens that occur with each query, (n, K).
        counts: how often a token of ``own`` occurs in each input of the query, (n, K, Q).
        targets: (n, Q).
    """

    query_token: Tensor
    own: Tensor
    counts: Tensor
    targets: Tensor


def layout(sequences: Ints, targets: Ints) -> Layout:
    """Sort the inputs by query, so that sums over positions become small matrix products.

    Args:
        sequences: tokens of every input, query first, (S, L).
        targets: (S,).

    Raises:
        ValueError: if the queries differ in their number of inputs or tokens.
    """
    queries = np.unique(sequences[:, 0])
    rows = [np.flatnonzero(sequences[:, 0] == query) for query in queries]
    own = [np.unique(sequences[mine]) for mine in rows]
    if len({len(mine) for mine in rows}) > 1 or len({len(tokens) for tokens in own}) > 1:
        raise ValueError("every query needs the same number of inputs and of tokens")
    counts = [
        (sequences[mine][None] == tokens[:, None, None]).sum(axis=2)
        for mine, tokens in zip(rows, own, strict=True)
    ]
    return Layout(
        query_token=torch.from_numpy(queries),
        own=torch.from_numpy(np.stack(own)),
        counts=torch.from_numpy(np.stack(counts)).float(),
        targets=torch.from_numpy(np.stack([targets[mine] for mine in rows])).float(),
    )


def sums(numbers: Tensor, suite: Layout) -> Tensor:
    """Return the sums over every input's positions of numbers given for each query and token.

    Args:
        numbers: for each query and each of its own tokens, (B, n, K).
        suite: the inputs.

    Returns:
        Shape (B, n, Q).
    """
    return torch.bmm(numbers.transpose(0, 1), suite.counts).transpose(0, 1)


def errors(attention: Tensor, readout: Tensor, suite: Layout) -> Tensor:
    """Return yhat - t of every input.

    Args:
        attention: alpha(x, z) >= 0 for each query and each of its own tokens, (B, n, K).
        readout: u(x, z), (B, n, K).
        suite: the inputs.

    Returns:
        Shape (B, n * Q).
    """
    both = sums(torch.cat([attention * readout, attention]), suite)
    above, below = both.view(2, -1, *suite.targets.shape).unbind(0)
    return (above / below - suite.targets).flatten(1)


class Best:
    """The best iterate of each of B models so far: the one of the least greatest error.

    Attributes:
        error: its greatest absolute error, infinite before the first, (B,).
        step: its number, (B,).
        accuracy: greatest share, over the iterates, of inputs with an error below 1/2, (B,).
    """

    def __init__(self, models: int) -> None:
        """Begin with no iterate."""
        self.error = torch.full((models,), torch.inf)
        self.step = torch.zeros(models, dtype=torch.int64)
        self.accuracy = torch.zeros(models)

    def update(self, step: int, size: Tensor, allowed: Tensor | None = None) -> Tensor:
        """Take in an iterate and return the models, as booleans, for which it is the best so far.

        Args:
            step: number of the iterate.
            size: absolute error of every input, (B, S).
            allowed: models whose iterate may count, (B,); all if not given.
        """
        largest = size.amax(1)
        better = largest < self.error
        if allowed is not None:
            better &= allowed
        self.error[better] = largest[better]
        self.step[better] = step
        exact = (size < 0.5).float().mean(1)
        if allowed is not None:
            exact *= allowed
        torch.maximum(self.accuracy, exact, out=self.accuracy)
        return better
