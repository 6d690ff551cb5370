"""Choose the queries and keys whose matrix is to be certified; any choice is sound.

The bound is about n queries x_i and n keys y_i of which every query has met every key. It is large
where the n keys are many and each x_i overlaps far less with its own key than with the others. The
heuristic, deterministic:

1. Queries are the tokens that are asked in some sequence. The key of a query is, among the tokens
   that it meets, one of smallest overlap; of several the one that most queries meet, then the
   heaviest, then the first in the order of bits.
2. The gap of two queries is the least of <x_i, y_j> - <x_i, y_i> and the same with i and j
   exchanged, and none if one of them never meets the other's key. For every gap that occurs,
   queries are taken greedily, those with most partners first, so that all gaps are at least that.
3. The ratios of each such set are proven, the sets of large gaps first. A set whose size, or whose
   bound after a few proofs of its smallest gaps, cannot beat the best so far is passed over.
4. From a set whose ratios are known the query with the weakest ratio is dropped again and again;
   the best set on the way is kept.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from attnrank.minip.certify import key_columns, rank_bounds
from attnrank.minip.duals import Ints, Multipliers, System, prove_ratio

_MOST_QUERIES = 2000
_PROBES = 6


@dataclass(frozen=True)
class Candidates:
    """Q queries with a key each.

    Attributes:
        queries: tokens, (Q,).
        keys: tokens, (Q,).
        gaps: the gap of every two of them, 0 where they cannot stand together, (Q, Q).
    """

    queries: Ints
    keys: Ints
    gaps: Ints


@dataclass(frozen=True)
class Choice:
    """A matrix and its proofs.

    Attributes:
        queries: tokens, (n,).
        keys: tokens, (n,).
        proofs: ratio and multipliers of each ordered pair of places (i, j).
        rank: the bound that follows.
    """

    queries: list[int]
    keys: list[int]
    proofs: dict[tuple[int, int], tuple[Fraction, Multipliers]]
    rank: int


def candidates(
    bits: NDArray[np.uint8], systems: dict[int, System], *, query_slot: int | None, positional: bool
) -> Candidates:
    """Return the queries of a suite, their keys, and the gaps between them.

    Args:
        bits: bits of the distinct tokens, (T, m).
        systems: the inputs of each query.
        query_slot: the query's position where maps depend on it, else None.
        positional: whether they do.
    """
    # The most asked, should there be too many; in the order of their tokens.
    asked = sorted(sorted(systems, key=lambda x: -len(systems[x].rows))[:_MOST_QUERIES])
    wide = bits.astype(np.float32)
    overlaps = (wide[asked] @ wide.T).astype(np.int64)
    met = np.zeros((len(asked), len(bits)), dtype=bool)
    for place, token in enumerate(asked):
        columns = systems[token].columns
        if positional:
            columns = columns[columns[:, 0] != query_slot]
        met[place, columns[:, 1]] = True
    popular, weight = met.sum(axis=0), bits.sum(axis=1, dtype=np.int64)
    order = np.lexsort((np.arange(len(bits)), -weight, -popular))
    ranked = np.where(met, overlaps, np.iinfo(np.int64).max)[:, order]
    keys = order[ranked.argmin(axis=1)]
    rows = np.arange(len(asked))
    one_way = overlaps[:, keys] - overlaps[rows, keys][:, None]
    one_way[~met[:, keys]] = 0
    gaps = np.maximum(np.minimum(one_way, one_way.T), 0)
    return Candidates(np.array(asked), keys, gaps)


def best(
    found: Candidates,
    systems: dict[int, System],
    eps: Fraction,
    *,
    largest: int,
    query_slot: int | None,
    positive: Callable[[int, list[int]], bool],
) -> Choice:
    """Return the matrix with the best bound that the heuristic finds, and its proofs.

    Args:
        found: the queries and their keys.
        systems: the inputs of each query.
        eps: the error.
        largest: most queries in a matrix: n queries take n (n - 1) linear programs.
        query_slot: the query's position where maps depend on it, else None.
        positive: says of a query and the keys of a set whether the diagonal is sure to be positive.
    """
    cache: dict[tuple[int, int], tuple[Fraction, Multipliers] | None] = {}

    def proof(i: int, j: int) -> tuple[Fraction, Multipliers] | None:
        if (i, j) not in cache:
            system = systems[int(found.queries[i])]
            own, other = (key_columns(system, int(found.keys[k]), query_slot) for k in (i, j))
            proven = prove_ratio(system, own, other, eps)
            cache[i, j] = None if isinstance(proven, str) else proven
        return cache[i, j]

    def ratio(i: int, j: int) -> Fraction:
        proven = proof(i, j)
        return proven[0] if proven else Fraction(0)

    chosen, rank = [0], 1
    for gap in sorted(set(found.gaps[found.gaps > 0].tolist()), reverse=True):
        places = _clique(found.gaps >= gap, largest)
        places = _settled(places, found, positive)
        if len(places) <= max(rank, 1):
            continue
        pairs = [(i, j) for i in places for j in places if i != j]
        pairs.sort(key=lambda pair: (int(found.gaps[pair]), pair))
        few = min(ratio(*pair) for pair in pairs[:_PROBES])
        if few and max(rank_bounds(len(places), few).values()) <= rank:
            continue
        while len(places) > max(rank, 1):
            weakest = min((ratio(i, j), i, j) for i in places for j in places if i != j)
            settled = all(positive(int(found.queries[i]), _keys(found, places)) for i in places)
            if weakest[0] and settled:
                bound = max(rank_bounds(len(places), weakest[0]).values())
                if bound > rank:
                    chosen, rank = places, bound
            places = [i for i in places if i != _weakest(places, ratio)]
    numbered = list(enumerate(chosen))
    proofs = {
        (a, b): proven
        for a, i in numbered
        for b, j in numbered
        if i != j and (proven := proof(i, j)) is not None
    }
    return Choice(found.queries[chosen].tolist(), found.keys[chosen].tolist(), proofs, rank)


def _keys(found: Candidates, places: list[int]) -> list[int]:
    return [int(found.keys[place]) for place in places]


def _settled(
    places: list[int], found: Candidates, positive: Callable[[int, list[int]], bool]
) -> list[int]:
    """Drop queries whose diagonal could be 0, until none is left."""
    while True:
        keys = _keys(found, places)
        kept = [place for place in places if positive(int(found.queries[place]), keys)]
        if len(kept) == len(places):
            return places
        places = kept


def _clique(together: Ints, largest: int) -> list[int]:
    """Return places of which every two may stand together, those with most partners first."""
    partners = together.sum(axis=1)
    allowed = partners > 0
    chosen: list[int] = []
    while allowed.any() and len(chosen) < largest:
        # argmax takes the first of equals, so the choice is the same on each run.
        place = int(np.where(allowed, partners, -1).argmax())
        chosen.append(place)
        allowed &= together[place]
    return sorted(chosen)


def _weakest(places: list[int], ratio: Callable[[int, int], Fraction]) -> int:
    """Return the place that is in the weakest pair and, of the two, has the weaker other pairs."""
    _, i, j = min((ratio(i, j), i, j) for i in places for j in places if i != j)

    def others(place: int, without: int) -> Fraction:
        rest = [k for k in places if k not in (place, without)]
        return min((min(ratio(place, k), ratio(k, place)) for k in rest), default=Fraction(0))

    return i if others(i, j) <= others(j, i) else j
