import ast
import inspect
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnrank.errors import AttnrankError
from attnrank.minip import verify as module
from attnrank.minip.certify import prove
from attnrank.minip.verify import Claim, Weight, verify
from attnrank.minip.witness.data import build_suite


class Stored(NamedTuple):
    """A certificate as its tables hold it."""

    sequences: list
    targets: list
    queries: list
    keys: list
    claims: list
    weights: list


def stored(suite, *levels) -> Stored:
    bits = ["".join(map(str, token)) for token in suite.tokens.tolist()]
    proofs = [
        proof
        for eps in levels
        for proof in prove(
            suite.sequences, suite.targets, suite.query_token, suite.key_token, Fraction(eps)
        )
    ]
    return Stored(
        sequences=[[bits[token] for token in row] for row in suite.sequences.tolist()],
        targets=suite.targets.tolist(),
        queries=[bits[token] for token in suite.query_token],
        keys=[bits[token] for token in suite.key_token[: len(suite.query_token)]],
        claims=[Claim(str(p.eps), p.query, p.key, str(p.ratio)) for p in proofs],
        weights=[
            Weight(str(p.eps), p.query, p.key, sequence, side, str(value))
            for p in proofs
            for (sequence, side), value in p.multipliers.items()
        ],
    )


SMALL = stored(build_suite(queries=3, keys=3, order=8), "1/4", "1/5")


def changed(items: list, index: int, value) -> list:
    return [*items[:index], value, *items[index + 1 :]]


def pair_of(row) -> str:
    return rf"pair \({row.i}, {row.j}\) at eps = {row.eps}"


def test_the_suite_is_certified_at_rank_8():
    certificate = stored(build_suite(), "1/2", "671/1000")
    half, more = verify(*certificate)
    assert (half.eps, half.ratio, half.rank) == (Fraction(1, 2), Fraction(5), 8)
    assert (half.queries, half.pairs, half.sequences) == (8, 56, 1272)
    assert (half.dominance, half.trace, half.sign_split) == (5, 7, 8)
    assert (more.ratio, more.rank) == (Fraction(2329, 671), 7)


def test_it_shares_no_code_with_the_prover():
    tree = ast.parse(inspect.getsource(module))
    names = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    assert names == {"collections", "collections.abc", "dataclasses", "fractions", "typing",
                     "attnrank.errors"}  # fmt: skip
    floats = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is float]
    assert not floats


def test_results_come_by_ascending_eps_whatever_the_order_of_the_rows():
    shuffled = SMALL._replace(claims=SMALL.claims[::-1], weights=SMALL.weights[::-1])
    assert verify(*shuffled) == verify(*SMALL)
    assert [result.eps for result in verify(*SMALL)] == [Fraction(1, 5), Fraction(1, 4)]


def test_a_smaller_claim_is_accepted_and_counts():
    claims = changed(SMALL.claims, 0, SMALL.claims[0]._replace(ratio="1/2"))
    weakest = next(r for r in verify(*SMALL._replace(claims=claims)) if r.eps == Fraction(1, 4))
    assert weakest.ratio == Fraction(1, 2)
    assert weakest.rank == 1


weight_rows = st.integers(0, len(SMALL.weights) - 1)
claim_rows = st.integers(0, len(SMALL.claims) - 1)


@settings(max_examples=60, deadline=None)
@given(weight_rows, st.integers(1, 2), st.integers(0, 7))
def test_a_flipped_bit_of_a_used_key_is_refused(index, place, bit):
    row = SMALL.weights[index]
    tokens = list(SMALL.sequences[row.sequence])
    flipped = "1" if tokens[place][bit] == "0" else "0"
    tokens[place] = tokens[place][:bit] + flipped + tokens[place][bit + 1 :]
    sequences = changed(SMALL.sequences, row.sequence, tokens)
    overlaps = [sum(a == b == "1" for a, b in zip(tokens[0], t, strict=True)) for t in tokens]
    targets = changed(SMALL.targets, row.sequence, min(overlaps))
    with pytest.raises(AttnrankError, match=r"pair \(\d, \d\) at eps = 1/[45]: the read-out of"):
        verify(*SMALL._replace(sequences=sequences, targets=targets))


def test_a_flipped_bit_that_moves_a_target_names_the_sequence():
    tokens = [SMALL.queries[0], SMALL.queries[0], SMALL.queries[0]]
    sequences = changed(SMALL.sequences, 4, tokens)
    with pytest.raises(AttnrankError, match="sequence 4: its stored target is"):
        verify(*SMALL._replace(sequences=sequences))


@given(weight_rows, st.fractions(max_denominator=100).filter(lambda f: f != 0))
@settings(max_examples=60, deadline=None)
def test_a_changed_multiplier_is_refused(index, change):
    row = SMALL.weights[index]
    new = row._replace(multiplier=str(Fraction(row.multiplier) + change))
    with pytest.raises(AttnrankError, match=pair_of(row)):
        verify(*SMALL._replace(weights=changed(SMALL.weights, index, new)))


def test_multipliers_scaled_together_are_refused():
    # All read-outs still cancel, but the numerator's own coefficient or the ratio gives it away.
    first = SMALL.claims[0]
    for factor in (Fraction(1, 2), Fraction(2)):
        weights = [
            w._replace(multiplier=str(factor * Fraction(w.multiplier))) if w[:3] == first[:3] else w
            for w in SMALL.weights
        ]
        with pytest.raises(AttnrankError, match=pair_of(first)):
            verify(*SMALL._replace(weights=weights))


