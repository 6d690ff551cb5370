"""The experiments: a new one is registered here, in one line."""

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from attnrank.tables import Schema


@dataclass(frozen=True)
class Room:
    """One chapter of a paper.

    Attributes:
        name: its section in config.yaml, and its rules in workflow/rules/<name>.smk.
        package: where in attnrank its settings, schemas, steps and claims are.
    """

    name: str
    package: str


@dataclass(frozen=True)
class Source:
    """A table of runs that figures and claims are computed from.

    Attributes:
        path: the file, below the results folder.
        schema: its columns.
    """

    path: str
    schema: Schema


@dataclass(frozen=True)
class Figure:
    """One figure.

    Attributes:
        table: the columns of the table that it shows.
        sources: names of the room's sources that the table is computed from.
    """

    table: Schema
    sources: tuple[str, ...]


ROOMS = (
    Room("surrogate", "entropic.surrogate"),
    Room("witness", "minip.witness"),
    Room("ladder", "entropic.ladder"),
    Room("native", "entropic.native"),
    Room("lengths", "minip.lengths"),
    Room("dense", "minip.dense"),
    Room("bounds", "minip.bounds"),
    Room("variants", "minip.variants"),
    Room("loopholes", "minip.loopholes"),
    Room("transcript", "minip.transcript"),
    Room("scaling", "minip.scaling"),
)


def module(room: Room, name: str) -> ModuleType:
    """Return a module of the room, such as its settings."""
    return import_module(f"attnrank.{room.package}.{name}")


def figures() -> dict[str, Room]:
    """Return every figure with the room that makes it."""
    return {figure: room for room in ROOMS for figure in module(room, "schemas").FIGURES}
