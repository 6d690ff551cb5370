"""Check the rank certificate of a suite in exact fractions, trusting none of the code that made it.

This module reads bits, rational numbers written as "p/q", and nothing else: no solver, no
floating-point number, no other module of this package but the error it raises.

What is proven. Let x_1..x_n be queries and y_1..y_n keys. A head with r nonnegative features per
token has alpha(x, z) = <phi_Q(x), phi_K(z)> >= 0 and answers an input (x, z, ...) with

    yhat = sum_p alpha(x, z_p) u(x, z_p) / sum_p alpha(x, z_p)

over all positions p, the query's own included, for any real read-out u. If it is within eps of the
target min_p <x, z_p> on every input of the suite, then r is at least the certified rank. An input
whose normaliser is 0 has no answer, or, to be generous, one answer that the head fixes per query.

1. *Each input gives two inequalities.* Multiply |yhat - t| <= eps by the normaliser and write
   g = alpha u. Where the normaliser is 0 all terms are 0 and both still hold:

       upper:  sum_p g(x, z_p) - (t + eps) sum_p alpha(x, z_p) <= 0
       lower: -sum_p g(x, z_p) + (t - eps) sum_p alpha(x, z_p) <= 0.

2. *Each pair (i, j) gives a ratio.* Add the inequalities of query x_i with multipliers >= 0 so
   that every g cancels. What is left is sum_z c(z) alpha(x_i, z) <= 0. Adding alpha(x_i, y_i) to
   both sides gives alpha(x_i, y_i) >= sum_z C(z) alpha(x_i, z) with C = c, but C(y_i) = c(y_i) + 1.
   If C(z) >= 0 for all z but y_j, then alpha(x_i, y_i) >= C(y_j) alpha(x_i, y_j).

3. *The diagonal is positive.* Suppose alpha(x_i, y_i) = 0. As the ratios are positive, then
   alpha(x_i, y_j) = 0 for every j. So on an input made of x_i and the keys y_1..y_n alone only x_i
   has weight, and the answer is u(x_i, x_i), or the fixed answer if that weight is 0 too: in both
   cases the same for all such inputs of query i. Two of them whose targets differ by more than
   2 eps cannot both be within eps.

4. *The rank.* Divide row i of the matrix alpha(x_i, y_j) by its diagonal, which leaves its rank as
   it is. The diagonal is now 1 and the rest lies in [0, 1/Lambda], with Lambda the smallest ratio.
   `certified_ranks` bounds the rank of such a matrix. It is a product of an n x r and an r x n
   matrix, so r is at least its rank.

Nothing changes where the query is an input's last token (`query="last"`). Token maps that depend
on the position (`positional`) have one alpha_p(x, z) and u_p(x, z) for each position p. In steps 2
to 4 alpha(x_i, y) then stands for the sum of alpha_p(x_i, y) over the positions other than the
query's, which is <phi_Q(x_i), sum_p phi_K,p(y)> and so has rank at most r too: in step 2 each
C(p, y_j) is at least the ratio, and step 3 asks for inputs with keys at all positions but the
query's.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from attnrank.errors import AttnrankError


class Claim(NamedTuple):
    """Error <= eps forces alpha(x_i, y_i) >= ratio * alpha(x_i, y_j); eps and ratio as "p/q"."""

    eps: str
    i: int
    j: int
    ratio: str


class Weight(NamedTuple):
    """The multiplier, as "p/q", of one side of one input (its row) in the proof of a claim."""

    eps: str
    i: int
    j: int
    sequence: int
    side: str
    multiplier: str


@dataclass(frozen=True)
class Verified:
    """What holds for every head whose error is at most eps on the suite.

    Attributes:
        eps: the error.
        queries: number n of queries.
        pairs: ordered pairs checked, n (n - 1).
        sequences: distinct inputs of the suite.
        ratio: Lambda, the smallest claimed ratio.
        dominance: rank by diagonal dominance.
        trace: rank by trace and Frobenius norm.
        sign_split: rank by the signs of a dependency.
        rank: the largest of the three: fewer nonnegative features are impossible.
    """

    eps: Fraction
    queries: int
    pairs: int
    sequences: int
    ratio: Fraction
    dominance: int
    trace: int
    sign_split: int
    rank: int


def verify(
    sequences: Sequence[Sequence[str]],
    targets: Sequence[int],
    queries: Sequence[str],
    keys: Sequence[str],
    claims: Iterable[Claim],
    weights: Iterable[Weight],
    *,
    query: str = "first",
    positional: bool = False,
) -> list[Verified]:
    """Check every claim from the bits up and return what is certified at each eps.

    Args:
        sequences: the inputs, each a sequence of tokens such as "010011".
        targets: the stored target of every input, compared with the one recomputed from the bits.
        queries: x_1..x_n, n >= 2.
        keys: y_1..y_n.
        claims: one for each eps and each ordered pair of queries.
        weights: the proofs, in any order.
        query: "first" or "last": which token of an input is its query.
        positional: whether the bound is to hold for token maps that depend on the position too.

    Returns:
        One result for each eps, in ascending order of eps.

    Raises:
        AttnrankError: at the first thing that does not hold, saying which.
    """
    if query not in ("first", "last"):
        raise AttnrankError(f"query = {query!r}: must be first or last")
    numbers = _check_tokens(sequences, queries, keys)
    if positional and len({len(tokens) for tokens in sequences}) > 1:
        raise AttnrankError(
            "maps that depend on the position need sequences of one length, these have several"
        )
    asked = [tokens[0 if query == "first" else -1] for tokens in sequences]
    recomputed = [
        min((numbers[x] & numbers[token]).bit_count() for token in tokens)
        for x, tokens in zip(asked, sequences, strict=True)
    ]
    if len(targets) != len(sequences):
        raise AttnrankError(f"{len(targets)} targets for {len(sequences)} sequences")
    for s, (stored, true) in enumerate(zip(targets, recomputed, strict=True)):
        if stored != true:
            raise AttnrankError(
                f"sequence {s}: its stored target is {stored}, its bits give {true}"
            )

    ratios = _collect_claims(claims, len(queries))
    proofs = _collect_weights(weights, ratios)
    suite = _Suite(sequences, recomputed, asked, query, positional)
    mine: dict[str, list[int]] = {x: [] for x in queries}
    for s, x in enumerate(asked):
        if x in mine:
            mine[x].append(s)
    results = []
    for eps in sorted(ratios):
        for i, x in enumerate(queries):
            _check_positive_diagonal(i, eps, suite, x, keys, mine[x])
        for (i, j), claimed in ratios[eps].items():
            pair = f"pair ({i}, {j}) at eps = {eps}"
            proof = proofs[eps, i, j]
            proven = _proven_ratio(pair, proof, eps, suite, queries[i], keys[i], keys[j])
            if claimed > proven:
                raise AttnrankError(f"{pair}: the ratio {claimed} is claimed, {proven} is proven")
        smallest = min(ratios[eps].values())
        dominance, trace, sign_split = certified_ranks(len(queries), smallest)
        results.append(
            Verified(
                eps=eps,
                queries=len(queries),
                pairs=len(ratios[eps]),
                sequences=len({tuple(tokens) for tokens in sequences}),
                ratio=smallest,
                dominance=dominance,
                trace=trace,
                sign_split=sign_split,
                rank=max(dominance, trace, sign_split),
            )
        )
    return results


def certified_ranks(n: int, ratio: Fraction) -> tuple[int, int, int]:
    """Bound the rank of an n x n matrix with diagonal 1 and the rest in [0, 1/ratio].

    Each bound may be used for the first k rows and columns alone, so each is the best over k <= n.

    - Dominance: the rank is k if every diagonal entry exceeds the sum of the rest of its row, for
      which k - 1 < ratio suffices.
    - Trace: the trace k is at most sqrt(rank) times the Frobenius norm, whose square is at most
      k + k (k - 1) / ratio^2; so rank >= k / (1 + (k - 1) / ratio^2), rounded up.
    - Sign split: suppose the rows M_a depend on each other, sum_{a in S} c_a M_a = sum_{b in T}
      c_b M_b with all c > 0 and S, T disjoint. Neither S nor T is empty, as no entry is negative
      and the diagonal is 1. Let C_S and C_T be the sums of the c. Adding up the columns in S, the
      left side is at least C_S (its diagonal) and the right side at most C_T |S| / ratio. Adding up
      those in T, C_T <= C_S |T| / ratio. Hence ratio^2 <= |S| |T| <= floor(k/2) ceil(k/2), and the
      rank is k if that fails.

    Returns:
        The three bounds: dominance, trace, sign split.
    """
    dominance = trace = sign_split = 1
    for k in range(2, n + 1):
        if k - 1 < ratio:
            dominance = k
        bound = k / (1 + (k - 1) / ratio**2)
        trace = max(trace, -(-bound.numerator // bound.denominator))
        if (k // 2) * ((k + 1) // 2) < ratio**2:
            sign_split = k
    return dominance, trace, sign_split


class _Suite(NamedTuple):
    """The inputs, their targets and queries, and how a head reads them."""

    sequences: Sequence[Sequence[str]]
    targets: Sequence[int]
    asked: Sequence[str]
    query: str
    positional: bool

    def slots(self, length: int) -> list[int]:
        """Return the slots that the weight of a key is summed over."""
        if not self.positional:
            return [0]
        return list(range(1, length)) if self.query == "first" else list(range(length - 1))


def _check_tokens(
    sequences: Sequence[Sequence[str]], queries: Sequence[str], keys: Sequence[str]
) -> dict[str, int]:
    """Check that all tokens are bits of one length, and return each one's number in base 2."""
    if len(queries) < 2 or len(keys) != len(queries):
        raise AttnrankError(
            f"{len(queries)} queries and {len(keys)} keys: as many keys as queries are needed, "
            "2 or more"
        )
    for name, tokens in (("queries", queries), ("keys", keys)):
        if len(set(tokens)) != len(tokens):
            raise AttnrankError(f"the {name} are not distinct")
    width = len(queries[0])
    named = [(f"query {i}", [token]) for i, token in enumerate(queries)]
    named += [(f"key {j}", [token]) for j, token in enumerate(keys)]
    numbers: dict[str, int] = {}
    for name, tokens in named:
        _add_numbers(numbers, name, tokens, width)
    for s, sequence in enumerate(sequences):
        _add_numbers(numbers, f"sequence {s}", sequence, width)
    return numbers


