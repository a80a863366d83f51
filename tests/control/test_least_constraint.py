"""Gauss' least constraint and its limits: reference vectors, optimality conditions, another solver."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize

import poinsot as ps
from control import witness_laws, witness_quadratic
from control.programs import minimize as compiled
from support.data import load

VECTORS = load("control.json")["vectors"]
GAUSS, QP = VECTORS["gauss"], VECTORS["qp"]


def arrays(data, *names):
    return [np.array(data[name]) for name in names]


@pytest.mark.parametrize("name", GAUSS)
def test_inputs_of_the_reference(name):
    data = GAUSS[name]
    M, f, B, M_bar, f_bar, u, a = arrays(data, "M", "f", "B", "M_bar", "f_bar", "u", "xid")
    found = ps.control.least_constraint(M, f, B, M_bar, f_bar)
    assert np.abs(found.u - u).max() < 1e-9 * np.abs(u).max()
    assert np.abs(found.acceleration - a).max() < 1e-9 * np.abs(a).max()
    assert found.residual == pytest.approx(data["G0"], rel=1e-9, abs=1e-20)
    assert np.abs(M @ found.acceleration + f - B @ found.u).max() < 1e-11
    assert np.abs(found.directions.T @ B).max(initial=0.0) < 1e-13
    if "lam" in data:
        away, lam = arrays(data, "B_perp", "lam")
        assert np.abs(found.directions @ found.matching - away @ lam).max() < 1e-9
        pushed = M_bar @ found.acceleration + f_bar
        assert np.abs(pushed - data["f_tilde"]).max() < 1e-9
        assert found.residual == pytest.approx(pushed @ np.linalg.solve(M_bar, pushed) / 2, rel=1e-12)


@pytest.mark.parametrize("k", range(len(QP["cases"])))
def test_the_polygon_of_the_reference(k):
    H, u0, u, lam = arrays(QP["cases"][k], "H", "u0", "u", "multipliers")
    found = compiled(H, u0, *arrays(QP, "Z", "b"))
    assert np.abs(found.u - u).max() < 1e-9
    assert sorted(found.active) == sorted(QP["cases"][k]["active"])
    assert np.abs(np.sort(found.multipliers[found.multipliers > 0]) - np.sort(lam[lam > 0])).max() < 1e-8


def test_a_box_against_the_solver_of_scipy():
    box = QP["box"]
    H, u0, u = arrays(box, "H", "u0", "u")
    Z, b = np.vstack([np.eye(4), -np.eye(4)]), np.array([box["upper"]] * 4 + [-box["lower"]] * 4)
    found = compiled(H, u0, Z, b)
    assert np.abs(found.u - u).max() < 1e-9
    L = np.linalg.cholesky(H).T
    other = lsq_linear(L, L @ u0, (box["lower"], box["upper"]), method="bvls", tol=1e-14)
    assert np.abs(found.u - other.x).max() < 1e-10


def problems(count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, rows = rng.integers(1, 7), rng.integers(1, 31)
        X = rng.normal(size=(n, n))
        Z = rng.normal(size=(rows, n))
        b = Z @ rng.normal(size=n) + rng.uniform(0, 1, rows) * (
            rng.uniform(size=rows) > 0.2
        )  # some at a corner
        yield X @ X.T + 0.05 * np.eye(n), 3 * rng.normal(size=n), Z, b


def test_the_conditions_of_optimality_hold():
    """Karush, Kuhn and Tucker: they are sufficient for a convex program."""
    limited = 0
    for H, u0, Z, b in problems(300):
        found = compiled(H, u0, Z, b)
        size = np.abs(H @ (found.u - u0)).max() + 1
        assert np.abs(H @ (found.u - u0) + Z.T @ found.multipliers).max() < 1e-12 * size
        assert (Z @ found.u - b).max() < 1e-12
        assert found.multipliers.min() > -1e-12 * size
        assert np.abs(found.multipliers * (Z @ found.u - b)).max() < 1e-12 * size
        witness = witness_quadratic.minimise(H, u0, Z, b)
        assert np.abs(found.u - witness.u).max() < 1e-11 * (1 + np.abs(witness.u).max())
        limited += bool(found.active)
    assert limited > 200


def test_another_solver_finds_the_same_point():
    for H, u0, Z, b in problems(20, seed=5):
        found = compiled(H, u0, Z, b)
        other = minimize(
            lambda u, H=H, u0=u0: (u - u0) @ H @ (u - u0) / 2,
            found.u + 0.1,
            jac=lambda u, H=H, u0=u0: H @ (u - u0),
            constraints={"type": "ineq", "fun": lambda u, Z=Z, b=b: b - Z @ u, "jac": lambda u, Z=Z: -Z},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert np.abs(found.u - other.x).max() < 1e-5


def test_the_law_in_numpy_finds_the_same_input():
    """Square, redundant and missing inputs, with limits and without."""
    rng, limited = np.random.default_rng(1), 0
    for _ in range(100):
        n, nu, rows = rng.integers(1, 7), rng.integers(1, 8), rng.integers(0, 9)
        M, M_bar = (X @ X.T + 0.1 * np.eye(n) for X in rng.normal(size=(2, n, n)))
        f, f_bar, B, Z = (
            rng.normal(size=n),
            rng.normal(size=n),
            rng.normal(size=(n, nu)),
            rng.normal(size=(rows, nu)),
        )
        b = rng.uniform(0.01, 0.5, size=rows)
        found = ps.control.least_constraint(M, f, B, M_bar, f_bar, Z=Z, b=b)
        wanted = witness_laws.solved(M, f, B, M_bar, f_bar, Z, b)
        redundant = bool(wanted.active) and nu > n  # the shortest of many, up to the root of the rounding
        assert np.abs(found.u - wanted.u).max() < (1e-5 if redundant else 1e-8) * (1 + np.abs(wanted.u).max())
        assert found.residual == pytest.approx(wanted.residual, rel=1e-7, abs=1e-7)
        limited += bool(wanted.active)
    assert limited > 30


def test_redundant_inputs_with_limits_are_the_shortest():
    """Two equal motors on one cart share the force; at the limit of one, the other takes the rest."""
    cart = [[1.0]], [0.0], [[1.0, 1.0]], [[1.0]], [-6.0]
    assert np.abs(ps.control.least_constraint(*cart).u - [3, 3]).max() < 1e-12
    limited = ps.control.least_constraint(*cart, Z=[[1.0, 0.0]], b=[2.0])
    assert np.abs(limited.u - [2, 4]).max() < 1e-7
    assert limited.residual < 1e-12
    assert limited.active == (0,)


def test_what_is_wrong_is_named():
    with pytest.raises(ps.ModelError, match="exclude each other"):
        ps.control.least_constraint(
            [[1.0]], [0.0], [[1.0]], [[1.0]], [-3.0], Z=[[1.0], [-1.0]], b=[1.0, -2.0]
        )
    with pytest.raises(ps.ModelError, match="not positive definite, its smallest eigenvalue is 0"):
        ps.control.least_constraint([[1.0]], [0.0], [[1.0]], [[0.0]], [-3.0])
    with pytest.raises(ps.ModelError, match="give Z and b together"):
        ps.control.least_constraint([[1.0]], [0.0], [[1.0]], [[1.0]], [-3.0], Z=[[1.0]])
