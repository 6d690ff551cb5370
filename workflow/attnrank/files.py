"""Write a file whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; on success flush it to disk and move it into place.

    A killed job can live on and write beside its successor: each process has a temporary file of
    its own, and the last rename wins with a complete file.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays: matplotlib chooses the format by it.
    temporary = path.with_name(f".{path.stem}.{os.uname().nodename}.{os.getpid()}.tmp{path.suffix}")
    try:
        yield temporary
        _flush(temporary)
        os.replace(temporary, path)
        _flush(path.parent)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
