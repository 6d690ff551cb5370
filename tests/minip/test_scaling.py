import numpy as np
import pandas as pd
import pytest
import torch

from attnrank.errors import AttnrankError
from attnrank.minip.scaling import claims, data, schemas, table
from attnrank.minip.scaling.train import batch, errors, train

SIZES = {
    **{"queries": 4, "width": 12, "overlap": 4, "keys": 10},
    **{"train_share": 0.7, "most_train": 1000, "most_test": 50},
}
ADAM = {"learning_rate": 0.05, "warmup": 5, "final_exponent": 8.0, "inputs": 200}
POOLS = [data.draw_pool(draw, **SIZES) for draw in range(2)]
DRAWS = [(0, 0), (1, 0)]


def test_pools_are_codes_with_their_complements_and_disjoint_parts():
    for pool in POOLS:
        overlaps = pool.queries.astype(int) @ pool.queries.T
        assert (np.diag(overlaps) == 6).all()
        assert overlaps[~np.eye(4, dtype=bool)].max() <= 4
        assert (pool.keys[:4] == 1 - pool.queries).all()
        assert len(np.unique(pool.keys, axis=0)) == 10
        assert pool.split.shape == (4, 55)
        assert (pool.split == data.TRAIN).sum() == 154
        assert (pool.split == data.TEST).sum() == 50
    assert (POOLS[0].queries != POOLS[1].queries).any()
    again = data.draw_pool(1, **SIZES)
    assert again.split.tobytes() == POOLS[1].split.tobytes()


def test_words_that_are_taken_are_not_drawn_and_too_many_are_refused():
    rng = np.random.default_rng(0)
    some = data.words(30, 8, rng)
    others = data.words(40, 8, rng, taken=list(some))
    assert len(np.unique([*some, *others], axis=0)) == 70
    with pytest.raises(AttnrankError, match="no 60 words of 8 bits"):
        data.words(60, 8, rng, overlap=1)


def test_errors_are_the_definition_of_the_head():
    code = batch(POOLS)
    generator = torch.Generator().manual_seed(0)
    weights = torch.rand(2, 4, 10, generator=generator), torch.rand(2, 4, generator=generator)
    first, second = (torch.from_numpy(part) for part in data.pairs(10))
    found = errors(weights, code, first, second)
    for model, pool in enumerate(POOLS):
        for p in (0, 7, 54):
            a, b = int(first[p]), int(second[p])
            for i, query in enumerate(pool.queries.astype(int)):
                overlap = np.array([6, query @ pool.keys[a], query @ pool.keys[b]])
                at = [weights[1][model, i], *(weights[0][model, i, k] for k in (a, b))]
                weight = np.array([float(w) for w in at])
                wanted = (weight * overlap).sum() / weight.sum() - overlap.min()
                assert float(found[model, i, p]) == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(("rank", "hidden"), [(0, 0), (3, 0), (3, 8)])
def test_the_same_bytes_and_no_dependence_on_neighbours(rank, hidden):
    def run(pools, draws):
        return train(pools, pools, rank=rank, draws=draws, steps=20, hidden=hidden, **ADAM)

    both, again = run(POOLS, DRAWS), run(POOLS, DRAWS)
    for name, value in vars(both).items():
        assert value.tobytes() == vars(again)[name].tobytes()
    if not hidden:
        alone = run(POOLS[1:], DRAWS[1:])
        assert alone.error[0] == pytest.approx(both.error[1], abs=1e-3)


def test_dense_softmax_and_enough_features_generalise():
    for rank, rate in ((0, 0.01), (12, 0.1)):
        options = {**ADAM, "learning_rate": rate, "steps": 500}
        trained = train(POOLS, POOLS, rank=rank, draws=DRAWS, **options)
        assert (trained.accuracy > 0.85).all()
    one = train(POOLS, POOLS, rank=1, draws=DRAWS, steps=300, **ADAM)
    assert (one.accuracy < 0.85).all()


def test_a_run_that_diverges_is_flagged():
    options = {**ADAM, "learning_rate": float("nan")}
    trained = train(POOLS, POOLS, rank=2, draws=DRAWS, steps=5, **options)
    assert trained.diverged.all()


def test_table_and_claims(interval):
    accuracy = {0: 1.0, 4: 0.7, 8: 0.97, 16: 0.99}
    runs = pd.DataFrame(
        {
            **{"split": split, "queries": queries, "width": 16, "rank": rank, "draw": draw},
            **{"seed": seed, "train_accuracy": 1.0, "accuracy": accuracy[rank]},
            **{"error": 1.0, "diverged": False},
        }
        for split in schemas.SPLITS
        for queries in ((8, 16) if split == "sequences" else (8,))
        for rank in accuracy
        for draw in range(3)
        for seed in range(2)
    )
    frames = {split: runs[runs["split"] == split] for split in schemas.SPLITS}
    shown = table.scaling(frames, interval)
    strict = shown[(shown["measure"] == "strict") & (shown["split"] == "codes")]
    assert strict.set_index("rank")["mean"].to_dict() == {0: 1.0, 4: 0.0, 8: 0.0, 16: 0.0}
    assert claims.least_at_queries(frames, {"factor": 1.0}, interval).value == pytest.approx(0.97)
    assert claims.greatest_at_queries(frames, {"factor": 0.5}, interval).value == pytest.approx(
        0.97
    )
    assert np.isnan(claims.least_at_queries(frames, {"factor": 4.0}, interval).value)
    assert claims.dense_exact_share(frames, {}, interval).value == 1.0
    assert claims.codes_accuracy(frames, {"rank": 4}, interval).value == pytest.approx(0.7)
    broken = {**frames, "codes": frames["codes"].assign(diverged=True)}
    assert np.isnan(claims.codes_accuracy(broken, {"rank": 4}, interval).value)
