"""How a page draws its runs: which points leave trails, where the ground is, one picture or several."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import ScenarioError
from poinsot.model import checks
from poinsot.model.checks import show
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism

TRAILS = 4  # of bodies, unless others are asked for
FLIGHT = 3.0  # way of a free body, in sizes: one that goes farther is followed at its center of mass
DOT = 0.03  # radius of a point mass, in sizes of the motion

Trail = str | Sequence[str] | Mapping[str, Any] | bool | None
Ground = float | bool | None


class Look(NamedTuple):
    """How runs are drawn; `Run.to_html` explains it."""

    trail: Trail = None
    ground: Ground = None
    overlay: bool = False
    crowd: Mapping[str, Any] = {}  # runs that move with the first one, as glass

    def check(self) -> "Look":
        """Return it with plain values; a ScenarioError says what is wrong."""
        if not isinstance(self.overlay, bool | np.bool_):
            raise ScenarioError(f"page: overlay must be True or False, got {show(self.overlay)}")
        ground = self.ground
        if ground is not None and not isinstance(ground, bool):
            ground = checks.number("page", "ground", ground)
        if isinstance(self.trail, str | bool) or self.trail is None:
            return self._replace(ground=ground, overlay=bool(self.overlay))
        if isinstance(self.trail, Mapping):
            trail: Trail = {checks.text("page", "trail", name): point for name, point in self.trail.items()}
        else:
            given = checks.items("page", "trail", self.trail, "names of bodies")
            trail = [checks.text("page", "trail", name) for name in given]
        return self._replace(trail=trail, ground=ground, overlay=bool(self.overlay))

    @property
    def notes(self) -> str:
        """What a page says of the members, if it was given no notes."""
        names = ", ".join(name.removeprefix("member ") for name in self.crowd)
        return f"As glass: members {names}." if names else ""


USUAL = Look()


def trails(mechanism: Mechanism, trail: Trail, drawn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return body and point of each trail, in body axes from the center of mass.

    By default they are at the far ends of the bodies that carry no other; those of wheels are on the ground.
    """
    if trail is False:
        return []
    names, tips = mechanism.names, {one["name"]: one["tip"] for one in drawn}
    if trail is None or trail is True:
        parents = {link.parent for link in mechanism.links}
        wheels = {loop.b for loop in mechanism.loops if loop.joint.contact and loop.a not in names}
        wheels = {name for name in wheels if not isinstance(mechanism.link(name).joint, Free)}
        trail = [name for name in names if name not in parents | wheels][:TRAILS]
    if not isinstance(trail, Mapping):
        trail = dict.fromkeys([trail] if isinstance(trail, str) else trail)
    found = []
    for name, point in trail.items():
        center = mechanism.link(name, "trail").body.center_of_mass
        own = None if point is None else (checks.vector("trail", name, point) - center).tolist()
        found.append({"body": names.index(name), "at": tips[name] if own is None else own})
    return found


def tune(mechanism: Mechanism, drawn: list[dict[str, Any]], places: Mapping[str, Any]) -> None:
    """Fit what is drawn to the motion `places` (n, 3): sizes of point masses, tips of bodies in flight."""
    joints = [link.at for link in mechanism.links if link.parent not in mechanism.names]
    corners = [*(x for x in places.values() if len(x)), np.reshape(joints, (-1, 3))]
    size = float(np.linalg.norm(np.ptp(np.concatenate(corners), axis=0))) or 1.0
    for link, one in zip(mechanism.links, drawn, strict=True):
        if one["shape"] == {"kind": "sphere", "radius": 0.0}:
            one["shape"]["radius"] = DOT * size
        x = places[link.name]
        if isinstance(link.joint, Free) and len(x):
            far = float(np.linalg.norm(np.ptp(x, axis=0)))
            if far > FLIGHT * float(np.linalg.norm(one["tip"])):
                one["tip"] = [0.0, 0.0, 0.0]
