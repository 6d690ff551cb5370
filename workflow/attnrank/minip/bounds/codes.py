"""Constant-weight codes, built here, with every distance counted.

The gap of two words x, y of weight w is w - <x, y>: the overlap of x with the complement of y, half
the Hamming distance.
"""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from attnrank.seeds import generator

Bits = NDArray[np.uint8]
Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

# x^a + ... over GF(2), primitive, for the fields of 2^a elements (Lin and Costello, appendix).
_PRIMITIVE = {3: 0b1011, 4: 0b10011, 5: 0b100101, 6: 0b1000011, 7: 0b10001001}
_INNER = 14  # 2^14 words of two 64-bit numbers stay in the cache


@dataclass(frozen=True)
class LinearCode:
    """A binary linear code, and by (c, complement of c) a constant-weight code of twice its length.

    Attributes:
        generators: one codeword per row, linearly independent, (k, n).
        designed: the distance that the BCH bound promises.
    """

    generators: Bits
    designed: int


def greedy(width: int, gap: int, tries: int) -> Ints:
    """Return a code of weight width // 2 and least gap ``gap``, as numbers: the best greedy one.

    Words are taken in lexicographic order, then in ``tries - 1`` random orders; each word joins
    that is far enough from those before it.
    """
    words = np.array([sum(1 << b for b in c) for c in combinations(range(width), width // 2)])
    best: Ints = np.empty(0, dtype=np.int64)
    if gap == 1:
        return words
    for attempt in range(tries):
        rng = generator(attempt, "minip_bounds.greedy", width, gap)
        left = rng.permutation(words) if attempt else words
        chosen = []
        while len(left):
            chosen.append(int(left[0]))
            left = left[np.bitwise_count(left & ~left[0]) >= gap]
        if len(chosen) > len(best):
            best = np.array(chosen)
    return best


def gaps(words: Ints) -> list[int]:
    """Return every gap that occurs between two words of a code given as numbers."""
    counted = np.bitwise_count(words[:, None] & ~words)
    return sorted(set(counted[~np.eye(len(words), dtype=bool)].tolist()))


def bch(power: int, errors: int, length: int) -> LinearCode | None:
    """Return the narrow-sense BCH code that corrects ``errors``, with a parity bit, shortened.

    Its generator polynomial is the least common multiple of the minimal polynomials of
    a, a^3, ..., a^(2 errors - 1) (Bose and Ray-Chaudhuri 1960; Hocquenghem 1959), so its designed
    distance is 2 errors + 1, and 2 errors + 2 with the parity bit.

    Args:
        power: the unshortened code has 2^power bits with the parity bit, 3 to 7.
        errors: designed number of errors.
        length: bits that remain, at most 2^power.

    Returns:
        None where nothing remains.
    """
    order = 2**power - 1
    polynomial = _generator(power, errors)
    dimension = order - (polynomial.bit_length() - 1) - (order + 1 - length)
    if dimension < 1:
        return None
    rows = []
    for shift in range(dimension):
        # Multiples of low degree: leaving out the high ones is what shortens.
        word = polynomial << shift
        bits = [word >> b & 1 for b in range(length - 1)]
        rows.append([*bits, word.bit_count() % 2])
    return LinearCode(np.array(rows, dtype=np.uint8), 2 * errors + 2)


def _generator(power: int, errors: int) -> int:
    """Return the generator polynomial, bit k for x^k."""
    order = 2**power - 1
    powers, element = [], 1
    for _ in range(order):
        powers.append(element)
        element <<= 1
        if element >> power:
            element ^= _PRIMITIVE[power]
    logs = {value: k for k, value in enumerate(powers)}
    roots = {root * 2**k % order for root in range(1, 2 * errors, 2) for k in range(power)}
    # The product of x + a^root over the roots, coefficients in the field, lowest first.
    product = [1]
    for root in sorted(roots):
        scaled = [powers[(logs[c] + root) % order] if c else 0 for c in product]
        product = [a ^ b for a, b in zip([0, *product], [*scaled, 0], strict=True)]
    # The BCH bound asks for the roots a, a^2, ..., a^(2 errors), and for coefficients 0 and 1.
    for root in range(1, 2 * errors + 1):
        value = 0
        for k, coefficient in enumerate(product):
            value ^= powers[root * k % order] if coefficient else 0
        if value or not set(product) <= {0, 1}:
            raise ValueError(f"a^{root} is no root of the generator polynomial")
    return sum(coefficient << k for k, coefficient in enumerate(product))


def distances(code: LinearCode) -> Ints:
    """Return every distance that occurs between two words, by counting all 2^k - 1 weights.

    The weights of a linear code are its distances. Takes about 10 ns per word.
    """
    packed = _packed(code.generators)
    inner, outer = packed[:_INNER], packed[_INNER:]
    table = np.zeros((1, packed.shape[1]), dtype=np.uint64)
    for row in inner:
        table = np.concatenate([table, table ^ row])
    columns = np.ascontiguousarray(table.T)
    seen = np.zeros(code.generators.shape[1] + 1, dtype=bool)
    word = np.zeros(packed.shape[1], dtype=np.uint64)
    shifted = np.empty_like(columns[0])
    weights = np.empty(len(table), dtype=np.uint8)
    for step in range(2 ** len(outer)):
        if step:
            # A Gray code: one generator changes at each step.
            word = word ^ outer[(step & -step).bit_length() - 1]
        weights[:] = 0
        for column, part in zip(columns, word, strict=True):
            np.bitwise_xor(column, part, out=shifted)
            weights += np.bitwise_count(shifted)
        seen |= np.bincount(weights, minlength=len(seen)) > 0
    if not _reduced(code.generators).any(axis=1).all():
        raise ValueError("the generators are linearly dependent")
    seen[0] = False
    return np.flatnonzero(seen)


def _packed(rows: Bits) -> Words:
    """Return rows of bits as rows of 64-bit numbers."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // 64) * 64), dtype=np.uint8)
    padded[:, : rows.shape[1]] = rows
    return np.packbits(padded, axis=1).view(np.uint64)


def _reduced(rows: Bits) -> Bits:
    """Return the rows in echelon form over GF(2): as many nonzero rows as their rank there."""
    left = rows.copy()
    place = 0
    for column in range(left.shape[1]):
        found = np.flatnonzero(left[place:, column])
        if not len(found):
            continue
        pivot = place + int(found[0])
        left[[place, pivot]] = left[[pivot, place]]
        others = np.flatnonzero(left[:, column])
        left[others[others != place]] ^= left[place]
        place += 1
        if place == len(left):
            break
    return left


def antichain_cap(width: int) -> int:
    """Return C(m, floor(m/2)), the largest antichain of m-bit words (Sperner 1928)."""
    return comb(width, width // 2)
