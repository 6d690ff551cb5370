"""Verify a certificate as it is stored: suite, ratios and proofs, each a Parquet file."""

from pathlib import Path

import pandas as pd

from attnrank import tables
from attnrank.minip import verify
from attnrank.minip.witness import inputs, schemas


def certificate(suite: pd.DataFrame, ratios: pd.DataFrame, proofs: pd.DataFrame) -> pd.DataFrame:
    """Verify in exact fractions, and return what is certified: one row for each eps.

    Args:
        suite: a table of `schemas.SUITE`. Key i of the first keys belongs to query i.
        ratios: a table of `schemas.RATIOS`.
        proofs: a table of `schemas.PROOFS`.

    Raises:
        AttnrankError: at the first thing that does not hold.
    """
    suite = suite.sort_values("sequence")
    queries = inputs.queries(suite)
    results = verify.verify(
        sequences=suite[["token_1", "token_2", "token_3"]].to_numpy().tolist(),
        targets=suite["target"].tolist(),
        queries=queries,
        keys=inputs.keys(suite)[: len(queries)],
        claims=[verify.Claim(*row) for row in ratios.itertuples(index=False)],
        weights=[verify.Weight(*row) for row in proofs.itertuples(index=False)],
    )
    return pd.DataFrame(
        {
            "eps": [str(result.eps) for result in results],
            "error": [float(result.eps) for result in results],
            "ratio": [str(result.ratio) for result in results],
            "pairs": [result.pairs for result in results],
            "sequences": [result.sequences for result in results],
            "dominance": [result.dominance for result in results],
            "trace": [result.trace for result in results],
            "sign_split": [result.sign_split for result in results],
            "rank": [result.rank for result in results],
        }
    )


def from_files(suite: str | Path, ratios: str | Path, proofs: str | Path) -> pd.DataFrame:
    """Read the three files and verify them; raises AttnrankError as `certificate` and `read` do."""
    return certificate(
        tables.read(suite, schemas.SUITE).frame,
        tables.read(ratios, schemas.RATIOS).frame,
        tables.read(proofs, schemas.PROOFS).frame,
    )
