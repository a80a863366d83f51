"""The compiled chain as a right-hand side y' = f(t, y) as in the thesis, y = (u_1 .. u_n, w_1/2 .. w_n/2)."""

from collections.abc import Callable

import numpy as np

import poinsot as ps
from poinsot.analytical import spaces
from poinsot_papers.claims import Array, short

QUATERNION = spaces.unit_quaternion()


def lengths(y: Array) -> Array:
    """Return |u| of each link."""
    return np.asarray(np.linalg.norm(y[: 4 * (len(y) // 7)].reshape(-1, 4), axis=1))


def state(y: Array) -> ps.State:
    """Return y as a state, with its quaternions scaled to length one."""
    n = len(y) // 7
    return ps.State(0.0, y[: 4 * n] / np.repeat(lengths(y), 4), 2 * y[4 * n :])


def right_hand_side(m: ps.Mechanism) -> Callable[[float, Array], Array]:
    """Return f of y' = f(t, y)."""

    def field(t: float, y: Array) -> Array:
        n = len(y) // 7
        u, w = y[: 4 * n].reshape(n, 4), 2 * y[4 * n :].reshape(n, 3)
        rates = [QUATERNION.A(u[k]) @ w[k] for k in range(n)]
        return np.concatenate([*rates, ps.dynamics.acceleration(m, state(y)) / 2])

    return field


def total_energy(m: ps.Mechanism, y: Array) -> float:
    """Return the kinetic plus potential energy."""
    energy = ps.dynamics.energy(m, state(y))
    return float(energy.kinetic + energy.potential)


def off_unit(run: ps.Run) -> float:
    """Return the largest error of the length of the quaternions of a run."""
    sizes = [np.linalg.norm(run.joint(name), axis=1) for name in run.mechanism.names]
    return float(short(np.abs(np.array(sizes) - 1).max(), 2))
