"""The suite as arrays, read back from its table of words."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray


@dataclass(frozen=True)
class Inputs:
    """S inputs over T distinct tokens of m bits.

    Attributes:
        tokens: bits, shape (T, m).
        sequences: tokens of each input, query first, shape (S, 3).
        targets: shape (S,).
        query_token: token of query i, shape (queries,).
        key_token: token of key j, shape (keys,).
    """

    tokens: NDArray[np.uint8]
    sequences: NDArray[np.int64]
    targets: NDArray[np.int64]
    query_token: NDArray[np.int64]
    key_token: NDArray[np.int64]


def queries(suite: pd.DataFrame) -> list[str]:
    """Return the words of the queries, by number."""
    return suite.groupby("query")["token_1"].first().tolist()


def keys(suite: pd.DataFrame) -> list[str]:
    """Return the words of the keys, by number: those that the suite doubles."""
    return suite[suite["kind"] == "double"].groupby("key")["token_2"].first().tolist()


def arrays(suite: pd.DataFrame) -> Inputs:
    """Return a table of `schemas.SUITE` as arrays."""
    words = suite[["token_1", "token_2", "token_3"]].to_numpy(dtype=str)
    distinct, places = np.unique(words, return_inverse=True)
    number = {word: place for place, word in enumerate(distinct)}
    return Inputs(
        tokens=np.array([[int(bit) for bit in word] for word in distinct], dtype=np.uint8),
        sequences=places.reshape(words.shape),
        targets=suite["target"].to_numpy(),
        query_token=np.array([number[word] for word in queries(suite)]),
        key_token=np.array([number[word] for word in keys(suite)]),
    )
