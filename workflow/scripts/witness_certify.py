"""Find, at each error, a proof for every ordered pair of queries."""

from fractions import Fraction

from attnrank import tables
from attnrank.minip import certify
from attnrank.minip.witness import inputs, schemas


def main(suite, ratios, proofs, errors):
    table = tables.read(suite, schemas.SUITE)
    given = inputs.arrays(table.frame)
    found = [
        proof
        for eps in errors
        for proof in certify.prove(
            given.sequences, given.targets, given.query_token, given.key_token, Fraction(eps)
        )
    ]
    pairs = [(str(proof.eps), proof.query, proof.key, str(proof.ratio)) for proof in found]
    weights = [
        (str(proof.eps), proof.query, proof.key, sequence, side, str(multiplier))
        for proof in found
        for (sequence, side), multiplier in sorted(proof.multipliers.items())
    ]
    settings = {"suite": table.settings, "errors": errors}
    for path, rows, schema in ((ratios, pairs, schemas.RATIOS), (proofs, weights, schemas.PROOFS)):
        names = [column.name for column in schema.columns]
        columns = dict(zip(names, zip(*rows, strict=True), strict=True))
        tables.write(path, columns, schema, settings=settings, seeds=[])


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            suite=snakemake.input.suite,
            ratios=snakemake.output.ratios,
            proofs=snakemake.output.proofs,
            errors=snakemake.params.errors,
        )
