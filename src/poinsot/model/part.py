"""A body or a frame by its name, and its motion at one state: `state["tool"].position`.

The numbers of a motion are those of `core.tree.dynamics.kinematics.SeatMotion`.  Here NumPy computes them; a
mechanism that was compiled has the parts of `compile.parts`, which ask the core.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.model.checks import Array, suggestion
from poinsot.model.rotations import compose, cross, matrix, pose, times

if TYPE_CHECKING:
    from poinsot.model.joints.joint import Joint
    from poinsot.model.kinematics import SampledMotion
    from poinsot.model.mechanism import Mechanism
    from poinsot.model.state import State

OF_PART = ("position", "velocity", "rotation", "angular_velocity", "origin", "pose", "point")
Place = tuple[str, slice]  # "q" or "v", and where


def joint_places(joint: "Joint", q: slice, v: slice) -> dict[str, Place]:
    """Return where the coordinates of a joint are, by name; `q` and `v` are all of them.
    A rotation has no such place: it is three numbers of a tangent, and four of a quaternion."""
    found = {"q": ("q", q), "v": ("v", v)}
    for names, which, place in ((joint.velocities, "v", v), (joint.coordinates, "q", q)):
        if which == "v" or joint.quaternion is None:
            begin = place.start
            for name in names:
                found[name] = which, slice(begin, begin + joint.sizes.get(name, 1))
                begin = found[name][1].stop
    return found


def frame_motion(body: "SampledMotion", at: Array, rotation: Array) -> "SampledMotion":
    """Return the motion of a frame at a point of a body, with this rotation in it."""
    n = len(body.origin)
    arm = np.broadcast_to(at, (n, 3))
    attitude = compose(body.quaternion, np.broadcast_to(rotation, (n, 4)))
    origin = body.origin + times(body.rotation, arm)
    velocity = body.origin_velocity + times(body.rotation, cross(body.angular_velocity, arm))
    w = times(matrix(rotation).T, body.angular_velocity)
    return type(body)(attitude, matrix(attitude), w, origin, velocity, origin, velocity)


class Part:
    """A body or a frame of a mechanism."""

    def __init__(self, mechanism: "Mechanism", name: str) -> None:
        self.mechanism, self.name = mechanism, name
        self.body, self.at, self.rotation = mechanism.place(name, "state")
        self.places: dict[str, Place] = {}
        if name in mechanism.names:
            self.places = joint_places(mechanism.link(name).joint, *mechanism.slices(name))

    def numbers(self, q: Array, v: Array) -> Array:
        """Return the numbers (24,) of the motion at coordinates and velocities."""
        from poinsot.model.kinematics import motions  # which imports the forces

        x = motions(self.mechanism, q[None], v[None])[self.body]
        x = x if self.places else frame_motion(x, self.at, self.rotation)
        return np.concatenate([one[0].ravel() for one in x[1:]])


class PartMotion:
    """The motion of a body or of a frame at a state: what `state["tool"]` is.

    Coordinates and velocities of the joint of a body have their names: `state["arm"].angle`.
    """

    __slots__ = ("_known", "_part", "_state")

    def __init__(self, part: Part, state: "State") -> None:
        self._part, self._state = part, state
        self._known: Array | None = None

    @property
    def _numbers(self) -> Array:
        if self._known is None:
            self._known = self._part.numbers(self._state.q, self._state.v)
        return self._known

    @property
    def rotation(self) -> Array:
        """Rotation matrix from the axes of the body or frame to space axes, shape (3, 3)."""
        return self._numbers[:9].reshape(3, 3)

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity in the axes of the body or frame, shape (3,) [rad/s]."""
        return self._numbers[9:12]

    @property
    def position(self) -> Array:
        """Position in space of the center of mass of a body, or of the origin of a frame, shape (3,) [m]."""
        return self._numbers[12:15]

    @property
    def velocity(self) -> Array:
        """Velocity in space of the point of `position`, shape (3,) [m/s]."""
        return self._numbers[15:18]

    @property
    def origin(self) -> Array:
        """Position in space of the origin of the body frame or of the frame, shape (3,) [m]."""
        return self._numbers[18:21]

    @property
    def pose(self) -> Array:
        """Pose of the body frame or of the frame in space, shape (4, 4), as `ps.se3` has them."""
        return pose(self.rotation, self.origin)

    def point(self, at: Any) -> Array:
        """Return the position in space of a point `at` of the body frame or of the frame, shape (3,) [m]."""
        return self.origin + times(self.rotation, np.asarray(at, dtype=float))

    def __getattr__(self, name: str) -> Any:
        place = self._part.places.get(name)
        if place is None:
            known = [*OF_PART, *self._part.places]
            hint = suggestion(name, known) or f": one of {', '.join(known)}"
            raise AttributeError(f"'{self._part.name}' has no quantity '{name}'{hint}")
        which, at = place
        numbers = self._state.q if which == "q" else self._state.v
        if at.stop - at.start == 1 and name not in ("q", "v"):
            return numbers.item(at.start)
        return numbers[at]

    def __repr__(self) -> str:
        return f"<motion of '{self._part.name}' at t = {self._state.time:g}>"
