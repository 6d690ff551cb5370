import numpy as np
import pandas as pd
import pytest
import torch

from attnrank.minip.transcript import claims, data, rows, table
from attnrank.minip.transcript.train import _rounded, train

FAMILIES = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (2, 7)]


@pytest.mark.parametrize(("q", "s"), FAMILIES)
def test_every_combination_of_answers_occurs_once(q, s):
    inputs = data.family(q, s)
    assert inputs.queries.shape == (q, (q + 1) * s)
    assert len(np.unique(inputs.answers, axis=0)) == len(inputs.keys) == (s + 1) ** q
    for key, answers in zip(inputs.keys, inputs.answers, strict=True):
        tokens = [*inputs.queries.astype(int), key.astype(int)]
        for query, answer in zip(inputs.queries, answers, strict=True):
            assert answer == min(int(query @ token) for token in tokens)


@pytest.mark.parametrize(("q", "s"), FAMILIES)
def test_constructed_heads_respect_the_line_and_attain_it(q, s):
    for layers in (1, 2):
        for levels in data.alphabets(s, layers):
            bits = data.transcript_bits(q, levels)
            found = data.constructed(q, s, levels)
            line = data.counting_line(bits, q, s)
            assert found.exact <= line + 1e-9
            assert found.exact * (s + 1) ** q <= found.transcripts
            if layers == 1:
                assert found.exact == pytest.approx(line)
            elif np.prod(levels) >= s + 1:
                assert found.exact == 1.0


def test_alphabets_reach_whole_bits_and_no_pair_is_wasteful():
    assert data.alphabets(4, 1) == [(count,) for count in range(1, 9)]
    assert data.alphabets(7, 2) == [(2, 2), (2, 3), (2, 4), (3, 3)]
    assert data.alphabets(1, 2) == []


def test_rounding_passes_gradients_and_sends_no_more_than_its_levels():
    numbers = torch.linspace(-9, 9, 200, requires_grad=True)
    for levels in (1, 2, 5):
        code, message = _rounded(numbers, levels)
        assert len(message.detach().mul(1e5).round().unique()) == len(code.unique()) == levels
    message.sum().backward()
    assert numbers.grad[100] == pytest.approx(0.25, abs=1e-2)


def test_training_finds_exact_messages_below_the_line():
    inputs = data.family(2, 2)
    options = {"seeds": [0, 1], "learning_rate": 0.05, "steps": 300, "warmup": 20}
    enough = train(inputs, levels=(3,), **options)
    assert (enough.exact > 0.8).all()
    assert enough.exact.max() == 1
    assert enough.transcripts.max() == 9
    few = train(inputs, levels=(2,), **options)
    assert (few.exact <= data.counting_line(2.0, 2, 2) + 1e-12).all()
    again = train(inputs, levels=(2,), **options)
    assert few.exact.tobytes() == again.exact.tobytes()


def test_a_run_that_diverges_is_flagged():
    trained = train(
        data.family(1, 2), levels=(2,), seeds=[0], learning_rate=np.inf, steps=5, warmup=1
    )
    assert trained.diverged.all()


def built(q, s):
    return [
        {
            **rows.described("constructed", q, s, levels),
            **vars(data.constructed(q, s, levels)),
            **{"seed": 0, "diverged": False},
        }
        for _, _, levels in rows.cases([q], [s])
    ]


def test_table_and_claims(interval):
    constructed = pd.DataFrame(built(1, 2) + built(2, 3))
    trained = pd.concat(
        [constructed.assign(kind="trained", seed=seed) for seed in range(3)], ignore_index=True
    )
    frames = {"trained": trained, "constructed": constructed}
    shown = table.transcript(frames, interval)
    least = shown[shown["measure"] == "least_bits"].set_index(["queries", "layers"])["bits"]
    assert least[1, 1] == pytest.approx(np.log2(3))
    assert least[1, 2] == 2.0
    whole = shown[shown["measure"] == "least_whole_bits"].set_index(["queries", "layers"])["bits"]
    assert whole[1, 1] == 2.0
    assert claims.largest_excess(frames, {}, interval).value <= 1e-9
    assert claims.largest_overhead(frames, {"layers": 1}, interval).value == pytest.approx(1.0)
    assert claims.exact_share(frames, {"layers": 1}, interval).value == 1.0
    above = {**frames, "trained": trained.assign(exact=1.0)}
    assert claims.largest_excess(above, {}, interval).value > 0.5
