"""Springs, dampers and torques at joints.

| joint                | JointSpring                                          | JointDamper     |
|----------------------|------------------------------------------------------|-----------------|
| with plain angles or | -k (q - rest), k a number or one for each            | -c v, c a       |
| displacements        | coordinate                                           | number, one for |
| Spherical            | form "log": -k log R; form "trace": the potential    | each, or a      |
|                      | tr(Wed(K) (1 - R)), K 3x3 or a number; form "euler": | matrix          |
|                      | -k (roll, pitch, yaw), axes of rest [movingframe]    |                 |

R is the rotation from `rest`.  "log" jumps at half a turn; "euler" is no gradient: it gives and takes energy
on closed paths, and its work is counted.
"""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks, fields
from poinsot.model.checks import Array, show
from poinsot.model.fields import Cleaned, Times, Vector, array, field, flag, times, word
from poinsot.model.forces.applied import PYTHON, Function
from poinsot.model.forces.force import Element, JointForce, Seats, Snapshot
from poinsot.model.forces.stiffness import UPPER
from poinsot.model.joints import Free, Joint, Spherical
from poinsot.model.rotations import Wed3, compose, inverse, matrix

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

Form = Literal["log", "trace", "euler"]


def _each(who: str, what: str, values: Array, count: int) -> Array:
    """Return one number for each coordinate."""
    if values.ndim == 1 and len(values) != count:
        raise ModelError(f"{who}: {what} must be a number or {count} numbers, got {show(values)}")
    return np.broadcast_to(values, (count,))


def _stiffness(who: str, what: str, value: Any) -> Array:
    k = checks.array(who, what, value, "a number, numbers or a 3x3 matrix", (), (None,), (3, 3))
    if (k < 0).any() and k.ndim < 2:
        raise ModelError(f"{who}: {what} must not be negative, got {show(k)}")
    return k


def _damping(who: str, what: str, value: Any) -> Array:
    c = checks.array(who, what, value, "a number, numbers or a matrix", (), (None,), (None, None))
    if not c.size:
        raise ModelError(f"{who}: {what} must be a number, numbers or a matrix, got nothing")
    full = c if c.ndim == 2 else np.diag(np.atleast_1d(c))
    if full.shape[0] != full.shape[1] or np.abs(full - full.T).max() > 1e-9 * np.abs(full).max():
        raise ModelError(f"{who}: {what} must be symmetric, got {show(c)}")
    if np.linalg.eigvalsh(full)[0] < -1e-9 * np.abs(full).max():
        raise ModelError(f"{who}: {what} must not be negative, got {show(c)}")
    return c


