"""What a run cost, from Snakemake's benchmark files: the one table no two runs share."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from attnrank.errors import AttnrankError
from attnrank.tables import Column, Schema

SCHEMA = Schema(
    "costs",
    1,
    "costs",
    (
        Column("rule", "string", "the rule"),
        Column("jobs", "int64", "jobs of that rule", low=1),
        Column("wall_seconds", "float64", "sum of the jobs' wall times", unit="s", low=0),
        Column("longest_seconds", "float64", "the longest job's wall time", unit="s", low=0),
        Column("peak_memory", "float64", "greatest resident memory of one job", unit="MB", low=0),
    ),
    key=("rule",),
)


def summarise(benchmarks: Mapping[str, Iterable[str | Path]]) -> pd.DataFrame:
    """Return one row per rule from its jobs' benchmark files.

    Raises:
        AttnrankError: a file is not a Snakemake benchmark.
    """
    rows = []
    for rule, paths in sorted(benchmarks.items()):
        jobs = [_job(Path(path)) for path in paths]
        seconds = [job[0] for job in jobs]
        rows.append(
            {
                "rule": rule,
                "jobs": len(jobs),
                "wall_seconds": sum(seconds),
                "longest_seconds": max(seconds),
                "peak_memory": max(job[1] for job in jobs),
            }
        )
    return pd.DataFrame(rows)


def _job(path: Path) -> tuple[float, float]:
    """Return one job's seconds and megabytes; a job too short to be sampled counts 0 MB."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    try:
        memory = rows[0]["max_rss"]
        return float(rows[0]["s"]), float(memory) if memory not in {"NA", "-"} else 0.0
    except (IndexError, KeyError, ValueError) as error:
        raise AttnrankError(
            f"{path}: not a benchmark file of Snakemake. Remove it and run again."
        ) from error
