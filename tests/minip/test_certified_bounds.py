from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest

from attnrank.minip.bounds import claims, codes, estimate, profiles, realise, table

QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)


@pytest.mark.parametrize(("length", "gap"), [(3, 2), (3, 4), (4, 1), (6, 2), (16, 1)])
def test_the_ratio_is_a_power_of_the_length(length, gap):
    # At error 1/4 one step gives 2 (N - 2) - 1 for a gap of 2 at N = 3, and (N - 2)^g beyond.
    ratio = profiles.prove_profile(length, gap, QUARTER).ratio
    assert ratio == (3 ** (gap // 2) if length == 3 else (length - 2) ** gap)


@pytest.mark.parametrize(("eps", "gap"), [(QUARTER, 9), (HALF, 8), (HALF, 10)])
def test_products_of_short_gaps_are_the_optimum_of_the_long_one(eps, gap):
    short = profiles.Ratios([profiles.prove_profile(3, g, eps) for g in range(1, gap)])
    assert short.best(gap) == profiles.prove_profile(3, gap, eps).ratio


def test_a_gap_too_small_for_the_error_proves_nothing():
    assert profiles.prove_profile(3, 1, HALF).ratio == 0
    assert max(profiles.certified(8, Fraction(0), 1, HALF).values()) == 1
    # A positive ratio is not enough: the diagonal must be sure to be positive.
    assert max(profiles.certified(8, Fraction(9), 1, HALF).values()) == 1


def test_the_table_of_the_recipe():
    lengths, widths = [3, 6, 16], [3, 4, 5, 6, 8]
    found = estimate.proven(lengths, ["1/4"], inputs=1000, longest=8)
    rows = pd.DataFrame(estimate.cube(found, widths, lengths, QUARTER, 20))
    ranks = rows.pivot(index="length", columns="width", values="rank")
    assert ranks.loc[3].tolist() == [1, 2, 2, 4, 6]
    assert ranks.loc[6].tolist() == [3, 6, 7, 10, 14]
    assert ranks.loc[16].tolist() == [3, 6, 10, 20, 52]
    assert (rows["rank"] <= rows["cap"]).all()


@pytest.mark.parametrize(("width", "gap"), [(4, 1), (6, 2), (8, 2), (8, 3)])
def test_greedy_codes_have_their_weight_and_gap(width, gap):
    words = codes.greedy(width, gap, 3)
    assert (np.bitwise_count(words) == width // 2).all()
    assert min(int(a & ~b).bit_count() for a, b in combinations(words.tolist(), 2)) >= gap
    assert codes.gaps(words)[0] >= gap


@pytest.mark.parametrize(
    ("power", "errors", "length", "dimension", "distance"),
    [(3, 1, 8, 4, 4), (4, 1, 16, 11, 4), (4, 2, 16, 7, 6), (4, 3, 16, 5, 8), (5, 3, 32, 16, 8)],
)
def test_bch_codes_have_their_dimension_and_distance(power, errors, length, dimension, distance):
    code = codes.bch(power, errors, length)
    assert code.generators.shape == (dimension, length)
    counted = codes.distances(code)
    assert counted.min() == distance == code.designed
    assert (counted % 2 == 0).all()


def test_distances_are_those_of_the_words_written_out():
    code = codes.bch(5, 3, 27)
    numbers = np.arange(2 ** len(code.generators))
    bits = numbers[:, None] >> np.arange(len(code.generators)) & 1
    weights = set((bits @ code.generators % 2).sum(axis=1).tolist()) - {0}
    assert set(codes.distances(code).tolist()) == weights
    assert min(weights) >= code.designed


def test_a_code_that_is_shortened_to_nothing_is_none():
    assert codes.bch(4, 3, 11) is None


def test_dependent_generators_are_refused():
    rows = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=np.uint8)
    with pytest.raises(ValueError, match="dependent"):
        codes.distances(codes.LinearCode(rows, 2))


def test_growth_uses_only_what_is_checked():
    found = estimate.proven([3], ["1/2"], inputs=1000, longest=12)
    counted, trusted = (
        estimate.growth(found, [48, 128], 3, HALF, countable) for countable in (20, 4)
    )
    # Counting finds what the BCH bound promises, so trusting it changes nothing.
    assert [row["rank"] for row in counted] == [row["rank"] for row in trusted]
    assert [row["counted"] for row in trusted] == [16, 16]
    assert counted[1]["words"] == counted[1]["counted"]


@pytest.mark.parametrize("width", [1, 3, 8])
def test_2_to_the_m_features_realise_softmax(width):
    found = realise.realise(width, 1.0)
    assert found.features == 2**width
    assert found.mismatch < 1e-15
    assert found.residual < 1e-10
    assert found.exact


def test_the_answer_error_is_that_of_every_input():
    bits = np.arange(8)[:, None] >> np.arange(3) & 1
    overlaps = bits @ bits.T
    worst = 0.0
    for x in range(8):
        for a in range(8):
            for b in range(8):
                met = overlaps[x, [x, a, b]]
                weights = np.exp(-0.7 * met)
                worst = max(worst, abs((weights * met).sum() / weights.sum() - met.min()))
    assert realise.answer_error(3, 0.7) == pytest.approx(worst)


def test_the_exponent_and_the_claims(interval):
    widths = np.array([16, 32, 64])
    linear = pd.DataFrame(
        {"family": "linear", "width": widths, "length": 3, "eps": "1/2", "rank": 2 ** (widths // 8)}
    )
    cube = pd.DataFrame(
        {"family": "greedy", "width": [4, 6, 8], "length": 16, "eps": "1/4", "rank": [6, 10, 9]}
    )
    runs = pd.concat([linear, cube]).assign(cap=lambda t: [comb(w, w // 2) for w in t["width"]])
    frames = {"bounds": runs}
    found = claims.growth_exponent(frames, {"eps": "1/2"}, interval)
    assert (found.value, found.low, found.high) == pytest.approx((1 / 8, 1 / 8, 1 / 8))
    assert np.isnan(claims.growth_exponent(frames, {"eps": "1/3"}, interval).value)
    share = claims.share_of_cap(frames, {"length": 16, "width": 6}, interval)
    assert share.value == 0.5
    realised = pd.DataFrame(
        {"residual": [0.1, 2.0], "mismatch": [0.0, 0.0], "answer_error": [0.4, 0.4]}
    )
    assert claims.realised_error({"realised": realised[:1]}, {}, interval).value == 0.4
    assert claims.realised_error({"realised": realised}, {}, interval).value == np.inf
    shown = table.bounds(
        {"bounds": runs, "realised": realised.assign(width=[2, 3], features=4, exact=True)},
        interval,
    )
    assert set(shown["series"]) == {"cube", "cap", "realised", "growth", "fit"}
