from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from attnrank.errors import AttnrankError
from attnrank.minip.certify import prove, rank_bounds
from attnrank.minip.verify import certified_ranks
from attnrank.minip.witness.data import build_suite

SMALL = build_suite(queries=3, keys=3, order=8)
TINY = build_suite(queries=2, keys=2, order=4)


def proofs(suite, eps):
    return prove(suite.sequences, suite.targets, suite.query_token, suite.key_token, eps)


def dense_primal(suite, i, j, eps):
    """Smallest alpha(x_i, y_i) with alpha(x_i, y_j) = 1 over *all* tokens, written out anew."""
    count, rows = len(suite.tokens), []
    for sequence, target in zip(suite.sequences, suite.targets, strict=True):
        if sequence[0] != suite.query_token[i]:
            continue
        upper, lower = np.zeros(2 * count), np.zeros(2 * count)
        for token in sequence:
            upper[[token, count + token]] += [-(target + eps), 1]
            lower[[token, count + token]] += [target - eps, -1]
        rows += [upper, lower]
    cost, fixed = np.zeros(2 * count), np.zeros((1, 2 * count))
    cost[suite.key_token[i]] = fixed[0, suite.key_token[j]] = 1
    bounds = [(0, None)] * count + [(None, None)] * count
    return linprog(cost, np.array(rows), np.zeros(len(rows)), fixed, [1], bounds).fun


@pytest.mark.parametrize("eps", [Fraction(1, 16), Fraction(1, 8), Fraction(1, 5), Fraction(1, 4)])
def test_ratio_solved_by_hand(eps):
    # Tokens x, y_i, y_j with targets 0 on (x, y_i, y_i) and (x, y_j, y_i), 1 on (x, y_j, y_j). Half
    # the sum of the lower sides of the doubles and the upper side of the mixed input give
    # 2 eps alpha(y_i) >= (1 - 2 eps) alpha(y_j) + (1/2 - 2 eps) alpha(x).
    for proof in proofs(TINY, eps):
        assert proof.ratio == 1 / (2 * eps) - 1


def test_no_ratio_can_be_proven_beyond_the_reach_of_the_hand_solution():
    with pytest.raises(AttnrankError, match=r"2 pairs .*\(0, 1\): only the ratio 0 can be proven"):
        proofs(TINY, Fraction(1, 2))


@settings(max_examples=25, deadline=None)
@given(st.fractions(min_value=Fraction(1, 20), max_value=Fraction(2, 5), max_denominator=5000))
def test_exact_ratio_is_the_optimum_of_the_primal(eps):
    for proof in proofs(SMALL, eps):
        optimum = dense_primal(SMALL, proof.query, proof.key, float(eps))
        assert float(proof.ratio) == pytest.approx(optimum, rel=1e-6)


def test_no_head_within_eps_beats_the_ratio():
    # Heads near the best one: attention exp(-s overlap) with the read-out <x, z>.
    rng = np.random.default_rng(0)
    eps = Fraction(2, 5)
    ratio = min(proof.ratio for proof in proofs(SMALL, eps))
    inside = 0
    for _ in range(2000):
        tokens = SMALL.tokens.astype(float)
        overlap = tokens[SMALL.query_token] @ tokens.T
        noise = rng.normal(0, 0.4, overlap.shape)
        alpha = np.exp(-rng.uniform(1, 4) * overlap + noise)
        u = overlap + rng.normal(0, 0.05, overlap.shape)
        at = SMALL.query[:, None], SMALL.sequences
        answer = (alpha[at] * u[at]).sum(1) / alpha[at].sum(1)
        good = np.abs(answer - SMALL.targets) <= float(eps)
        for i in range(3):
            if good[SMALL.query == i].all():
                inside += 1
                keys = alpha[i, SMALL.key_token[:3]]
                assert (keys[i] >= float(ratio) * np.delete(keys, i)).all()
    assert inside > 100


def test_positions_and_tokens_are_named():
    first = proofs(SMALL, Fraction(1, 4))[0]
    assert (first.query, first.key) == (0, 1)
    assert first.numerator == SMALL.key_token[0]
    assert first.denominator == SMALL.key_token[1]
    assert all(SMALL.query[row] == 0 for row, _ in first.multipliers)
    assert all(value > 0 for value in first.multipliers.values())


def test_a_pair_whose_keys_never_meet_the_query_is_reported():
    keep = ~((SMALL.query == 1) & (SMALL.sequences == SMALL.key_token[2]).any(axis=1))
    with pytest.raises(AttnrankError, match=r"for 1 pairs .*\(1, 2\): the query never meets"):
        prove(
            SMALL.sequences[keep],
            SMALL.targets[keep],
            SMALL.query_token,
            SMALL.key_token,
            Fraction(1, 4),
        )


