"""Certify a suite that a user brings."""

from pathlib import Path

from attnrank.minip.suites import certificate


def main(suite, folder, settings):
    print(certificate.sentence(certificate.certify(suite, folder, **settings)))


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            suite=snakemake.input.suite,
            folder=Path(snakemake.output.certificate).parent,
            settings=snakemake.params.settings,
        )
