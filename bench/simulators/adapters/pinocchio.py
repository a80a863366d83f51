"""Pinocchio has no integrator: its `aba` with the Runge-Kutta method in Python, or with DOP853 of SciPy."""

from typing import ClassVar

import numpy as np
import pinocchio as pin
from adapter import Adapter, CannotError, State, contacts, rotation
from scipy.integrate import solve_ivp


class Pinocchio(Adapter):
    """The equations of pinocchio, y = (q, v) with quaternions as four numbers."""

    engine = "pinocchio"
    settings: ClassVar[dict] = {
        "RK4, 2 ms": {"step": 2e-3, "tolerance": None},
        "SciPy DOP853, rtol 1e-10": {"tolerance": 1e-10},
    }

    @staticmethod
    def version():
        """Of the package."""
        return pin.__version__

    def build(self, case):
        """The joints in the order of the bodies; frames at the joints."""
        if contacts(case):
            raise CannotError(
                "no contact" if case["contact"]["kind"] == "bounce" else "no rolling constraint"
            )
        self.model, self.frames, q, v = pin.Model(), {"world": (0, np.zeros(3))}, [], []
        self.model.gravity.linear = np.array(case["gravity"])
        for body in case["bodies"]:
            parent, center = self.frames[body["parent"]]
            kind, row, own = body["joint"]["kind"], case["start"][body["name"]], np.array(body["center"])
            joint = (
                pin.JointModelFreeFlyer()
                if kind == "free"
                else pin.JointModelRevoluteUnaligned(np.array(body["joint"]["axis"]))
            )
            new = self.model.addJoint(parent, joint, pin.SE3(np.eye(3), center + body["at"]), body["name"])
            self.model.appendBodyToJoint(
                new, pin.Inertia(body["mass"], own, np.array(body["inertia"])), pin.SE3.Identity()
            )
            self.frames[body["name"]] = new, own
            if kind == "free":
                turn = rotation(row["quaternion"])
                q += [*row["position"], *np.roll(row["quaternion"], -1)]
                v += [*(turn.T @ row["velocity"]), *row["angular_velocity"]]
            else:
                q, v = [*q, row["angle"]], [*v, row["rate"]]
        self.free = len(q) > len(v)
        self.data, self.zero = self.model.createData(), np.zeros(len(v))
        self.y = np.array([*q, *v])

    def slope(self, t, y):
        """dy/dt; a free body is alone."""
        q, v = y[: self.model.nq], y[self.model.nq :]
        change = v
        if self.free:
            x, y, z, w = q[3:]
            a, b, c = v[3:]
            turn = [
                w * a + y * c - z * b,
                w * b + z * a - x * c,
                w * c + x * b - y * a,
                -x * a - y * b - z * c,
            ]
            change = np.concatenate([rotation([w, x, y, z]) @ v[:3], 0.5 * np.array(turn)])
        return np.concatenate([change, pin.aba(self.model, self.data, q, v, self.zero)])

    def advance(self, seconds):
        """Runge and Kutta, or SciPy."""
        if self.tolerance:
            options = {"method": "DOP853", "rtol": self.tolerance, "atol": self.tolerance}
            self.y = solve_ivp(self.slope, (0.0, seconds), self.y, **options).y[:, -1]
            return
        count, h = self.steps(seconds)
        y, f = self.y, self.slope
        for _ in range(count):
            a = f(0, y)
            b = f(0, y + 0.5 * h * a)
            c = f(0, y + 0.5 * h * b)
            y = y + h / 6 * (a + 2 * (b + c) + f(0, y + h * c))
        self.y = y

    def state(self):
        """From the placements and velocities of the joints."""
        q, v = self.y[: self.model.nq].copy(), self.y[self.model.nq :]
        if self.free:
            q[3:] /= np.linalg.norm(q[3:])
        pin.forwardKinematics(self.model, self.data, q, v)
        found = {}
        for name, (joint, own) in list(self.frames.items())[1:]:
            place, speed = self.data.oMi[joint], self.data.v[joint]
            x, y, z, w = pin.Quaternion(place.rotation).coeffs()
            velocity = place.rotation @ (speed.linear + np.cross(speed.angular, own))
            found[name] = State(place.act(own), np.array([w, x, y, z]), velocity, speed.angular.copy())
        return found
