"""SciPy on Euler's equations of one free body: the shortest adapter, to copy from."""

from typing import ClassVar

import numpy as np
import scipy
from adapter import Adapter, CannotError, State, contacts
from scipy.integrate import solve_ivp


class SciPy(Adapter):
    """What one writes at home."""

    engine = "SciPy"
    settings: ClassVar[dict] = {
        "RK45 (default)": {"options": {}},
        "DOP853, rtol 1e-10": {"options": {"method": "DOP853", "rtol": 1e-10, "atol": 1e-10}},
    }

    @staticmethod
    def version():
        """Of the package."""
        return scipy.__version__

    def build(self, case):
        """Position, quaternion, velocity and angular velocity in one array."""
        if contacts(case) or any(body["joint"]["kind"] != "free" for body in case["bodies"]):
            raise CannotError("adapter: one free body")
        self.name, self.inertia = case["bodies"][0]["name"], np.array(case["bodies"][0]["inertia"])
        row, self.gravity = case["start"][self.name], case["gravity"]
        self.y = np.hstack([row[key] for key in State._fields])

    def slope(self, t, y):
        """Newton and Euler."""
        (a, b, c, d), v, w = y[3:7], y[7:10], y[10:]
        turn = np.array([[-b, -c, -d], [a, -d, c], [d, a, -b], [-c, b, a]]) @ w / 2
        return np.hstack(
            [v, turn, self.gravity, np.linalg.solve(self.inertia, np.cross(self.inertia @ w, w))]
        )

    def advance(self, seconds):
        """With error control."""
        self.y = solve_ivp(self.slope, (0.0, seconds), self.y, **self.options).y[:, -1]

    def state(self):
        """The array in parts."""
        return {self.name: State(self.y[:3], self.y[3:7], self.y[7:10], self.y[10:])}
