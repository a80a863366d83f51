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

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.forces.applied import Function
from poinsot.model.forces.elements import Element, Places
from poinsot.model.forces.force import WORLD, Force, Snapshot
from poinsot.model.forces.polar import Wed3
from poinsot.model.forces.stiffness import UPPER
from poinsot.model.joints import Free, Joint, Spherical
from poinsot.model.rotations import compose, inverse, matrix

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

Form = Literal["log", "trace", "euler"]


@dataclass(frozen=True, init=False, eq=False)
class AtJoint(Force):
    """A force at a joint; `joint` is the name of the body that the joint carries."""

    joint: str

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        """Name of the body that the joint carries, as a tuple."""
        return (self.joint,)

    @property
    def label(self) -> str:
        return f"{type(self).__name__} at '{self.joint}'"

    def fits(self, mechanism: "Mechanism") -> None:
        link = checks.mechanism(self.label, mechanism).link(self.joint)
        if link.joint.nv == 0:
            raise ModelError(f"{self.label}: a Fixed joint does not move")

    def inside(self, mechanism: "Mechanism") -> bool:
        return checks.mechanism(self.label, mechanism).link(self.joint).parent != WORLD

    def _each(self, what: str, values: Array, count: int) -> Array:
        """Return one number for each coordinate."""
        if values.ndim == 1 and len(values) != count:
            raise ModelError(f"{self.label}: {what} must be a number or {count} numbers, got {show(values)}")
        return np.broadcast_to(values, (count,))


@dataclass(frozen=True, init=False, eq=False)
class JointSpring(AtJoint):
    """A spring at a joint, in its coordinates.

    Parameters
    ----------
    joint : str
        Name of the body that the joint carries.
    stiffness : array_like, shape (), (nq,) or (3, 3)
        Stiffness in N/m or N m/rad: one number, one for each coordinate, or a symmetric matrix for a
        Spherical joint with the form "trace".
    rest : array_like, optional
        Coordinates at rest, or the rotation at rest of a Spherical joint.  Default: zero, or no rotation.
    form : {"log", "trace", "euler"}, default "log"
        Law for a Spherical joint with the rotation R from rest: the torque -k log R; the potential
        tr(Wed(K) (1 - R)) (see `ps.analytical.torsion`); or -k (roll, pitch, yaw), which has no potential.

    Raises
    ------
    ModelError
        If a value is wrong; when the spring is added, if it does not fit the joint.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> m.apply(ps.JointSpring("arm", stiffness=2.0, rest=0.1)).forces[0].label
    "JointSpring at 'arm'"
    """

    stiffness: Array
    rest: Array | None
    form: Form
    reads_velocity = False

    def __init__(
        self, joint: str, stiffness: ArrayLike, rest: ArrayLike | None = None, form: Form = "log"
    ) -> None:
        vars(self).update(joint=checks.text("JointSpring", "joint", joint))
        vars(self).update(form=checks.choice(self.label, "form", form, ("log", "trace", "euler")))
        k = checks.array(
            self.label, "stiffness", stiffness, "a number, numbers or a 3x3 matrix", (), (None,), (3, 3)
        )
        if (k < 0).any() and k.ndim < 2:
            raise ModelError(f"{self.label}: stiffness must not be negative, got {show(k)}")
        if rest is not None:
            rest = checks.array(self.label, "rest", rest, "numbers or a rotation", (), (None,), (3, 3))
        vars(self).update(stiffness=k, rest=rest)

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
        return self._each("stiffness", self.stiffness, joint.nq), np.broadcast_to(start, (joint.nq,))

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

    def elements(self, places: Places) -> list[Element]:
        joint, a, b = places.joints[self.joint]
        if not isinstance(joint, Spherical):
            pairs = zip(*self._plain(joint), strict=True)
            return [Element("joint_spring", a + j, b + j, [k, q0]) for j, (k, q0) in enumerate(pairs)]
        rest, K = self._ball()
        if self.form == "trace":
            return [Element("ball_trace", a, b, [*rest, *K[UPPER]])]
        kind = "ball_log" if self.form == "log" else "ball_euler"
        return [Element(kind, a, b, [*rest, float(K)])]


