"""The variants of the head, and what each leaves free."""

from dataclasses import dataclass
from typing import Literal, get_args

from attnrank.minip.certify import QueryPosition

Variant = Literal["scalar_values", "wide_values", "positional", "causal"]
VARIANTS: tuple[str, ...] = get_args(Variant)


@dataclass(frozen=True)
class Head:
    """How a variant reads an input.

    Attributes:
        query: where the query stands.
        positional: whether every position has token maps, and a read-out, of its own.
        values: dimension of the values v(z), read out by a(x)^T v(z) + b(x) with a and b of the
            query's own; 0 where u(x, z) is a free number for each query and token.
    """

    query: QueryPosition
    positional: bool
    values: int


def head(variant: str, dimension: int) -> Head:
    """Return a variant's head; ``dimension`` is that of wide values."""
    heads = {
        "scalar_values": Head("first", False, 1),
        "wide_values": Head("first", False, dimension),
        "positional": Head("first", True, 0),
        "causal": Head("last", True, 0),
    }
    return heads[variant]
