"""The tables of the finite-precision transcripts, from heads to figure."""

from attnrank.columns import DIVERGED, SEED, SUMMARY
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

KINDS = ("constructed", "trained")
KIND = Column("kind", "string", "how messages were found", allowed=KINDS)
FAMILY = (
    Column("queries", "int64", "q, queries of an input", low=1),
    Column("size", "int64", "s: each answer is one of s + 1", low=1),
    Column("layers", "int64", "layers in which the key sends a message", low=1),
)
BITS = Column("bits", "float64", "size of the transcript, q log2 of the levels", low=0, unit="bits")
NEEDED = Column("needed", "float64", "q log2(s + 1)", low=0, unit="bits")
MEASURES = ("exact", "least_bits", "least_whole_bits")

RUNS = Schema(
    "transcript_runs",
    1,
    "transcript_construct, transcript_train",
    (
        KIND,
        *FAMILY,
        Column("levels_1", "int64", "levels of each channel in layer 1", low=1),
        Column("levels_2", "int64", "the same in layer 2; 1 where there is none", low=1),
        SEED,
        BITS,
        NEEDED,
        Column("line", "float64", "greatest share that counting allows", low=0, high=1),
        Column("exact", "float64", "share of inputs with every answer exact", low=0, high=1),
        Column("transcripts", "int64", "different transcripts sent", low=0),
        DIVERGED,
    ),
    key=("kind", "queries", "size", "levels_1", "levels_2", "seed"),
)
SHOWN = Schema(
    "minip_transcript",
    1,
    "table",
    (
        Column("measure", "string", "what is summarised", allowed=MEASURES),
        KIND,
        *FAMILY,
        BITS,
        NEEDED,
        Column("line", "float64", "greatest share that counting allows", low=0, high=1),
        *SUMMARY,
    ),
    key=("measure", "kind", "queries", "size", "layers", "bits"),
)

SOURCES = {
    "trained": Source("train/minip_transcript/heads.parquet", RUNS),
    "constructed": Source("ranks/transcript_constructed.parquet", RUNS),
}
FIGURES = {"minip_transcript": Figure(SHOWN, ("trained", "constructed"))}