def _add_numbers(numbers: dict[str, int], name: str, tokens: Sequence[str], width: int) -> None:
    if not tokens:
        raise AttnrankError(f"{name} has no token")
    for token in tokens:
        if token not in numbers:
            if len(token) != width or not set(token) <= {"0", "1"}:
                raise AttnrankError(f"{name}: {token!r} is not a token of {width} bits")
            numbers[token] = int(token, 2)


def _fraction(text: str, what: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise AttnrankError(f"{what}: {text!r} is not a fraction p/q") from None


def _collect_claims(
    claims: Iterable[Claim], n: int
) -> dict[Fraction, dict[tuple[int, int], Fraction]]:
    """Return the claimed ratios by eps and pair: all positive, each pair once, no pair missing."""
    ratios: dict[Fraction, dict[tuple[int, int], Fraction]] = defaultdict(dict)
    for eps_text, i, j, ratio_text in claims:
        pair = f"pair ({i}, {j}) at eps = {eps_text}"
        eps, ratio = _fraction(eps_text, pair), _fraction(ratio_text, pair)
        if i == j or not (0 <= i < n and 0 <= j < n):
            raise AttnrankError(f"{pair}: a pair is two different numbers from 0 to {n - 1}")
        if eps <= 0 or ratio <= 0:
            raise AttnrankError(f"{pair}: eps and the ratio {ratio} must be positive")
        if (i, j) in ratios[eps]:
            raise AttnrankError(f"{pair} is claimed twice")
        ratios[eps][i, j] = ratio
    if not ratios:
        raise AttnrankError("there is no claim to verify")
    for eps, found in ratios.items():
        for i in range(n):
            for j in range(n):
                if i != j and (i, j) not in found:
                    raise AttnrankError(f"pair ({i}, {j}) at eps = {eps} is missing")
    return dict(ratios)


def _collect_weights(
    weights: Iterable[Weight], ratios: dict[Fraction, dict[tuple[int, int], Fraction]]
) -> dict[tuple[Fraction, int, int], dict[tuple[int, str], Fraction]]:
    """Return the multipliers by claim, then by input and side: each belongs to a claim, once."""
    proofs: dict[tuple[Fraction, int, int], dict[tuple[int, str], Fraction]] = defaultdict(dict)
    for eps_text, i, j, sequence, side, multiplier in weights:
        pair = f"pair ({i}, {j}) at eps = {eps_text}"
        eps = _fraction(eps_text, pair)
        if (i, j) not in ratios.get(eps, {}):
            raise AttnrankError(f"{pair} has multipliers but no claim")
        if (sequence, side) in proofs[eps, i, j]:
            raise AttnrankError(f"{pair}: sequence {sequence} ({side}) has two multipliers")
        value = _fraction(multiplier, f"{pair}, sequence {sequence}")
        proofs[eps, i, j][sequence, side] = value
    return proofs


def _check_positive_diagonal(
    i: int, eps: Fraction, suite: _Suite, query: str, keys: Sequence[str], rows: Sequence[int]
) -> None:
    """Check the condition of step 3: inputs on x_i and the keys with targets over 2 eps apart."""
    support = set(keys) if suite.positional else {query, *keys}
    seen = []
    for s in rows:
        others = suite.sequences[s]
        if suite.positional:
            others = others[1:] if suite.query == "first" else others[:-1]
        if support.issuperset(others):
            seen.append(suite.targets[s])
    if not seen or max(seen) - min(seen) <= 2 * eps:
        raise AttnrankError(
            f"query {i} at eps = {eps}: no two inputs made of it and the keys alone have targets "
            "more than 2 eps apart, so the diagonal of its pairs could be 0"
        )


def _proven_ratio(
    pair: str,
    proof: dict[tuple[int, str], Fraction],
    eps: Fraction,
    suite: _Suite,
    query: str,
    own_key: str,
    other_key: str,
) -> Fraction:
    """Add up the weighted inequalities of step 2 and return C(y_j), the least over the slots."""
    of_alpha: dict[tuple[int, str], Fraction] = defaultdict(Fraction)
    of_g: dict[tuple[int, str], Fraction] = defaultdict(Fraction)
    slots = suite.slots(len(suite.sequences[0]) if suite.sequences else 1)
    for slot in slots:
        of_alpha[slot, own_key] += 1
    for (s, side), multiplier in proof.items():
        if not 0 <= s < len(suite.sequences):
            raise AttnrankError(f"{pair}: there is no sequence {s}")
        if side not in ("upper", "lower"):
            raise AttnrankError(f"{pair}, sequence {s}: the side {side!r} is not upper or lower")
        if multiplier < 0:
            raise AttnrankError(f"{pair}, sequence {s} ({side}): the multiplier is negative")
        if suite.asked[s] != query:
            where = "start" if suite.query == "first" else "end"
            raise AttnrankError(f"{pair}, sequence {s}: it does not {where} with the pair's query")
        sign = 1 if side == "upper" else -1
        target = suite.targets[s]
        of_normaliser = -(target + eps) if side == "upper" else target - eps
        for p, token in enumerate(suite.sequences[s]):
            slot = p if suite.positional else 0
            of_g[slot, token] += sign * multiplier
            of_alpha[slot, token] += of_normaliser * multiplier
    for (_, token), value in of_g.items():
        if value != 0:
            raise AttnrankError(f"{pair}: the read-out of token {token} does not cancel ({value})")
    others = {(slot, other_key) for slot in slots}
    for (slot, token), value in of_alpha.items():
        if value < 0 and (slot, token) not in others:
            raise AttnrankError(f"{pair}: the coefficient of token {token} is negative ({value})")
    return min(of_alpha[other] for other in others)
