"""What is generated from the settings' models: the JSON schema and the page of the docs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from attnrank.settings import model


def pages(repository: Path) -> dict[Path, str]:
    """Return each generated file's path and text.

    Args:
        repository: the folder of config.yaml, whose values the page shows.
    """
    schema = model().model_json_schema()
    full = yaml.safe_load((repository / "config.yaml").read_text(encoding="utf-8"))
    quick = yaml.safe_load((repository / "config/quick.yaml").read_text(encoding="utf-8"))
    return {
        repository / "workflow/schemas/config.schema.json": json.dumps(schema, indent=2) + "\n",
        repository / "docs/settings.md": _page(schema, full, quick),
    }


def _page(schema: dict[str, Any], full: dict[str, Any], quick: dict[str, Any]) -> str:
    lines = [
        "# Settings",
        "",
        "Generated from the models by `make generate`. `config.yaml` holds the full tier; "
        "`config/quick.yaml` is laid over it. A key is set for one run by "
        "`--config 'surrogate={task: {seeds: 20}}'`, which keeps its neighbours.",
        "",
        "| key | meaning | allowed | full | quick |",
        "|---|---|---|---|---|",
    ]
    for path, entry in _leaves(schema, schema):
        key = ".".join(path)
        changed = _value(quick, path)
        lines.append(
            f"| `{key}` | {entry.get('description', '')} | {_allowed(entry)} "
            f"| {_show(_value(full, path))} | {'' if changed is None else _show(changed)} |"
        )
    return "\n".join(lines) + "\n"


def _leaves(node: dict[str, Any], root: dict[str, Any]) -> Iterator[tuple[list[str], Any]]:
    for name, entry in node["properties"].items():
        target = entry.get("$ref", "").removeprefix("#/$defs/")
        if target:
            for path, leaf in _leaves(root["$defs"][target], root):
                yield [name, *path], leaf
        else:
            yield [name], entry


def _value(config: dict[str, Any], path: list[str]) -> Any:
    value: Any = config
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _allowed(entry: dict[str, Any]) -> str:
    if "items" in entry:
        return f"distinct values, each {_allowed(entry['items'])}"
    if "enum" in entry:
        return " or ".join(entry["enum"])
    if "const" in entry:
        return str(entry["const"])
    words = [{"integer": "whole number", "string": "text"}.get(entry["type"], entry["type"])]
    bounds = {
        "minimum": ">=",
        "exclusiveMinimum": ">",
        "maximum": "<=",
        "exclusiveMaximum": "<",
        "pattern": "like",
    }
    words += [f"{sign} {entry[name]}" for name, sign in bounds.items() if name in entry]
    return " ".join(words).replace("|", "\\|")


def _show(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
