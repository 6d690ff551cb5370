"""Claims: registered in claims.yaml before a run, judged from the tables after it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import pandas as pd
import yaml
from pydantic import Field, TypeAdapter, ValidationError

from attnrank import tables
from attnrank.errors import AttnrankError
from attnrank.rooms import ROOMS, Source, module
from attnrank.settings import Section, Statistics
from attnrank.statistics import Estimate
from attnrank.tables import Column, Schema

Parameters = Mapping[str, Any]

VERDICTS = ("reproduced", "partly", "not reproduced")
COMPARATORS = (">=", "<=", ">", "<")
Verdict = Literal["reproduced", "partly", "not reproduced"]


class Claim(Section):
    """One registered claim."""

    id: str
    paper: Literal["A", "B", "ours"]
    statement: str
    figure: str
    statistic: str = Field(description="room.function, a function of the room's claims module")
    sources: list[str] = Field(
        min_length=1, description="the room's tables that it is computed from"
    )
    parameters: dict[str, float | list[float] | str] = Field(
        description="numbers that the statistic needs, fixed before the run"
    )
    comparator: Literal[">=", "<=", ">", "<"]
    threshold: float
    seeds: int = Field(ge=0, description="seeds that the verdict asks for; 0: nothing is random")
    expected: Verdict
    caveats: str


SCHEMA = Schema(
    "claims",
    2,
    "claims",
    (
        Column("claim", "string", "identifier in claims.yaml"),
        Column("paper", "string", "A, B, or ours", allowed=("A", "B", "ours")),
        Column("statement", "string", "the claim in our own words"),
        Column("figure", "string", "the figure that shows it"),
        Column("statistic", "string", "what is measured"),
        Column("value", "float64", "the statistic", nan=True),
        Column("ci_low", "float64", "lower end of its interval", nan=True),
        Column("ci_high", "float64", "upper end of its interval", nan=True),
        Column("comparator", "string", "how the value is compared", allowed=COMPARATORS),
        Column("threshold", "float64", "what it is compared with, fixed before the run"),
        Column("verdict", "string", "computed from the tables", allowed=VERDICTS),
        Column("expected", "string", "registered before the run", allowed=VERDICTS),
        Column("seeds", "int64", "seeds behind it; 0 where nothing is random", low=0),
        Column("units", "int64", "independent units of the statistic: runs, tasks or one", low=0),
        Column("tier", "string", "the settings' tier"),
    ),
    key=("claim",),
)


def load(path: str | Path) -> list[Claim]:
    """Read the registered claims.

    Raises:
        AttnrankError: a claim is incomplete, names no statistic that exists, or stands twice.
    """
    text = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    try:
        registered = TypeAdapter(Annotated[list[Claim], Field(min_length=1)]).validate_python(text)
    except ValidationError as error:
        lines = "\n".join(
            f"  claim {item['loc'][0] if item['loc'] else ''}, "
            f"{'.'.join(map(str, item['loc'][1:]))}: {item['msg']}"
            for item in error.errors()
        )
        raise AttnrankError(f"{path}:\n{lines}") from None
    names = [claim.id for claim in registered]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise AttnrankError(f"{path}: registered more than once: {', '.join(twice)}")
    for claim in registered:
        _statistic(claim)
    return registered


def verdict(claim: Claim, estimate: Estimate) -> Verdict:
    """Judge a claim.

    Reproduced: the whole interval meets the threshold. Partly: the value does, the interval does
    not. Not reproduced: the value does not, or there is none, because a run diverged or because the
    settings have no run that the claim speaks of.
    """
    if not _meets(estimate.value, claim):
        return "not reproduced"
    if _meets(estimate.low, claim) and _meets(estimate.high, claim):
        return "reproduced"
    return "partly"


def _meets(value: float, claim: Claim) -> bool:
    """Compare with the threshold; NaN meets nothing."""
    return {
        ">=": value >= claim.threshold,
        "<=": value <= claim.threshold,
        ">": value > claim.threshold,
        "<": value < claim.threshold,
    }[claim.comparator]


def evaluate(
    registered: Sequence[Claim], folder: str | Path, statistics: Statistics, tier: str
) -> pd.DataFrame:
    """Compute every claim's statistic and verdict from the tables under ``folder``."""
    rows = []
    for claim in registered:
        function, sources = _statistic(claim)
        runs = {
            name: tables.read(Path(folder, sources[name].path), sources[name].schema)
            for name in claim.sources
        }
        interval = statistics.interval("claims", claim.id)
        estimate = function(
            {name: table.frame for name, table in runs.items()}, claim.parameters, interval
        )
        rows.append(
            {
                "claim": claim.id,
                "paper": claim.paper,
                "statement": claim.statement,
                "figure": claim.figure,
                "statistic": claim.statistic,
                "value": estimate.value,
                "ci_low": estimate.low,
                "ci_high": estimate.high,
                "comparator": claim.comparator,
                "threshold": claim.threshold,
                "verdict": verdict(claim, estimate),
                "expected": claim.expected,
                "seeds": min(len(table.seeds) for table in runs.values()),
                "units": estimate.units,
                "tier": tier,
            }
        )
    return pd.DataFrame(rows)


