import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnrank.statistics import Interval, bootstrap, exact, success_rate, summarise


def test_wilson_against_the_closed_form(interval):
    z, n, p = 1.959963984540054, 10, 0.8
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    rate = success_rate([True] * 8 + [False] * 2, interval)
    assert rate.value == 0.8
    assert (rate.low, rate.high) == pytest.approx((centre - half, centre + half))


@given(st.lists(st.booleans(), min_size=1, max_size=50))
def test_wilson_holds_the_rate_and_stays_within_0_and_1(outcomes):
    rate = success_rate(outcomes, Interval(0.95, 100, np.random.default_rng(0)))
    assert 0 <= rate.low <= rate.value <= rate.high <= 1


def test_bootstrap_nears_the_normal_interval():
    rng = np.random.default_rng(1)
    sample = rng.normal(size=400)
    estimate = bootstrap(sample, Interval(0.95, 4000, rng))
    half = 1.96 * sample.std(ddof=1) / 20
    assert estimate.high - estimate.low == pytest.approx(2 * half, rel=0.1)


def test_bootstrap_is_given_its_generator():
    def once(seed):
        return bootstrap(np.arange(9.0), Interval(0.9, 200, np.random.default_rng(seed)))

    assert once(3) == once(3)
    assert once(3) != once(4)


def test_degenerate_samples(interval):
    assert np.isnan(bootstrap([], interval).value)
    assert np.isnan(success_rate([], interval).value)
    assert bootstrap([2.0], interval).low == -np.inf
    constant = bootstrap([2.0, 2.0, 2.0], interval)
    assert (constant.low, constant.high) == (2.0, 2.0)
    assert np.isnan(bootstrap([1.0, np.inf], interval).low)
    assert exact(8, units=1).low == 8.0


def test_diverged_runs_are_counted_and_left_out_of_the_mean(interval):
    runs = pd.DataFrame(
        {
            "rank": [1, 1, 1, 2],
            "excess": [1.0, 3.0, np.nan, np.nan],
            "diverged": [False, False, True, True],
        }
    )
    table = summarise(runs, ("rank",), "excess", interval)
    assert table["mean"][0] == 2.0
    assert np.isnan(table["mean"][1])
    assert table["runs"].tolist() == [3, 1]
    assert table["diverged"].tolist() == [1, 1]
