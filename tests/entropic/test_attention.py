import numpy as np
import pytest
import torch

from attnrank.entropic import attention

KINDS = pytest.mark.parametrize("kind", attention.KINDS)


def draw(seed=0, models=2, samples=3, tokens=5, width=4):
    rng = np.random.default_rng(seed)
    inputs = rng.standard_normal((models, samples, tokens, width))
    return inputs, *rng.standard_normal((2, models, width, width))


@KINDS
def test_outputs_follow_the_definition_token_by_token(kind):
    inputs, kernel, value = draw()
    found = attention.outputs(kind, inputs, kernel, value)
    for e in range(2):
        for s in range(3):
            x = inputs[e, s]
            raw = np.array([[q @ kernel[e] @ k for k in x] for q in x])
            weights = np.exp(raw) / np.exp(raw).sum(1, keepdims=True)
            weights = raw / 5 if kind == "linear" else weights
            np.testing.assert_allclose(found[e, s], weights @ x @ value[e], atol=1e-10)
            np.testing.assert_allclose(
                attention.mixer(kind, inputs, kernel)[e, s], weights, atol=1e-10
            )


@KINDS
def test_torch_and_numpy_agree(kind):
    arrays = draw()
    tensors = [torch.tensor(a) for a in arrays]
    found = attention.outputs(kind, *tensors).numpy()
    np.testing.assert_allclose(found, attention.outputs(kind, *arrays), atol=1e-12)


def test_grams_at_hand_change_nothing():
    inputs, kernel, value = draw()
    gram = attention.grams(inputs)
    np.testing.assert_array_equal(
        attention.outputs("linear", inputs, kernel, value, gram),
        attention.outputs("linear", inputs, kernel, value),
    )


def test_large_scores_do_not_overflow():
    inputs, kernel, value = draw()
    assert np.isfinite(attention.outputs("softmax", inputs, 1e4 * kernel, value)).all()


@KINDS
def test_tokens_may_be_permuted(kind):
    inputs, kernel, value = draw()
    turned = attention.outputs(kind, inputs[:, :, ::-1], kernel, value)
    straight = attention.outputs(kind, inputs, kernel, value)
    np.testing.assert_allclose(turned, straight[:, :, ::-1], atol=1e-10)


@KINDS
def test_outputs_of_a_model_do_not_depend_on_its_companions(kind):
    inputs, kernel, value = draw()
    both = attention.outputs(kind, inputs, kernel, value)
    alone = attention.outputs(kind, inputs[1:], kernel[1:], value[1:])
    np.testing.assert_array_equal(both[1:], alone)
