"""The step of the symplectic Gauss methods leaves the symplectic form alone, to rounding, by dual numbers.

On a body with a fixed point, for changes (eta, dw) of attitude and angular velocity in body axes, p = J w,

    Omega(1, 2) = dp_1.eta_2 - dp_2.eta_1 - p.(eta_1 x eta_2)                                   (1)
"""

import numpy as np
import pytest

import poinsot as ps
from poinsot.core.methods import ALL

J = np.diag([0.3, 0.25, 0.1])
SGAUSS = [method.name for method in ALL if method.name.startswith("sgauss")]
pytestmark = pytest.mark.slow  # kernels for dual numbers: a minute to compile


def form(w):
    """Omega of (1) as a matrix in (eta, dw)."""
    p = J @ w
    hat = np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
    return np.block([[hat, -J], [J, np.zeros((3, 3))]])


@pytest.mark.parametrize("name", SGAUSS)
@pytest.mark.parametrize("h", [0.01, 0.05])
def test_a_step_is_symplectic_on_a_heavy_body(name, h):
    m = ps.Mechanism()
    m.add("body", ps.Body(1.0, np.diag(J) - (0.16, 0.16, 0.0), (0, 0, 0.4)), ps.Spherical())
    start = m.state({"body": dict(rotation=ps.so3.exp([0.5, 0.1, 0.0]), angular_velocity=(0.5, 0.4, 8.0))})
    step = ps.dynamics.linearize(m, start, method=name, step=h)
    before, after = form(start.v), form(step.image.v)
    assert step.A.T @ after @ step.A == pytest.approx(before, abs=1e-13 * np.abs(before).max())
