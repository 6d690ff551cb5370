"""Parquet tables with declared schemas, checked when written and when read.

A table has scalar columns and array columns. An array column holds one array of the same shape in
each row, stored as a fixed-size list in row-major order with its shape in the metadata.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pandera.pandas as pa_check
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from attnrank.errors import AttnrankError
from attnrank.files import atomic

Type = Literal["bool", "int64", "float64", "string"]
VERSIONED = ("attnrank", "numpy", "scipy", "torch", "pandas", "pyarrow")


@dataclass(frozen=True)
class Column:
    """One declared column.

    Attributes:
        name: the column's name.
        type: the type of a cell, or of an array's entries.
        meaning: what it says, in a few words.
        unit: "1" for a plain number.
        shape: names of an array's axes, such as ("tokens", "width"); empty for a scalar.
        low: least allowed value.
        high: greatest allowed value.
        allowed: the allowed values of a string.
        nan: whether NaN may stand here; it marks a diverged run or what does not apply.
    """

    name: str
    type: Type
    meaning: str
    unit: str = "1"
    shape: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    allowed: tuple[str, ...] | None = None
    nan: bool = False


@dataclass(frozen=True)
class Schema:
    """The declared columns of one kind of table, and the rule that makes it."""

    name: str
    version: int
    rule: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    def __getitem__(self, name: str) -> Column:
        """Return the column of that name."""
        return next(column for column in self.columns if column.name == name)


@dataclass(frozen=True)
class Table:
    """What a file holds: scalar columns, array columns (rows, *shape), and its metadata."""

    frame: pd.DataFrame
    arrays: dict[str, NDArray[Any]]
    settings: dict[str, Any]
    seeds: list[int]


def write(
    path: str | Path,
    data: Mapping[str, Any] | pd.DataFrame,
    schema: Schema,
    *,
    settings: Mapping[str, Any],
    seeds: Sequence[int],
) -> None:
    """Check ``data`` against the schema and write it, whole or not at all.

    Args:
        path: the file to write.
        data: from each column's name to its cells: shape (rows,), or (rows, *shape) for arrays.
        schema: the declared columns; any other name, type or value is refused.
        settings: the settings that made the table, kept in its metadata.
        seeds: the seeds in it, likewise.

    Raises:
        AttnrankError: the data do not fit the schema.
    """
    names = [column.name for column in schema.columns]
    if set(data) != set(names):
        raise AttnrankError(
            f"{path}: table '{schema.name}' must have the columns {names}, "
            f"got {sorted(map(str, data))}"
        )
    scalars = {c.name: data[c.name] for c in schema.columns if not c.shape}
    frame = pd.DataFrame(scalars)
    arrays = {c.name: np.ascontiguousarray(data[c.name]) for c in schema.columns if c.shape}
    _check(path, frame, arrays, schema)
    meta = {
        "schema": schema.name,
        "version": schema.version,
        "rule": schema.rule,
        "settings": dict(settings),
        "seeds": list(seeds),
        "versions": {name: _installed(name) for name in VERSIONED},
        "columns": {
            c.name: {
                "type": c.type,
                "unit": c.unit,
                "meaning": c.meaning,
                "axes": list(c.shape),
                "shape": list(arrays[c.name].shape[1:]) if c.shape else [],
            }
            for c in schema.columns
        },
    }
    fields, cells = [], []
    for column in schema.columns:
        if column.shape:
            size = int(np.prod(arrays[column.name].shape[1:]))
            flat = pa.array(arrays[column.name].reshape(-1), type=_arrow(column.type))
            cells.append(pa.FixedSizeListArray.from_arrays(flat, size))
        else:
            # NaN is a value here (diverged), not a missing one.
            cells.append(pa.array(frame[column.name].to_numpy(), type=_arrow(column.type)))
        fields.append(pa.field(column.name, cells[-1].type, nullable=False))
    text = json.dumps(meta, sort_keys=True)
    table = pa.Table.from_arrays(cells, schema=pa.schema(fields, metadata={"attnrank": text}))
    with atomic(path) as temporary:
        pq.write_table(table, temporary, compression="zstd", write_page_checksum=True)


def read(path: str | Path, schema: Schema) -> Table:
    """Read a table and check it against its schema.

    Raises:
        AttnrankError: the file is missing, truncated, not of this project, of another schema or
            version, or holds what the schema refuses. The message names the rule that makes it.
    """
    path = Path(path)
    remedy = f"Remove it and make it again: snakemake {path} (rule {schema.rule})"
    if not path.exists():
        raise AttnrankError(f"{path}: no such file. Make it: snakemake {path} (rule {schema.rule})")
    try:
        table = pq.read_table(path, page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        raise AttnrankError(
            f"{path}: truncated, damaged, or not a Parquet file. {remedy}"
        ) from error
    text = (table.schema.metadata or {}).get(b"attnrank")
    if text is None:
        raise AttnrankError(f"{path}: a Parquet file, but not one of attnrank. {remedy}")
    meta = json.loads(text)
    found, wanted = (meta["schema"], meta["version"]), (schema.name, schema.version)
    if found != wanted:
        raise AttnrankError(
            f"{path}: holds table '{found[0]}' version {found[1]}, "
            f"expected '{wanted[0]}' version {wanted[1]}. {remedy}"
        )
    if table.column_names != [column.name for column in schema.columns]:
        raise AttnrankError(
            f"{path}: has the columns {table.column_names}, "
            f"expected {[column.name for column in schema.columns]}. {remedy}"
        )
    scalars, arrays = {}, {}
    for column in schema.columns:
        chunk = table.column(column.name).combine_chunks()
        if column.shape:
            shape = meta["columns"][column.name]["shape"]
            flat = chunk.flatten().to_numpy(zero_copy_only=False)
            arrays[column.name] = flat.reshape(len(table), *shape)
        else:
            # The type is said, as a table without rows has none to infer.
            kind = "str" if column.type == "string" else None
            scalars[column.name] = pd.Series(chunk.to_numpy(zero_copy_only=False), dtype=kind)
    frame = pd.DataFrame(scalars)
    _check(path, frame, arrays, schema, remedy)
    return Table(frame, arrays, meta["settings"], meta["seeds"])


def read_all(paths: Sequence[str | Path], schema: Schema) -> Table:
    """Read several tables of one schema as one; settings and seeds are those of the first.

    Raises:
        AttnrankError: as `read`.
    """
    parts = [read(path, schema) for path in paths]
    arrays = {
        name: np.concatenate([part.arrays[name] for part in parts]) for name in parts[0].arrays
    }
    frame = pd.concat([part.frame for part in parts], ignore_index=True)
    return Table(frame, arrays, parts[0].settings, parts[0].seeds)


def _installed(name: str) -> str:
    """Return a version; the conda environment for analysis has no torch, nor this library."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _arrow(name: Type) -> pa.DataType:
    types = {
        "bool": pa.bool_(),
        "int64": pa.int64(),
        "float64": pa.float64(),
        "string": pa.string(),
    }
    return types[name]


