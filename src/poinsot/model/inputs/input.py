"""The interface of an input: one or more numbers that a controller sets, and the forces that they mean.

    tau = B(q) u,     B = [J_b(q)^T W ...]      W (6, k): wrenches of the unit inputs on body b     (1)

Wrenches are (torque, force) about the origin of the body frame and in its axes.  A motor at a joint has unit
columns instead.  The admissible inputs are a box, low <= u <= high, or a polygon Z u <= b.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.fields import Cleaned
from poinsot.model.inputs.hold import Held

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

Limit = tuple[float, float]


class Input(ABC):
    """One or more numbers that a controller sets."""

    name: str | None  # of the input in a run
    limit: float | Limit | None

    @property
    @abstractmethod
    def label(self) -> str:
        """Name of the input for messages: "thrust on 'drone'"."""

    @property
    @abstractmethod
    def key(self) -> str:
        """Name of the input in a run."""

    @abstractmethod
    def count(self, mechanism: "Mechanism") -> int:
        """Return the number of components of u.  `mechanism`: mechanism with the joints and bodies."""

    @abstractmethod
    def columns(self, mechanism: "Mechanism", jacobians: Mapping[str, Array]) -> Array:
        """Return the columns (nv, k) of the input matrix B from the `jacobians` (6, nv) of bodies by name."""

    @abstractmethod
    def hold(self, mechanism: "Mechanism") -> Held:
        """Return the force that holds the input constant over a period.  `mechanism`: as in `count`."""

    def bounds(self, mechanism: "Mechanism") -> Array:
        """Return the smallest and the largest value of each component [N, N m], or infinity, (k, 2)."""
        low, high = both_sides(self.limit)
        return np.tile([low, high], (self.count(mechanism), 1))

    def rows(self, mechanism: "Mechanism") -> tuple[Array, Array]:
        """Return the admissible inputs as a polygon Z u <= b: normals (rows, k) and distances."""
        box = self.bounds(mechanism)
        eye = np.eye(len(box))
        Z, b = np.vstack([eye, -eye]), np.concatenate([box[:, 1], -box[:, 0]])
        return Z[np.isfinite(b)], b[np.isfinite(b)]

    def saturate(self, mechanism: "Mechanism", u: Array) -> Array:
        """Return the admissible input nearest to `u` [N, N m], (k,); a NaN remains one."""
        box = self.bounds(mechanism)
        return np.clip(u, box[:, 0], box[:, 1])


def both_sides(limit: float | Limit | None) -> Limit:
    """Return low and high of a limit."""
    if limit is None:
        return -math.inf, math.inf
    return limit if isinstance(limit, tuple) else (-limit, limit)


def checked_limit(who: str, limit: Any, least: float = -math.inf) -> float | Limit | None:
    """Return None, a positive number, or (low, high) with low < high, where infinite sides are allowed."""
    if limit is None:
        return None
    found = checks.real(limit)
    if found.shape == ():
        if float(found) == math.inf:
            return None
        return checks.number(who, "limit", limit, positive=True)
    if found.shape != (2,) or np.isnan(found).any() or not found[0] < found[1] or found[0] < least:
        wanted = "a positive number or (low, high)"
        more = f" with low from {least:g}" if least > -math.inf else ""
        raise ModelError(f"{who}: limit must be {wanted} with low < high{more}, got {show(limit)}")
    return float(found[0]), float(found[1])


def checked_name(who: str, name: Any) -> str | None:
    """Return the name of an input, or None."""
    return None if name is None else checks.text(who, "name", name)


def checked_axis(who: str, what: str, axis: Any) -> tuple[float, float, float]:
    """Return a direction as a unit vector."""
    found = checks.vector(who, what, axis)
    with np.errstate(over="ignore", under="ignore"):
        size = float(np.abs(found).max())
        length = size * float(np.linalg.norm(found / size)) if size > 0 else 0.0
    if not 0 < length < math.inf:
        raise ModelError(f"{who}: {what} must have a length, got {show(axis)}")
    x, y, z = (found / size / float(np.linalg.norm(found / size))).tolist()
    return x, y, z


LimitField = Cleaned[float | Limit | None, ArrayLike | None]
DRAG = "torque per thrust, with the sign of the spin: positive for a rotor that turns about +axis"
NAME = "name for `run.input`; by default that of the body"


def check_limit(who: str, what: str, value: Any) -> float | Limit | None:
    """Return a limit, as a check of a field."""
    return checked_limit(who, value)
