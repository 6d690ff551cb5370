"""Read a suite that a user brings; a malformed one gives an error that names the row."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from attnrank.errors import AttnrankError
from attnrank.minip.certify import QueryPosition
from attnrank.minip.duals import Ints

_FORMS = (
    "a column 'tokens' with one list per sequence, each token a text of 0 and 1 such as '0110' or "
    "a list of Booleans, or text columns token_1, token_2, ... with one token each"
)


@dataclass(frozen=True)
class Suite:
    """S sequences over T distinct tokens of m bits; all lengths may differ.

    Attributes:
        words: the distinct tokens as texts of 0 and 1, T of them.
        tokens: tokens of every sequence, one sequence after the other, (sum of lengths,).
        lengths: tokens in each sequence, (S,).
    """

    words: list[str]
    tokens: Ints
    lengths: Ints

    def bits(self) -> NDArray[np.uint8]:
        """Return the bits of the distinct tokens, (T, m)."""
        flat = np.frombuffer("".join(self.words).encode(), dtype=np.uint8)
        return (flat - ord("0")).reshape(len(self.words), -1)

    def sequences(self) -> list[list[str]]:
        """Return every sequence as a list of words, which sequences share."""
        words = [self.words[token] for token in self.tokens.tolist()]
        ends = np.cumsum(self.lengths).tolist()
        starts = [0, *ends[:-1]]
        return [words[start:end] for start, end in zip(starts, ends, strict=True)]

    def asked(self, query: QueryPosition) -> Ints:
        """Return the query of every sequence, its first or its last token, (S,)."""
        ends = np.cumsum(self.lengths)
        asked: Ints = self.tokens[ends - self.lengths if query == "first" else ends - 1]
        return asked

    def targets(self, query: QueryPosition) -> Ints:
        """Return min_j <x, x_j>, the target of the query x, over all positions, (S,)."""
        packed = np.packbits(self.bits(), axis=1)
        met = packed[np.repeat(self.asked(query), self.lengths)] & packed[self.tokens]
        overlaps = np.bitwise_count(met).sum(axis=1, dtype=np.int64)
        targets: Ints = np.minimum.reduceat(overlaps, np.cumsum(self.lengths) - self.lengths)
        return targets


def load(path: str | Path, query: QueryPosition = "first") -> Suite:
    """Read a suite.

    Args:
        path: a Parquet file with one sequence per row: a column ``tokens`` (a list per row; each
            token a text of 0 and 1 or a list of Booleans), or text columns token_1, token_2, ...
            All tokens have the same number of bits; sequences may have any length from 1. A column
            ``target`` is optional and is checked against the bits. Other columns are ignored.
        query: whether a sequence's query is its first or its last token, for the targets.

    Raises:
        AttnrankError: what is wrong, and in which row; rows are counted from 0.
    """
    path = Path(path)
    if not path.is_file():
        raise AttnrankError(f"{path}: no such file. A suite is a Parquet file with {_FORMS}.")
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise AttnrankError(f"{path}: damaged, or not a Parquet file ({error})") from None
    if not len(table):
        raise AttnrankError(f"{path}: has no row; a suite needs at least one sequence")
    words, tokens, lengths = _columns(path, table)
    suite = Suite(words, tokens, lengths)
    if "target" in table.column_names:
        _check_targets(path, table.column("target").to_pylist(), suite.targets(query))
    return suite


def _columns(path: Path, table: pa.Table) -> tuple[list[str], Ints, Ints]:
    names = table.column_names
    if "tokens" in names:
        column = table.column("tokens").combine_chunks()
        if not _is_list(column.type):
            raise AttnrankError(
                f"{path}: column 'tokens' is of type {column.type}; wanted {_FORMS}"
            )
        _refuse(path, column.is_null(), "has no sequence (null)")
        lengths = pc.list_value_length(column).to_numpy(zero_copy_only=False).astype(np.int64)
        _refuse(path, lengths == 0, "has no token; a sequence needs its query at least")
        flat = column.flatten()
    else:
        named = {name for name in names if re.fullmatch(r"token_\d+", name)}
        wanted = [f"token_{k + 1}" for k in range(len(named))]
        if not wanted or set(wanted) != named:
            raise AttnrankError(f"{path}: has the columns {names}; wanted {_FORMS}")
        parts = [table.column(name).combine_chunks() for name in wanted]
        if len({part.type for part in parts}) > 1:
            raise AttnrankError(f"{path}: the columns {', '.join(wanted)} differ in type")
        lengths = np.full(len(table), len(parts), dtype=np.int64)
        order = np.arange(len(table) * len(parts)).reshape(len(parts), -1).T.ravel()
        flat = pa.concat_arrays(parts).take(pa.array(order))
    places = _Places(path, lengths)
    if pa.types.is_dictionary(flat.type):
        flat = flat.dictionary_decode()
    places.refuse(flat.is_null(), "is null")
    if pa.types.is_string(flat.type) or pa.types.is_large_string(flat.type):
        words, tokens = _texts(places, flat)
    elif _is_list(flat.type):
        words, tokens = _lists(places, flat)
    else:
        raise AttnrankError(f"{path}: its tokens are of type {flat.type}; wanted {_FORMS}")
    return words, tokens, lengths


class _Places:
    """Where a token of the flat list stands, for messages."""

    def __init__(self, path: Path, lengths: Ints) -> None:
        self.path, self.ends, self.lengths = path, np.cumsum(lengths), lengths

    def refuse(self, wrong: Any, what: str) -> None:
        """Refuse the first token for which ``wrong`` is true."""
        found = np.flatnonzero(np.asarray(wrong))
        if len(found):
            self.fail(int(found[0]), what)

    def fail(self, token: int, what: str) -> None:
        row = int(np.searchsorted(self.ends, token, side="right"))
        place = token - int(self.ends[row] - self.lengths[row]) + 1
        raise AttnrankError(f"{self.path}: row {row} (counted from 0), token {place} {what}")


def _refuse(path: Path, wrong: Any, what: str) -> None:
    found = np.flatnonzero(np.asarray(wrong))
    if len(found):
        raise AttnrankError(f"{path}: row {int(found[0])} (counted from 0) {what}")


def _is_list(kind: pa.DataType) -> bool:
    return (
        pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    )


def _texts(places: _Places, flat: pa.Array) -> tuple[list[str], Ints]:
    """Return the distinct words of text tokens, and each token's number."""
    encoded = flat.dictionary_encode()
    words: list[str] = encoded.dictionary.to_pylist()
    tokens: Ints = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    first = np.unique(tokens, return_index=True)[1]
    width = len(words[0])
    for word, place in sorted(zip(words, first.tolist(), strict=True), key=lambda pair: pair[1]):
        if not word or not set(word) <= {"0", "1"}:
            places.fail(place, f"is {word!r}; a token is a text of 0 and 1")
        if len(word) != width:
            places.fail(place, f"has {len(word)} bits, the first token of the suite has {width}")
    return words, tokens


