import numpy as np
import pytest
import torch

from attnrank.minip.loopholes import claims, schemas, table
from attnrank.minip.loopholes.train import quantise, train_heads, train_signed
from attnrank.minip.witness.data import build_suite

SUITE = build_suite()
ARRAYS = (SUITE.tokens, SUITE.sequences, SUITE.targets)
ADAM = {"warmup": 20, "final_exponent": 32.0}
HEADS = {**ADAM, "learning_rate": 0.05, "steps": 600, "most_bits": 10}
SIGNED = {**ADAM, "learning_rate": 0.02, "steps": 300, "margin": 0.02, "penalty": 10.0}


def test_two_heads_of_one_feature_solve_what_one_head_of_seven_cannot():
    two = train_heads(*ARRAYS, heads=2, rank=1, seeds=[0, 1], **HEADS)
    one = train_heads(*ARRAYS, heads=1, rank=7, seeds=[0, 1], **HEADS)
    assert (two.error < 0.5).all()
    assert (one.error > 0.599).all()
    assert np.isnan(one.bits).all()
    assert (two.transcript == 2 * (1 + 8) * two.bits).all()


def test_a_signed_head_keeps_its_margin_and_six_features_fail():
    trained = train_signed(*ARRAYS, rank=6, seeds=[0, 1], **SIGNED)
    assert (trained.margin >= 0.02).all()
    assert (trained.error >= 0.499).all()


@pytest.mark.parametrize("family", ["heads", "signed"])
def test_the_same_bytes_and_no_dependence_on_neighbours(family):
    def run(seeds):
        if family == "heads":
            return train_heads(*ARRAYS, heads=2, rank=2, seeds=seeds, **{**HEADS, "steps": 30})
        return train_signed(*ARRAYS, rank=3, seeds=seeds, **{**SIGNED, "steps": 30})

    both, again, alone = run([0, 1]), run([0, 1]), run([1])
    for name, value in vars(both).items():
        assert value.tobytes() == vars(again)[name].tobytes()
    assert alone.error[0] == pytest.approx(both.error[1], abs=1e-4)


def test_a_run_that_diverges_is_flagged():
    trained = train_heads(
        *ARRAYS, heads=2, rank=1, seeds=[0], **{**HEADS, "learning_rate": float("inf")}
    )
    assert trained.diverged.all()


def test_quantise_keeps_the_ends_and_the_number_of_levels():
    numbers = torch.linspace(-3, 5, 41).reshape(1, 41, 1)
    rounded = quantise(numbers, 4, (1,))
    assert len(rounded.unique()) == 4
    assert rounded.min() == -3
    assert rounded.max() == 5
    assert (rounded - numbers).abs().max() <= 8 / 3 / 2 + 1e-6


def test_table_and_claims(suite_frame, interval):
    import pandas as pd

    from attnrank.minip.loopholes.dependency import margins

    def runs(family):
        parts = []
        for heads, rank in ((1, 2), (2, 1)) if family == "nonnegative" else ((1, 2),):
            solved = heads == 2
            parts += [
                {
                    **{"kernel": family, "heads": heads, "rank": rank, "features": 2},
                    **{"seed": seed, "error": 0.1 if solved else 1.0, "accuracy": 1.0},
                    **{"margin": 1.0, "final_error": 0.1, "bits": 5.0 * solved or np.nan},
                    **{"transcript": 90.0 * solved or np.nan, "diverged": False},
                }
                for seed in range(3)
            ]
        return pd.DataFrame(parts)

    frames = {
        "heads": runs("nonnegative"),
        "signed": runs("signed"),
        "margins": pd.DataFrame(margins(suite_frame, [0.499, 0.7], 0.1)),
    }
    shown = table.loopholes(frames, interval)
    assert set(shown["measure"]) == set(schemas.MEASURES)
    at = {"eps": 0.499}
    assert claims.built_rank(frames, at, interval).value == 7
    assert claims.certain_rank(frames, at, interval).value == 7
    two = {"heads": 2, "features": 2}
    assert claims.solved_share(frames, two, interval).value == 1.0
    assert np.isnan(claims.transcript_ratio(frames, two, interval).value)
