import pytest
import torch

from attnrank.minip.losses import exponent, power_loss


def test_power_loss_lies_between_mean_and_maximum_and_nears_the_maximum():
    error = torch.tensor([[3.0, -1.0, 0.5], [0.0, 0.0, 0.0]])
    values = [power_loss(error, p)[0].item() for p in (1.0, 2.0, 64.0, 1000.0)]
    assert values == sorted(values)
    assert values[0] == pytest.approx(1.5)
    assert values[-1] == pytest.approx(3.0, rel=2e-3)
    assert power_loss(error, 64.0)[1] < 1e-8


def test_exponent_grows_from_two_and_stays():
    assert exponent(0, 100, 64.0) == 2.0
    assert exponent(35, 100, 64.0) == pytest.approx(2 * 32**0.5)
    assert exponent(70, 100, 64.0) == exponent(99, 100, 64.0) == 64.0


def test_exponent_may_start_later():
    late = [exponent(step, 100, 32.0, start=0.4, stop=0.8) for step in (0, 40, 60, 80, 99)]
    assert late == [2.0, 2.0, pytest.approx(8.0), 32.0, 32.0]
