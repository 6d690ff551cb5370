import numpy as np
import pandas as pd
import pytest
import torch

from attnrank.errors import AttnrankError
from attnrank.minip.lengths import claims, table
from attnrank.minip.lengths.optimum import optimum
from attnrank.minip.lengths.train import errors, inputs, train
from attnrank.minip.task import cube

QUICK = {
    "steps": 300,
    "learning_rate": 0.05,
    "readout_rate": 0.05,
    "final_exponent": 64.0,
    "warmup": 20,
}


@pytest.mark.parametrize(("length", "companies"), [(1, 1), (2, 8), (3, 36)])
def test_inputs_are_every_multiset(length, companies):
    given = inputs(3, length)
    assert given.others.shape == (8, companies)
    assert (given.others.sum(0) == length - 1).all()


@pytest.mark.parametrize("length", [1, 2, 3])
def test_errors_are_the_definition_of_the_head(length):
    width = 2
    tokens = cube(width).astype(int)
    rng = np.random.default_rng(0)
    alpha, u = rng.random((2, 4, 4)) + 0.1, rng.normal(size=(2, 4, 4))
    given = inputs(width, length)
    fast = errors(torch.tensor(alpha).float(), torch.tensor(u).float(), given).numpy()
    slow = []
    for x in range(4):
        for company in given.others.numpy().T.astype(int):
            members = [x, *np.repeat(np.arange(4), company)]
            weight, value = alpha[:, x, members], u[:, x, members]
            target = min(tokens[x] @ tokens[z] for z in members)
            slow.append((weight * value).sum(1) / weight.sum(1) - target)
    assert np.allclose(fast, np.array(slow).T, atol=1e-5)


@pytest.mark.parametrize(("width", "length"), [(3, 1), (3, 2)])
def test_rank_one_learns_one_and_two_tokens(width, length):
    trained = train(width, length, 1, [0, 1], **QUICK)
    assert (trained.best_error < 0.1).all()
    assert (trained.accuracy == 1).all()


@pytest.mark.parametrize("width", [3, 4])
def test_no_rank_one_head_beats_the_optimum_and_training_comes_near(width):
    trained = train(width, 3, 1, [0, 1], **QUICK)
    lower = optimum(width, 3, 1e-5).lower
    assert (trained.best_error > lower - 1e-5).all()
    assert (trained.best_error < lower + 0.03).all()


def test_more_features_do_better_at_three_tokens():
    least = [train(3, 3, rank, [0], **QUICK).best_error[0] for rank in (1, 2, 8)]
    assert least == sorted(least, reverse=True)
    assert least[-1] < 0.1


def test_the_same_run_gives_the_same_bytes_and_seeds_are_their_own():
    both, again, alone = (train(3, 3, 2, seeds, **QUICK) for seeds in ([0, 1], [0, 1], [1]))
    for name, value in vars(both).items():
        assert value.tobytes() == vars(again)[name].tobytes()
    assert alone.best_error[0] == pytest.approx(both.best_error[1], abs=1e-3)


def test_a_run_that_diverges_is_flagged():
    trained = train(2, 3, 1, [0], **{**QUICK, "readout_rate": float("inf")})
    assert trained.diverged.all()
    assert np.isfinite(trained.best_error).all()


def frames() -> dict[str, pd.DataFrame]:
    runs = pd.DataFrame(
        {
            "width": [4, 4, 5, 5],
            "length": [2, 2, 3, 3],
            "rank": 1,
            "seed": [0, 1, 0, 1],
            "error": [0.01, 0.02, 0.6, 0.65],
            "diverged": False,
        }
    )
    return {
        "runs": runs,
        "construction": pd.DataFrame(
            {"width": [4, 4, 4], "length": [1, 2, 3], "error": [0.0, 0.0, 4 / 3]}
        ),
        "optimum": pd.DataFrame(
            {
                "width": [4, 5, 6],
                "length": 3,
                "lower": [0.4999, 0.588, 0.7499],
                "error": [0.5, 0.589, 0.75],
            }
        ),
    }


def test_a_run_that_beats_the_optimum_is_refused_by_name():
    given = frames()
    table.check_optimum(given["runs"], given["optimum"])
    given["runs"].loc[2, "error"] = 0.5
    with pytest.raises(AttnrankError, match=r"width 5, length 3, seed 0 has error 0\.5"):
        table.check_optimum(given["runs"], given["optimum"])


def test_the_statistics_of_the_claims(interval):
    given = frames()
    assert claims.construction_error(given, {"length": 2}, interval).value == 0
    assert claims.construction_error(given, {"length": 3}, interval).value == 4 / 3
    assert claims.least_optimum(given, {"length": 3, "width": 5}, interval).value == 0.588
    assert np.isnan(claims.least_optimum(given, {"length": 3, "width": 7}, interval).value)
    assert claims.optimum_apart(given, {}, interval).value == pytest.approx(1e-4)
    short = {"rank": 1, "width": 1, "length_low": 1, "length_high": 2}
    three = {"rank": 1, "width": 5, "length_low": 3, "length_high": 3}
    assert claims.solved_share(given, short, interval).value == 1
    assert claims.failed_share(given, three, interval).value == 1
    given["runs"]["diverged"] = True
    assert claims.solved_share(given, short, interval).value == 0


def test_the_table_has_every_series(interval):
    shown = table.lengths(frames(), interval)
    assert shown.groupby("series").size().to_dict() == {
        "construction": 3,
        "optimum": 3,
        "trained": 2,
    }
    best = shown[(shown["series"] == "optimum") & (shown["width"] == 5)].iloc[0]
    assert (best["low"], best["mean"]) == (0.588, 0.589)
    trained = shown[(shown["series"] == "trained") & (shown["length"] == 3)].iloc[0]
    assert (trained["least"], trained["greatest"], trained["solved"]) == (0.6, 0.65, 0)
