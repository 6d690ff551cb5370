import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
import torch

from attnrank.minip.dense import claims, exact, table
from attnrank.minip.dense.train import answers, draw, judge_cube, judge_inputs, targets, train
from attnrank.minip.task import cube, groups

QUICK = {
    "steps": 600,
    "batch": 256,
    "pool": 16,
    "score_rate": 0.02,
    "readout_rate": 0.03,
    "init_scale": 0.1,
    "final_exponent": 12.0,
    "warmup": 20,
    "test": 500,
    "exhaustive_up_to": 6,
}


def slow_error(beta: float, width: int, length: int) -> float:
    """Return the greatest error over every sequence, one by one, from softmax's definition."""
    tokens = cube(width).astype(float)
    worst = 0.0
    for X in product(tokens, repeat=length):
        overlap = np.array(X) @ X[0]
        weight = np.exp(-beta * overlap) / np.exp(-beta * overlap).sum()
        worst = max(worst, abs(weight @ overlap - overlap.min()))
    return worst


@pytest.mark.parametrize(("width", "length"), [(1, 3), (3, 3), (4, 3), (3, 4), (2, 2)])
@pytest.mark.parametrize("beta", [0.3, 0.9, 2.0])
def test_grouped_inputs_and_closed_form_give_the_error_of_every_sequence(width, length, beta):
    slow = slow_error(beta, width, length)
    grouped = exact.exhaustive_errors([beta], groups(width, length))[0]
    assert grouped == pytest.approx(slow, abs=1e-12)
    assert exact.closed_form_error(beta, width, length) == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("length", [3, 5, 8])
def test_the_closed_form_is_the_exhaustive_error_up_to_ten_bits(length):
    betas = [0.2, 0.7, 1.0, 3.0]
    every = exact.exhaustive_errors(betas, groups(10, length))
    formula = [exact.closed_form_error(beta, 10, length) for beta in betas]
    assert np.allclose(every, formula, atol=1e-12)


def test_the_error_at_beta_one_does_not_grow_with_the_width():
    assert exact.closed_form_error(1.0, 256, 3) == exact.closed_form_error(1.0, 2, 3) < 0.43


def test_thresholds_of_the_paper():
    assert exact.threshold(10, 3) == pytest.approx(math.log(6) / 2)
    assert exact.threshold(10, 3) == pytest.approx(0.8959, abs=5e-5)
    for length in (4, 8, 64):
        assert exact.threshold(256, length) == pytest.approx(math.log(length - 1))
    assert exact.threshold(1, 2) == 0


@pytest.mark.parametrize(("width", "length"), [(1, 3), (2, 3), (10, 3), (5, 4), (6, 8), (4, 2)])
def test_the_formula_is_where_every_input_turns_exact(width, length):
    formula = exact.threshold(width, length)
    assert exact.exhaustive_crossing(width, length) == pytest.approx(formula, abs=1e-9)
    assert exact.closed_form_crossing(width, length) == pytest.approx(formula, abs=1e-9)
    below, above = exact.exhaustive_errors([formula - 1e-4, formula + 1e-4], groups(width, length))
    assert below > 0.5 > above


def test_where_any_temperature_will_do_there_is_no_crossing():
    assert exact.closed_form_crossing(1, 2) == exact.exhaustive_crossing(1, 2) == 0


def test_large_widths_do_not_overflow():
    assert 0 < exact.closed_form_error(3.0, 4096, 64) < 10


def test_answers_are_the_definition_of_the_head():
    rng = np.random.default_rng(0)
    width = 4
    given = draw(rng, 6, width)
    W, M = rng.normal(size=(2, width, width)), rng.normal(size=(2, width + 1, width + 1))
    fast = answers(*(torch.tensor(a).float() for a in (W, M, given)))
    slow = np.zeros((2, 6))
    for b, q in product(range(2), range(6)):
        bits = given[q].astype(float)
        score = bits @ W[b].T @ bits[0]
        signs = np.c_[2 * bits - 1, np.ones(3)]
        weight = np.exp(score) / np.exp(score).sum()
        slow[b, q] = weight @ (signs @ M[b].T @ signs[0])
    assert np.allclose(fast.numpy(), slow, atol=1e-4)
    assert targets(given).tolist() == [(X @ X[0]).min() for X in given.astype(int)]


def test_the_test_on_the_cube_is_the_test_on_all_its_inputs():
    rng = np.random.default_rng(0)
    W, M = torch.tensor(rng.normal(size=(2, 3, 3))).float(), torch.randn(2, 4, 4)
    tokens = cube(3)
    given = np.array(list(product(tokens, repeat=3)))
    fast, slow = judge_cube(W, M), judge_inputs(W, M, given)
    assert torch.allclose(fast[0], slow[0], atol=1e-4)
    assert (fast[1] == slow[1]).all()
    assert fast[2] == slow[2] == 8**3


def test_training_finds_an_exact_head():
    trained = train(4, [0, 1], **QUICK)
    assert (trained.error < 0.5).all()
    assert (trained.accuracy == 1).all()
    assert (trained.beta > 0.8959).all()
    assert trained.inputs == 2**12
    assert not trained.diverged.any()


def test_the_same_run_gives_the_same_bytes_and_wide_tokens_get_fresh_inputs():
    short = {**QUICK, "steps": 20}
    first, second = train(8, [0, 1], **short), train(8, [0, 1], **short)
    for name in ("error", "accuracy", "beta", "deviation"):
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes()
    assert first.inputs == short["test"]
    assert first.error[0] != first.error[1]


def test_a_run_that_diverges_is_flagged():
    trained = train(3, [0], **{**QUICK, "steps": 10, "readout_rate": float("inf")})
    assert trained.diverged.all()


def frames() -> dict[str, pd.DataFrame]:
    runs = pd.DataFrame(
        {
            "width": [4, 4],
            "seed": [0, 1],
            "error": [0.1, 0.6],
            "beta": [2.0, 1.0],
            "diverged": False,
        }
    )
    errors = pd.DataFrame(
        {
            "length": 3,
            "width": [2, 16],
            "beta": 1.0,
            "closed_form": [0.4, 0.42],
            "exhaustive": [0.41, np.nan],
        }
    )
    thresholds = pd.DataFrame(
        {
            "length": [3, 8],
            "width": 2,
            "formula": [0.9, 1.9],
            "closed_form": [0.9, math.log(7)],
            "exhaustive": [0.9, np.nan],
        }
    )
    return {"runs": runs, "errors": errors, "thresholds": thresholds}


def test_the_statistics_of_the_claims(interval):
    given = frames()
    assert claims.greatest_error(given, {"length": 3, "beta": 1.0}, interval).value == 0.42
    assert np.isnan(claims.greatest_error(given, {"length": 4, "beta": 1.0}, interval).value)
    apart = claims.threshold_apart(given, {"width": 2, "at_three": 0.8959}, interval)
    assert apart.value == pytest.approx(0.0041)
    assert claims.solved_share(given, {}, interval).value == 0.5
    given["runs"]["diverged"] = True
    assert claims.solved_share(given, {}, interval).value == 0


def test_the_table_has_every_measure(interval):
    shown = table.dense(frames(), interval)
    assert shown.groupby("measure").size().to_dict() == {
        "error": 2,
        "threshold": 2,
        "trained_beta": 1,
        "trained_error": 1,
    }
    trained = shown[shown["measure"] == "trained_error"].iloc[0]
    assert (trained["solved"], trained["runs"], trained["greatest"]) == (1, 2, 0.6)
