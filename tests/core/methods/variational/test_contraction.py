"""Forces outside the matrix of Newton's method: corrections converge linearly, and are made until they have.

A damped oscillator, x.. + c x. + k x = 0, has a closed form.  Its damper is once that of a joint, which is in
the matrix, and once one between bodies, which is not.
"""

import numpy as np
import pytest

import poinsot as ps

C, K, T = 5.0, 40.0, 1.0
FORCES = {
    "in the matrix": (ps.JointDamper("b", C), ps.JointSpring("b", K)),
    "outside": (ps.Damping("world", "b", np.diag([0, 0, 0, C, C, C])), ps.JointSpring("b", K)),
}


def slide(*forces):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("b", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    return m.apply(*forces), m.state({"b": dict(displacement=1.0, speed=2.0)})


def exact():
    """x and x. at T, from x = 1 and x. = 2."""
    w = np.sqrt(K - C * C / 4)
    B, decay = (2 + C / 2) / w, np.exp(-C / 2 * T)
    x = decay * (np.cos(w * T) + B * np.sin(w * T))
    return np.array([x, -C / 2 * x + decay * w * (-np.sin(w * T) + B * np.cos(w * T))])


def errors(method, forces, counts):
    m, start = slide(*forces)
    ends = [ps.simulate(m, start, method, step=T / n, steps=n, every=n).final for n in counts]
    return np.array([np.abs(np.concatenate([end.q, end.v]) - exact()).max() for end in ends])


@pytest.mark.parametrize("where", FORCES)
@pytest.mark.parametrize(
    ("method", "order", "counts"),
    [("variational4", 4, (100, 200, 400, 800)), ("variational6", 6, (20, 30, 40, 60))],
)
def test_the_order_is_kept_down_to_rounding(method, order, counts, where):
    found = errors(method, FORCES[where], counts)
    assert found.min() > 1e-12, "above rounding, for the fit"
    assert -np.polyfit(np.log(counts), np.log(found), 1)[0] == pytest.approx(order, abs=0.1)
    assert errors(method, FORCES[where], (3200,))[0] < 1e-13


def test_the_midpoint_keeps_a_quadratic_energy():
    """It does exactly; what it had was a slope of 5e-9."""
    m, start = slide(ps.Stiffness("world", "b", np.diag([0, 0, 0, K])))
    run = ps.simulate(m, start, "variational_midpoint", step=0.001, steps=100_000, every=500)
    energy = run.energy / run.energy[0] - 1
    assert abs(np.polyfit(run.time, energy, 1)[0]) * run.time[-1] < 1e-13
