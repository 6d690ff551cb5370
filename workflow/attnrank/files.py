"""Write a file whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; on success flush it to disk and move it into place.

    A killed job can live on and write beside its successor: each process has a temporary file of
    its own, and the last rename wins with a complete file. What a killed process left is removed.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays: matplotlib chooses the format by it.
    prefix, suffix = f".{path.stem}.{os.uname().nodename}.", f".tmp{path.suffix}"
    for name in os.listdir(path.parent):
        pid = name.removeprefix(prefix).removesuffix(suffix)
        if name == f"{prefix}{pid}{suffix}" and pid.isdigit() and not _alive(int(pid)):
            (path.parent / name).unlink(missing_ok=True)
    temporary = path.with_name(f"{prefix}{os.getpid()}{suffix}")
    try:
        yield temporary
        _flush(temporary)
        os.replace(temporary, path)
        _flush(path.parent)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
