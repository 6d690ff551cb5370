"""The certified bound for every width and context length: profiles, codes, and what they give."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from attnrank.errors import AttnrankError
from attnrank.minip.bounds import codes, profiles

CUBE, GROWTH = "greedy", "linear"
_LARGEST_DIMENSION = 62  # sizes and ranks are stored as 64-bit integers


def proven(
    lengths: Sequence[int], errors: Sequence[str], *, inputs: int, longest: int
) -> list[profiles.Profile]:
    """Prove the profiles of every length and error, for all gaps that the limits allow."""
    return [
        profiles.prove_profile(length, gap, Fraction(eps))
        for eps in errors
        for length in lengths
        for gap in range(1, profiles.longest_gap(length, inputs, longest) + 1)
    ]


def ratios_of(found: Sequence[profiles.Profile], length: int, eps: Fraction) -> profiles.Ratios:
    """Return the ratios at one length and error."""
    return profiles.Ratios([p for p in found if (p.length, p.eps) == (length, eps)])


def cube(
    found: Sequence[profiles.Profile],
    widths: Sequence[int],
    lengths: Sequence[int],
    eps: Fraction,
    tries: int,
) -> list[dict[str, Any]]:
    """Return the best bound over the greedy codes of each width, for each context length."""
    rows = []
    for width in widths:
        built = [codes.greedy(width, gap, tries) for gap in range(1, width // 2 + 1)]
        spread = [(len(words), codes.gaps(words)) for words in built if len(words) > 1]
        for length in lengths:
            ratios = ratios_of(found, length, eps)
            options = [
                _row(CUBE, width, length, eps, size, occur, ratios.of_code(occur))
                for size, occur in spread
            ]
            rows.append(max(options, key=lambda row: row["rank"]))
    return rows


def growth(
    found: Sequence[profiles.Profile],
    widths: Sequence[int],
    length: int,
    eps: Fraction,
    countable: int,
) -> list[dict[str, Any]]:
    """Return the bound of a linear code c, as the words (c, complement), for each width.

    Of the BCH codes of half the width, or shorter ones and zeros, the one that promises most is
    built. Up to 2^countable words its distances are counted; beyond, they are at least the designed
    distance by the BCH bound, whose roots are checked, and those of a subcode of 2^countable words
    are counted.

    Raises:
        AttnrankError: a counted distance is below the designed one, which would be a bug.
    """
    ratios = ratios_of(found, length, eps)
    rows = []
    for width in widths:
        code, size = _promising(width // 2, ratios, eps)
        counted = codes.distances(codes.LinearCode(code.generators[:countable], code.designed))
        if counted.min() < code.designed:
            raise AttnrankError(
                f"a BCH code of designed distance {code.designed} has two words at distance "
                f"{counted.min()}: its construction is wrong"
            )
        occur = counted.tolist()
        if len(code.generators) > countable:
            occur = list(range(code.designed, code.generators.shape[1] + 1))
        row = _row(GROWTH, width, length, eps, size, occur, ratios.of_code(occur))
        rows.append(row | {"counted": min(size, 2**countable)})
    return rows


def _promising(half: int, ratios: profiles.Ratios, eps: Fraction) -> tuple[codes.LinearCode, int]:
    """Return the code that promises most, without generators beyond what its ratio can use."""
    best: tuple[int, int, codes.LinearCode] | None = None
    for power in (3, 4, 5, 6, 7):
        # Shortened to the length that is left, or whole and padded with zeros to the width.
        length = min(half, 2**power)
        for errors in range(1, 2 ** (power - 1)):
            code = codes.bch(power, errors, length)
            if code is None:
                continue
            ratio = ratios.best(code.designed)
            size = 2 ** min(len(code.generators), _LARGEST_DIMENSION)
            rank = max(profiles.certified(size, ratio, code.designed, eps).values())
            # As few words as give that rank, and of equals the longer distance.
            words = min(size, 1 << (rank - 1).bit_length())
            if best is None or (rank, code.designed) > best[:2]:
                kept = code.generators[: max(1, words.bit_length() - 1)]
                best = rank, code.designed, codes.LinearCode(kept, code.designed)
    if best is None:
        raise ValueError(f"no BCH code has length {half}")
    return best[2], 2 ** len(best[2].generators)


def _row(
    family: str,
    width: int,
    length: int,
    eps: Fraction,
    size: int,
    occur: list[int],
    ratio: Fraction,
) -> dict[str, Any]:
    bounds = profiles.certified(size, ratio, min(occur), eps)
    return {
        "family": family,
        "width": width,
        "length": length,
        "eps": str(eps),
        "words": size,
        "counted": size,
        "gap": min(occur),
        "gaps": len(occur),
        "ratio": str(ratio),
        **bounds,
        "rank": max(bounds.values()),
        "cap": float(codes.antichain_cap(width)),
    }