@dataclass(frozen=True, init=False, eq=False)
class JointDamper(AtJoint):
    """A damper at a joint: a force or torque -c v against its velocity.

    Parameters
    ----------
    joint : str
        Name of the body that the joint carries.
    damping : array_like, shape (), (nv,) or (nv, nv)
        Damping c in N s/m or N m s/rad: one number, one for each velocity, or a symmetric matrix without
        negative eigenvalues.

    Raises
    ------
    ModelError
        If a value is wrong; when the damper is added, if it does not fit the joint.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.JointDamper("arm", damping=0.1).label
    "JointDamper at 'arm'"
    """

    damping: Array

    def __init__(self, joint: str, damping: ArrayLike) -> None:
        vars(self).update(joint=joint)
        c = checks.array(
            self.label, "damping", damping, "a number, numbers or a matrix", (), (None,), (None, None)
        )
        if not c.size:
            raise ModelError(f"{self.label}: damping must be a number, numbers or a matrix, got nothing")
        full = c if c.ndim == 2 else np.diag(np.atleast_1d(c))
        if full.shape[0] != full.shape[1] or np.abs(full - full.T).max() > 1e-9 * np.abs(full).max():
            raise ModelError(f"{self.label}: damping must be symmetric, got {show(c)}")
        if np.linalg.eigvalsh(full)[0] < -1e-9 * np.abs(full).max():
            raise ModelError(f"{self.label}: damping must not be negative, got {show(c)}")
        vars(self).update(damping=c)

    def fits(self, mechanism: "Mechanism") -> None:
        super().fits(mechanism)
        self._matrix(mechanism.link(self.joint).joint)

    def _matrix(self, joint: Joint) -> Array:
        c, n = self.damping, joint.nv
        if c.ndim == 2 and len(c) != n:
            raise ModelError(f"{self.label}: damping must be {n}x{n}, got {len(c)}x{len(c)}")
        return c if c.ndim == 2 else np.diag(self._each("damping", c, n))

    def elements(self, places: Places) -> list[Element]:
        joint, _, b = places.joints[self.joint]
        D = self._matrix(joint)
        return [
            Element("joint_damper", b + j, b + i, [D[i, j]])
            for i in range(len(D))
            for j in range(len(D))
            if D[i, j] != 0 or i == j
        ]


@dataclass(frozen=True, init=False, eq=False)
class JointTorque(AtJoint):
    """A force or torque at a joint, given by a function of time and of its coordinates.

    The function is compiled; its work is counted in `run.work`.

    Parameters
    ----------
    joint : str
        Name of the body that the joint carries.
    f : callable
        `f(t, q, v)` of the coordinates and velocities of the joint (tuples) returns one number for each
        velocity, in N or N m.
    switches : iterable of float, default ()
        Times in seconds at which the force jumps.

    Raises
    ------
    ModelError
        If `f` is not a plain Python function of these arguments, or a switch time is not finite.

    Examples
    --------
    >>> import poinsot as ps
    >>> def motor(t, q, v):
    ...     return 2.0 - 0.1 * v[0]
    >>> ps.JointTorque("arm", motor, switches=[1.0]).label
    "JointTorque 'motor' at 'arm'"
    """

    function: Function
    switches: tuple[float, ...]

    def __init__(self, joint: str, f: Function, switches: Iterable[float] = ()) -> None:
        vars(self).update(
            joint=joint, function=checks.function(f"JointTorque at '{joint}'", "f", f, ("t", "q", "v"))
        )
        vars(self).update(switches=checks.times(self.label, "switches", switches))

    @property
    def label(self) -> str:
        return f"JointTorque '{self.function.__name__}' at '{self.joint}'"
