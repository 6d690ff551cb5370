from itertools import product

import numpy as np
import pytest

from attnrank.minip.task import cube, groups, overlaps


def test_the_cube_has_every_token_once():
    tokens = cube(5)
    assert tokens.shape == (32, 5)
    assert len(np.unique(tokens, axis=0)) == 32


def test_overlaps_are_inner_products():
    tokens = cube(6).astype(int)
    assert (overlaps(6) == tokens @ tokens.T).all()


@pytest.mark.parametrize(("width", "length"), [(1, 1), (4, 1), (10, 2), (3, 3), (10, 3), (6, 8)])
def test_the_groups_hold_every_input_once(width, length):
    assert sum(group.inputs for group in groups(width, length)) == 2 ** (width * length)


def test_the_groups_are_the_multisets_of_overlaps_that_occur():
    width, length = 3, 3
    tokens = cube(width).astype(int)
    seen = {
        (int(x.sum()), tuple(np.bincount([x @ x, x @ a, x @ b], minlength=width + 1)))
        for x, a, b in product(tokens, repeat=length)
    }
    found = {(group.weight, tuple(row)) for group in groups(width, length) for row in group.counts}
    assert found == seen
