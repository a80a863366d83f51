"""The discrete action, summed here in multiprecision from its definition, is stationary along a run.

One heavy body on a ball joint, two stages.  In a step R(t) = Rc X(Theta(t)) with the chart X(Theta) =
exp(sigma) exp(psi e), psi = e.Theta, sigma = Theta - psi e; Theta' has the values V_1, V_2 at the nodes of
Gauss, and Rc is such that the step begins at Theta = -Delta/2.  With the Lagrangian l of the body

    L_d(R0, R1) = extremum over V of h sum_k b_k l(R_k, w_k),   Delta given by R0 and R1              (1)
    D_2 L_d(R0, R1) + D_1 L_d(R1, R2) = 0,   D_1 L_d(R0, R1) = -J w0                                 (2)

All derivatives are central differences with 40 digits.
"""

import mpmath as mp
import numpy as np
import pytest

import poinsot as ps

H = 0.05
MASS, CENTRE, MOMENTS, GRAVITY = 1.0, (0.02, 0.01, 0.4), (0.3, 0.25, 0.1), 9.81
SMALL = mp.mpf(10) ** -9  # of differences with 40 digits: errors of 1e-18, and 1e-22 of second ones


def body():
    m = ps.Mechanism()
    m.add("body", ps.Body(MASS, MOMENTS, CENTRE), ps.Spherical())
    return m, m.state({"body": dict(rotation=ps.so3.exp([0.5, 0.1, 0.0]), angular_velocity=(0.5, 0.4, 3.0))})


def exp(x):
    """Rotation by the vector x."""
    angle = mp.sqrt(x[0] ** 2 + x[1] ** 2 + x[2] ** 2)
    K = mp.matrix([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])
    if angle == 0:
        return mp.eye(3)
    return mp.eye(3) + mp.sin(angle) / angle * K + (1 - mp.cos(angle)) / angle**2 * K * K


def vee(K):
    return mp.matrix([K[2, 1] - K[1, 2], K[0, 2] - K[2, 0], K[1, 0] - K[0, 1]]) / 2


def differences(function):
    """Derivatives of a function along the three axes, at zero."""
    axes = [mp.matrix([SMALL if i == j else 0 for j in range(3)]) for i in range(3)]
    return mp.matrix([(function(x) - function(-x)) / (2 * SMALL) for x in axes])


class Action:
    """L_d of (1)."""

    def __init__(self):
        c = mp.matrix(CENTRE)
        self.mc = MASS * c
        self.J = mp.diag(MOMENTS) + MASS * ((c.T * c)[0] * mp.eye(3) - c * c.T)
        _, vectors = np.linalg.eigh(np.array(self.J.tolist(), dtype=float))
        self.e = mp.matrix(vectors[:, 0].tolist())
        self.e /= mp.norm(self.e)
        root = 1 / mp.sqrt(12)
        self.nodes = (mp.mpf("0.5") - root, mp.mpf("0.5") + root)

    def chart(self, theta):
        psi = (self.e.T * theta)[0]
        return exp(theta - psi * self.e) * exp(psi * self.e)

    def lagrangian(self, centre, theta, rate):
        X = self.chart(theta)
        R = centre * X
        slope = (self.chart(theta + SMALL * rate) - self.chart(theta - SMALL * rate)) / (2 * SMALL)
        w = vee(X.T * slope)
        return (w.T * self.J * w)[0] / 2 - GRAVITY * (R * self.mc)[2]

    def sum(self, R0, R1, delta, first):
        """h sum b l with Delta of (R0, R1) and V_1 = `first`."""
        centre = R0 * self.chart(-delta / 2).T
        second = 2 * delta / H - first
        total = mp.mpf(0)
        c1, c2 = self.nodes
        for c, rate in ((c1, first), (c2, second)):  # the integrals of Lagrange's polynomials on the nodes
            a1 = (c * c / 2 - c2 * c) / (c1 - c2)
            a2 = (c * c / 2 - c1 * c) / (c2 - c1)
            theta = H * (a1 * first + a2 * second) - delta / 2
            total += H / 2 * self.lagrangian(centre, theta, rate)
        return total

    def delta(self, R0, R1):
        """Solve X(-Delta/2) R0^T R1 = X(Delta/2); the correction contracts with the size of the step."""
        Q, d, gap = R0.T * R1, mp.zeros(3, 1), mp.inf
        while mp.norm(gap) > 1e-32:
            gap = vee(self.chart(d / 2).T * self.chart(-d / 2) * Q)
            d = d + gap
        return d

    def extremal(self, R0, R1):
        """V_1 where the sum is stationary, by Newton's method with the first matrix."""
        delta = self.delta(R0, R1)

        def slope(x):
            return differences(lambda more: self.sum(R0, R1, delta, x + more))

        first = delta / H
        axes = [mp.matrix([SMALL if i == j else 0 for j in range(3)]) for i in range(3)]
        columns = [(slope(first + x) - slope(first - x)) / (2 * SMALL) for x in axes]
        matrix = mp.matrix(3, 3)
        for j, column in enumerate(columns):
            matrix[:, j] = column
        for _ in range(8):
            first = first - mp.lu_solve(matrix, slope(first))
        return first

    def derivatives(self, R0, R1):
        """(D_1, D_2) of L_d in body axes; where it is extremal, V_1 may be held."""
        first = self.extremal(R0, R1)

        def at(A, B):
            return self.sum(A, B, self.delta(A, B), first)

        return differences(lambda x: at(R0 * exp(x), R1)), differences(lambda x: at(R0, R1 * exp(x)))


def residuals(name):
    """|residuals| of (2) along a run of two steps, relative to the momentum."""
    m, start = body()
    run = ps.simulate(m, start, name, step=H, steps=2)
    with mp.workdps(40):
        action = Action()
        R = [mp.matrix(x.tolist()) for x in run.rotation("body")]
        (begin, end), (after, _) = action.derivatives(R[0], R[1]), action.derivatives(R[1], R[2])
        p = action.J * mp.matrix([0.5, 0.4, 3.0])
        return [float(mp.norm(x) / mp.norm(p)) for x in (begin + p, end + after)]


def test_a_run_is_an_extremal_of_the_discrete_action():
    assert residuals("sgauss2") == pytest.approx([0.0, 0.0], abs=2e-13)


def test_the_test_sees_another_method():
    """Gauss' method with two stages in (q, v) has the same order, and another action or none."""
    assert min(residuals("gauss2")) > 1e-9