def _lists(places: _Places, flat: pa.Array) -> tuple[list[str], Ints]:
    """The same for tokens that are lists of bits."""
    widths = pc.list_value_length(flat).to_numpy(zero_copy_only=False)
    width = int(widths[0])
    places.refuse(widths == 0, "has no bit")
    wrong = np.flatnonzero(widths != width)
    if len(wrong):
        place = int(wrong[0])
        places.fail(place, f"has {widths[place]} bits, the first token of the suite has {width}")
    values = flat.flatten()
    missing = np.flatnonzero(np.asarray(values.is_null()))
    if len(missing):
        places.fail(int(missing[0]) // width, f"has no value at bit {missing[0] % width + 1}")
    if not (pa.types.is_boolean(values.type) or pa.types.is_integer(values.type)):
        raise AttnrankError(f"{places.path}: its bits are of type {values.type}; wanted {_FORMS}")
    bits = values.to_numpy(zero_copy_only=False)
    other = np.flatnonzero((bits != 0) & (bits != 1))
    if len(other):
        place, bit = divmod(int(other[0]), width)
        places.fail(place, f"has {bits[other[0]]} at bit {bit + 1}; a bit is 0 or 1")
    rows = bits.astype(np.uint8).reshape(-1, width)
    distinct, tokens = np.unique(np.packbits(rows, axis=1), axis=0, return_inverse=True)
    unpacked = np.unpackbits(distinct, axis=1, count=width) + ord("0")
    return [row.tobytes().decode() for row in unpacked], tokens.ravel().astype(np.int64)


def _check_targets(path: Path, stored: list[Any], true: Ints) -> None:
    for row, (value, wanted) in enumerate(zip(stored, true.tolist(), strict=True)):
        if value != wanted:
            raise AttnrankError(
                f"{path}: row {row} (counted from 0): its target is {value}, its bits give {wanted}"
            )
