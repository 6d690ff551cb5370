"""A finished tiny run in a folder with an awkward name, which tests copy and disturb."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
TINY = ["--configfile", "tests/workflow/tiny.yaml"]
PARTS = ["Snakefile", "config.yaml", "config", "workflow", "profiles", "envs", "tests/workflow"]


class Checkout:
    """A copy of the project, in which Snakemake runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *options: str, target: str = "all", overlay: bool = True):
        command = [sys.executable, "-m", "snakemake", *(TINY if overlay else []), *options]
        if target:
            command += ["--", target]
        # A library of another checkout must not be taken for this one's.
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )

    def make(self, *options: str, target: str = "all"):
        result = self.run(*options, target=target)
        assert result.returncode == 0, result.stderr[-3000:]
        return result

    def planned(self, *options: str, target: str = "all") -> Counter:
        """Return how many jobs of each rule a dry run would start."""
        result = self.make("--dry-run", "--quiet", "rules", *options, target=target)
        said = result.stdout + result.stderr
        rows = re.findall(r"^(\w+)\s+(\d+)$", said, flags=re.M)
        return Counter({name: int(count) for name, count in rows if name not in ("all", "total")})

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    def digests(self) -> dict[str, str]:
        """Return the checksum of every Parquet file and figure but the table of costs."""
        results = self.folder / "results"
        files = [f for suffix in ("parquet", "pdf", "png") for f in results.rglob(f"*.{suffix}")]
        return {
            str(file.relative_to(results)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in files
            if file.name != "costs.parquet"
        }


def copy_project(folder: Path) -> Checkout:
    for part in PARTS:
        source, target = REPOSITORY / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)
    return Checkout(folder)


@pytest.fixture
def fresh(tmp_path) -> Checkout:
    """Return a copy of the project that has not run yet."""
    return copy_project(tmp_path / "check out é")


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Checkout:
    """Return a copy in which the tiny run is done; not to be changed."""
    checkout = copy_project(tmp_path_factory.mktemp("finished") / "check out é")
    checkout.make("--cores", "2")
    return checkout


@pytest.fixture
def done(finished, tmp_path) -> Checkout:
    """Return a copy of the finished run, free to be disturbed."""
    shutil.copytree(finished.folder, tmp_path / "check out é", symlinks=True)
    return Checkout(tmp_path / "check out é")
