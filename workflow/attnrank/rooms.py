"""The experiments: a new one is registered here, in one line."""

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType


@dataclass(frozen=True)
class Room:
    """One chapter of a paper.

    Attributes:
        name: its section in config.yaml, and its rules in workflow/rules/<name>.smk.
        package: where in attnrank its settings, claims and steps are.
        figures: the figures it makes, one target each.
    """

    name: str
    package: str
    figures: tuple[str, ...]


ROOMS = (
    Room(
        "surrogate", "attnrank.entropic.surrogate", ("surrogate_transition", "surrogate_recovery")
    ),
    Room("witness", "attnrank.minip.witness", ("minip_transition",)),
)


def module(room: Room, name: str) -> ModuleType:
    """Return a module of the room, such as its settings."""
    return import_module(f"attnrank.{room.package}.{name}")
