"""Contacts of a body that rolls or glides on another one: constraints of velocities, closed as loops are.

    m.close(ps.Rolling("coin", ps.Wheel(0.1)))
    m.close(ps.Skate("sleigh", at=(-0.2, 0, 0), direction=(1, 0, 0)))

| contact        | its constraints                                                        | number |
|----------------|------------------------------------------------------------------------|--------|
| RollingContact | the shape stays on the surface, and does not slip along its two axes   | 3      |
| SkateContact   | the point stays in the plane, and does not move across the blade       | 2      |

The surface is a plane of body a with the third axis of the joint frame there as its normal, or a sphere about
the point of a.  The third axis of the joint frame at b is that of the shape, the first one that of a blade.
"""

from typing import Any

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks, fields
from poinsot.model.checks import Array, show
from poinsot.model.constraints import Connection, ConnectionFrame, Constraint
from poinsot.model.fields import ZERO, Declared, Vector, number, vector
from poinsot.model.joints.joint import frame_on
from poinsot.model.loops import Loop
from poinsot.model.shapes.solids import Capsule, Cylinder, Ellipsoid, Solid, Sphere, Wheel

FLAT = 1e-6  # sine of the angle between a face or an edge and the surface


def _check_friction(who: str, what: str, value: Any) -> float | None:
    return None if value is None else checks.number(who, what, value, zero=True)


class RollingContact(Connection):
    """A contact at which a convex body rolls without slipping; `ps.Rolling` makes it from a shape.

    The shape is the sum of an ellipsoid (of two equal semi-axes and a zero: a disc), of a rod and of a ball.
    """

    contact = True
    semi_axes: Vector = vector("semi-axes of the ellipsoid", "m", default=ZERO)
    rod: float = number("half length of the rod along the third axis", "m", default=0.0)
    radius: float = number("radius of the ball", "m", default=0.0)
    sphere: float = fields.field(
        "radius of the sphere on which it rolls; negative: it rolls inside, 0: on a plane",
        checks.number,
        "numbers",
        default=0.0,
        unit="m",
        shapes=((),),
        sample=0.0,
    )
    friction: float | None = fields.field(
        "coefficient of friction that is watched; None: nothing is",
        _check_friction,
        "numbers",
        default=None,
        shapes=((),),
    )

    def _check(self) -> None:
        sizes = [*self.semi_axes.tolist(), self.rod, self.radius]
        if min(sizes) < 0 or max(sizes) == 0:
            raise ModelError("rolling: lengths of the shape must not be negative, and not all zero")
        if self.sphere and (max(sizes[:4]) > 0 or not self.radius):
            raise ModelError("rolling: only a Sphere rolls on or in a sphere")
        if -self.sphere > 0 and -self.sphere <= self.radius:
            raise ModelError(f"rolling: a Sphere of radius {self.radius:g} does not fit into the bowl")

    @property
    def kind(self) -> str:
        return "rolling"

    @property
    def solid(self) -> Solid | None:
        """The shape that rolls; None if it has no name."""
        a, l, r = self.semi_axes, self.rod, self.radius
        disc = a[0] == a[1] > 0 == a[2]
        if not a.any():
            return Capsule(r, 2 * l) if l else Sphere(r)
        if disc and not (l and r):
            return Cylinder(a[0], 2 * l) if l else Wheel(a[0], r)
        return Ellipsoid(a) if a.all() and not (l or r) else None

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        x, y, n = A.R.T
        shape = [*B.R.ravel().tolist(), *self.semi_axes.tolist(), self.rod, self.radius, self.sphere]
        return [
            Constraint(
                "rolling", [*A.r.tolist(), *B.r.tolist(), *e.tolist(), *n.tolist(), *shape, float(row)]
            )
            for row, e in enumerate((n, x, y))
        ]


def flat_advice(contact: RollingContact, normal: Array) -> str:
    """Return what to do with a shape that lies on a line or on a face, for a normal in its axes; else ""."""
    if np.abs(contact.semi_axes * normal).max() < FLAT * contact.semi_axes.max():
        return "tilt it"
    if contact.rod * abs(normal[2]) < FLAT * contact.rod:
        return f"tilt it, or close a {'Sphere' if contact.radius else 'Wheel'} at each of its ends"
    return ""


class SkateContact(Connection):
    """A contact of a blade along the first axis at b, which glides along itself and does not slip aside."""

    contact = True

    @property
    def kind(self) -> str:
        return "skate"

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        blade, n = B.R[:, 0], A.R[:, 2]
        numbers = [*A.r.tolist(), *B.r.tolist(), *blade.tolist(), *n.tolist()]
        return [Constraint("skate", [*numbers, float(row)]) for row in (0, 1)]