def render(judged: pd.DataFrame, registered: Sequence[Claim]) -> str:
    """Return the page of verdicts, claims.md."""
    tier = judged["tier"].iloc[0]
    lines = [
        "# Verdicts",
        "",
        f"Tier: {tier}. The rule: *reproduced* when the whole interval meets the "
        "threshold, *partly* when only the value does, *not reproduced* when the value does not. "
        "Thresholds stand in `workflow/claims.yaml` and were fixed before the final run, after the "
        "pilots that the caveats name. Intervals are over initialisations and drawn tasks; a unit "
        "is a run, or a task (r*, seed)."
        + (
            ""
            if tier == "full"
            else " Fewer seeds than registered widen the intervals: the full "
            "tier is what the expected verdicts are about."
        ),
        "",
        "| claim | verdict | expected | value [interval] | threshold | seeds (units) | statement |",
        "|---|---|---|---|---|---|---|",
    ]
    asked = {claim.id: claim.seeds for claim in registered}
    for row in judged.itertuples():
        short = f" of {asked[row.claim]}" if row.seeds < asked[row.claim] else ""
        lines.append(
            f"| {row.claim} ({row.paper}) | **{row.verdict}** | {row.expected} "
            f"| {row.value:.4g} [{row.ci_low:.4g}, {row.ci_high:.4g}] "
            f"| {row.comparator} {row.threshold:g} | {row.seeds}{short} ({row.units}) "
            f"| {row.statement} |"
        )
    lines += ["", "## What is measured, and the caveats", ""]
    lines += [
        f"- **{claim.id}**: `{claim.statistic}`, figure `{claim.figure}`. {claim.caveats}".rstrip()
        for claim in registered
    ]
    return "\n".join(lines) + "\n"


def differences(judged: pd.DataFrame, registered: Sequence[Claim]) -> list[str]:
    """Return what `make check-claims` fails on, one line each; nothing when all is as expected."""
    rows = {row.claim: row for row in judged.itertuples()}
    wrong = []
    for claim in registered:
        row = rows.get(claim.id)
        if row is None:
            wrong.append(f"{claim.id}: registered, but not in the results; run the pipeline again")
        elif row.verdict != claim.expected:
            wrong.append(
                f"{claim.id}: {row.verdict}, expected {claim.expected} "
                f"(value {row.value:.4g}, wanted {claim.comparator} {claim.threshold:g})"
            )
        elif row.seeds < claim.seeds:
            wrong.append(f"{claim.id}: {row.seeds} seeds, {claim.seeds} registered")
    return wrong


def _statistic(claim: Claim) -> tuple[Any, Mapping[str, Source]]:
    """Return a claim's function and the tables that it reads."""
    room_name, _, function_name = claim.statistic.partition(".")
    for room in ROOMS:
        if room.name == room_name:
            function = getattr(module(room, "claims"), function_name, None)
            sources = module(room, "schemas").SOURCES
            unknown = set(claim.sources) - set(sources)
            if unknown:
                raise AttnrankError(
                    f"claim {claim.id}: unknown sources {sorted(unknown)}; "
                    f"room '{room_name}' has {sorted(sources)}"
                )
            if function is not None:
                return function, sources
    raise AttnrankError(
        f"claim {claim.id}: there is no statistic '{claim.statistic}'; "
        "it is written room.function, a function of that room's claims.py"
    )
