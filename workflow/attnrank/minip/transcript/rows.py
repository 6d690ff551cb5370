"""What a row of `schemas.RUNS` says of a family and its alphabet."""

from typing import Any

from attnrank.minip.transcript import data


def described(kind: str, q: int, s: int, levels: tuple[int, ...]) -> dict[str, Any]:
    """Return the cells that are known before any head is made."""
    bits = data.transcript_bits(q, levels)
    return {
        "kind": kind,
        "queries": q,
        "size": s,
        "layers": len(levels),
        "levels_1": levels[0],
        "levels_2": levels[1] if len(levels) > 1 else 1,
        "bits": bits,
        "needed": data.needed_bits(q, s),
        "line": data.counting_line(bits, q, s),
    }


def cases(queries: list[int], sizes: list[int]) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return every family with every alphabet that is tried on it, in one layer and in two."""
    return [
        (q, s, levels)
        for q in queries
        for s in sizes
        for layers in (1, 2)
        for levels in data.alphabets(s, layers)
    ]
