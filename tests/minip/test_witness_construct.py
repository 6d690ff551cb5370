import numpy as np
import pytest

from attnrank.minip.witness.construct import nonnegative_kernel_head
from attnrank.minip.witness.data import build_suite
from attnrank.minip.witness.inputs import Inputs

# Certified: an error at which the sign split gives rank n, from Lambda = 3 / eps - 1.
CERTIFIED = {2: 1.49, 3: 1.24, 4: 0.999, 5: 0.869, 8: 0.599}


def inputs(queries: int) -> Inputs:
    suite = build_suite(queries=queries, keys=queries + 1)
    names = ("tokens", "sequences", "targets", "query_token", "key_token")
    return Inputs(**{name: getattr(suite, name) for name in names})


@pytest.mark.parametrize("queries", list(CERTIFIED))
def test_one_feature_less_reaches_the_certified_error_and_not_below(queries):
    given = inputs(queries)
    head = nonnegative_kernel_head(given, slack=0.005, mixing=1e-3)
    kernel = head.query_features @ head.key_features.T
    assert head.query_features.shape == (queries, queries - 1)
    assert np.linalg.matrix_rank(kernel) == queries - 1
    assert (kernel > 0).all()
    assert CERTIFIED[queries] < head.error < 1.02 * CERTIFIED[queries]


def test_the_error_is_that_of_the_head_on_every_input():
    given = inputs(4)
    head = nonnegative_kernel_head(given, slack=0.005, mixing=1e-3)
    number = {token: i for i, token in enumerate(given.query_token)}
    worst = 0.0
    for sequence, target in zip(given.sequences, given.targets, strict=True):
        i = number[sequence[0]]
        weights = head.key_features[sequence] @ head.query_features[i]
        answer = weights @ head.readout[i, sequence] / weights.sum()
        worst = max(worst, abs(answer - target))
    assert worst == pytest.approx(head.error)
