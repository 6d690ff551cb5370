import pytest
import torch

from attnrank import ensemble


def quadratic(*, curvature, learning_rate, steps, method):
    """Minimise curvature * x^2 / 2 from 1 for each model."""
    x = torch.ones(len(curvature), requires_grad=True)
    scale = torch.tensor(curvature)
    diverged = ensemble.fit(
        [{"params": [x], "lr": learning_rate}],
        lambda step: scale * x**2 / 2,
        steps=steps,
        method=method,
    )
    return x.detach(), diverged


def test_gradient_descent_takes_the_textbook_step():
    x, diverged = quadratic(
        curvature=[1.0, 2.0], learning_rate=0.1, steps=3, method="gradient descent"
    )
    assert x.tolist() == pytest.approx([0.9**3, 0.8**3])
    assert not diverged.any()


def test_adam_first_moves_by_the_learning_rate_whatever_the_gradient():
    x, _ = quadratic(curvature=[1e-3, 1e3], learning_rate=0.1, steps=1, method="adam")
    assert x.tolist() == pytest.approx([0.9, 0.9], rel=1e-4)


def test_a_model_that_diverges_is_flagged_and_leaves_the_others_alone():
    alone, _ = quadratic(curvature=[1.0], learning_rate=0.1, steps=60, method="gradient descent")
    x, diverged = quadratic(
        curvature=[1.0, 1e6], learning_rate=0.1, steps=60, method="gradient descent"
    )
    assert diverged.tolist() == [False, True]
    assert x[0] == alone[0]


def test_each_parameter_group_has_its_learning_rate():
    x, y = (torch.ones(1, requires_grad=True) for _ in range(2))
    ensemble.fit(
        [{"params": [x], "lr": 0.1}, {"params": [y], "lr": 0.2}],
        lambda step: (x**2 + y**2) / 2,
        steps=1,
        method="gradient descent",
    )
    assert [x.item(), y.item()] == pytest.approx([0.9, 0.8])


def test_losses_are_given_the_number_of_the_step():
    x, seen = torch.ones(1, requires_grad=True), []

    def losses(step):
        seen.append(step)
        return x**2

    ensemble.fit([{"params": [x], "lr": 0.1}], losses, steps=3)
    assert seen == [0, 1, 2]


def test_cosine_warms_up_and_falls_to_its_floor():
    factor = ensemble.cosine(100, warmup=10, floor=0.01)
    assert factor(0) == pytest.approx(0.1, rel=0.01)
    assert factor(100) == pytest.approx(0.01)
    assert ensemble.cosine(100)(0) == 1
    assert ensemble.cosine(100)(50) == pytest.approx(0.505)
    assert ensemble.constant(7) == 1


def test_no_steps_are_refused():
    with pytest.raises(ValueError, match="steps = 0"):
        quadratic(curvature=[1.0], learning_rate=0.1, steps=0, method="adam")


def test_a_long_gradient_is_clipped_over_all_parameters_of_its_own_model():
    x, y = torch.tensor([3.0, 0.3], requires_grad=True), torch.tensor([[4.0], [0.4]])
    y.requires_grad_()
    ensemble.fit(
        [{"params": [x], "lr": 0.1}, {"params": [y], "lr": 0.1}],
        lambda step: (x**2 + y[:, 0] ** 2) / 2,
        steps=1,
        method="gradient descent",
        clip=1.0,
    )
    assert x.tolist() == pytest.approx([3 - 0.06, 0.3 - 0.03])
    assert y[:, 0].tolist() == pytest.approx([4 - 0.08, 0.4 - 0.04])
