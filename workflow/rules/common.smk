"""What every chapter's rules share: checked settings, and the files that decide a result."""

import os
import sys
from pathlib import Path

from snakemake.utils import update_config

# This checkout's library, also in conda environments, which do not install it.
LIBRARY = str(Path(workflow.basedir, "workflow"))
sys.path.insert(0, LIBRARY)
os.environ.update(PYTHONPATH=LIBRARY)

from attnrank.errors import AttnrankError
from attnrank.rooms import ROOMS, figures, module
from attnrank.settings import check, typed
from attnrank.sources import source_files

update_config(config, typed(workflow.config_settings.config))
try:
    check(config)
except AttnrankError as error:
    # Not a WorkflowError, which adds where in this file it was raised.
    sys.exit(f"error: {error}")

RESULTS = config["results"]
FIGURES = sorted(figures())
# Each chapter adds the benchmark files of its rules, from which the table of costs is made.
BENCHMARKS = {}


def code(script, *modules):
    """Return the script and every source file that its result depends on."""
    files = {Path(workflow.basedir, "workflow/scripts", f"{script}.py")}
    for name in modules:
        files.update(source_files(f"attnrank.{name}"))
    return sorted(os.path.relpath(path) for path in files)


def figure_code(script, step):
    """Return the input function that names what a figure's table or picture depends on."""
    return lambda wildcards: code(
        script, f"{figures()[wildcards.figure].package}.{step}"
    )


def figure_caption(wildcards):
    """Return a figure's caption; the report's template has one path for all figures."""
    path = Path(workflow.basedir, "workflow/report", f"{wildcards.figure}.rst")
    return path.read_text(encoding="utf-8")


def figure_sources(wildcards):
    """Return the tables that a figure is computed from."""
    schemas = module(figures()[wildcards.figure], "schemas")
    names = schemas.FIGURES[wildcards.figure].sources
    return [f"{RESULTS}/{schemas.SOURCES[name].path}" for name in names]


def claim_sources():
    """Return every table that a claim may read."""
    schemas = [module(room, "schemas") for room in ROOMS]
    return sorted(
        f"{RESULTS}/{source.path}" for s in schemas for source in s.SOURCES.values()
    )


def benchmarks(wildcards):
    """Return every rule's benchmark files, once all chapters have added theirs."""
    return BENCHMARKS
