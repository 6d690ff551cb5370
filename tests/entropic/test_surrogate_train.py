import numpy as np
import pytest
import torch

from attnrank.entropic import bounds
from attnrank.entropic.fixed_operator import make_task
from attnrank.entropic.surrogate import estimate, train
from attnrank.entropic.surrogate.moments import moments, row_moments

SHAPE = {"tokens": 6, "width": 3, "samples": 80, "noise": 0.1, "stream": "test"}
ADAM = {"init_scale": 1.0, "learning_rate": 0.05, "steps": 200}


def stack(tasks):
    return [
        np.stack([getattr(task, name) for task in tasks])
        for name in ("inputs", "targets", "operator", "value")
    ]


def students(cases, rank, **changes):
    """Train one student for each case (r*, seed)."""
    tasks = [make_task(seed, r_star, **SHAPE) for r_star, seed in cases]
    inputs, targets, *_ = stack(tasks)
    r_star, seeds = zip(*cases, strict=True)
    return train.train_students(
        inputs, targets, rank=rank, r_star=r_star, seeds=seeds, **ADAM | changes
    )


CASES = [(2, 0), (2, 1), (3, 0)]


@pytest.mark.parametrize("rank", [1, 2, 3, 6])
def test_students_meet_the_bound_and_the_closed_form(rank):
    inputs, targets, operator, value = stack([make_task(s, r, **SHAPE) for r, s in CASES])
    trained = students(CASES, rank)
    excess = estimate.excess_risk(trained.operator, trained.value, operator, value)
    bound = bounds.tail_energy_bound(operator, value, rank)
    assert not trained.diverged.any()
    assert np.all(np.linalg.matrix_rank(trained.operator) == rank)
    assert np.all(excess >= bound)
    assert np.all(excess <= 1.1 * bound + 2e-3)
    best = estimate.closed_form(inputs, targets, rank, sweeps=200, tolerance=1e-12)
    assert np.all(best.loss <= trained.loss * (1 + 1e-6))


def test_a_student_does_not_depend_on_its_companions_or_their_order():
    together, alone = students(CASES, 2), students(CASES[1:2], 2)
    turned = students(CASES[::-1], 2)
    for name in ("operator", "value", "loss"):
        np.testing.assert_array_equal(getattr(together, name)[1:2], getattr(alone, name))
        np.testing.assert_array_equal(getattr(together, name), getattr(turned, name)[::-1])


def test_students_differ_by_seed_rank_and_task():
    loss = np.concatenate([students(CASES, rank).loss for rank in (1, 2)])
    assert len(set(loss)) == 6


def test_diverged_students_are_flagged_not_dropped():
    trained = students(CASES, 2, learning_rate=1e30, steps=20)
    assert trained.diverged.all()
    assert trained.operator.shape == (3, 6, 6)
    assert np.isnan(estimate.rank_estimates(trained.operator)["energy_effective_rank"]).all()


@pytest.mark.parametrize("known", [True, False])
def test_gradients_against_finite_differences(known):
    rng = np.random.default_rng(0)
    inputs, targets, _, value = stack([make_task(s, r, **SHAPE) for r, s in CASES])
    if known:
        data = row_moments(inputs, targets, value)
        shapes = [(3, 6, 2), (3, 6, 2)]
    else:
        data = moments(inputs, targets)
        shapes = [(3, 6, 2), (3, 6, 2), (3, 3, 3)]
    constants = [torch.tensor(x) for x in (data.energy, data.cross, data.gram)]
    loss = train.row_loss if known else train.moment_loss
    point = [torch.tensor(rng.standard_normal(shape)).requires_grad_() for shape in shapes]
    gradients = torch.autograd.grad(loss(*point, *constants).sum(), point)
    for k, gradient in enumerate(gradients):
        direction = torch.tensor(rng.standard_normal(shapes[k]))
        ends = [
            loss(*(p + s * direction if i == k else p for i, p in enumerate(point)), *constants)
            for s in (1e-5, -1e-5)
        ]
        slope = (ends[0] - ends[1]) / 2e-5
        expected = (gradient * direction).sum(dim=(1, 2))
        np.testing.assert_allclose(slope.detach(), expected, rtol=1e-7)


def recovered(shape, r_star, init_scale, *, known, learning_rate, steps, labelled=None):
    tasks = [make_task(seed, r_star, **shape, labelled=labelled) for seed in (0, 1)]
    inputs, targets, operator, value = stack(tasks)
    trained = train.train_recovery(
        inputs,
        targets,
        r_star=[r_star, r_star],
        seeds=[0, 1],
        init_scale=init_scale,
        learning_rate=learning_rate,
        steps=steps,
        value=value if known else None,
    )
    return trained, estimate.rank_estimates(trained.operator), (inputs, targets, operator, value)


@pytest.mark.parametrize("init_scale", [1e-2, 1.0])
def test_enough_data_identify_the_rank_from_any_start(init_scale):
    _, ranks, _ = recovered(SHAPE, 2, init_scale, known=False, learning_rate=0.5, steps=400)
    np.testing.assert_array_equal(ranks["numerical_rank_05"], 2)
    np.testing.assert_allclose(ranks["energy_effective_rank"], 2, rtol=0.02)


def test_with_every_token_labelled_a_small_start_ends_at_the_least_norm():
    shape = SHAPE | {"noise": 0.0, "samples": 1}
    trained, _, data = recovered(shape, 2, 1e-3, known=True, learning_rate=0.5, steps=600)
    inputs, targets, _, value = data
    least = estimate.least_norm(inputs, targets, value)
    np.testing.assert_allclose(trained.operator, least, atol=5e-3)
    np.testing.assert_array_equal(trained.value, value)


def test_with_part_of_the_labels_a_small_start_finds_the_rank_and_a_large_one_does_not():
    shape = {"tokens": 12, "width": 3, "samples": 12, "noise": 0.0, "stream": "test"}
    settings = {"known": True, "learning_rate": 0.6, "steps": 800, "labelled": 3}
    small, small_ranks, data = recovered(shape, 1, 1e-3, **settings)
    large, large_ranks, _ = recovered(shape, 1, 1.0, **settings)
    least = estimate.rank_estimates(estimate.least_norm(data[0], data[1], data[3]))
    assert np.all(small.loss < 1e-4)
    assert np.all(large.loss < 1e-4)
    np.testing.assert_allclose(small_ranks["energy_effective_rank"], 1, rtol=0.02)
    assert np.all(large_ranks["energy_effective_rank"] > 1.5)
    assert np.all(least["energy_effective_rank"] > 1.5)
