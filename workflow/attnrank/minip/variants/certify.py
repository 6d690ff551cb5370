"""Certificates of the variants, proven and verified from the bits up."""

from collections.abc import Sequence
from fractions import Fraction

import pandas as pd

from attnrank.minip import certify
from attnrank.minip.variants.data import inputs
from attnrank.minip.variants.names import head
from attnrank.minip.verify import Claim, Weight, verify
from attnrank.minip.witness.inputs import Inputs


def certificates(suite: Inputs, variants: Sequence[str], errors: Sequence[str]) -> pd.DataFrame:
    """Certify every variant at every error.

    In each program g = alpha u with u free for each query, token and, where maps depend on it,
    position: so it holds for values of any dimension and any read-out of the query's own, and the
    two variants of values share it.

    Args:
        suite: the witness suite.
        variants: names of variants.
        errors: fractions.

    Returns:
        A table of `schemas.CERTIFICATE`.

    Raises:
        AttnrankError: a pair has no proof, or a proof does not hold.
    """
    words = ["".join(map(str, bits)) for bits in suite.tokens.tolist()]
    count = len(suite.query_token)
    done: dict[tuple[str, bool], list[dict]] = {}
    rows = []
    for variant in variants:
        # Certificates do not depend on the dimension of the values.
        how = head(variant, 1)
        if (how.query, how.positional) not in done:
            sequences, targets = inputs(suite.sequences, suite.targets, how)
            proofs = [
                proof
                for eps in errors
                for proof in certify.prove(
                    sequences,
                    targets,
                    suite.query_token,
                    suite.key_token,
                    Fraction(eps),
                    query=how.query,
                    positional=how.positional,
                )
            ]
            checked = verify(
                [[words[token] for token in row] for row in sequences.tolist()],
                targets.tolist(),
                [words[token] for token in suite.query_token],
                [words[token] for token in suite.key_token[:count]],
                [Claim(str(p.eps), p.query, p.key, str(p.ratio)) for p in proofs],
                [
                    Weight(str(p.eps), p.query, p.key, sequence, side, str(value))
                    for p in proofs
                    for (sequence, side), value in p.multipliers.items()
                ],
                query=how.query,
                positional=how.positional,
            )
            done[how.query, how.positional] = [
                {
                    "eps": str(result.eps),
                    "error": float(result.eps),
                    "ratio": str(result.ratio),
                    "pairs": result.pairs,
                    "sequences": result.sequences,
                    "rank": result.rank,
                }
                for result in checked
            ]
        rows += [{"variant": variant, **row} for row in done[how.query, how.positional]]
    return pd.DataFrame(rows)
