"""A wrong setting on the command line: one message, no traceback, nothing run."""

import pytest

BAD = [
    ("surrogate={rnaks: [1]}", ["surrogate.rnaks", "did you mean 'ranks'"]),
    ("surrogate={task: {noise: -1}}", ["surrogate.task.noise = -1", "greater than or equal to 0"]),
    ("witness={ranks: []}", ["witness.ranks = []", "at least 1"]),
    ("device=tpu", ["device = 'tpu'", "'cpu'"]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("override", "said"), BAD, ids=[bad for bad, _ in BAD])
def test_overrides_are_checked(fresh, override, said):
    result = fresh.run("--cores", "1", "--config", override)
    output = result.stdout + result.stderr
    assert result.returncode == 1
    assert "The settings are wrong, nothing was run" in output
    for words in said:
        assert words in output
    assert "Traceback" not in output
    assert ".smk" not in output
    assert not (fresh.folder / "results").exists()


@pytest.mark.slow
def test_an_override_keeps_its_neighbours(fresh):
    jobs = fresh.planned("--config", "surrogate={ranks: [1, 2, 3, 4]}")
    assert jobs["surrogate_train"] == 4
    assert jobs["witness_train"] == 1


@pytest.mark.slow
def test_the_full_tier_plans_every_figure_without_options(fresh):
    result = fresh.run("--dry-run", "--quiet", "rules", overlay=False)
    assert result.returncode == 0, result.stderr
    result = fresh.run("--dry-run", target="results/figs/minip_transition.pdf", overlay=False)
    assert result.returncode == 0, result.stderr