@given(weight_rows)
@settings(max_examples=30, deadline=None)
def test_a_negated_multiplier_is_refused(index):
    row = SMALL.weights[index]
    new = row._replace(multiplier="-" + row.multiplier)
    with pytest.raises(AttnrankError, match=pair_of(row) + ".*the multiplier is negative"):
        verify(*SMALL._replace(weights=changed(SMALL.weights, index, new)))


@given(weight_rows)
@settings(max_examples=30, deadline=None)
def test_a_dropped_multiplier_is_refused(index):
    weights = SMALL.weights[:index] + SMALL.weights[index + 1 :]
    with pytest.raises(AttnrankError, match=pair_of(SMALL.weights[index])):
        verify(*SMALL._replace(weights=weights))


@given(claim_rows)
@settings(max_examples=20, deadline=None)
def test_a_raised_ratio_is_refused(index):
    row = SMALL.claims[index]
    new = row._replace(ratio=str(Fraction(row.ratio) + Fraction(1, 10**9)))
    with pytest.raises(AttnrankError, match=pair_of(row) + ": the ratio .* is claimed"):
        verify(*SMALL._replace(claims=changed(SMALL.claims, index, new)))


@given(claim_rows)
@settings(max_examples=20, deadline=None)
def test_a_missing_pair_is_refused(index):
    row = SMALL.claims[index]
    claims = SMALL.claims[:index] + SMALL.claims[index + 1 :]
    weights = [weight for weight in SMALL.weights if weight[:3] != row[:3]]
    with pytest.raises(AttnrankError, match=pair_of(row) + " is missing"):
        verify(*SMALL._replace(claims=claims, weights=weights))


def test_one_proof_does_not_do_for_another_eps():
    claims = [claim for claim in SMALL.claims if claim.eps == "1/5"]
    weights = [w._replace(eps="1/5") for w in SMALL.weights if w.eps == "1/4"]
    with pytest.raises(AttnrankError, match=r"pair \(0, 1\) at eps = 1/5"):
        verify(*SMALL._replace(claims=claims, weights=weights))


FIRST_CLAIM, FIRST_WEIGHT = SMALL.claims[0], SMALL.weights[0]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("claims", [*SMALL.claims, FIRST_CLAIM], pair_of(FIRST_CLAIM) + " is claimed twice"),
        ("claims", [*SMALL.claims, FIRST_CLAIM._replace(eps="2/8")], "claimed twice"),
        ("claims", [*SMALL.claims, FIRST_CLAIM._replace(j=3)], "from 0 to 2"),
        ("claims", [*SMALL.claims, FIRST_CLAIM._replace(j=0)], "two different numbers"),
        ("claims", [FIRST_CLAIM._replace(ratio="0")], "must be positive"),
        ("claims", [FIRST_CLAIM._replace(eps="-1/4")], "must be positive"),
        ("claims", [FIRST_CLAIM._replace(ratio="much")], "'much' is not a fraction"),
        ("claims", [FIRST_CLAIM._replace(ratio="1/0")], "'1/0' is not a fraction"),
        ("claims", [], "no claim"),
        ("weights", [*SMALL.weights, FIRST_WEIGHT], "has two multipliers"),
        ("weights", [*SMALL.weights, FIRST_WEIGHT._replace(eps="1/3")], "but no claim"),
        (
            "weights",
            changed(SMALL.weights, 0, FIRST_WEIGHT._replace(sequence=-1)),
            "there is no sequence -1",
        ),
        (
            "weights",
            changed(SMALL.weights, 0, FIRST_WEIGHT._replace(sequence=99)),
            "there is no sequence 99",
        ),
        (
            "weights",
            changed(SMALL.weights, 0, FIRST_WEIGHT._replace(side="both")),
            "'both' is not upper or lower",
        ),
        (
            "weights",
            changed(SMALL.weights, 0, FIRST_WEIGHT._replace(sequence=26)),
            "does not start with the pair's query",
        ),
        ("weights", [], r"pair \(0, 1\) at eps = 1/5: the ratio"),
        ("targets", SMALL.targets[1:], "targets for"),
        ("queries", SMALL.queries[:2], "2 queries and 3 keys"),
        ("queries", [SMALL.queries[0]] * 3, "queries are not distinct"),
        ("keys", [SMALL.keys[0]] * 3, "keys are not distinct"),
        ("keys", [*SMALL.keys[:2], "0101"], "key 2: '0101' is not a token of 8 bits"),
        ("sequences", [["2" * 8]], "sequence 0: '22222222' is not a token"),
        ("sequences", [[]], "sequence 0 has no token"),
    ],
)
def test_malformed_certificates_are_refused(field, value, message):
    with pytest.raises(AttnrankError, match=message):
        verify(*SMALL._replace(**{field: value}))


def test_the_diagonal_must_be_shown_to_be_positive():
    # Without the doubles of other keys nothing forbids alpha(x_0, y) = 0 on all keys at once.
    own = SMALL.queries[0]
    keep = [
        s
        for s, tokens in enumerate(SMALL.sequences)
        if tokens[0] != own or tokens[1] != tokens[2] or tokens[1] == SMALL.keys[0]
    ]
    place = {old: new for new, old in enumerate(keep)}
    certificate = SMALL._replace(
        sequences=[SMALL.sequences[s] for s in keep],
        targets=[SMALL.targets[s] for s in keep],
        weights=[
            w._replace(sequence=place[w.sequence]) for w in SMALL.weights if w.sequence in place
        ],
    )
    with pytest.raises(AttnrankError, match=r"query 0 at eps = 1/5: .* could be 0"):
        verify(*certificate)
