"""A suite that a user brings: what is read, what is refused, what is certified."""

from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnrank import tables
from attnrank.__main__ import main
from attnrank.errors import AttnrankError
from attnrank.minip.suites import certificate, read, schemas
from attnrank.minip.witness.data import build_suite

SMALL = build_suite(queries=3, keys=3, order=8)
WORDS = ["".join(map(str, bits)) for bits in SMALL.tokens.tolist()]
SEQUENCES = [[WORDS[token] for token in row] for row in SMALL.sequences.tolist()]


def stored(folder, sequences=SEQUENCES, kind=None, **columns):
    path = folder / "suite.parquet"
    kind = kind or pa.list_(pa.string())
    pq.write_table(pa.table({"tokens": pa.array(sequences, type=kind), **columns}), path)
    return path


def bits_of(sequences):
    return [[[bit == "1" for bit in word] for word in row] for row in sequences]


def same(a: read.Suite, b: read.Suite) -> bool:
    return a.sequences() == b.sequences()


def test_every_form_says_the_same(tmp_path):
    wanted = read.load(stored(tmp_path))
    for kind in (
        pa.list_(pa.list_(pa.bool_())),
        pa.large_list(pa.list_(pa.bool_(), 8)),
        pa.list_(pa.list_(pa.bool_()), 3),
    ):
        assert same(read.load(stored(tmp_path, bits_of(SEQUENCES), kind)), wanted)
    numbers = [[[int(bit) for bit in word] for word in row] for row in SEQUENCES]
    assert same(read.load(stored(tmp_path, numbers, pa.list_(pa.list_(pa.int8())))), wanted)
    frame = pd.DataFrame(SEQUENCES, columns=["token_1", "token_2", "token_3"])
    frame.assign(target=SMALL.targets, note="x").to_parquet(tmp_path / "columns.parquet")
    assert same(read.load(tmp_path / "columns.parquet"), wanted)
    assert wanted.targets("first").tolist() == SMALL.targets.tolist()


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 70), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_any_length_and_width(tmp_path_factory, width, rows, seed):
    rng = np.random.default_rng(seed)
    sequences = [
        ["".join(map(str, rng.integers(0, 2, width))) for _ in range(rng.integers(1, 5))]
        for _ in range(rows)
    ]
    suite = read.load(stored(tmp_path_factory.mktemp("suite"), sequences))
    assert suite.sequences() == sequences
    for query, place in (("first", 0), ("last", -1)):
        slow = [
            min(sum(a == b == "1" for a, b in zip(row[place], word, strict=True)) for word in row)
            for row in sequences
        ]
        assert suite.targets(query).tolist() == slow


GOOD = [["01", "11"], ["10"]]
TEXT, BOOLS = pa.list_(pa.string()), pa.list_(pa.list_(pa.bool_()))
INTS = pa.list_(pa.list_(pa.int64()))


@pytest.mark.parametrize(
    ("sequences", "kind", "said"),
    [
        ([*GOOD, ["01", "0x"]], TEXT, r"row 2 \(counted from 0\), token 2 is '0x'"),
        ([*GOOD, ["01", "011"]], TEXT, "row 2 .*, token 2 has 3 bits, the first .* has 2"),
        ([*GOOD, ["01", ""]], TEXT, "row 2 .*, token 2 is ''"),
        ([*GOOD, ["01", None]], TEXT, "row 2 .*, token 2 is null"),
        ([*GOOD, None], TEXT, "row 2 .* has no sequence"),
        ([*GOOD, []], TEXT, "row 2 .* has no token"),
        ([[[True, False]], [[True]]], BOOLS, "row 1 .*, token 1 has 1 bits, the first .* has 2"),
        ([[[True, False]], [[True, None]]], BOOLS, "row 1 .*, token 1 has no value at bit 2"),
        ([[[True]], [[True], None]], BOOLS, "row 1 .*, token 2 is null"),
        ([[[0, 1]], [[1, 1], [0, 2]]], INTS, "row 1 .*, token 2 has 2 at bit 2"),
        ([[[1.0]]], pa.list_(pa.list_(pa.float64())), "bits are of type double"),
        ([[1, 2]], pa.list_(pa.int64()), "tokens are of type int64"),
        (["01"], pa.string(), "column 'tokens' is of type string"),
        ([], TEXT, "has no row"),
    ],
)
def test_a_malformed_suite_names_the_row(tmp_path, sequences, kind, said):
    with pytest.raises(AttnrankError, match=said):
        read.load(stored(tmp_path, sequences, kind))


