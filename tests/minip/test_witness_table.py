import numpy as np
import pandas as pd
import pytest

from attnrank.errors import AttnrankError
from attnrank.minip.witness import claims, table

CERTIFICATE = pd.DataFrame(
    {
        "eps": ["1/2", "3/4", "3/2"],
        "error": [0.5, 0.75, 1.5],
        "rank": [8, 6, 2],
        "sign_split": [8, 6, 2],
        "trace": [7, 6, 2],
        "dominance": [5, 4, 2],
    }
)

CONSTRUCTED = pd.DataFrame({"features": [7], "error": [0.51]})


def runs(error_of) -> pd.DataFrame:
    rows = [
        {
            "feature_map": name,
            "rank": rank,
            "seed": seed,
            "error": error_of(rank),
            "accuracy": 1.0,
            "diverged": False,
        }
        for name in ("exp_table", "mlp")
        for rank in (1, 7, 8)
        for seed in range(3)
    ]
    return pd.DataFrame(rows)


def tight(rank):
    return {1: 1.6, 7: 0.85, 8: 0.05}[rank]


@pytest.mark.parametrize(("rank", "floor"), [(1, 1.5), (2, 0.75), (5, 0.75), (7, 0.5), (8, 0.0)])
def test_the_floor_of_a_rank_is_the_greatest_error_that_needs_more(rank, floor):
    assert table.error_floor(CERTIFICATE, rank) == floor


def test_a_run_below_the_floor_is_refused_by_name():
    table.check_floor(runs(tight), CERTIFICATE)
    with pytest.raises(AttnrankError, match=r"exp_table head of rank 7, seed 0, has error 0\.4"):
        table.check_floor(runs(lambda rank: 0.4 if rank == 7 else 1.6), CERTIFICATE)


def test_the_table_has_a_floor_for_every_rank_below_the_bound(interval):
    frames = {"runs": runs(tight), "certificate": CERTIFICATE, "constructed": CONSTRUCTED}
    shown = table.transition(frames, interval)
    floor = shown[shown["measure"] == "floor"].set_index("rank")["mean"]
    assert floor.to_dict() == {1: 1.5, **dict.fromkeys(range(2, 6), 0.75), 6: 0.5, 7: 0.5}
    errors = shown[(shown["measure"] == "error") & (shown["feature_map"] == "mlp")]
    assert errors.set_index("rank")["solved"].to_dict() == {1: 0, 7: 0, 8: 3}


def test_the_statistics_of_the_claims(interval):
    frames = {"runs": runs(tight), "certificate": CERTIFICATE, "constructed": CONSTRUCTED}
    low = {"rank_low": 1, "rank_high": 7}
    high = {"rank_low": 8, "rank_high": 8}
    assert claims.solved_share(frames, high, interval).value == 1.0
    assert claims.failed_share(frames, {**low, "error": 0.8}, interval).value == 1.0
    assert claims.sign_split_gain(frames, {"eps": "1/2"}, interval).value == 1
    assert claims.sign_split_gain(frames, {"eps": "3/4"}, interval).value == 0
    assert np.isnan(claims.sign_split_gain(frames, {"eps": "1/3"}, interval).value)
    assert claims.constructed_error(frames, {}, interval).value == pytest.approx(1.02)


def test_a_run_that_diverged_solves_nothing_and_fails(interval):
    frame = runs(tight)
    frame.loc[frame["rank"] == 8, ["error", "diverged"]] = [np.inf, True]
    high = {"rank_low": 8, "rank_high": 8, "error": 0.8}
    assert claims.solved_share({"runs": frame}, high, interval).value == 0.0
    assert claims.failed_share({"runs": frame}, high, interval).value == 1.0
