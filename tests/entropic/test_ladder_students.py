import numpy as np
import pytest
import torch

from attnrank.entropic import blocks
from attnrank.entropic.ladder import students
from attnrank.entropic.ladder.students import STUDENTS

TOKENS, WIDTH, RANK = 4, 3, 2


def drawn(name, models=2, samples=5, seed=0):
    """Return a student, its weights, all of them random, and inputs, in float64."""
    student, rng = STUDENTS[name], np.random.default_rng(seed)
    sizes = {"tokens": TOKENS, "width": WIDTH, "rank": RANK, "init_scale": 1.0, "hidden": 6}
    starts = [students.start(student, rng, **sizes) for _ in range(models)]
    weights = {
        key: torch.from_numpy(np.stack([s[key] for s in starts]))
        + 0.1 * torch.from_numpy(rng.standard_normal(np.shape(starts[0][key])))
        for key in starts[0]
    }
    inputs = torch.from_numpy(rng.standard_normal((models, samples, TOKENS, WIDTH)))
    return student, weights, inputs


def predict(student, weights, inputs):
    return students.outputs(student, weights, inputs, students.attention_inputs(student, inputs))


@pytest.mark.parametrize("name", STUDENTS)
def test_gradients_agree_with_finite_differences(name):
    student, weights, inputs = drawn(name)
    for weight in weights.values():
        weight.requires_grad_()

    def loss(*values):
        return predict(student, dict(zip(weights, values, strict=True)), inputs).square().sum()

    assert torch.autograd.gradcheck(loss, tuple(weights.values()))


@pytest.mark.parametrize("name", STUDENTS)
def test_permuted_tokens_permute_the_outputs_without_positions_only(name):
    student, weights, inputs = drawn(name)
    order = [2, 0, 3, 1]
    same = torch.allclose(
        predict(student, weights, inputs[:, :, order]),
        predict(student, weights, inputs)[:, :, order],
    )
    assert same == (name in ("B1", "B2", "B3"))


@pytest.mark.parametrize("name", STUDENTS)
def test_models_of_an_ensemble_and_samples_of_a_batch_do_not_mix(name):
    student, weights, inputs = drawn(name)
    together = predict(student, weights, inputs)
    for model in range(2):
        one = {key: weight[model : model + 1] for key, weight in weights.items()}
        alone = predict(student, one, inputs[model : model + 1, 3:4])
        torch.testing.assert_close(together[model : model + 1, 3:4], alone)


@pytest.mark.parametrize("name", ["B1", "B2", "B1_positions", "B2_positions"])
def test_mixers_are_the_formulas_of_the_paper(name):
    student, weights, inputs = drawn(name)
    seen = students.attention_inputs(student, inputs)
    model, sample = 1, 2
    x, z = inputs[model, sample], seen[model, sample]
    if student.positions:
        np.testing.assert_array_equal(z, np.hstack([x, np.eye(TOKENS)]))
    scores = (z @ weights["query"][model]) @ (z @ weights["key"][model]).T
    mixer = scores / TOKENS if student.mixer == "linear" else scores.softmax(-1)
    torch.testing.assert_close(students.mixer(student, weights, seen)[model, sample], mixer)
    torch.testing.assert_close(
        predict(student, weights, inputs)[model, sample], mixer @ x @ weights["value"][model]
    )


def test_block_is_a_pre_norm_transformer_block():
    student, weights, inputs = drawn("B3", models=1)
    w = {key: weight[0] for key, weight in weights.items()}
    x = inputs[0, 0]
    norm = torch.nn.LayerNorm(WIDTH, elementwise_affine=False, dtype=x.dtype)
    queries, keys = norm(x) @ w["query"] + w["query_bias"], norm(x) @ w["key"]
    hidden = x + (queries @ keys.T).softmax(-1) @ (norm(x) @ w["value"] + w["value_bias"])
    up = torch.relu(norm(hidden) @ w["up"] + w["up_bias"])
    expected = (hidden + up @ w["down"] + w["down_bias"]) @ w["readout"] + w["readout_bias"]
    torch.testing.assert_close(predict(student, weights, inputs)[0, 0], expected)


def test_row_softmax_is_softmax_at_any_size_of_scores():
    scores = torch.tensor([[[1e4, -1e4, 9999.0], [0.0, 0.0, 0.0], [-3.0, 2.0, 1.0]]])
    torch.testing.assert_close(students.row_softmax(scores), scores.softmax(-1))


def test_layer_norm_standardises_each_token():
    tokens = blocks.layer_norm(torch.randn(2, 3, 4, 64, dtype=torch.float64))
    torch.testing.assert_close(tokens.mean(-1), torch.zeros(2, 3, 4, dtype=torch.float64))
    torch.testing.assert_close(
        tokens.var(-1, correction=0), torch.ones(2, 3, 4, dtype=torch.float64), atol=1e-4, rtol=0
    )
