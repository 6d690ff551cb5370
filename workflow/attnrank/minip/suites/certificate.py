"""Certify a suite from a file, and verify the stored certificate from scratch."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attnrank import tables
from attnrank.errors import AttnrankError
from attnrank.minip import verify
from attnrank.minip.certify import QueryPosition, systems
from attnrank.minip.duals import System
from attnrank.minip.suites import choose, read, schemas
from attnrank.tables import Schema

_FILES = {
    "matrix": schemas.MATRIX,
    "ratios": schemas.RATIOS,
    "proofs": schemas.PROOFS,
    "certificate": schemas.CERTIFICATE,
}


def certify(
    path: str | Path,
    folder: str | Path,
    *,
    eps: str = "1/2",
    queries: int = 32,
    query: QueryPosition = "first",
    positional: bool = False,
) -> pd.DataFrame:
    """Certify a suite: write matrix, ratios, proofs, and after verification the certificate.

    Args:
        path: the suite, as `read.load` reads it.
        folder: where to write matrix.parquet, ratios.parquet, proofs.parquet, certificate.parquet.
        eps: the error as a fraction. A head that is exact after rounding has an error below 1/2.
        queries: most queries in the matrix, so the greatest rank that can be certified.
        query: whether a sequence's query is its first or its last token.
        positional: whether the bound is to hold for token maps that depend on the position too;
            all sequences must then have the same length.

    Returns:
        A table of `schemas.CERTIFICATE` with one row.

    Raises:
        AttnrankError: the suite is malformed, or an argument wrong.
    """
    error = _error(eps)
    if queries < 1:
        raise AttnrankError(f"queries = {queries}: must be at least 1")
    suite = read.load(path, query)
    if positional:
        different = np.flatnonzero(suite.lengths != suite.lengths[0])
        if len(different):
            raise AttnrankError(
                f"{path}: row {different[0]} (counted from 0) has {suite.lengths[different[0]]} "
                f"tokens, row 0 has {suite.lengths[0]}: maps that depend on the position need "
                "sequences of one length"
            )
    choice = _choose(suite, error, queries, query, positional)
    names = [suite.words[token] for token in choice.queries]
    keys = [suite.words[token] for token in choice.keys]
    proofs = sorted(choice.proofs.items())
    rows: dict[str, list[tuple[Any, ...]]] = {
        "matrix": list(zip(range(len(names)), names, keys, strict=True)),
        "ratios": [(str(error), i, j, str(ratio)) for (i, j), (ratio, _) in proofs],
        "proofs": [
            (str(error), i, j, sequence, side, str(multiplier))
            for (i, j), (_, multipliers) in proofs
            for (sequence, side), multiplier in sorted(multipliers.items())
        ],
    }
    settings = {"eps": str(error), "queries": queries, "query": query, "positional": positional}
    for name, values in rows.items():
        _write(Path(folder, f"{name}.parquet"), values, _FILES[name], settings)
    certificate = _verified(suite, folder, settings)
    _write(
        Path(folder, "certificate.parquet"),
        list(certificate.itertuples(index=False, name=None)),
        schemas.CERTIFICATE,
        settings,
    )
    return certificate


def verify_stored(path: str | Path, folder: str | Path) -> pd.DataFrame:
    """Verify a stored certificate of a suite in exact fractions; trusts nothing but the suite.

    Raises:
        AttnrankError: at the first thing that does not hold.
    """
    stored = tables.read(Path(folder, "certificate.parquet"), schemas.CERTIFICATE)
    suite = read.load(path, stored.settings["query"])
    certificate = _verified(suite, folder, stored.settings)
    if certificate.to_dict("records") != stored.frame.to_dict("records"):
        raise AttnrankError(
            f"{folder}: certificate.parquet says {stored.frame.to_dict('records')}, its proofs "
            f"give {certificate.to_dict('records')}"
        )
    return certificate


def sentence(certificate: pd.DataFrame) -> str:
    """Say in one line what a certificate of one row says."""
    (row,) = certificate.itertuples()
    maps = "token maps that may depend on the position" if row.positional else "token maps"
    return (
        f"verified: error <= {row.eps} needs {row.rank} features or more "
        f"(Lambda = {row.ratio}, {row.queries} queries, {row.sequences} sequences, "
        f"query {row.query}, {maps}; dominance {row.dominance}, trace {row.trace}, "
        f"sign split {row.sign_split})"
    )


def _error(text: str) -> Fraction:
    try:
        error = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise AttnrankError(f"eps = {text!r}: must be a fraction such as 1/2") from None
    if error <= 0:
        raise AttnrankError(f"eps = {text}: the error must be positive")
    return error


def _choose(
    suite: read.Suite, eps: Fraction, largest: int, query: QueryPosition, positional: bool
) -> choose.Choice:
    targets = suite.targets(query)
    found = systems(suite.tokens, suite.lengths, targets, query=query, positional=positional)
    slot = (0 if query == "first" else int(suite.lengths[0]) - 1) if positional else None
    pool = choose.candidates(suite.bits(), found, query_slot=slot, positional=positional)

    def positive(token: int, keys: list[int]) -> bool:
        return _positive(found[token], token, keys, slot, eps)

    return choose.best(pool, found, eps, largest=largest, query_slot=slot, positive=positive)


def _positive(system: System, token: int, keys: list[int], slot: int | None, eps: Fraction) -> bool:
    """Say whether two inputs made of a query and the keys alone have targets over 2 eps apart."""
    inside = np.isin(system.columns[:, 1], keys)
    if slot is None:
        inside |= system.columns[:, 1] == token
    else:
        inside |= system.columns[:, 0] == slot
    lengths = system.counts.sum(axis=1)
    seen = system.targets[system.counts @ inside.astype(np.int64) == lengths]
    return len(seen) > 0 and int(seen.max() - seen.min()) > 2 * eps


def _verified(suite: read.Suite, folder: str | Path, settings: dict[str, Any]) -> pd.DataFrame:
    """Read the stored proofs, verify them and return the certificate."""
    stored = {
        name: tables.read(Path(folder, f"{name}.parquet"), _FILES[name]).frame
        for name in ("matrix", "ratios", "proofs")
    }
    sequences = suite.sequences()
    result = {
        "eps": settings["eps"],
        "rank": 1,
        "ratio": "0",
        "dominance": 1,
        "trace": 1,
        "sign_split": 1,
        "queries": len(stored["matrix"]),
        "sequences": len({tuple(tokens) for tokens in sequences}),
        "query": settings["query"],
        "positional": settings["positional"],
    }
    # Without a pair nothing but the trivial bound is claimed: a head has a feature.
    if len(stored["ratios"]):
        matrix = stored["matrix"].sort_values("number")
        (checked,) = verify.verify(
            sequences=sequences,
            targets=suite.targets(settings["query"]).tolist(),
            queries=matrix["query"].tolist(),
            keys=matrix["key"].tolist(),
            claims=[verify.Claim(*row) for row in stored["ratios"].itertuples(index=False)],
            weights=[verify.Weight(*row) for row in stored["proofs"].itertuples(index=False)],
            query=settings["query"],
            positional=settings["positional"],
        )
        for name in ("rank", "dominance", "trace", "sign_split"):
            result[name] = getattr(checked, name)
        result |= {"eps": str(checked.eps), "ratio": str(checked.ratio)}
    return pd.DataFrame([result])


def _write(
    path: Path, rows: list[tuple[Any, ...]], schema: Schema, settings: dict[str, Any]
) -> None:
    # The type is said, as a table without rows has none to infer.
    types = {"int64": "int64", "string": "str", "bool": "bool"}
    data = {
        column.name: pd.Series([row[k] for row in rows], dtype=types[column.type])
        for k, column in enumerate(schema.columns)
    }
    tables.write(path, data, schema, settings=settings, seeds=[])
