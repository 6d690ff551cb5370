import numpy as np
import pandas as pd
import pytest

from attnrank.errors import AttnrankError
from attnrank.minip.variants import claims, table
from attnrank.minip.variants.data import inputs
from attnrank.minip.variants.names import VARIANTS, head
from attnrank.minip.variants.train import train
from attnrank.minip.witness.data import build_suite

SMALL = build_suite(queries=3, keys=3, order=8)
QUICK = {
    "steps": 150,
    "learning_rate": 0.05,
    "readout_rate": 0.05,
    "final_exponent": 16.0,
    "warmup": 10,
}


def heads(variant, rank=3, seeds=(0, 1)):
    return train(
        SMALL.tokens,
        SMALL.sequences,
        SMALL.targets,
        variant=variant,
        head=head(variant, 8),
        rank=rank,
        seeds=seeds,
        **QUICK,
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seed_gives_the_same_head_alone_and_in_company(variant):
    both, alone = heads(variant), heads(variant, seeds=(1,))
    assert not both["diverged"].any()
    assert both["error"][1] == pytest.approx(alone["error"][0], rel=1e-3)
    assert both["error"][0] != both["error"][1]


@pytest.mark.parametrize("variant", ["wide_values", "positional", "causal"])
def test_heads_learn(variant):
    assert (heads(variant)["error"] < 0.9).all()


def test_a_causal_query_stands_last_and_keeps_its_target():
    rows, targets = inputs(SMALL.sequences, SMALL.targets, head("causal", 1))
    assert set(rows[:, -1].tolist()) == set(SMALL.query_token.tolist())
    bits = SMALL.tokens[rows].astype(int)
    assert ((bits[:, -1:] * bits).sum(axis=2).min(axis=1) == targets).all()
    pairs = {tuple(row) for row in rows.tolist()}
    assert {(b, a, x) for a, b, x in pairs} == pairs


CERTIFICATE = pd.DataFrame({"variant": "causal", "eps": ["1/2"], "error": [0.5], "rank": [8]})


def runs(error):
    return pd.DataFrame(
        {
            "variant": "causal",
            "rank": 7,
            "seed": [0, 1],
            "error": [0.8, error],
            "diverged": False,
        }
    )


def test_a_run_below_the_floor_is_refused_by_name():
    table.check_floor(runs(0.6), CERTIFICATE)
    with pytest.raises(AttnrankError, match=r"causal head of rank 7, seed 1, has error 0\.4"):
        table.check_floor(runs(0.4), CERTIFICATE)


def test_the_table_and_the_claims(interval):
    frames = {"runs": runs(0.7), "certificate": CERTIFICATE}
    shown = table.variants(frames, interval)
    assert shown.groupby("measure").size().to_dict() == {"certified": 1, "error": 1, "floor": 7}
    assert claims.certified_rank(frames, {"eps": "1/2"}, interval).value == 8
    assert claims.least_error(frames, {"rank_high": 7}, interval).value == 0.7
    assert np.isnan(claims.certified_rank(frames, {"eps": "1/3"}, interval).value)
