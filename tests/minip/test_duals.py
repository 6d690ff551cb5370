"""Large programs, solved on a part of their inputs, and heads whose maps depend on the position."""

import contextlib
from fractions import Fraction

import pytest

from attnrank.errors import AttnrankError
from attnrank.minip import duals
from attnrank.minip.certify import prove
from attnrank.minip.variants.certify import certificates
from attnrank.minip.variants.data import inputs
from attnrank.minip.variants.names import Head, head
from attnrank.minip.verify import Claim, Weight, verify
from attnrank.minip.witness.data import build_suite

SMALL = build_suite(queries=3, keys=3, order=8)
EPS = Fraction(1, 4)


def ratios(sequences, targets, **how):
    proofs = prove(sequences, targets, SMALL.query_token, SMALL.key_token, EPS, **how)
    return [proof.ratio for proof in proofs]


def test_a_program_solved_in_parts_reaches_the_same_ratio(monkeypatch):
    whole = ratios(SMALL.sequences, SMALL.targets)
    monkeypatch.setattr(duals, "_LARGE", 5)
    monkeypatch.setattr(duals, "_BATCH", 2)
    assert ratios(SMALL.sequences, SMALL.targets) == whole


def test_a_program_stopped_early_proves_less_not_more(monkeypatch):
    (whole,) = set(ratios(SMALL.sequences, SMALL.targets))
    monkeypatch.setattr(duals, "_LARGE", 0)
    monkeypatch.setattr(duals, "_ROUNDS", 1)
    found = Fraction(0)
    with contextlib.suppress(AttnrankError):
        found = max(ratios(SMALL.sequences, SMALL.targets))
    assert found <= whole


@pytest.mark.parametrize("variant", ["positional", "causal"])
def test_positions_do_not_change_the_ratio_where_both_orders_are_there(variant):
    how = head(variant, 1)
    rows, targets = inputs(SMALL.sequences, SMALL.targets, how)
    found = ratios(rows, targets, query=how.query, positional=True)
    assert found == ratios(SMALL.sequences, SMALL.targets)


def test_positions_with_one_order_alone_prove_nothing():
    with pytest.raises(AttnrankError, match="6 pairs"):
        ratios(SMALL.sequences, SMALL.targets, positional=True)


def test_a_proof_without_positions_is_refused_where_positions_count():
    rows, targets = inputs(SMALL.sequences, SMALL.targets, Head("first", True, 0))
    words = ["".join(map(str, bits)) for bits in SMALL.tokens.tolist()]
    proofs = prove(rows, targets, SMALL.query_token, SMALL.key_token, EPS)
    stored = (
        [[words[token] for token in row] for row in rows.tolist()],
        targets.tolist(),
        [words[token] for token in SMALL.query_token],
        [words[token] for token in SMALL.key_token],
        [Claim(str(p.eps), p.query, p.key, str(p.ratio)) for p in proofs],
        [
            Weight(str(p.eps), p.query, p.key, sequence, side, str(value))
            for p in proofs
            for (sequence, side), value in p.multipliers.items()
        ],
    )
    assert verify(*stored)[0].rank >= 2
    with pytest.raises(AttnrankError, match="the read-out of token"):
        verify(*stored, positional=True)
    backwards = [row[::-1] for row in stored[0]][::-1]
    with pytest.raises(AttnrankError, match="does not end with the pair's query"):
        verify(backwards, targets[::-1].tolist(), *stored[2:], query="last")


def test_every_variant_of_the_witness_suite_needs_8_features():
    from attnrank.minip.witness.inputs import Inputs

    suite = build_suite()
    given = Inputs(suite.tokens, suite.sequences, suite.targets, suite.query_token, suite.key_token)
    found = certificates(given, ["wide_values", "positional", "causal"], ["1/2"])
    assert found["rank"].tolist() == [8, 8, 8]
    assert found["ratio"].tolist() == ["5", "5", "5"]
    assert found["sequences"].tolist() == [1272, 2448, 2448]
