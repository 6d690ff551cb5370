"""What every script shares when Snakemake runs it: its log, and errors without a traceback."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import __main__
from attnrank.errors import AttnrankError


@contextmanager
def job() -> Iterator[Any]:
    """Yield the job's Snakemake object; what the body prints goes to the job's log."""
    # Snakemake puts this name into the script that it runs.
    snakemake = vars(__main__)["snakemake"]
    path = Path(snakemake.log[0])
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("w", encoding="utf-8") as log, redirect_stdout(log), redirect_stderr(log):
            yield snakemake
    except AttnrankError as error:
        with path.open("a", encoding="utf-8") as log:
            print(f"error: {error}", file=log)
        sys.exit(f"error: {error}")