class JointSpring(JointForce):
    """A spring at a joint, in its coordinates."""

    stiffness: Vector = field(
        "one number, one for each coordinate, or a symmetric matrix 3x3 for a Spherical joint with the form "
        '"trace"; not negative',
        _stiffness,
        "numbers",
        unit="N/m or N m/rad",
        shapes=((), (None,), (3, 3)),
    )
    rest: Cleaned[Array | None, ArrayLike | None] = array(
        "coordinates at rest, or the rotation at rest of a Spherical joint; by default zero, or no rotation",
        "numbers or a rotation",
        (),
        (None,),
        (3, 3),
        unit="m or rad",
        default=None,
    )
    form: Form = word(
        "law for a Spherical joint with the rotation R from rest: the torque -k log R; the potential "
        "tr(Wed(K) (1 - R)) (see `ps.analytical.torsion`); or -k (roll, pitch, yaw), which has no potential",
        "log",
        "trace",
        "euler",
        default="log",
    )
    reads_velocity = False

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        """Whether the spring has a potential: every form but "euler"."""
        return self.form != "euler"

    def fits(self, mechanism: "Mechanism") -> None:
        super().fits(mechanism)
        joint = mechanism.link(self.joint).joint
        if isinstance(joint, Free):
            raise ModelError(f"{self.label}: a Free joint has no spring of its own, use Stiffness")
        if isinstance(joint, Spherical):
            self._ball()
        else:
            self._plain(joint)

    def _plain(self, joint: Joint) -> tuple[Array, Array]:
        """Return stiffness and rest of each coordinate."""
        if self.form != "log" or self.stiffness.ndim > 1:
            raise ModelError(f"{self.label}: form and matrices are for Spherical joints")
        rest = np.zeros(joint.nq) if self.rest is None else self.rest
        start = checks.array(self.label, "rest", rest, f"{joint.nq} numbers", (), (joint.nq,))
        return _each(self.label, "stiffness", self.stiffness, joint.nq), np.broadcast_to(start, (joint.nq,))

    def _ball(self) -> tuple[Array, Array]:
        """Return the rotation at rest, and the stiffness or Wed(K)."""
        k, rest = self.stiffness, checks.rotation(self.label, "rest", self.rest)
        if self.form != "trace":
            if k.ndim > 0:
                raise ModelError(f"{self.label}: form '{self.form}' takes one number, got {show(k)}")
            return rest, k
        if k.ndim == 1:
            raise ModelError(f"{self.label}: stiffness must be a number or a 3x3 matrix, got {show(k)}")
        K = k if k.ndim == 2 else float(k) * np.eye(3)
        if np.abs(K - K.T).max() > 1e-9 * np.abs(K).max():
            raise ModelError(f"{self.label}: stiffness must be symmetric, got {show(K)}")
        if np.linalg.eigvalsh(K)[0] < -1e-9 * np.abs(K).max():
            raise ModelError(f"{self.label}: stiffness must not be negative, got {show(K)}")
        return rest, Wed3(K)

    def energy(self, x: Snapshot) -> Array:
        joint, q = x.joint(self.joint)
        if not isinstance(joint, Spherical):
            k, rest = self._plain(joint)
            return np.asarray((k * (q - rest) ** 2).sum(axis=1) / 2)
        start, K = self._ball()
        rotation = compose(inverse(np.broadcast_to(start, q.shape)), q)
        if self.form == "log":
            half = np.arctan2(np.sqrt((rotation[:, 1:] ** 2).sum(axis=1)), np.abs(rotation[:, 0]))
            return np.asarray(2 * float(K) * half**2)
        return np.asarray(np.einsum("ij,nji->n", K, np.eye(3) - matrix(rotation)))

    def elements(self, places: Seats) -> list[Element]:
        joint, a, b = places.joints[self.joint]
        if not isinstance(joint, Spherical):
            pairs = zip(*self._plain(joint), strict=True)
            return [Element("joint_spring", a + j, b + j, [k, q0]) for j, (k, q0) in enumerate(pairs)]
        rest, K = self._ball()
        if self.form == "trace":
            return [Element("ball_trace", a, b, [*rest, *K[UPPER]])]
        kind = "ball_log" if self.form == "log" else "ball_euler"
        return [Element(kind, a, b, [*rest, float(K)])]


class JointDamper(JointForce):
    """A damper at a joint: a force or torque -c v against its velocity."""

    damping: Vector = field(
        "damping c: one number, one for each velocity, or a symmetric matrix without negative eigenvalues",
        _damping,
        "numbers",
        unit="N s/m or N m s/rad",
        shapes=((), (None,), (None, None)),
    )

    def fits(self, mechanism: "Mechanism") -> None:
        super().fits(mechanism)
        self._matrix(mechanism.link(self.joint).joint)

    def _matrix(self, joint: Joint) -> Array:
        c, n = self.damping, joint.nv
        if c.ndim == 2 and len(c) != n:
            raise ModelError(f"{self.label}: damping must be {n}x{n}, got {len(c)}x{len(c)}")
        return c if c.ndim == 2 else np.diag(_each(self.label, "damping", c, n))

    def elements(self, places: Seats) -> list[Element]:
        joint, _, b = places.joints[self.joint]
        D = self._matrix(joint)
        return [
            Element("joint_damper", b + j, b + i, [D[i, j]])
            for i in range(len(D))
            for j in range(len(D))
            if D[i, j] != 0 or i == j
        ]


class JointTorque(JointForce):
    """A force or torque at a joint, given by a function of time and of its coordinates.

    The function is compiled; its work is counted in `run.work`.

    >>> def motor(t, q, v):
    ...     return 2.0 - 0.1 * v[0]
    >>> ps.JointTorque("arm", motor, switches=[1.0]).label
    "JointTorque 'motor' at 'arm'"
    """

    f: Function = fields.function(
        "`f(t, q, v)` of the coordinates and velocities of the joint (tuples) returns one number for each "
        "velocity [N or N m]",
        *"tqv",
    )
    switches: Times = times("times at which the force jumps", default=())
    compiled: bool = flag(PYTHON, default=True)
    components = ("torque",)

    @property
    def function(self) -> Function:
        """The function `f(t, q, v)`."""
        return self.f

    @property
    def label(self) -> str:
        return f"JointTorque '{self.function.__name__}' at '{self.joint}'"
