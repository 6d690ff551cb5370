"""Linear programs: how few features a head needs when they may be of either sign.

Each query meets tokens of its own and the shared keys y_1..y_k, so the rank of the attention
alpha(x_i, z) is decided by its columns at the keys: any other column has one entry that an input
sees, and the rest may be chosen. The rank is below n if and only if some rows depend on each
other, sum_{i in S} alpha(x_i, y) = sum_{i in T} alpha(x_i, y) at every key y (a row may be scaled
by a positive number, so coefficients are 1, -1 or 0). If no dependency of k or fewer rows exists,
every k rows are independent and the rank is at least k.

With g = alpha u, "error <= eps, with a positive normaliser" is linear in (alpha, g), as in the
certificate of the witness suite, but alpha may have either sign. The margin delta of a head is the
least normaliser over sum |alpha| of an input: 1 for a nonnegative head, near 0 where almost all of
the attention cancels. The inputs look the same for every query of a set (S, T, or neither), and
solutions form a convex set, so their average over permutations within the sets is a solution too:
one query of each set is enough, which keeps the programs small, whatever the number of queries.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import linprog

from attnrank.errors import AttnrankError

Label = Hashable
Floats = NDArray[np.float64]
SELF: Label = "self"
OWN: Label = "own"


@dataclass(frozen=True)
class View:
    """The inputs as one query of a set sees them, tokens that look the same having one label.

    Attributes:
        labels: the labels of its tokens, in the order of the unknowns.
        counts: how many tokens of a label each distinct input has, (rows, labels).
        targets: (rows,).
        words: the tokens themselves, from the word to its label.
    """

    labels: list[Label]
    counts: Floats
    targets: Floats
    words: dict[str, Label]


@dataclass(frozen=True)
class Head:
    """A head of either sign at the optimum: for S and, if there is one, T, from label to number."""

    alpha: list[dict[Label, float]]
    weighted: list[dict[Label, float]]


def patterns(support: int) -> list[tuple[int, int]]:
    """Return the sizes of S and T of every dependency of ``support`` rows, up to a common sign."""
    return [(support - t, t) for t in range(support // 2 + 1)]


def views(suite: pd.DataFrame, s: int, t: int) -> list[View]:
    """Return what a query of S and a query of T see; S is the first s queries, T the next t.

    Args:
        suite: a table of the witness suite's `schemas.SUITE`.
        s: queries in S, at least 1.
        t: queries in T.

    Raises:
        AttnrankError: the queries of a set do not look the same, or share more than the keys.
    """
    keys = suite[suite["kind"] == "double"].groupby("key")["token_2"].first().tolist()
    queries = int(suite["query"].nunique())
    sets = ["S"] * s + ["T"] * t + ["neither"] * (queries - s - t)
    sets += ["extra"] * (len(keys) - queries)
    place = {word: sets[j] for j, word in enumerate(keys)}
    found = []
    met: dict[str, int] = {}
    for first, size in ((0, s), (s, t)):
        seen: list[set[tuple[tuple[str, ...], int]]] = []
        for i in range(first, first + size):
            rows = suite[suite["query"] == i]
            words = _labels(rows, keys[i], place, sets)
            for word in words:
                if word not in place and met.setdefault(word, i) != i:
                    raise AttnrankError(f"queries {met[word]} and {i} share a token besides keys")
            inputs = {
                (tuple(sorted(map(repr, (words[token] for token in tokens)))), int(target))
                for *tokens, target in rows[["token_1", "token_2", "token_3", "target"]].to_numpy()
            }
            if seen and inputs != seen[0]:
                raise AttnrankError(f"queries {first} and {i} meet inputs of different kinds")
            seen.append(inputs)
            if i == first:
                found.append(_view(rows, words))
    return found


def _labels(
    rows: pd.DataFrame, own_key: str, place: dict[str, str], sets: list[str]
) -> dict[str, Label]:
    """Return the label of each token of one query: keys by set, others by set and overlap."""
    words: dict[str, Label] = {rows["token_1"].iloc[0]: SELF}
    for row in rows.itertuples():
        for word, overlap in ((row.token_2, row.overlap_2), (row.token_3, row.overlap_3)):
            key = OWN if word == own_key else ("key", place[word]) if word in place else None
            words[word] = key or ("chain", sets[row.key], int(overlap))
    return words


def _view(rows: pd.DataFrame, words: dict[str, Label]) -> View:
    labels = sorted(set(words.values()), key=repr)
    tokens = rows[["token_1", "token_2", "token_3"]].to_numpy()
    counts = np.array([[sum(words[w] == label for w in row) for label in labels] for row in tokens])
    distinct = np.unique(np.column_stack([counts, rows["target"]]), axis=0).astype(np.float64)
    return View(labels, distinct[:, :-1], distinct[:, -1], words)


def solve(
    seen: list[View], s: int, t: int, eps: float, margin: float, *, signed: bool = True
) -> Head | None:
    """Return a head of error at most ``eps`` whose first s + t rows depend on each other, or none.

    Args:
        seen: what `views` returns for s and t.
        s: rows on one side of the dependency.
        t: rows on the other side.
        eps: the error.
        margin: least normaliser over sum |alpha| of an input, from 0 to 1.
        signed: whether alpha may be negative.
    """
    # The unknowns of a set: positive and negative part of alpha, and g, for each label.
    inequalities, bounds, ends = [], [], []
    starts = np.cumsum([0] + [3 * len(view.labels) for view in seen])
    for view, start in zip(seen, starts, strict=False):
        rows = _inequalities(view, eps, margin)
        inequalities.append(
            np.pad(rows[0], ((0, 0), (start, starts[-1] - start - rows[0].shape[1])))
        )
        ends.append(rows[1])
        size = len(view.labels)
        bounds += [(0, None)] * size + [(0, None if signed else 0)] * size + [(None, None)] * size
    equalities = _dependency(seen, starts, s, t)
    result = linprog(
        np.zeros(starts[-1]),
        A_ub=np.concatenate(inequalities),
        b_ub=np.concatenate(ends),
        A_eq=equalities,
        b_eq=np.zeros(len(equalities)),
        bounds=bounds,
        method="highs",
    )
    if result.status == 2:
        return None
    if result.status != 0:
        raise AttnrankError(f"the program of ({s}, {t}) at eps = {eps} failed: {result.message}")
    alpha, weighted = [], []
    for view, start in zip(seen, starts, strict=False):
        positive, negative, g = result.x[start : start + 3 * len(view.labels)].reshape(3, -1)
        alpha.append(dict(zip(view.labels, positive - negative, strict=True)))
        weighted.append(dict(zip(view.labels, g, strict=True)))
    return Head(alpha, weighted)


def _inequalities(view: View, eps: float, margin: float) -> tuple[Floats, Floats]:
    """Return the rows A x <= b of one query: error at most eps, normaliser at least 1, margin."""
    counts, target = view.counts, view.targets[:, None]
    nothing = np.zeros_like(counts)
    upper = np.hstack([-(target + eps) * counts, (target + eps) * counts, counts])
    lower = np.hstack([(target - eps) * counts, -(target - eps) * counts, -counts])
    positive = np.hstack([-counts, counts, nothing])
    apart = np.hstack([(margin - 1) * counts, (margin + 1) * counts, nothing])
    size = len(counts)
    end = np.concatenate([np.zeros(2 * size), -np.ones(size), np.zeros(size)])
    return np.concatenate([upper, lower, positive, apart]), end


def _dependency(seen: list[View], starts: NDArray[np.int64], s: int, t: int) -> Floats:
    """Return one row for the keys of each kind: sum over S of alpha minus sum over T is 0."""
    kinds = sorted(
        {label for view in seen for label in view.labels if isinstance(label, tuple)}
        | {("key", "S")}
        | ({("key", "T")} if t else set()),
        key=repr,
    )
    rows = []
    for kind in (kind for kind in kinds if kind[0] == "key"):
        row = np.zeros(starts[-1])
        for view, start, name, size in zip(seen, starts, "ST", (s, t), strict=False):
            sign = 1.0 if name == "S" else -1.0
            own = kind[1] == name
            times = {OWN: float(own), kind: float(size - own)}
            for label, factor in times.items():
                if factor:
                    place = start + view.labels.index(label)
                    row[[place, place + len(view.labels)]] += sign * factor * np.array([1.0, -1.0])
        rows.append(row)
    return np.array(rows)


def largest_margin(
    seen: list[View], s: int, t: int, eps: float, tolerance: float
) -> tuple[float, Head | None]:
    """Return the largest margin at which such a head exists, by bisection, and the head.

    Returns:
        -1 and none if no head with positive normalisers exists at all.
    """
    low, head = 0.0, solve(seen, s, t, eps, 0.0)
    if head is None:
        return -1.0, None
    whole = solve(seen, s, t, eps, 1.0)
    if whole is not None:
        return 1.0, whole
    high = 1.0
    while high - low > tolerance:
        middle = (low + high) / 2
        found = solve(seen, s, t, eps, middle)
        low, high, head = (low, middle, head) if found is None else (middle, high, found)
    return low, head


@dataclass(frozen=True)
class Built:
    """A whole head, spelled out: its rank, greatest error and margin on the suite."""

    rank: int
    error: float
    margin: float


def build(suite: pd.DataFrame, seen: list[View], s: int, t: int, head: Head) -> Built:
    """Spell out a head whose dependency takes in every query, and measure it input by input.

    An entry that no input sees is 0, but for one in each column that makes the dependency hold.
    """
    tokens = ["token_1", "token_2", "token_3"]
    words = sorted(set(suite[tokens].to_numpy().ravel()))
    number = {word: place for place, word in enumerate(words)}
    sets = ["S"] * s + ["T"] * t
    keys = suite[suite["kind"] == "double"].groupby("key")["token_2"].first().tolist()
    place = {word: (sets + ["extra"] * len(keys))[j] for j, word in enumerate(keys)}
    alpha, weighted = np.zeros((2, s + t, len(words)))
    for i, name in enumerate(sets):
        rows = suite[suite["query"] == i]
        which = "ST".index(name)
        for word, label in _labels(rows, keys[i], place, sets).items():
            alpha[i, number[word]] = head.alpha[which][label]
            weighted[i, number[word]] = head.weighted[which][label]
            if word not in place:
                other = (i + 1) % (s + t)
                sign = -1.0 if sets[other] == name else 1.0
                alpha[other, number[word]] = sign * head.alpha[which][label]
    at = suite["query"].to_numpy()[:, None], np.vectorize(number.get)(suite[tokens].to_numpy())
    normaliser = alpha[at].sum(axis=1)
    error = np.abs(weighted[at].sum(axis=1) / normaliser - suite["target"].to_numpy()).max()
    margin = (normaliser / np.abs(alpha[at]).sum(axis=1)).min()
    scaled = alpha / np.abs(alpha).max(axis=1, keepdims=True)
    return Built(int(np.linalg.matrix_rank(scaled, tol=1e-9)), float(error), float(margin))


def certain_rank(feasible: set[tuple[int, int]], n: int) -> int:
    """Return the rank that every head has, given which dependencies are possible.

    Two arguments, each for any k rows. If no k or fewer rows can depend on each other, the rank is
    at least k. If it were k - 2 or less on k rows, their dependencies would hold a plane, and one
    could turn from a dependency to its negative: on the way coefficients change sign by passing
    through 0, and every dependency met, with the zeros and between them, must be possible. If no
    such way leads from any (s, t) to (t, s), the rank is at least k - 1.

    Args:
        feasible: sizes (s, t), s >= t, of the two sides of every possible dependency.
        n: number of rows.
    """
    smallest = min((s + t for s, t in feasible), default=n + 1)
    turning = [k for k in range(smallest, n + 1) if _turns(feasible, k)]
    return max(smallest - 1, min(turning, default=n + 1) - 2)


def _turns(feasible: set[tuple[int, int]], k: int) -> bool:
    """Return whether k rows, all taking part, can turn from a dependency to its negative."""
    possible = feasible | {(t, s) for s, t in feasible}

    def moves(s: int, t: int) -> set[tuple[int, int]]:
        flips = ((a, b) for a, b in product(range(s + 1), range(t + 1)) if a + b)
        return {
            (s - a + b, t - b + a)
            for a, b in flips
            if {(s - a, t - b), (s - a + b, t - b + a)} <= possible
        }

    for start in [(s, t) for s, t in possible if s + t == k]:
        reached: set[tuple[int, int]] = set()
        waiting = [start]
        while waiting:
            new = moves(*waiting.pop()) - reached
            reached |= new
            waiting += new
        if start[::-1] in reached:
            return True
    return False


def margins(suite: pd.DataFrame, errors: list[float], tolerance: float) -> list[dict[str, object]]:
    """Return, for every error and dependency, what is possible: rows of `schemas.MARGINS`.

    Args:
        suite: a table of the witness suite's `schemas.SUITE`.
        errors: errors at which programs are solved.
        tolerance: to which margins are found.
    """
    n = int(suite["query"].nunique())
    rows: list[dict[str, object]] = []
    for s, t in [pattern for k in range(1, n + 1) for pattern in patterns(k)]:
        seen = views(suite, s, t)
        for eps in errors:
            margin, head = largest_margin(seen, s, t, eps, tolerance)
            built = build(suite, seen, s, t, head) if head and s + t == n else None
            rows.append(
                {
                    "error": eps,
                    "positive": s,
                    "negative": t,
                    "queries": n,
                    "nonnegative": solve(seen, s, t, eps, 0.0, signed=False) is not None,
                    "signed": head is not None,
                    "margin": built.margin if built else margin if head else np.nan,
                    "built_rank": built.rank if built else 0,
                    "built_error": built.error if built else np.nan,
                }
            )
    return rows
