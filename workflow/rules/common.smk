"""What every chapter's rules share: checked settings, and the files that decide a result."""

import os
from pathlib import Path

from snakemake.exceptions import WorkflowError

from attnrank.errors import AttnrankError
from attnrank.rooms import ROOMS, module
from attnrank.settings import check
from attnrank.sources import source_files

try:
    check(config)
except AttnrankError as error:
    raise WorkflowError(str(error))

RESULTS = config["results"]
FIGURES = [figure for room in ROOMS for figure in room.figures]
# Each chapter adds the benchmark files of its rules, from which the table of costs is made.
BENCHMARKS = {}


def code(script, *modules):
    """Return the script and every source file that its result depends on."""
    files = {Path(workflow.basedir, "workflow/scripts", f"{script}.py")}
    for name in modules:
        files.update(source_files(f"attnrank.{name}"))
    return sorted(os.path.relpath(path) for path in files)


def claim_sources():
    """Return every table that a claim may read."""
    return {
        f"{RESULTS}/{path}"
        for room in ROOMS
        for path, _ in module(room, "claims").SOURCES.values()
    }


def benchmarks(wildcards):
    """Return every rule's benchmark files, once all chapters have added theirs."""
    return BENCHMARKS
