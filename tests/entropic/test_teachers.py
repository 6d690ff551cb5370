import numpy as np
import pytest

from attnrank import spectra
from attnrank.entropic import teachers


@pytest.mark.parametrize(("rows", "columns"), [(5, 1), (5, 3), (5, 5)])
def test_orthonormal_columns(rows, columns):
    q = teachers.orthonormal(np.random.default_rng(0), rows, columns)
    np.testing.assert_allclose(q.T @ q, np.eye(columns), atol=1e-12)


@pytest.mark.parametrize("columns", [0, 6])
def test_impossible_shapes_are_refused(columns):
    with pytest.raises(ValueError, match=f"columns = {columns}"):
        teachers.orthonormal(np.random.default_rng(0), 5, columns)


def test_orthogonal_matrices_are_uniform():
    rng = np.random.default_rng(1)
    traces = np.array([np.trace(teachers.orthogonal(rng, 4)) for _ in range(4000)])
    # The Haar measure's trace has mean 0 and variance 1; QR's own signs shift the mean to -0.8.
    assert abs(traces.mean()) < 5 / np.sqrt(4000)
    assert traces.var() == pytest.approx(1, rel=0.1)


@pytest.mark.parametrize("rank", [1, 3, 6])
def test_flat_low_rank_operator(rank):
    operator = teachers.flat_low_rank(np.random.default_rng(2), 6, rank, norm=2.5)
    values = np.linalg.svd(operator, compute_uv=False)
    assert np.linalg.norm(operator) == pytest.approx(2.5)
    np.testing.assert_allclose(values[:rank], 2.5 / np.sqrt(rank))
    np.testing.assert_allclose(values[rank:], 0, atol=1e-12)
    assert spectra.energy_effective_rank(values) == pytest.approx(rank)