def _check(
    path: str | Path,
    frame: pd.DataFrame,
    arrays: Mapping[str, NDArray[Any]],
    schema: Schema,
    remedy: str = "",
) -> None:
    """Check types, ranges, shapes and the key; one message for all that is wrong."""
    wrong = []
    try:
        _checks(schema).validate(frame, lazy=True)
    except pa_check.errors.SchemaErrors as error:
        cases = error.failure_cases.drop_duplicates(["column", "check"]).head(5)
        wrong += [
            f"column '{c.column}' fails {c.check}: {c.failure_case!r}" for c in cases.itertuples()
        ]
    for column in schema.columns:
        if not column.shape:
            continue
        array = arrays[column.name]
        if len(array) != len(frame) or array.ndim != 1 + len(column.shape):
            axes = ", ".join(("rows", *column.shape))
            wrong.append(f"column '{column.name}' needs shape ({axes}), got {array.shape}")
        elif str(array.dtype) != column.type:
            wrong.append(f"column '{column.name}' needs type {column.type}, got {array.dtype}")
        elif column.type == "float64" and not column.nan and not np.isfinite(array).all():
            wrong.append(f"column '{column.name}' has a value that is not finite")
    if wrong:
        message = f"{path}: table '{schema.name}': " + "; ".join(wrong)
        raise AttnrankError(f"{message}. {remedy}" if remedy else message)


def _checks(schema: Schema) -> pa_check.DataFrameSchema:
    """Return the pandera schema of the scalar columns."""
    columns = {}
    for column in schema.columns:
        if column.shape:
            continue
        checks = []
        if column.low is not None:
            checks.append(pa_check.Check.ge(column.low))
        if column.high is not None:
            checks.append(pa_check.Check.le(column.high))
        if column.allowed is not None:
            checks.append(pa_check.Check.isin(column.allowed))
        if column.type == "float64" and not column.nan:
            checks.append(pa_check.Check(np.isfinite, error="finite"))
        columns[column.name] = pa_check.Column(
            str if column.type == "string" else column.type, checks, nullable=column.nan
        )
    return pa_check.DataFrameSchema(columns, strict=True, unique=list(schema.key) or None)
