import numpy as np
import pytest
import torch

from attnrank.minip.losses import power_loss
from attnrank.minip.training import errors, layout
from attnrank.minip.witness.data import build_suite
from attnrank.minip.witness.train import train

SUITE = build_suite()
SMALL = build_suite(queries=3, keys=3, order=8)
MAPS = ["exp_table", "softplus_table", "mlp"]
QUICK = {"steps": 60, "learning_rate": 0.02, "readout_rate": 0.05, "final_exponent": 16.0}


def small(feature_map="exp_table", rank=2, seeds=(0, 1), **changes):
    return train(
        SMALL.tokens,
        SMALL.sequences,
        SMALL.targets,
        feature_map=feature_map,
        rank=rank,
        seeds=seeds,
        **{**QUICK, **changes},
    )


def test_errors_are_the_definition_of_the_head():
    rng = np.random.default_rng(0)
    order = rng.permutation(len(SMALL.sequences))  # the rows may come in any order
    sequences, targets = SMALL.sequences[order], SMALL.targets[order]
    alpha = rng.random((2, 3, len(SMALL.tokens)))
    u = rng.normal(size=alpha.shape)
    slow = []
    for i, query in enumerate(np.sort(SMALL.query_token)):
        for tokens, target in zip(sequences, targets, strict=True):
            if tokens[0] == query:
                weight, value = alpha[:, i, tokens], u[:, i, tokens]
                slow.append((weight * value).sum(1) / weight.sum(1) - target)
    suite = layout(sequences, targets)
    index = np.arange(3)[:, None], suite.own.numpy()
    fast = errors(
        torch.from_numpy(alpha[:, *index]).float(), torch.from_numpy(u[:, *index]).float(), suite
    )
    assert np.allclose(fast.numpy(), np.array(slow).T, atol=1e-5)


def test_a_perfect_head_has_no_error():
    # All weight on a key of the smallest overlap, read out as that overlap.
    suite = layout(SUITE.sequences, SUITE.targets)
    tokens = torch.tensor(SUITE.tokens, dtype=torch.float64)
    overlap = torch.einsum("nm,nkm->nk", tokens[suite.query_token], tokens[suite.own])[None]
    found = errors(torch.exp(12 - 6 * overlap).float(), overlap.float(), suite)
    assert found.abs().max() < 0.01


def test_queries_of_different_sizes_are_refused():
    with pytest.raises(ValueError, match="every query needs the same number"):
        layout(SMALL.sequences[1:], SMALL.targets[1:])


def test_gradient_of_the_loss_against_finite_differences():
    suite = layout(SMALL.sequences, SMALL.targets)
    double = type(suite)(
        suite.query_token, suite.own, suite.counts.double(), suite.targets.double()
    )
    generator = torch.Generator().manual_seed(0)
    shape = (2, *suite.own.shape)
    logits, u = (
        torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)
        for _ in range(2)
    )

    def losses(logits, u):
        return power_loss(errors(logits.exp(), u, double), 6.0)

    assert torch.autograd.gradcheck(losses, (logits, u), eps=1e-6, atol=1e-7, rtol=1e-5)


@pytest.mark.parametrize("feature_map", MAPS)
def test_the_same_run_gives_the_same_bytes(feature_map):
    first, second = small(feature_map), small(feature_map)
    for name, value in vars(first).items():
        assert value.tobytes() == vars(second)[name].tobytes()


@pytest.mark.parametrize("feature_map", MAPS)
def test_a_seed_does_not_depend_on_its_neighbours(feature_map):
    alone, both = small(feature_map, seeds=[1]), small(feature_map, seeds=[0, 1])
    assert alone.best_error[0] == pytest.approx(both.best_error[1], abs=1e-4)
    assert alone.final_error[0] == pytest.approx(both.final_error[1], abs=1e-4)
    assert both.final_error[0] != pytest.approx(both.final_error[1], abs=1e-4)


def test_shapes_and_bookkeeping():
    trained = small(seeds=[3, 1, 4])
    assert trained.seeds.tolist() == [3, 1, 4]
    assert (trained.best_error <= trained.final_error).all()
    assert ((trained.best_step >= 0) & (trained.best_step <= QUICK["steps"])).all()
    assert ((trained.accuracy == 1) == (trained.best_error < 0.5)).all()
    assert not trained.diverged.any()


def test_a_run_that_diverges_is_flagged():
    trained = small(readout_rate=float("inf"))
    assert trained.diverged.all()
    assert np.isfinite(trained.best_error).all()  # of the start, before it diverged


@pytest.mark.parametrize("feature_map", MAPS[:2])
def test_eight_features_are_enough(feature_map):
    settings = {"learning_rate": 0.1, "readout_rate": 0.1, "final_exponent": 64.0, "steps": 400}
    arrays = (SUITE.tokens, SUITE.sequences, SUITE.targets)
    trained = train(*arrays, feature_map=feature_map, rank=8, seeds=[0, 1], **settings)
    assert (trained.best_error < 0.3).all()
    assert (trained.accuracy == 1).all()
