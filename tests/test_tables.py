import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from attnrank import tables
from attnrank.errors import AttnrankError
from attnrank.files import atomic
from attnrank.tables import Column, Schema

SCHEMA = Schema(
    "demo",
    2,
    "demo_rule",
    (
        Column("seed", "int64", "seed", low=0),
        Column("kind", "string", "kind", allowed=("a", "b")),
        Column("value", "float64", "value", unit="s"),
        Column("loss", "float64", "loss", nan=True),
        Column("good", "bool", "good"),
        Column("matrix", "float64", "matrix", shape=("rows", "columns")),
    ),
    key=("seed",),
)


def good() -> dict:
    return {
        "seed": [0, 1],
        "kind": ["a", "b"],
        "value": [1.5, 2.0],
        "loss": [np.nan, 0.1],
        "good": [True, False],
        "matrix": np.arange(12.0).reshape(2, 2, 3),
    }


def write(path, data=None, schema=SCHEMA, **changes):
    columns = {**(data or good()), **changes}
    tables.write(path, columns, schema, settings={"steps": 3}, seeds=[0, 1])


def test_what_is_written_is_read_back(tmp_path):
    write(tmp_path / "t.parquet")
    table = tables.read(tmp_path / "t.parquet", SCHEMA)
    assert table.frame["kind"].tolist() == ["a", "b"]
    assert np.isnan(table.frame["loss"][0])
    assert table.frame["good"].dtype == bool
    np.testing.assert_array_equal(table.arrays["matrix"], good()["matrix"])
    assert table.settings == {"steps": 3}
    assert table.seeds == [0, 1]


def test_metadata_say_settings_seeds_versions_units_and_nothing_of_the_run(tmp_path):
    write(tmp_path / "t.parquet")
    metadata = pq.read_schema(tmp_path / "t.parquet").metadata
    assert set(metadata) == {b"attnrank"}
    meta = json.loads(metadata[b"attnrank"])
    assert set(meta) == {"schema", "version", "rule", "settings", "seeds", "versions", "columns"}
    assert meta["columns"]["value"]["unit"] == "s"
    assert meta["columns"]["matrix"]["shape"] == [2, 3]
    assert set(meta["versions"]) >= {"attnrank", "numpy", "torch"}


def test_a_package_that_is_not_installed_is_said_so(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "VERSIONED", ("numpy", "no-such-package"))
    write(tmp_path / "t.parquet")
    meta = json.loads(pq.read_schema(tmp_path / "t.parquet").metadata[b"attnrank"])
    assert meta["versions"]["no-such-package"] == "not installed"


def test_equal_contents_give_equal_bytes(tmp_path):
    for name in ("a", "b"):
        write(tmp_path / f"{name}.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": [0, 0]}, "seed"),
        ({"seed": [-1, 0]}, "greater_than_or_equal_to(0)"),
        ({"seed": [0.5, 1]}, "seed"),
        ({"kind": ["a", "c"]}, "kind"),
        ({"value": [1.0, np.nan]}, "value"),
        ({"value": [1.0, np.inf]}, "value"),
        ({"matrix": np.zeros((2, 6))}, "(rows, rows, columns)"),
        ({"matrix": np.zeros((3, 2, 3))}, "matrix"),
        ({"matrix": np.zeros((2, 2, 3), dtype=np.float32)}, "float32"),
        ({"matrix": np.full((2, 2, 3), np.nan)}, "not finite"),
        ({"extra": [1, 2]}, "extra"),
    ],
)
def test_data_that_do_not_fit_are_refused_and_nothing_is_written(tmp_path, change, named):
    with pytest.raises(AttnrankError, match="demo") as error:
        write(tmp_path / "t.parquet", **change)
    assert named in str(error.value)
    assert list(tmp_path.iterdir()) == []


def damaged(path):
    write(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def flipped(path):
    write(path)
    whole = bytearray(path.read_bytes())
    whole[40] ^= 0xFF
    path.write_bytes(whole)


def foreign(path):
    pq.write_table(pa.table({"seed": [1]}), path)


def text(path):
    path.write_text("no table\n")


def older(path):
    write(path, schema=Schema("demo", 1, "demo_rule", SCHEMA.columns, ("seed",)))


def other(path):
    write(path, schema=Schema("other", 2, "demo_rule", SCHEMA.columns, ("seed",)))


def absent(path):
    pass


@pytest.mark.parametrize("spoil", [damaged, flipped, foreign, text, older, other, absent])
def test_reading_what_is_not_the_table_names_the_file_and_its_rule(tmp_path, spoil):
    path = tmp_path / "t.parquet"
    spoil(path)
    with pytest.raises(AttnrankError) as error:
        tables.read(path, SCHEMA)
    assert str(path) in str(error.value)
    assert "rule demo_rule" in str(error.value)
    assert f"snakemake {path}" in str(error.value)


def test_an_interrupted_write_leaves_the_old_file_and_no_rest(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("old")

    def killed():
        with atomic(path) as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        killed()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_process_left_is_removed(tmp_path):
    path = tmp_path / "t.txt"
    code = (
        "import os, sys; from attnrank.files import atomic\n"
        "with atomic(sys.argv[1]) as temporary:\n"
        "    temporary.write_text('half')\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert len(list(tmp_path.iterdir())) == 1
    with atomic(path) as temporary:
        temporary.write_text("whole")
    assert list(tmp_path.iterdir()) == [path]
