"""The workflow as users meet it: what a run does, does again, and does not do again."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from attnrank import claims, costs, tables
from attnrank.rooms import figures

pytestmark = pytest.mark.slow
AFTER_SURROGATE = {"surrogate_estimate": 1, "table": 1, "figure": 1, "claims": 1, "costs": 1}


def test_every_target_is_there(finished):
    results = finished.folder / "results/tiny"
    for figure in figures():
        assert (results / f"figs/{figure}.pdf").read_bytes().startswith(b"%PDF")
        assert (results / f"figs/{figure}.png").read_bytes().startswith(b"\x89PNG")
    judged = tables.read(results / "claims.parquet", claims.SCHEMA).frame
    assert set(judged["tier"]) == {"custom"}
    assert (results / "claims.md").read_text().startswith("# Verdicts")
    spent = tables.read(results / "tables/costs.parquet", costs.SCHEMA).frame
    assert spent.set_index("rule")["jobs"]["surrogate_train"] == 2
    leftovers = [path for path in results.rglob("*") if path.name.startswith(".")]
    assert leftovers == []


def test_a_second_run_does_nothing(done):
    before = {path: path.stat().st_mtime_ns for path in (done.folder / "results").rglob("*")}
    assert "Nothing to be done" in done.make("--cores", "2").stderr
    after = {path: path.stat().st_mtime_ns for path in (done.folder / "results").rglob("*")}
    assert before == after


def test_a_new_rank_runs_that_rank_and_what_follows(done):
    jobs = done.planned("--config", "surrogate={ranks: [1, 2, 3]}")
    assert jobs == {"surrogate_train": 1, **AFTER_SURROGATE}


def test_touching_a_source_file_runs_nothing(done):
    for path in (done.folder / "workflow").rglob("*.py"):
        os.utime(path)
    assert done.planned() == {}


def test_editing_a_plot_trains_nothing(done):
    done.edit("workflow/attnrank/entropic/surrogate/plot.py", "excess risk", "excess  risk")
    assert done.planned() == {"figure": 2, "costs": 1}


def test_editing_a_training_module_trains_again(done):
    done.edit("workflow/attnrank/entropic/surrogate/train.py", "def _form", "\n\ndef _form")
    jobs = done.planned()
    assert jobs["surrogate_train"] == 2
    assert jobs["surrogate_recovery_train"] == 2
    assert jobs["witness_train"] == 0


def test_editing_a_module_that_training_imports_trains_again(done):
    done.edit("workflow/attnrank/seeds.py", "zlib.crc32", "zlib.adler32")
    jobs = done.planned()
    assert jobs["surrogate_train"] == 2
    assert jobs["witness_train"] == 1


def test_a_changed_setting_reruns_what_it_decides(done):
    jobs = done.planned("--config", "surrogate={training: {steps: 4}}")
    assert jobs["surrogate_train"] == 2
    assert jobs["surrogate_recovery_train"] == 0
    assert jobs["surrogate_data"] == 0


def test_one_figure_asks_for_its_own_chapter_alone(fresh):
    jobs = fresh.planned(target="results/tiny/figs/surrogate_transition.pdf")
    assert set(jobs) == {
        "surrogate_data",
        "surrogate_train",
        "surrogate_estimate",
        "table",
        "figure",
    }


def test_equal_bytes_on_one_core_and_on_two(finished, fresh):
    fresh.make("--cores", "1")
    assert fresh.digests() == finished.digests()


def test_a_damaged_table_stops_the_run_and_says_how_to_make_it_again(done):
    path = done.folder / "results/tiny/train/surrogate/rank=1/students.parquet"
    path.write_bytes(path.read_bytes()[:100])
    result = done.run("--cores", "1", "--forcerun", "surrogate_estimate")
    assert result.returncode != 0
    said = result.stderr + result.stdout
    assert "error: results/tiny/train/surrogate/rank=1/students.parquet: truncated" in said
    assert "rule surrogate_train" in said
    assert "Traceback" not in said
    log = (done.folder / "results/tiny/logs/surrogate_estimate.log").read_text()
    assert "truncated" in log


def test_a_wrong_certificate_stops_the_run(done):
    from attnrank.minip.witness import schemas

    path = done.folder / "results/tiny/ranks/minip_ratios.parquet"
    ratios = tables.read(path, schemas.RATIOS)
    ratios.frame.loc[0, "ratio"] = "6"
    tables.write(path, ratios.frame, schemas.RATIOS, settings=ratios.settings, seeds=[])
    result = done.run("--cores", "1", "--forcerun", "witness_verify")
    assert result.returncode != 0
    assert "pair (0, 1) at eps = 1/2: the ratio 6 is claimed" in result.stderr + result.stdout


def test_a_killed_run_is_taken_up_again_to_the_same_bytes(finished, fresh):
    command = [sys.executable, "-m", "snakemake", "--configfile", "tests/workflow/tiny.yaml"]
    run = subprocess.Popen(
        [*command, "--cores", "2", "--", "all"],
        cwd=fresh.folder,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    trained = fresh.folder / "results/tiny/train"
    deadline = time.monotonic() + 120
    while not list(trained.rglob("*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert not (fresh.folder / "results/tiny/claims.md").exists()
    fresh.make("--unlock")
    fresh.make("--cores", "2")
    assert fresh.digests() == finished.digests()


def test_the_stored_certificate_verifies_on_the_command_line(finished):
    results = finished.folder / "results/tiny"
    command = [sys.executable, "-m", "attnrank", "verify"]
    for name, path in (
        ("suite", "data/minip_transition/suite"),
        ("ratios", "ranks/minip_ratios"),
        ("proofs", "ranks/minip_proofs"),
    ):
        command += [f"--{name}", str(results / f"{path}.parquet")]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "verified: error <= 1/2 needs 3 features or more" in result.stdout


def test_the_report_holds_every_figure(done):
    done.make("--report", "report.zip", target="")
    assert (done.folder / "report.zip").stat().st_size > 100_000
    shutil.unpack_archive(done.folder / "report.zip", done.folder / "report")
    names = {path.name for path in (done.folder / "report").rglob("*.pdf")}
    page = "".join(path.read_text() for path in (done.folder / "report").rglob("*.html"))
    assert "identifiability" in page, "the caption of surrogate_recovery"
    assert names == {f"{figure}.pdf" for figure in figures()}
