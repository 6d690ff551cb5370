"""Verify the stored certificate from scratch; a wrong one stops the run."""

from attnrank import tables
from attnrank.minip.witness import schemas, stored


def main(suite, ratios, proofs, out):
    certificate = stored.from_files(suite, ratios, proofs)
    settings = tables.read(ratios, schemas.RATIOS).settings
    tables.write(out, certificate, schemas.CERTIFICATE, settings=settings, seeds=[])


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            suite=snakemake.input.suite,
            ratios=snakemake.input.ratios,
            proofs=snakemake.input.proofs,
            out=snakemake.output[0],
        )
