import dataclasses

import numpy as np
import pandas as pd
import pytest
import yaml

from attnrank import claims, tables
from attnrank.__main__ import main
from attnrank.errors import AttnrankError
from attnrank.statistics import Estimate


@pytest.fixture
def registered(repository):
    return claims.load(repository / "workflow/claims.yaml")


@pytest.mark.parametrize(
    ("comparator", "value", "low", "high", "verdict"),
    [
        (">=", 0.9, 0.8, 1.0, "reproduced"),
        (">=", 0.9, 0.7, 1.0, "partly"),
        (">=", 0.7, 0.6, 1.0, "not reproduced"),
        (">", 0.8, 0.8, 0.9, "not reproduced"),
        ("<=", 0.8, 0.7, 0.8, "reproduced"),
        ("<", 0.7, 0.6, 0.8, "partly"),
        (">=", np.nan, np.nan, np.nan, "not reproduced"),
        (">=", 0.9, np.nan, np.nan, "partly"),
    ],
)
def test_the_verdict_follows_value_and_interval(registered, comparator, value, low, high, verdict):
    claim = registered[0].model_copy(update={"comparator": comparator, "threshold": 0.8})
    assert claims.verdict(claim, Estimate(value, low, high, 10)) == verdict


def test_every_claim_names_a_figure_that_exists(registered):
    from attnrank.rooms import figures

    assert {claim.figure for claim in registered} <= set(figures())


def spoil(repository, tmp_path, change):
    entries = yaml.safe_load((repository / "workflow/claims.yaml").read_text())
    change(entries)
    path = tmp_path / "claims.yaml"
    path.write_text(yaml.safe_dump(entries))
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda entries: entries[0].pop("threshold"), "threshold"),
        (lambda entries: entries[0].update(treshold=1.0), "treshold"),
        (lambda entries: entries[0].update(expected="maybe"), "expected"),
        (lambda entries: entries[0].update(statistic="surrogate.nothing"), "surrogate.nothing"),
        (lambda entries: entries[0].update(statistic="numpy.load"), "numpy.load"),
        (lambda entries: entries[0].update(sources=["nothing"]), "nothing"),
        (lambda entries: entries.append(entries[0]), "more than once: E1"),
    ],
)
def test_a_wrong_registration_is_refused(repository, tmp_path, change, said):
    with pytest.raises(AttnrankError) as error:
        claims.load(spoil(repository, tmp_path, change))
    assert said in str(error.value)


def judged(registered, **changes) -> pd.DataFrame:
    rows = [
        {
            **{key: getattr(claim, key) for key in ("paper", "statement", "figure", "statistic")},
            "claim": claim.id,
            "value": 1.0,
            "ci_low": 0.9,
            "ci_high": 1.0,
            "comparator": claim.comparator,
            "threshold": claim.threshold,
            "verdict": claim.expected,
            "expected": claim.expected,
            "seeds": claim.seeds,
            "units": 30,
            "tier": "full",
            **changes,
        }
        for claim in registered
    ]
    return pd.DataFrame(rows)


def run_check(tmp_path, frame) -> int:
    path = tmp_path / "claims.parquet"
    tables.write(path, frame, claims.SCHEMA, settings={}, seeds=[])
    return main(["check-claims", str(path)])


def test_check_claims_passes_when_verdicts_are_as_expected(registered, tmp_path, capsys):
    assert run_check(tmp_path, judged(registered)) == 0
    assert "every verdict is as expected" in capsys.readouterr().out


def test_check_claims_fails_when_a_verdict_differs(registered, tmp_path, capsys):
    frame = judged(registered)
    frame.loc[0, "verdict"] = "partly"
    assert run_check(tmp_path, frame) == 1
    assert "E1: partly, expected reproduced" in capsys.readouterr().out


def test_check_claims_fails_when_a_claim_or_its_seeds_are_missing(registered, tmp_path, capsys):
    frame = judged(registered)
    frame.loc[1, "seeds"] = 3
    assert run_check(tmp_path, frame.drop(index=0)) == 1
    out = capsys.readouterr().out
    assert "E1: registered, but not in the results" in out
    assert "E2: 3 seeds, 10 registered" in out


def test_check_claims_without_results_is_one_message(tmp_path, capsys):
    assert main(["check-claims", str(tmp_path / "none.parquet")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert "rule claims" in said


def test_the_page_shows_every_claim_with_its_caveats(registered):
    page = claims.render(judged(registered, seeds=3), registered)
    for claim in registered:
        assert f"| {claim.id} ({claim.paper})" in page
        assert claim.caveats.split(".")[0] in page
    assert "3 of 10" in page


def test_estimates_are_plain_values():
    assert dataclasses.astuple(Estimate(1.0, 0.0, 2.0, 3)) == (1.0, 0.0, 2.0, 3)
