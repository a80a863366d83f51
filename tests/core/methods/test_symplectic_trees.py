"""Symplecticity of the step maps on trees, in the coordinates q and p = M(q) v.

A map F is symplectic if dF^T W dF = W, W = ((0, -1), (1, 0)).  dF by Richardson's combination of central
differences, whose error is 1e-11.
"""

import numpy as np
import pytest

import poinsot as ps
from poinsot.formats.data import to_data
from support import oracle, zoo

STEP = 0.1
METHODS = [method for method in zoo.METHODS if method.name != "dop853"]  # its step is not a fixed map


def bent():
    """A double pendulum with skew axes: the mass matrix depends on q."""
    m = ps.Mechanism()
    m.add("upper", ps.Body(1.0, (0.1, 0.2, 0.15), (0.0, 0.1, -0.5)), ps.Revolute((1, 0.2, 0)))
    return m.add(
        "lower",
        ps.Body(0.7, (0.2, 0.1, 0.1), (0.1, 0.0, -0.4)),
        ps.Revolute((0, 1, 0.3)),
        "upper",
        (0, 0, -1),
    )


def threaded():
    """A screw on a skew hinge: the mass matrix depends on q."""
    m = ps.Mechanism()
    m.add("arm", ps.Body(1.0, (0.1, 0.2, 0.15), (0.0, 0.1, -0.5)), ps.Revolute((1, 0.2, 0)))
    nut = ps.Body(0.7, (0.2, 0.1, 0.1), (0.1, 0.0, -0.4))
    return m.add("nut", nut, ps.Helical((0.2, 1, 0.3), 1.5), "arm", (0, 0.3, -0.5))


def straight():
    """Two slides and a spring with rest length: the mass matrix is constant, the force is not linear."""
    m = ps.Mechanism()
    m.add("x", ps.Body(1.0, (0.1, 0.2, 0.15)), ps.Prismatic((1, 0.2, 0)))
    m.add("y", ps.Body(0.7, (0.2, 0.1, 0.1)), ps.Prismatic((0, 1, 0.3)), "x")
    return m.apply(ps.Spring("world", "y", 10.0, 1.0, at_a=(0.5, 0.4, 0.3)))


def defect(m, method):
    data, n = to_data(m), 2

    def step(z):
        M, _ = oracle.equations(data, z[:n], np.zeros(n))
        start = ps.State(0.0, z[:n], np.linalg.solve(M, z[n:]))
        end = ps.simulate(m, start, method.name, step=STEP, steps=1).final
        return np.concatenate([end.q, oracle.equations(data, end.q, np.zeros(n))[0] @ end.v])

    def differences(h):
        return np.array([(step(z + h * e) - step(z - h * e)) / (2 * h) for e in np.eye(2 * n)]).T

    z = np.array([0.4, -0.3, 0.5, 0.6])
    D = (4 * differences(1e-3) - differences(2e-3)) / 3
    W = np.kron([[0, -1], [1, 0]], np.eye(n))
    return np.abs(D.T @ W @ D - W).max()


@pytest.mark.parametrize("mechanism", [bent, threaded])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_declared_symplecticity(method, mechanism):
    assert (defect(mechanism(), method) < 1e-9) == method.symplectic


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_gauss_methods_are_symplectic_where_the_mass_matrix_is_constant(method):
    """And newmark, which is Stoermer-Verlet there, and symplectic ones; the others are the control."""
    small = method.name.startswith("gauss") or method.name == "newmark" or method.symplectic
    assert (defect(straight(), method) < 1e-10) == small
