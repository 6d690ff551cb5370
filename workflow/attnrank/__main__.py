"""Command line: judge the verdicts, certify a suite, verify a certificate, regenerate pages."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from attnrank.errors import AttnrankError

REPOSITORY = Path(__file__).resolve().parents[2]
STORED = {
    "suite": "data/minip_transition/suite.parquet",
    "ratios": "ranks/minip_ratios.parquet",
    "proofs": "ranks/minip_proofs.parquet",
}


def check_claims(args: argparse.Namespace) -> int:
    """Compare the verdicts with the expected ones; 1 where any differs."""
    from attnrank import claims, tables

    judged = tables.read(args.table, claims.SCHEMA).frame
    wrong = claims.differences(judged, claims.load(args.registry))
    for line in wrong:
        print(line)
    if not wrong:
        print(f"{len(judged)} claims: every verdict is as expected")
    return int(bool(wrong))


def verify(args: argparse.Namespace) -> int:
    """Verify a stored certificate from scratch, in exact fractions."""
    if args.certificate:
        from attnrank.minip.suites import certificate

        print(certificate.sentence(certificate.verify_stored(args.suite, args.certificate)))
        return 0
    from attnrank.minip.witness import stored

    for row in stored.from_files(args.suite, args.ratios, args.proofs).itertuples():
        print(
            f"verified: error <= {row.eps} needs {row.rank} features or more "
            f"(Lambda = {row.ratio}, {row.pairs} pairs, {row.sequences} inputs; dominance "
            f"{row.dominance}, trace {row.trace}, sign split {row.sign_split})"
        )
    return 0


def certify(args: argparse.Namespace) -> int:
    """Certify the feature rank that a suite of sequences needs; docs/certificate.md says how."""
    from attnrank.minip.suites import certificate

    found = certificate.certify(
        args.suite,
        args.folder,
        eps=args.eps,
        queries=args.queries,
        query=args.query,
        positional=args.positional,
    )
    print(certificate.sentence(found))
    return 0


def generate(args: argparse.Namespace) -> int:
    """Write the JSON schema and the settings page from the settings' models."""
    from attnrank import settings_pages

    for path, text in settings_pages.pages(REPOSITORY).items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(REPOSITORY))
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run one command; a user's mistake gives one message and status 2."""
    parser = argparse.ArgumentParser(prog="python -m attnrank", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, function: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=function.__doc__, description=function.__doc__)
        command.set_defaults(function=function)
        return command

    command = add("check-claims", check_claims)
    command.add_argument("table", nargs="?", default="results/claims.parquet")
    command.add_argument("--registry", default=str(REPOSITORY / "workflow/claims.yaml"))
    command = add("verify", verify)
    for name, path in STORED.items():
        command.add_argument(f"--{name}", default=f"results/{path}", help="default: %(default)s")
    command.add_argument("--certificate", help="folder that certify wrote for --suite")
    command = add("certify", certify)
    command.add_argument("suite", help="Parquet file, one sequence of Boolean tokens per row")
    command.add_argument("folder", help="where to write the certificate")
    command.add_argument("--eps", default="1/2", help="error, a fraction; default: %(default)s")
    command.add_argument(
        "--queries",
        type=int,
        default=32,
        help="most queries in the matrix, so the greatest bound; default: %(default)s",
    )
    command.add_argument(
        "--query",
        choices=("first", "last"),
        default="first",
        help="which token of a sequence is asked (last: causal); default: %(default)s",
    )
    command.add_argument(
        "--positional",
        action="store_true",
        help="cover token maps that depend on the position too",
    )
    add("generate", generate)

    args = parser.parse_args(arguments)
    try:
        return args.function(args)
    except AttnrankError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
