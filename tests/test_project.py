"""The repository itself: pins, sources, and that nothing is imported that is not needed."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from attnrank.sources import source_files


def lock(repository) -> dict[str, str]:
    lines = (repository / "requirements.lock").read_text().split()
    return {name.lower().replace("_", "-"): v for name, v in (line.split("==") for line in lines)}


@pytest.mark.parametrize("name", ["analysis", "training"])
def test_conda_environments_agree_with_the_lock(repository, name):
    pins = lock(repository)
    spec = yaml.safe_load((repository / f"envs/{name}.yaml").read_text())
    for entry in spec["dependencies"]:
        package, version = entry.split("=")
        if package != "python":
            assert pins[{"pytorch": "torch"}.get(package, package)] == version


def test_every_dependency_is_locked(repository):
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    pins = lock(repository)
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    for entry in wanted:
        package, _, version = entry.partition("==")
        assert package in pins
        assert version in ("", pins[package])


def test_source_files_follow_imports_and_leave_plots_out():
    names = {path.name for path in source_files("attnrank.entropic.surrogate.train")}
    assert {"train.py", "ensemble.py", "seeds.py", "teachers.py"} <= names
    assert not names & {"plot.py", "style.py", "table.py", "settings.py", "tables.py"}


def test_source_files_of_no_module_is_an_error():
    with pytest.raises(ValueError, match="no such module"):
        source_files("attnrank.entropic.nothing")


def scripts(repository):
    return sorted((repository / "workflow/scripts").glob("*.py"))


def test_only_training_scripts_import_torch_and_none_does_work(repository):
    code = (
        "import sys, runpy; sys.path.insert(0, sys.argv[1])\n"
        "for path in sys.argv[2:]:\n"
        "    runpy.run_path(path, run_name='imported')\n"
        "print('torch' in sys.modules)\n"
    )

    def torch_after(paths):
        folder = str(repository / "workflow/scripts")
        command = [sys.executable, "-c", code, folder, *map(str, paths)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    training = [path for path in scripts(repository) if path.stem.endswith("_train")]
    others = [path for path in scripts(repository) if path not in training]
    assert torch_after(training) == "True"
    assert torch_after(others) == "False"


def test_every_rule_states_its_needs_and_has_a_script_of_its_name(repository):
    for path in (repository / "workflow/rules").glob("*.smk"):
        text = path.read_text()
        for block in re.split(r"^rule ", text, flags=re.M)[1:]:
            name = block.split(":")[0]
            for word in ("message:", "log:", "threads: 1", "mem_mb=", "runtime=", "conda:"):
                assert word in block, f"{name} lacks {word}"
            assert "retries:" not in block, "retries belong to a profile"
            assert (repository / "workflow/scripts" / script(block)).is_file()


def script(block: str) -> str:
    return re.search(r'"\.\./scripts/(\w+\.py)"', block)[1]
