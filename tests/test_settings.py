import copy
import json

import pytest
import yaml

from attnrank import settings_pages
from attnrank.errors import AttnrankError
from attnrank.settings import check, typed


def changed(config: dict, key: str, value) -> dict:
    """Return the settings with one dotted key set, or taken away where the value is ``...``."""
    new = copy.deepcopy(config)
    *parents, last = key.split(".")
    section = new
    for parent in parents:
        section = section[parent]
    if value is ...:
        del section[last]
    else:
        section[last] = value
    return new


def test_the_full_tier_passes(config):
    check(config)


BAD = [
    # key, value, and what the message must say besides the key
    ("surrogate.rnaks", [1], ["unknown key", "did you mean 'ranks'", "training"]),
    ("whitness", {}, ["unknown key", "did you mean 'witness'"]),
    ("surrogate.task.tokens", "12", ["'12'", "integer"]),
    ("surrogate.task.tokens", 12.5, ["12.5", "integer"]),
    ("surrogate.task.seeds", True, ["True", "integer"]),
    ("surrogate.ranks", 3, ["3", "list"]),
    ("surrogate.ranks", [0], ["0", "greater than or equal to 1"]),
    ("surrogate.ranks", [-1], ["-1", "greater than or equal to 1"]),
    ("surrogate.ranks", [1, 13], ["13", "at most", "12"]),
    ("surrogate.ranks", [], ["[]", "at least 1"]),
    ("surrogate.ranks", [2, 2], ["repeated: [2]"]),
    ("surrogate.task.r_star", [13], ["13", "at most", "12"]),
    ("surrogate.task.r_star", [], ["[]", "at least 1"]),
    ("surrogate.task.seeds", 0, ["0", "greater than or equal to 1"]),
    ("surrogate.task.noise", -0.1, ["-0.1", "greater than or equal to 0"]),
    ("surrogate.task.noise", float("nan"), ["nan", "finite"]),
    ("surrogate.training.learning_rate", 0, ["0", "greater than 0"]),
    ("surrogate.recovery.init_scales", [], ["[]", "at least 1"]),
    ("surrogate.recovery.init_scales", [0.1, 0.1], ["repeated: [0.1]"]),
    ("surrogate.recovery.under_determined.tokens", 3, ["8", "at most", "3"]),
    ("witness.ranks", [8, 8], ["repeated: [8]"]),
    ("witness.feature_maps", ["relu"], ["'relu'", "exp_table"]),
    ("witness.errors", ["0/2"], ["0/2"]),
    ("witness.errors", ["7/2"], ["7/2", "below 3"]),
    ("witness.errors", ["2/4"], ["2/4", "lowest terms", "1/2"]),
    ("witness.errors", [0.5], ["0.5", "string"]),
    ("witness.suite.queries", 13, ["13", "at most keys = 12"]),
    ("witness.training.seeds", 0, ["0", "greater than or equal to 1"]),
    ("native.ranks", [1, 2, 3, 4], ["[1, 2, 3, 4]", "task.width = 12"]),
    ("native.task.r_star", [13], ["13", "at most", "12"]),
    ("native.compression.ranks", [6, 12], ["[6]", "ranks ="]),
    ("native.compression.r_star", 3, ["3", "one of"]),
    ("native.compression.taus", [1.0, 2.0], ["task.tau = 1.0"]),
    ("native.implicit.samples", 12, ["432 equations", "400 unknowns"]),
    ("lengths.construction.widths", [13], ["13", "less than or equal to 12"]),
    ("lengths.optimum.lengths", [3, 3], ["repeated: [3]"]),
    ("lengths.training.final_exponent", 1.0, ["1.0", "greater than or equal to 2"]),
    ("dense.exact.far_widths", [9, 16], ["[9]", "above those of widths"]),
    ("dense.exact.grid.high", 0.1, ["low = 0.2", "below high = 0.1"]),
    ("dense.training.exhaustive_up_to", 10, ["10", "less than or equal to 9"]),
    ("device", "tpu", ["'tpu'", "'cpu'"]),
    ("results", "/tmp/elsewhere", ["/tmp/elsewhere"]),
    ("results", "../elsewhere", ["../elsewhere"]),
    ("statistics.confidence", 95, ["95", "less than 1"]),
    ("tier", ..., ["missing"]),
    ("surrogate", None, ["None"]),
]


@pytest.mark.parametrize(("key", "value", "said"), BAD, ids=[f"{k}={v}" for k, v, _ in BAD])
def test_a_wrong_setting_is_named_with_its_value_and_what_is_allowed(config, key, value, said):
    with pytest.raises(AttnrankError) as error:
        check(changed(config, key, value))
    message = str(error.value)
    assert message.count("\n  ") == 1, "one fault, one line"
    for word in [key.split(".")[-1], *said]:
        assert word in message
    assert "nothing was run" in message


def test_overrides_of_the_command_line_get_their_types():
    text = {"a": ["1", "0.5", "1e-3", "true", "1/2", "exp_table"], "b": {"c": "-2"}, "d": 3}
    assert typed(text) == {"a": [1, 0.5, 0.001, True, "1/2", "exp_table"], "b": {"c": -2}, "d": 3}


def test_every_fault_is_listed_at_once(config):
    twice = changed(changed(config, "device", "tpu"), "surrogate.task.noise", -1)
    with pytest.raises(AttnrankError) as error:
        check(twice)
    assert str(error.value).count("\n  ") == 2


def test_the_generated_pages_are_up_to_date(repository):
    for path, text in settings_pages.pages(repository).items():
        assert path.read_text() == text, "run `make generate`"


def test_every_setting_has_a_meaning(repository):
    pages = settings_pages.pages(repository)
    schema = json.loads(pages[repository / "workflow/schemas/config.schema.json"])
    for section in [schema, *schema["$defs"].values()]:
        for name, entry in section["properties"].items():
            assert entry.get("description") or "$ref" in entry, name


def test_the_quick_tier_is_an_overlay(repository, config):
    quick = yaml.safe_load((repository / "config/quick.yaml").read_text())

    def laid_over(base, top, where=""):
        for key, value in top.items():
            assert key in base, f"{where}{key} is not in config.yaml"
            if isinstance(value, dict):
                laid_over(base[key], value, f"{where}{key}.")
            else:
                assert base[key] != value, f"{where}{key} repeats config.yaml"
                base[key] = value

    laid_over(config, quick)
    check(config)
    assert config["results"] == "results/quick"
