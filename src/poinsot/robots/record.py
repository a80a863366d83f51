"""A robot as a file describes it: links, joints and what couples them, before it becomes a mechanism.

Both readers make a `RobotRecord`; `conversion` makes the mechanism, `rules` looks for mistakes.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.shapes.composite import Piece
from poinsot.robots.findings import Finding, Level

INFINITY = float("inf")


def _zeros() -> Array:
    return np.zeros(3)


def _no_inertia() -> Array:
    return np.zeros((3, 3))


@dataclass(eq=False)
class LinkRecord:
    """A link: mass, center of mass, inertia about it, and parts to draw, in the axes of the link."""

    name: str
    line: int
    mass: float = 0.0
    center: Array = field(default_factory=_zeros)
    inertia: Array = field(default_factory=_no_inertia)
    parts: list[Piece] = field(default_factory=list)
    lift: float = 0.0  # part of its weight that a force upwards makes up for


@dataclass(eq=False)
class JointRecord:
    """A joint: its frame in the parent link; the file shows it where its coordinate is `ref`."""

    name: str
    line: int
    kind: str  # revolute, prismatic, planar, spherical, free or fixed
    parent: str
    child: str
    at: Array = field(default_factory=_zeros)
    rotation: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    axis: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))
    body_at: Array = field(default_factory=_zeros)  # origin of the child link in the child frame of the joint
    body_rotation: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    ref: float = 0.0
    lower: float = -INFINITY
    upper: float = INFINITY
    effort: float = INFINITY
    speed: float = INFINITY
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    rest_rotation: Array | None = None  # of a ball joint


class LoopRecord(NamedTuple):
    """A joint between two links that closes a loop."""

    name: str
    kind: str  # spherical or fixed
    a: str
    b: str
    at_a: Array
    at_b: Array
    rotation_a: Array
    rotation_b: Array


class SiteRecord(NamedTuple):
    """A frame on a link."""

    name: str
    link: str
    at: Array
    rotation: Array


class MotorRecord(NamedTuple):
    """A motor at a joint, with the bounds of its force; a servo also has a law (`ps.Servo`)."""

    name: str
    joint: str
    bounds: tuple[float, float]
    gain: float = 1.0
    bias: tuple[float, float, float] | None = None


class TendonRecord(NamedTuple):
    """A spring and a damper for a sum of coordinates."""

    factors: dict[str, float]  # by joint
    stiffness: float
    length: float
    damping: float


class StartRecord(NamedTuple):
    """A state of all joints: coordinates and velocities of each; those of a free joint in space."""

    name: str
    values: dict[str, tuple[Array, Array]]


class CouplingRecord(NamedTuple):
    """sum of factor times coordinate over joints = offset."""

    name: str
    line: int
    factors: dict[str, float]  # by joint
    offset: float


@dataclass(eq=False)
class RobotRecord:
    """A robot file."""

    file: str
    name: str
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    step: float = 0.0  # of time in the file; 0 if it has none
    links: list[LinkRecord] = field(default_factory=list)
    joints: list[JointRecord] = field(default_factory=list)
    couplings: list[CouplingRecord] = field(default_factory=list)
    loops: list[LoopRecord] = field(default_factory=list)
    sites: list[SiteRecord] = field(default_factory=list)
    motors: list[MotorRecord] = field(default_factory=list)
    tendons: list[TendonRecord] = field(default_factory=list)
    starts: list[StartRecord] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)  # what is not simulated, and how often it occurs

    def find(self, level: Level, where: str, line: int, rule: str, message: str) -> None:
        """Add a finding."""
        self.findings.append(Finding(level, where, line, rule, message, self.file))

    def note(self, what: str, count: int = 1) -> None:
        """Count something that is not simulated."""
        self.notes[what] = self.notes.get(what, 0) + count
