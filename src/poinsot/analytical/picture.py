"""How a system is drawn: points or poses as functions of its coordinates, as bodies that a page can show.

A picture is a mechanism of bodies on free joints, which follow the poses; nothing of it reaches a motion.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.analytical.operators import Array
from poinsot.errors import ModelError, PoinsotError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import show
from poinsot.model.joints import Free
from poinsot.model.loops import Distance, Loop
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.shapes.solids import Solid

POINT = Body(1.0, (0.0, 0.0, 0.0))  # a page draws it as a dot
CONFIGURATION = "configuration"


@dataclass(frozen=True)
class Picture:
    """What is drawn of a system: one of `points` and `poses`, and rods between them; -1 is the origin."""

    points: Any = None  # points(x): (k, 3), or places by name
    poses: Any = None  # poses(x): 4x4 matrices, or (matrix, shape or Body) pairs, in a list or by name
    rods: tuple[tuple[int, int], ...] = ()

    def _entries(self, x: Array) -> dict[str, tuple[Array, Body]]:
        """Return pose and body by name."""
        given = (self.poses if self.poses is not None else self.points)(x)
        if not isinstance(given, Mapping):
            named = list(given)
            given = {
                f"{'point' if self.poses is None else 'body'} {k + 1}": one for k, one in enumerate(named)
            }
        return {
            checks.text("picture", "name", name): self._entry(str(name), one) for name, one in given.items()
        }

    def _entry(self, name: str, one: Any) -> tuple[Array, Body]:
        if self.poses is None:
            G = np.eye(4)
            G[:3, 3] = checks.vector("picture", name, one)
            return G, POINT
        pair = isinstance(one, tuple) and len(one) == 2
        G, shape = one if pair else (one, POINT)
        if isinstance(shape, Solid):
            shape = shape.body(mass=1.0)
        if not isinstance(shape, Body):
            raise ModelError(f"picture: '{name}' must be a pose, or (pose, shape), got {show(one)}")
        return checks.array("picture", name, G, "a pose (4, 4)", (4, 4)), shape

    def places(self, x: Array) -> Array:
        """Return positions and quaternions (7 k,), as free joints have them."""
        found = [
            np.concatenate([G[:3, 3], checks.quaternion("picture", name, G[:3, :3])])
            for name, (G, _) in self._entries(x).items()
        ]
        return np.concatenate(found) if found else np.zeros(0)

    def mechanism(self, x: Array) -> Mechanism:
        """Return the bodies, on free joints."""
        m = Mechanism(gravity=(0.0, 0.0, 0.0))
        for name, (_, body) in self._entries(x).items():
            m.add(name, body, Free())
        names = [*m.names, WORLD]
        for k, (a, b) in enumerate(self.rods):
            if not {a, b} <= set(range(-1, len(m.names))) or a == b:
                raise ModelError(
                    f"picture: a rod joins two points by number, -1 is the origin, got {show((a, b))}"
                )
            m.loops.append(Loop(names[a], names[b], Distance(1.0), name=f"rod {k + 1}"))
        return m


def configuration(x: Array) -> dict[str, Array]:
    """Return the first three coordinates as a point: what a page shows of a system that draws nothing."""
    return {CONFIGURATION: np.concatenate([np.asarray(x, dtype=float), np.zeros(3)])[:3]}


USUAL = Picture(points=configuration)


def picture_of(points: Any, poses: Any, rods: Sequence[Any]) -> Picture:
    """Return a picture; a ModelError says what is wrong with it."""
    if (points is None) == (poses is None):
        raise ModelError("draw: give either points= or poses=, a function of x")
    if not callable(points if poses is None else poses):
        raise ModelError(
            f"draw: points and poses are functions of x, got {show(points if poses is None else poses)}"
        )
    pairs = []
    for one in checks.items("draw", "rods", rods, "pairs of numbers of points"):
        a, b = (
            checks.items("draw", "rods", one, "pairs of numbers of points")
            if np.ndim(one) == 1 and len(one) == 2
            else (None, None)
        )
        pairs.append((checks.whole("draw", "rods", a, -1, 1e6), checks.whole("draw", "rods", b, -1, 1e6)))
    return Picture(points, poses, tuple(pairs))


def solid_body(mass: float, inertia: Array, center: Array | None = None) -> Body:
    """Return a body that is drawn as its ellipsoid; one that no density has is a point."""
    try:
        return Body(float(mass), inertia, (0.0, 0.0, 0.0) if center is None else center)
    except PoinsotError:
        return POINT
