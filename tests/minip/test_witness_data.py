import numpy as np
import pytest

from attnrank.errors import AttnrankError
from attnrank.minip.witness.data import CHAIN, DOUBLE, build_suite, hadamard_words, min_ip_targets


@pytest.fixture(scope="module")
def suite():
    return build_suite()


@pytest.mark.parametrize("order", [4, 8, 12, 20, 24, 32])
def test_words_have_weight_half_and_overlap_a_quarter(order):
    words = hadamard_words(order).astype(int)
    overlaps = words @ words.T
    off = ~np.eye(order - 1, dtype=bool)
    assert words.shape == (order - 1, order)
    assert (np.diag(overlaps) == order // 2).all()
    assert (overlaps[off] == order // 4).all()


@pytest.mark.parametrize("order", [0, 2, 10, 16, 28, 36])
def test_other_orders_are_refused(order):
    with pytest.raises(AttnrankError, match="Paley"):
        hadamard_words(order)


def test_counts(suite):
    assert suite.tokens.shape == (300, 24)
    assert len(np.unique(suite.tokens, axis=0)) == 300
    assert suite.sequences.shape == (1272, 3)
    assert len(np.unique(suite.sequences, axis=0)) == 1272
    assert (suite.kind == CHAIN).sum() == 1176
    assert (suite.kind == DOUBLE).sum() == 96
    assert set(suite.sequences.ravel()) == set(range(300))


def test_inputs_stay_distinct_when_the_order_of_the_keys_is_forgotten(suite):
    keys = np.sort(suite.sequences[:, 1:], axis=1)
    unordered = np.column_stack([suite.sequences[:, 0], keys])
    assert len(np.unique(unordered, axis=0)) == 1272


def test_every_query_and_key_is_where_the_columns_say(suite):
    words = hadamard_words()
    assert (suite.tokens[suite.query_token] == words[:8]).all()
    assert (suite.tokens[suite.key_token] == 1 - words[:12]).all()
    assert (suite.sequences[:, 0] == suite.query_token[suite.query]).all()
    doubles = suite.kind == DOUBLE
    assert (suite.sequences[doubles, 1:] == suite.key_token[suite.key[doubles], None]).all()


def test_chains_lose_one_overlap_per_step_and_share_no_inner_key(suite):
    inner = []
    for i in range(8):
        for j in set(range(8)) - {i}:
            mine = (suite.kind == CHAIN) & (suite.query == i) & (suite.key == j)
            nodes = {}
            for keys, levels in zip(suite.sequences[mine, 1:], suite.levels[mine], strict=True):
                nodes |= dict(zip(levels.tolist(), keys.tolist(), strict=True))
            assert mine.sum() == 21
            assert sorted(nodes) == list(range(7))
            assert nodes[6] == suite.key_token[j]
            assert nodes[0] == suite.key_token[i]
            chain = suite.tokens[[nodes[level] for level in range(7)]].astype(int)
            assert (chain.sum(axis=1) == 12).all()
            assert (np.abs(np.diff(chain, axis=0)).sum(axis=1) == 2).all()
            assert (chain @ suite.tokens[suite.query_token[i]].astype(int) == range(7)).all()
            inner += [nodes[level] for level in range(1, 6)]
    assert len(set(inner)) == len(inner) == 280
    assert not set(inner) & {*suite.query_token, *suite.key_token}


def test_targets_are_the_smallest_overlap(suite):
    bits = suite.tokens[suite.sequences]
    slow = [min(int(np.sum(s[0] & token)) for token in s) for s in bits]
    assert suite.targets.tolist() == slow
    assert (suite.targets == suite.levels.min(axis=1)).all()
    assert (min_ip_targets(bits) == slow).all()


def test_targets_do_not_overflow_small_integers():
    assert min_ip_targets(np.ones((1, 3, 300), dtype=np.uint8)).tolist() == [300]


def test_seed_moves_the_chains_alone(suite):
    same, other = build_suite(), build_suite(seed=1)
    assert (same.tokens == suite.tokens).all()
    assert (other.tokens != suite.tokens).any()
    assert (other.targets == suite.targets).all()
    assert (other.tokens[other.key_token] == suite.tokens[suite.key_token]).all()


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"queries": 1}, "queries = 1"),
        ({"queries": 9, "keys": 8}, "keys = 8"),
        ({"keys": 24}, "23 words"),
        ({"queries": 6, "keys": 6, "order": 8}, "no chain of new keys"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(sizes, message):
    with pytest.raises(AttnrankError, match=message):
        build_suite(**sizes)