def test_other_files_are_refused(tmp_path):
    with pytest.raises(AttnrankError, match="no such file"):
        read.load(tmp_path / "none.parquet")
    (tmp_path / "text.parquet").write_text("tokens")
    with pytest.raises(AttnrankError, match="not a Parquet file"):
        read.load(tmp_path / "text.parquet")
    pd.DataFrame({"word": ["01"]}).to_parquet(tmp_path / "other.parquet")
    with pytest.raises(AttnrankError, match=r"has the columns \['word'\]; wanted"):
        read.load(tmp_path / "other.parquet")
    pd.DataFrame({"token_1": ["01"], "token_3": ["01"]}).to_parquet(tmp_path / "gap.parquet")
    with pytest.raises(AttnrankError, match="wanted"):
        read.load(tmp_path / "gap.parquet")


def test_a_wrong_target_names_the_row(tmp_path):
    targets = [1, 0]
    path = stored(tmp_path, GOOD, TEXT, target=pa.array(targets))
    with pytest.raises(AttnrankError, match=r"row 1 .*: its target is 0, its bits give 1"):
        read.load(path)


def test_the_witness_suite_is_certified_from_its_file(tmp_path, capsys):
    suite = build_suite()
    words = ["".join(map(str, bits)) for bits in suite.tokens.tolist()]
    path = stored(tmp_path, [[words[token] for token in row] for row in suite.sequences.tolist()])
    folder = tmp_path / "out"
    assert main(["certify", str(path), str(folder)]) == 0
    assert "error <= 1/2 needs 8 features or more (Lambda = 5, 8 queries" in capsys.readouterr().out
    assert main(["verify", "--suite", str(path), "--certificate", str(folder)]) == 0
    assert "needs 8 features" in capsys.readouterr().out


def test_the_cube_has_the_bound_of_its_code(tmp_path):
    cube = ["".join(bits) for bits in product("01", repeat=6)]
    pairs = list(combinations_with_replacement(cube, 2))
    sequences = [[x, a, b] for x in cube if x.count("1") == 3 for a, b in pairs]
    found = certificate.certify(stored(tmp_path, sequences), tmp_path / "out", eps="1/4")
    assert found["rank"].tolist() == [4]


def test_sequences_of_many_lengths_and_a_last_query(tmp_path):
    short = [[row[0], *row[1:], row[1]] for row in SEQUENCES]
    mixed = [row[1:] + row[:1] for row in SEQUENCES] + [row[1:] + row[:1] for row in short]
    found = certificate.certify(stored(tmp_path, mixed), tmp_path / "out", eps="1/4", query="last")
    alone = certificate.certify(stored(tmp_path), tmp_path / "alone", eps="1/4")
    assert found["rank"][0] >= alone["rank"][0] >= 2


def test_positions_need_both_orders_and_one_length(tmp_path):
    both = SEQUENCES + [[x, b, a] for x, a, b in SEQUENCES]
    how = {"eps": "1/4", "positional": True}
    one = certificate.certify(stored(tmp_path), tmp_path / "one", **how)
    two = certificate.certify(stored(tmp_path, both), tmp_path / "two", **how)
    assert one["rank"][0] == 1 < two["rank"][0]
    with pytest.raises(AttnrankError, match=r"row 1 \(counted from 0\) has 1 tokens, row 0 has 2"):
        certificate.certify(stored(tmp_path, GOOD), tmp_path / "out", positional=True)


def test_a_suite_that_forces_nothing_has_the_trivial_bound(tmp_path):
    found = certificate.certify(stored(tmp_path, GOOD), tmp_path / "out")
    assert found["rank"].tolist() == [1]
    assert certificate.verify_stored(tmp_path / "suite.parquet", tmp_path / "out").equals(found)


@pytest.mark.parametrize("change", [{"eps": "half"}, {"eps": "0"}, {"queries": 0}])
def test_wrong_arguments_are_refused(tmp_path, change):
    with pytest.raises(AttnrankError, match=next(iter(change))):
        certificate.certify(stored(tmp_path), tmp_path / "out", **change)


def test_a_certificate_of_another_suite_is_refused(tmp_path):
    path, folder = stored(tmp_path), tmp_path / "out"
    certificate.certify(path, folder, eps="1/4")
    stored(tmp_path, SEQUENCES[::-1])
    with pytest.raises(AttnrankError, match="pair"):
        certificate.verify_stored(path, folder)


def test_a_certificate_that_says_more_than_its_proofs_is_refused(tmp_path):
    path, folder = stored(tmp_path), tmp_path / "out"
    certificate.certify(path, folder, eps="1/4")
    kept = tables.read(folder / "certificate.parquet", schemas.CERTIFICATE)
    more = kept.frame.assign(rank=99)
    where = folder / "certificate.parquet"
    tables.write(where, more, schemas.CERTIFICATE, settings=kept.settings, seeds=[])
    with pytest.raises(AttnrankError, match="its proofs give"):
        certificate.verify_stored(path, folder)
