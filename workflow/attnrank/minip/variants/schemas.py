"""The tables of the variants."""

from attnrank.columns import DIVERGED, RANK, SEED, SUMMARY
from attnrank.minip.variants.names import VARIANTS
from attnrank.rooms import Figure, Source
from attnrank.tables import Column, Schema

_VARIANT = Column("variant", "string", "what the head may do besides", allowed=VARIANTS)

CERTIFICATE = Schema(
    "minip_variants_certificate",
    1,
    "variants_certify",
    (
        _VARIANT,
        Column("eps", "string", "error that the head may make, a fraction p/q"),
        Column("error", "float64", "eps as a number", unit="bits", low=0),
        Column("ratio", "string", "Lambda, the least ratio over all pairs, p/q"),
        Column("pairs", "int64", "ordered pairs whose proofs were verified", low=1),
        Column("sequences", "int64", "distinct inputs in the variant's suite", low=1),
        Column("rank", "int64", "fewer features are impossible", low=1),
    ),
    key=("variant", "eps"),
)
RUNS = Schema(
    "minip_variants_runs",
    1,
    "variants_train, variants_gather",
    (
        _VARIANT,
        RANK,
        SEED,
        Column("error", "float64", "least greatest error of any step", unit="bits", nan=True),
        Column("step", "int64", "the step of that least error", low=0),
        Column("accuracy", "float64", "share of inputs with error < 1/2 there", low=0, high=1),
        Column("final_error", "float64", "greatest error at the end", unit="bits", nan=True),
        DIVERGED,
    ),
    key=("variant", "rank", "seed"),
)
SHOWN = Schema(
    "minip_variants",
    1,
    "table",
    (
        Column("measure", "string", "what is shown", allowed=("error", "floor", "certified")),
        _VARIANT,
        RANK,
        Column("eps", "float64", "error of a certificate; 0 for trained heads", low=0),
        Column("least", "float64", "least over seeds", nan=True),
        Column("greatest", "float64", "greatest over seeds", nan=True),
        *SUMMARY,
    ),
    key=("measure", "variant", "rank", "eps"),
)

SOURCES = {
    "runs": Source("ranks/minip_variants_runs.parquet", RUNS),
    "certificate": Source("ranks/minip_variants_certificate.parquet", CERTIFICATE),
}
FIGURES = {"minip_variants": Figure(SHOWN, ("runs", "certificate"))}
