"""Certify the witness suite for every variant of the head, and verify."""

from attnrank import tables
from attnrank.minip.variants import certify, schemas
from attnrank.minip.witness import inputs
from attnrank.minip.witness.schemas import SUITE


def main(suite, out, variants, errors):
    table = tables.read(suite, SUITE)
    found = certify.certificates(inputs.arrays(table.frame), variants, errors)
    settings = {"suite": table.settings, "variants": variants, "errors": errors}
    tables.write(out, found, schemas.CERTIFICATE, settings=settings, seeds=[])


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            suite=snakemake.input.suite,
            out=snakemake.output[0],
            variants=snakemake.params.variants,
            errors=snakemake.params.errors,
        )
