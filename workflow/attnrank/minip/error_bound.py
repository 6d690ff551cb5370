"""Errors as settings give them: exact fractions."""

import re
from fractions import Fraction


def fraction(text: str) -> str:
    """Return the text of a positive fraction in lowest terms.

    Raises:
        ValueError: it is not one.
    """
    if not re.fullmatch("[0-9]+(/[1-9][0-9]*)?", text):
        raise ValueError("must be a fraction such as 1/2")
    if Fraction(text) <= 0:
        raise ValueError("must be above 0")
    if str(Fraction(text)) != text:
        raise ValueError(f"must be in lowest terms: {Fraction(text)}")
    return text
