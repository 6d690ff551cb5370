import numpy as np
import pytest
from scipy.optimize import linprog

from attnrank.errors import AttnrankError
from attnrank.minip.loopholes import dependency


def whole_program(suite, s, t, eps, signed):
    """Return whether the dependency is possible, by one program over every token of every query."""
    tokens = ["token_1", "token_2", "token_3"]
    keys = suite[suite["kind"] == "double"].groupby("key")["token_2"].first().tolist()
    unknowns = {}
    for i in range(s + t):
        for word in np.unique(suite.loc[suite["query"] == i, tokens].to_numpy().astype(str)):
            unknowns[i, word] = len(unknowns)
    size = len(unknowns)
    upper, end = [], []
    for row in suite[suite["query"] < s + t].itertuples():
        count = np.zeros(size)
        for word in (row.token_1, row.token_2, row.token_3):
            count[unknowns[row.query, word]] += 1
        upper += [
            np.r_[-(row.target + eps) * count, count],
            np.r_[(row.target - eps) * count, -count],
            np.r_[-count, 0 * count],
        ]
        end += [0, 0, -1]
    equal = np.zeros((len(keys), 2 * size))
    for c, word in enumerate(keys):
        for i in range(s + t):
            equal[c, unknowns[i, word]] = 1 if i < s else -1
    bounds = [(None if signed else 0, None)] * size + [(None, None)] * size
    result = linprog(
        np.zeros(2 * size), upper, end, equal, np.zeros(len(keys)), bounds, method="highs"
    )
    return result.status == 0


@pytest.mark.parametrize("eps", [0.2, 0.45, 0.7, 0.95])
def test_one_query_of_each_set_is_enough(small_frame, eps):
    for s, t in [p for k in (1, 2, 3) for p in dependency.patterns(k)]:
        seen = dependency.views(small_frame, s, t)
        for signed in (True, False):
            found = dependency.solve(seen, s, t, eps, 0.0, signed=signed) is not None
            assert found == whole_program(small_frame, s, t, eps, signed), (s, t, signed)


def test_a_signed_head_of_one_feature_less_is_what_it_says(suite_frame):
    seen = dependency.views(suite_frame, 8, 0)
    margin, head = dependency.largest_margin(seen, 8, 0, 0.3, 0.05)
    built = dependency.build(suite_frame, seen, 8, 0, head)
    assert built.rank == 7
    assert built.error <= 0.3 + 1e-9
    assert margin - 1e-9 <= built.margin < 1


def test_nonnegative_heads_need_every_feature_below_the_certified_error(suite_frame):
    for s, t in dependency.patterns(8):
        seen = dependency.views(suite_frame, s, t)
        assert dependency.solve(seen, s, t, 0.599, 0.0, signed=False) is None
    seen = dependency.views(suite_frame, 4, 4)
    assert dependency.solve(seen, 4, 4, 0.601, 0.0, signed=False) is not None


def test_a_margin_of_one_means_nonnegative(suite_frame):
    seen = dependency.views(suite_frame, 4, 4)
    margin, head = dependency.largest_margin(seen, 4, 4, 0.7, 0.1)
    assert margin == 1.0
    assert min(min(row.values()) for row in head.alpha) >= -1e-9


def test_a_token_shared_by_two_queries_is_refused(small_frame):
    broken = small_frame.copy()
    chains = broken["kind"] == "chain"
    own = broken[chains & (broken["query"] == 0) & (broken["overlap_2"] == 1)].index[0]
    other = broken[chains & (broken["query"] == 1) & (broken["overlap_2"] == 1)].index[0]
    broken.loc[own, "token_2"] = broken.loc[other, "token_2"]
    with pytest.raises(AttnrankError):
        dependency.views(broken, 3, 0)


@pytest.mark.parametrize(
    ("feasible", "rank"),
    [
        (set(), 4),
        ({(4, 0)}, 3),  # one dependency of all rows
        ({(3, 1), (2, 1), (1, 1), (2, 2)}, 1),
        ({(4, 0), (3, 0)}, 3),  # one coefficient may be 0, but none can change its sign
        ({(4, 0), (3, 0), (3, 1)}, 3),
        ({(4, 0), (3, 0), (3, 1), (2, 1), (2, 2)}, 2),
    ],
)
def test_the_certain_rank(feasible, rank):
    assert dependency.certain_rank(feasible, 4) == rank


def test_the_certain_rank_holds_for_matrices_of_low_rank():
    rng = np.random.default_rng(0)
    for rank in (1, 2, 3):
        kernel = rng.normal(size=(5, 5 - rank))  # dependencies of 5 rows of that rank
        feasible = set()
        for w in rng.normal(size=(4000, 5 - rank)):
            signs = np.sign(kernel @ w)
            feasible.add(tuple(sorted((int((signs > 0).sum()), int((signs < 0).sum())))[::-1]))
        for drop in range(5 - rank):  # and those that vanish at some rows
            for rows in np.ndindex(*[5] * drop):
                if len(set(rows)) == drop:
                    null = np.linalg.svd(kernel[list(rows)])[2][drop:] if drop else np.eye(5 - rank)
                    for w in rng.normal(size=(200, len(null))) @ null:
                        c = kernel @ w
                        c[list(rows)] = 0
                        sides = (int((c > 0).sum()), int((c < 0).sum()))
                        feasible.add(tuple(sorted(sides)[::-1]))
        assert dependency.certain_rank(feasible, 5) <= rank
