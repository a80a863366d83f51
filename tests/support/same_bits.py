"""Five runs and the digests of their bytes: `python same_bits.py NAME...` prints a line each.

They reach what could differ from machine to machine: functions of the user with elementary functions and
products of arrays, principal axes, a start that is projected onto a loop, an impulse, stiff Newton
iterations, adaptive steps, and a controller.
"""

import hashlib
import math
import sys
import warnings

import numpy as np

import poinsot as ps

TENSOR = ((0.03, 0.004, -0.002), (0.004, 0.05, 0.006), (-0.002, 0.006, 0.04))


def magnet(t, R, w, p, v):
    """A torque that calls one function of each kind."""
    a = math.sin(3.0 * t) * math.exp(-0.3 * t) + 0.01 * math.atan2(R[2, 1], R[2, 2])
    b = 0.02 * math.tanh(w[0]) + 0.01 * abs(w[1]) ** 1.5 - 0.01 * math.log(1.0 + w[2] * w[2])
    return a * R[2][0], b, 0.01 * math.cos(1e9 * t) + 0.01 * math.hypot(w[0], w[1])


def arrays(t, R, w, p, v):
    """A torque written with arrays."""
    return 0.01 * np.dot(R, np.sin(w)) - 0.001 * np.linalg.norm(w) * (R @ w)


def friction(t, q, v):
    return -0.05 * math.tanh(v[0] / 0.1) * (1.0 + 0.1 * math.sqrt(abs(q[0])) ** 0.7)


def swing(t, q, v):
    return 0.3 * math.sin(2.0 * t) * math.exp(-0.1 * q[0] * q[0]) - 0.01 * math.asinh(v[0])


def arm(count=3):
    m = ps.Mechanism()
    for k in range(count):
        m.add(
            f"link{k}",
            ps.Body(0.7 + 0.1 * k, TENSOR, center_of_mass=(0.1, 0.02, -0.15)),
            ps.Revolute((0.3, 1.0, 0.1 * k)),
            f"link{k - 1}" if k else "world",
            at=(0.0, 0.03, -0.3) if k else (0.0, 0.0, 0.0),
            rotation=(0.96, 0.28, 0.0, 0.0),
        )
    return m


def one_body():
    m = ps.Mechanism()
    m.add("top", ps.Body(1.1, TENSOR, center_of_mass=(0.1, 0.02, 0.3)), ps.Spherical())
    m.apply(ps.Torque("top", magnet))
    start = m.state({"top": dict(rotation=(0.8, 0.6, 0.0, 0.0), angular_velocity=(1.0, -2.0, 9.0))})
    m.apply(ps.Impulse("top", 0.05, torque=(0.01, 0.02, 0.0), force=(0.1, 0.0, 0.2)))
    return ps.simulate(m, start, "nmb", step=0.002, steps=300)


def gauss():
    m = arm()
    m.apply(ps.JointTorque("link0", friction))
    m.apply(ps.Torque("link2", arrays))
    m.apply(ps.Damper("link1", "link2", 300.0, at_a=(0.1, 0.2, 0.0), at_b=(0.0, 0.1, 0.2)))
    start = m.state({"link0": dict(angle=0.4, rate=1.0), "link2": dict(angle=-1.3)})
    return ps.simulate(m, start, "gauss3", step=0.01, steps=40)


def variational():
    m = ps.Mechanism()
    y, rod = (0.0, 1.0, 0.0), ps.Cylinder(0.02, 0.5)
    m.add("crank", rod.body(mass=0.4, center_of_mass=(0.1, 0.0, 0.0)), ps.Revolute(y))
    m.add("rod", rod.body(mass=0.8, center_of_mass=(0.3, 0.0, 0.0)), ps.Revolute(y), "crank", (0.2, 0, 0))
    m.add("rocker", rod.body(mass=0.6, center_of_mass=(0.0, 0.0, 0.2)), ps.Revolute(y), at=(0.7, 0.0, 0.0))
    m.close(ps.Loop("rod", "rocker", ps.Revolute(y), at_a=(0.6, 0.0, 0.0), at_b=(0.0, 0.0, 0.45)))
    start = m.state({"crank": dict(angle=-0.3, rate=5.0), "rod": dict(angle=-0.3), "rocker": dict(angle=0.1)})
    return ps.simulate(m, start, "variational", step=0.002, steps=100)


def dop853():
    m = arm(2)
    m.apply(ps.JointTorque("link0", swing), ps.Torque("link1", arrays))
    return ps.simulate(m, m.state({"link0": dict(angle=1.0)}), "dop853", step=0.05, steps=20)


def controlled():
    m = arm(2)

    def law(t, state, memory):
        q, v = state.q.tolist(), state.v.tolist()
        return [-4.0 * q[k] - 0.5 * v[k] for k in range(2)], memory

    start = m.state({"link0": dict(angle=0.7)})
    controller = ps.Controller(law, 0.01, ["link0", "link1"])
    return ps.simulate(m, start, "rk4", step=0.002, steps=100, controller=controller)


RUNS = {run.__name__: run for run in (one_body, gauss, variational, dop853, controlled)}


def digest(run):
    """Sixteen digits of everything that a trajectory holds."""
    x = run.trajectory
    data = b"".join(np.ascontiguousarray(part).tobytes() for part in (x.time, x.q, x.v))
    return hashlib.sha256(data).hexdigest()[:16]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name in sys.argv[1:] or RUNS:
        print(name, digest(RUNS[name]()), flush=True)
