"""The source files that decide a step's result, for the workflow to watch."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent
# How tables are stored, not what is in them: a change of format changes the schemas' versions.
INFRASTRUCTURE = {"errors", "files", "tables"}


def source_files(module: str) -> list[Path]:
    """Return the file of a module of attnrank and of every one that it imports, directly or not.

    Args:
        module: a dotted name such as ``attnrank.entropic.surrogate.train``.

    Raises:
        ValueError: there is no such module.
    """
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found or name.split(".")[1] in INFRASTRUCTURE:
            continue
        path = _path(name)
        if path is None:
            raise ValueError(f"{name}: no such module in attnrank")
        found[name] = path
        waiting += _imports(path)
    return sorted(found.values())


def _path(name: str) -> Path | None:
    base = ROOT.joinpath(*name.split(".")[1:])
    return next((p for p in (base.with_suffix(".py"), base / "__init__.py") if p.is_file()), None)


def _imports(path: Path) -> set[str]:
    """Return the modules of attnrank named in a file's imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    inside = {name for name in names if name.startswith("attnrank.") and _path(name)}
    # A bare package holds its docstring alone; its modules are followed by name.
    return {name for name in inside if (_path(name) or Path()).name != "__init__.py"}