class Bowl(Declared):
    """The inside of a sphere, as a surface for `Rolling`.

    >>> ps.Rolling("ball", ps.Sphere(0.1), surface=ps.Bowl(1.0)).joint.sphere
    -1.0
    """

    by_value = True
    radius: float = number("radius, positive", "m", positive=True)


def _sizes(shape: Any) -> dict[str, Any]:
    """Return the lengths of a shape for `RollingContact`."""
    match shape:
        case Sphere(radius=r):
            return {"radius": r}
        case Ellipsoid(radii=radii):
            return {"semi_axes": radii}
        case Wheel(radius=R, tube=r):
            return {"semi_axes": (R, R, 0.0), "radius": r}
        case Cylinder(radius=r, length=length):
            return {"semi_axes": (r, r, 0.0), "rod": length / 2}
        case Capsule(radius=r, length=length):
            return {"rod": length / 2, "radius": r}
        case Solid():
            hint = "; take a Sphere, an Ellipsoid, a Wheel, a Cylinder or a Capsule"
            raise ModelError(f"rolling: a {type(shape).__name__} has corners or hollows{hint}")
    raise ModelError(f"rolling: shape must be a shape such as Sphere(0.1), got {show(shape)}")


def Rolling(
    body: str,
    shape: Solid,
    at: ArrayLike = (0, 0, 0),
    axis: ArrayLike = (0, 0, 1),
    on: str = "world",
    point: ArrayLike = (0, 0, 0),
    normal: ArrayLike = (0, 0, 1),
    *,
    surface: Sphere | Bowl | None = None,
    friction: float | None = None,
    name: str | None = None,
) -> Loop:
    """Return the contact of a body that rolls without slipping, for `Mechanism.close`.

    Parameters
    ----------
    body : name of the body
    shape : its shape where it touches: Sphere, Ellipsoid, Wheel, Cylinder or Capsule
    at : center of the shape in the body frame [m]
    axis : axis z of the shape in the body frame
    on : name of the body on which it rolls, which may move
    point : point of the plane, or center of the sphere, in the frame of that body [m]
    normal : normal of the plane in that frame, towards the rolling body
    surface : Sphere(R) or Bowl(R), the outside or the inside of a sphere.  Default: a plane.
    friction : coefficient of friction; the report says where the contact would slip.  Default: none is known.
    name : name of the contact.  Default: "on-body".

    Raises
    ------
    ModelError
        If the shape cannot roll, or does not fit.

    Examples
    --------
    >>> m = ps.Mechanism().add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Free())
    >>> m.close(ps.Rolling("ball", ps.Sphere(0.1)))
    Mechanism(ball)
    >>> rolling = dict(position=(0, 0, 0.1), angular_velocity=(0, 5, 0), velocity=(0.5, 0, 0))
    >>> run = ps.simulate(m, m.state({"ball": rolling}), "gauss3", step=0.05, until=2.0)
    >>> run.position("ball")[-1].round(9)
    array([1. , 0. , 0.1])
    """
    if surface is not None and not isinstance(surface, Sphere | Bowl):
        raise ModelError(f"rolling: surface must be a Sphere or a Bowl, got {show(surface)}")
    sphere = 0.0 if surface is None else surface.radius
    joint = RollingContact(
        **_sizes(shape), sphere=-sphere if isinstance(surface, Bowl) else sphere, friction=friction
    )
    plane, seat = (
        frame_on(checks.direction("rolling", what, x)) for what, x in (("normal", normal), ("axis", axis))
    )
    return Loop(on, body, joint, at_a=point, at_b=at, rotation_a=plane, rotation_b=seat, name=name)


def Skate(
    body: str,
    at: ArrayLike,
    direction: ArrayLike,
    on: str = "world",
    point: ArrayLike = (0, 0, 0),
    normal: ArrayLike = (0, 0, 1),
    *,
    name: str | None = None,
) -> Loop:
    """Return the contact of a skate, a blade that glides along itself only, for `Mechanism.close`.

    Parameters
    ----------
    body : name of the body
    at : point of the blade in the body frame [m]
    direction : direction of the blade in the body frame
    on : name of the body on which it glides
    point : point of the plane in the frame of that body [m]
    normal : normal of the plane in that frame
    name : name of the contact.  Default: "on-body".

    Examples
    --------
    >>> box = ps.Box((1, 0.4, 0.1)).body(mass=1.0)
    >>> m = ps.Mechanism(gravity=(0, 0, 0)).add("sleigh", box, ps.Planar((0, 0, 1)))
    >>> m.close(ps.Skate("sleigh", (-0.2, 0, 0), (1, 0, 0)))
    Mechanism(sleigh)
    """
    blade = frame_on(checks.direction("skate", "direction", direction))[:, [2, 0, 1]]
    plane = frame_on(checks.direction("skate", "normal", normal))
    return Loop(on, body, SkateContact(), at_a=point, at_b=at, rotation_a=plane, rotation_b=blade, name=name)
