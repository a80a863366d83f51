"""Linear algebra without LAPACK: right to rounding, and the same bits in Python and compiled."""

import mpmath
import numpy as np
import pytest

from poinsot.core.solve import dense
from poinsot.elementary import linear, matrices, quadrature

RANDOM = np.random.default_rng(2)
EPS = 2.0**-52


def symmetric(n, spread):
    A = RANDOM.normal(size=(n, n)) * 10.0 ** RANDOM.uniform(-spread, spread, n)[:, None]
    return A @ A.T


@pytest.mark.parametrize(("n", "spread"), [(3, 0), (3, 6), (6, 1)])
def test_eigenvalues_of_symmetric_matrices(n, spread):
    A = symmetric(n, spread)
    values, V = linear.eigh(A)
    with mpmath.workdps(40):
        exact = np.array(sorted(float(x) for x in mpmath.eigsy(mpmath.matrix(A.tolist()), eigvals_only=True)))
    assert np.abs(values - exact).max() < 8 * n * EPS * exact.max()
    assert np.abs(V.T @ V - np.eye(n)).max() < 8 * n * EPS
    assert np.abs((V * values) @ V.T - A).max() < 8 * n * EPS * exact.max()


def test_a_diagonal_matrix_is_its_own_answer():
    values, V = linear.eigh(np.diag([3.0, 1.0, 2.0]))
    assert values.tolist() == [1.0, 2.0, 3.0]
    assert np.array_equal(V, np.eye(3)[:, [1, 2, 0]])


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_singular_values(rank):
    A = RANDOM.normal(size=(3, rank)) @ RANDOM.normal(size=(rank, 3))
    U, s, Vt = linear.svd(A)
    size = max(np.abs(A).max(), 1.0)
    assert np.abs((U * s) @ Vt - A).max() < 16 * EPS * size
    for Q in (U, Vt):
        assert np.abs(Q.T @ Q - np.eye(3)).max() < 16 * EPS
    assert (np.diff(s) <= 0).all()
    assert (s > 1e-12).sum() == rank


def test_general_eigenvectors_and_inverses_of_gauss_matrices():
    for s in (1, 2, 3, 4):
        A = quadrature.collocation(quadrature.gauss_legendre(s)[0])
        values, T = linear.eig(A)
        assert np.abs(A @ T - T * values).max() < 4 * EPS
        assert np.abs(linear.inverse(T) @ T - np.eye(s)).max() < 16 * EPS
    with pytest.raises(np.linalg.LinAlgError):
        linear.inverse(np.ones((2, 2)))


@pytest.mark.parametrize("s", [1, 2, 3, 4, 5])
def test_gauss_nodes_are_correctly_rounded(s):
    def legendre(x):
        return mpmath.legendre(s, x)

    c, b = quadrature.gauss_legendre(s)
    with mpmath.workdps(40):
        roots = sorted(mpmath.polyroots(mpmath.taylor(legendre, 0, s)[::-1], maxsteps=200))
        slopes = [mpmath.diff(legendre, root) for root in roots]
        assert c.tolist() == [float((1 + root) / 2) for root in roots]
        assert b.tolist() == [float(1 / ((1 - x * x) * d * d)) for x, d in zip(roots, slopes, strict=True)]
    a = quadrature.collocation(c)
    for k in range(s):  # integrates polynomials below degree s exactly
        assert a @ c**k == pytest.approx(c ** (k + 1) / (k + 1), abs=4 * EPS)


def test_python_and_the_compiler_give_the_same_bits():
    A, b = RANDOM.normal(size=(6, 4)), RANDOM.normal(size=6)
    US, V = A.copy(), np.eye(4)
    matrices.rotate_singular(US, V)
    compiled_US, compiled_V = A.copy(), np.eye(4)
    dense._kernel("rotate_singular")(compiled_US, compiled_V)
    assert np.array_equal(US, compiled_US)
    assert np.array_equal(V, compiled_V)
    y = np.zeros(4)
    matrices.least_squares(A.copy(), b.copy(), np.arange(4), y)
    assert np.array_equal(y, dense.least_squares(A, b))


def test_dense_factors_and_solutions():
    A, b = symmetric(12, 1), RANDOM.normal(size=12)
    L = dense.cholesky(A)
    assert np.array_equal(L, np.tril(L))
    assert np.abs(dense.product(L, L.T) - A).max() < 16 * EPS * np.abs(A).max()
    x = dense.solve_upper(L.T, dense.solve_lower(L, b))
    assert np.abs(A @ x - b).max() < 1e3 * EPS * np.abs(A).max() * np.abs(x).max()
    with pytest.raises(np.linalg.LinAlgError):
        dense.cholesky(-A)
    for shape in ((3, 8), (8, 3)):
        B = RANDOM.normal(size=shape)
        U, s, Vt = dense.svd(B)
        assert np.abs((U * s) @ Vt[: len(s)] - B).max() < 32 * EPS
        assert np.abs(Vt @ Vt.T - np.eye(shape[1])).max() < 32 * EPS
    B, c = RANDOM.normal(size=(9, 4)), RANDOM.normal(size=9)
    assert dense.least_squares(B, c) == pytest.approx(np.linalg.lstsq(B, c, rcond=None)[0], rel=1e-12)


@pytest.mark.parametrize("ratio", [1e-15, 1e-8, 1.0, 1e8, 1e15])
def test_least_squares_with_rows_of_very_different_sizes(ratio):
    """What remains of the large rows is much larger than the small rows, and does not change their answer."""
    parts, sizes = RANDOM.normal(size=(3, 4)), (1.0, ratio, ratio**2)
    rest = RANDOM.normal(size=(3, 4))
    A, b = np.zeros((12, 3)), np.zeros(12)
    for k, size in enumerate(sizes):
        A[4 * k : 4 * k + 4, k], b[4 * k : 4 * k + 4] = size * parts[k], size * rest[k]
    exact = [(a @ c) / (a @ a) for a, c in zip(parts, rest, strict=True)]
    assert dense.least_squares(A, b) == pytest.approx(exact, rel=1e-14, abs=1e-15)


def test_products_without_columns():
    empty = np.zeros((5, 0))
    assert np.array_equal(dense.product(empty, empty.T), np.zeros((5, 5)))
    assert dense.product(empty.T, np.ones(5)).shape == (0,)
    assert dense.product(np.eye(5), empty).shape == (5, 0)
    assert dense.solve_lower(np.eye(5), empty).shape == (5, 0)
    assert dense.least_squares(empty, np.ones(5)).shape == (0,)
    assert dense.svd(np.zeros((3, 5)))[1].tolist() == [0.0, 0.0, 0.0]
