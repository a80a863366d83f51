"""The tracking law of one vehicle in three sets of coordinates, and computed torque in two."""

from typing import Any

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Figure, Measured, Verdict, short
from poinsot_papers.figures import COLORS, style_axes
from poinsot_papers.konz2024._quadcopter import quadcopter

CLAIM = Claim(
    paper="konz2024energy",
    where="abstract; section 1.1, (1.4)-(1.5)",
    title="Covariance of the control law: the same closed loop in other coordinates",
    words="the control law does not depend on the coordinates and velocities in which a mechanism is "
    "written; computed torque does",
)
O3 = (0.0, 0.0, 0.0)
ANGLES = 0.4, -0.3, 0.5  # roll, pitch and yaw at the start
PLACE = 0.2, -0.1, 0.3
STEP, UNTIL = 0.005, 0.5


def vehicles() -> dict[str, tuple[ps.Mechanism, Array]]:
    """Return the quadcopter with three choices of coordinates and velocities, and its start."""
    body, light = quadcopter().mechanism.links[0].body, ps.Body(0.0, O3)
    sliders, euler = ps.Mechanism(), ps.Mechanism()
    for m in (sliders, euler):
        for k, axis in enumerate(np.eye(3)):
            m.add(f"s{k}", light, ps.Prismatic(axis), parent=f"s{k - 1}" if k else "world")
    sliders.add("copter", body, ps.Spherical(), parent="s2")
    euler.add("z", light, ps.Revolute((0, 0, 1)), parent="s2").add(
        "y", light, ps.Revolute((0, 1, 0)), parent="z"
    )
    euler.add("copter", body, ps.Revolute((1, 0, 0)), parent="y")
    roll, pitch, yaw = ANGLES
    R = ps.so3.exp((0, 0, yaw)) @ ps.so3.exp((0, pitch, 0)) @ ps.so3.exp((roll, 0, 0))
    q = ps.quaternion.from_matrix(R)
    free = ps.Mechanism().add("copter", body, ps.Free())
    return {
        "quaternion, velocities in body axes": (free, np.array([*PLACE, *q])),
        "quaternion, velocities in space": (sliders, np.array([*PLACE, *q])),
        "Euler angles": (euler, np.array([*PLACE, yaw, pitch, roll])),
    }


def flown(m: ps.Mechanism, q: Array) -> Any:
    """Return the flight back to the origin."""
    c = quadcopter()
    law = ps.control.track(
        m, ps.control.Template("particle", [c.pair]), ps.control.references.constant(m.state()), c.inputs
    )
    return ps.simulate(m, ps.State(0.0, q, np.zeros(6)), "gauss4", step=STEP, until=UNTIL, controller=law)


def computed_torque(axes: tuple[int, int, int]) -> Array:
    """Return the torque in body axes of computed torque in the angles about these axes, at one attitude."""
    light, m, parent = ps.Body(0.0, O3), ps.Mechanism(gravity=O3), "world"
    for k, axis in enumerate(axes):
        body = light if k < 2 else ps.Body(1.0, (17.9e-3, 18e-3, 30.7e-3))
        m.add(f"b{k}", body, ps.Revolute(np.eye(3)[axis]), parent=parent)
        parent = f"b{k}"
    R = np.asarray(ps.so3.exp((0.5, -0.4, 0.6)))
    q = _angles(R, axes)
    law: Any = ps.control.computed_torque(
        m, ps.control.references.constant(m.state()), ["b0", "b1", "b2"], 36.0, 12.0
    )
    tau = law.function(0.0, ps.State(0.0, q, np.zeros(3)))
    J = ps.dynamics.jacobian(m, ps.State(0.0, q, np.zeros(3)), "b2")[:3]
    return np.asarray(np.linalg.solve(J.T, tau))


def _angles(R: Array, axes: tuple[int, int, int]) -> Array:
    """Return the angles of a rotation about three different axes, one after the other."""
    i, j, k = axes
    s = 1.0 if (j - i) % 3 == 1 else -1.0
    return np.array(
        [
            np.arctan2(-s * R[j, k], R[k, k]),
            np.arcsin(s * R[i, k]),
            np.arctan2(-s * R[i, j], R[i, i]),
        ]
    )


def run() -> Measured:
    runs = {name: flown(*pair) for name, pair in vehicles().items()}
    first = next(iter(runs.values()))
    found: Measured = {
        "time": short(first.time[::4], 4),
        "largest thrust": short(np.abs(first.input("rotors")).max(), 4),
    }
    here = first.trajectory.motions["copter"]
    found["difference"] = {
        name: {
            "pose": short(
                np.abs(other.trajectory.motions["copter"].origin - here.origin).max()
                + np.abs(other.trajectory.motions["copter"].rotation - here.rotation).max(),
                2,
            ),
            "input": short(np.abs(other.input("rotors") - first.input("rotors")).max(), 2),
        }
        for name, other in list(runs.items())[1:]
    }
    found["thrusts"] = [short(row, 4) for row in first.input("rotors")[::4].T]
    found["computed torque"] = {
        "yaw, pitch, roll": short(computed_torque((2, 1, 0)), 4),
        "roll, pitch, yaw": short(computed_torque((0, 1, 2)), 4),
    }
    return found


def verdict(result: Measured) -> Verdict:
    worst = max(max(one.values()) for one in result["difference"].values())
    a, b = (np.array(x) for x in result["computed torque"].values())
    apart = np.abs(a - b).max() / np.abs(a).max()
    because = (
        f"poses and thrusts of the same flight in three choices of coordinates and velocities differ by "
        f"{worst:.0e} (of thrusts up to {result['largest thrust']:.0f} N); computed torque in two orders of "
        f"the Euler angles with the same gains differs by {100 * apart:.0f} %"
    )
    return Verdict("reproduced" if worst < 1e-9 and apart > 0.1 else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    left, right = figure.subplots(1, 2)
    for k, values in enumerate(result["thrusts"]):
        left.plot(result["time"], values, color=COLORS[k], linewidth=1.2, label=f"rotor {k + 1}")
    left.set_xlabel("time, s")
    left.set_ylabel("thrust in all coordinates, N")
    for k, (name, values) in enumerate(result["computed torque"].items()):
        right.bar(np.arange(3) + 0.35 * k, values, 0.35, color=COLORS[k + 4], label=name)
    right.set_ylabel("computed torque about x, y, z, N m")
    figure.legend(frameon=False, fontsize=9, loc="outside right upper")
    figure.suptitle(CLAIM.title, x=0.01, ha="left", fontsize=11)
    for axes in (left, right):
        style_axes(axes)
