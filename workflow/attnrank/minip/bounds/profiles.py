"""One linear program per overlap profile, whatever the size of the code.

The chain of a pair (i, j) leads from key j, of overlap g with query i, to key i, of overlap 0, with
a key at every overlap between. The suite has every input of N - 1 of its nodes, repeated or not.
Since the head's read-out is free, the linear program of the pair sees the overlaps alone: one
profile (N, g) stands for every pair of every code. It is proven here for two words at that gap and
verified from their bits.

A longer gap is a sequence of shorter ones, each with a chain of its own from a key of the overlap
where the one before ends: the read-out absorbs the overlap at which a chain ends, so the ratios
multiply. At N = 3 the program agrees with the best product of single steps for every gap up to 10.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from attnrank.errors import AttnrankError
from attnrank.minip.certify import prove, rank_bounds
from attnrank.minip.verify import Claim, Verified, Weight, verify


@dataclass(frozen=True)
class Profile:
    """What is proven for one pair of queries.

    Attributes:
        length: N, tokens in an input.
        eps: the error.
        gap: g, overlap of query i with key j.
        inputs: inputs of a pair's chain.
        ratio: proven and verified; 0 where nothing positive can be proven.
    """

    length: int
    eps: Fraction
    gap: int
    inputs: int
    ratio: Fraction


def prove_profile(length: int, gap: int, eps: Fraction) -> Profile:
    """Solve the program of a profile, make its dual exact and verify it from the bits up.

    Raises:
        AttnrankError: the verification fails, which would be a bug.
    """
    words, sequences, targets = _instance(length, gap)
    inputs = comb(length - 1 + gap, length - 1)
    queries, keys = np.array([0, 1]), np.array([2, 3])
    try:
        proofs = prove(sequences, targets, queries, keys, eps)
    except AttnrankError as error:
        # Too small a gap for the error: the optimum is 0, so there is nothing to prove.
        if "only the ratio 0 can be proven" in str(error):
            return Profile(length, eps, gap, inputs, Fraction(0))
        raise
    checked = _verified(words, sequences, targets, proofs)
    return Profile(length, eps, gap, inputs, checked.ratio)


def _instance(length: int, gap: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return words, inputs and targets of two queries of weight g at gap g, and of their chains."""
    first, second = "1" * gap + "0" * gap, "0" * gap + "1" * gap
    words = [first, second, second, first]  # queries 0 and 1, then keys 0 and 1
    sequences, targets = [], []
    for query in (0, 1):
        # Overlap 0 is the query's own key, overlap g the other one; moving one bit per step.
        inner = []
        for level in range(1, gap):
            halves = ["1" * level + "0" * (gap - level), "0" * level + "1" * (gap - level)]
            words.append("".join(halves if query == 0 else halves[::-1]))
            inner.append(len(words) - 1)
        chain = [2 + query, *inner, 3 - query]
        for picks in combinations_with_replacement(range(gap + 1), length - 1):
            sequences.append([query, *(chain[level] for level in picks)])
            targets.append(min(picks))
    return words, np.array(sequences), np.array(targets)


def _verified(
    words: list[str], sequences: np.ndarray, targets: np.ndarray, proofs: list
) -> Verified:
    (checked,) = verify(
        [[words[token] for token in row] for row in sequences.tolist()],
        targets.tolist(),
        words[:2],
        words[2:4],
        [Claim(str(p.eps), p.query, p.key, str(p.ratio)) for p in proofs],
        [
            Weight(str(p.eps), p.query, p.key, sequence, side, str(value))
            for p in proofs
            for (sequence, side), value in p.multipliers.items()
        ],
    )
    return checked


def longest_gap(length: int, inputs: int, limit: int) -> int:
    """Return the longest gap, at most ``limit``, whose chain has at most so many inputs."""
    fitting = [gap for gap in range(1, limit + 1) if comb(length - 1 + gap, length - 1) <= inputs]
    return max(fitting, default=1)


class Ratios:
    """Lambda of every gap at one length and error, from the profiles proven there."""

    def __init__(self, proven: list[Profile]) -> None:
        """Take the profiles of the gaps 1, 2, ..."""
        self.proven = {profile.gap: profile.ratio for profile in proven}
        self.best = lru_cache(maxsize=None)(self._best)

    def _best(self, gap: int) -> Fraction:
        """Return the greatest product of proven ratios over the ways to split a gap."""
        options = [self.proven.get(gap, Fraction(0))]
        options += [
            ratio * self.best(gap - step)
            for step, ratio in self.proven.items()
            if step < gap and ratio > 0
        ]
        return max(options)

    def of_code(self, gaps: list[int]) -> Fraction:
        """Return the least ratio over the gaps that occur in a code; 0 proves nothing."""
        return min(self.best(gap) for gap in gaps)


def certified(words: int, ratio: Fraction, gap: int, eps: Fraction) -> dict[str, int]:
    """Return the bounds on the rank for a code of so many words, least gap and least ratio.

    The diagonal is positive where the doubles (x_i, y_j, y_j) of target ``gap`` or more and
    (x_i, y_i, y_i) of target 0 are more than 2 eps apart. Otherwise nothing is claimed but 1.
    """
    if ratio <= 0 or gap <= 2 * eps:
        return dict.fromkeys(("dominance", "trace", "sign_split"), 1)
    return rank_bounds(words, ratio)