def test_targets_no_head_can_meet_are_reported():
    # One input twice with two targets: nothing is within eps of both, so any ratio would follow.
    sequences = np.concatenate([SMALL.sequences, SMALL.sequences])
    targets = np.concatenate([SMALL.targets, SMALL.targets + 5])
    with pytest.raises(AttnrankError, match=r"6 pairs .*HiGHS stopped"):
        prove(sequences, targets, SMALL.query_token, SMALL.key_token, Fraction(1, 4))


def test_eps_must_be_positive():
    with pytest.raises(AttnrankError, match="eps = 0"):
        proofs(SMALL, Fraction(0))


@pytest.mark.parametrize(
    ("eps", "ratio", "dominance", "trace", "sign_split"),
    [
        ("1/4", "145/13", 8, 8, 8),
        ("1/2", "5", 5, 7, 8),
        ("599/1000", "2401/599", 5, 6, 8),
        ("31/25", "44/31", 2, 2, 3),
        ("149/100", "151/149", 2, 2, 2),
    ],
)
def test_ratios_and_ranks_of_the_suite(eps, ratio, dominance, trace, sign_split):
    found = proofs(build_suite(), Fraction(eps))
    assert len(found) == 56
    assert {proof.ratio for proof in found} == {Fraction(ratio)}
    bounds = {"dominance": dominance, "trace": trace, "sign_split": sign_split}
    assert rank_bounds(8, Fraction(ratio)) == bounds


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (Fraction(4), 7),  # at equality the theorem is silent: 4 * 4 < 16 fails
        (Fraction(401, 100), 8),
        (Fraction(1), 1),
        (Fraction(1, 2), 1),
        (Fraction(2), 3),
    ],
)
def test_sign_split_is_strict(ratio, expected):
    assert rank_bounds(8, ratio)["sign_split"] == expected


def test_sign_split_is_sharp():
    # Ratio 2 at 4 x 4: two blocks whose rows sum to the same vector, so the rank is 3, not 4.
    matrix = np.array([[2, 0, 1, 1], [0, 2, 1, 1], [1, 1, 2, 0], [1, 1, 0, 2]]) / 2
    assert np.linalg.matrix_rank(matrix) == 3 == rank_bounds(4, Fraction(2))["sign_split"]


@pytest.mark.parametrize(("n", "ratio"), [(0, Fraction(1)), (3, Fraction(0))])
def test_rank_bounds_need_positive_arguments(n, ratio):
    with pytest.raises(ValueError, match="must be positive"):
        rank_bounds(n, ratio)


sizes = st.integers(1, 9)
ratios = st.fractions(min_value=Fraction(1, 3), max_value=20, max_denominator=50)


@given(sizes, ratios)
def test_both_writings_of_the_rank_bounds_agree(n, ratio):
    assert tuple(rank_bounds(n, ratio).values()) == certified_ranks(n, ratio)


def extremal(first: int, second: int) -> np.ndarray:
    """Return a singular matrix of the greatest ratio that the sign split leaves possible."""
    matrix = np.eye(first + second)
    matrix[:first, first:] = 1 / np.sqrt(first * second)
    matrix[first:, :first] = 1 / np.sqrt(first * second)
    return matrix


def singular(n: int, rank: int, seed: int) -> np.ndarray:
    """Return a random nonnegative matrix of a rank, its rows scaled to diagonal 1."""
    rng = np.random.default_rng(seed)
    matrix = rng.random((n, rank)) @ rng.random((rank, n))
    return matrix / np.diag(matrix)[:, None]


def ratio_of(matrix: np.ndarray) -> Fraction:
    """Return the ratio of diagonal to off-diagonal, a little less against rounding."""
    off_diagonal = matrix[~np.eye(len(matrix), dtype=bool)].max()
    return Fraction(1 / off_diagonal).limit_denominator(10**6) * Fraction(10**6 - 10, 10**6)


@pytest.mark.parametrize("first", range(1, 7))
@pytest.mark.parametrize("second", range(1, 7))
def test_the_extremal_matrices_keep_every_bound_and_attain_the_sign_split(first, second):
    matrix = extremal(first, second)
    rank = np.linalg.matrix_rank(matrix, tol=1e-9)
    bounds = rank_bounds(len(matrix), ratio_of(matrix))
    assert rank == len(matrix) - 1
    assert rank >= max(bounds.values())
    if abs(first - second) <= 1:
        assert bounds["sign_split"] == rank
        # A bound stronger by 1 % would be wrong here, and caught.
        stronger = rank_bounds(len(matrix), ratio_of(matrix) * Fraction(101, 100))
        assert stronger["sign_split"] > rank


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 9), st.data(), st.integers(0, 2**32 - 1))
def test_the_rank_of_singular_matrices_is_at_least_every_bound(n, data, seed):
    rank = data.draw(st.integers(1, n - 1))
    matrix = singular(n, rank, seed)
    assert rank >= max(rank_bounds(n, ratio_of(matrix)).values())
