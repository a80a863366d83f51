"""The workspace of the algorithms, one flat array: `SIZE` numbers for each body, the world included.

What follows is that of driven trees (`drives`).
"""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, sym3
from poinsot.core.lie.vec3 import ZERO
from poinsot.core.numbers.arrays import Floats, Numbers, Records, doubles_in, flat, typed, views
from poinsot.core.tree.dynamics.kinematics import FRAME, WRENCH
from poinsot.core.tree.inertia import Articulated
from poinsot.core.tree.joints.joint import OWN, Acceleration, LinkMotion


class Workspace(NamedTuple):
    """Arrays with an entry for each body, the world included."""

    link: Records  # LinkMotion
    inertia: Records  # Articulated
    acceleration: Records  # Acceleration
    joints: Numbers  # what joints keep from pass to pass: OWN numbers each
    frame: Records  # Frame
    wrench: Records  # BodyWrench that is applied
    rest: Numbers


WORKSPACE = Workspace(
    LinkMotion(mat3.ZERO, ZERO, ZERO, ZERO, ZERO),
    Articulated(sym3.ZERO, mat3.ZERO, sym3.ZERO, ZERO, ZERO),
    Acceleration(ZERO, ZERO),
    0.0,
    FRAME,
    WRENCH,
    0.0,
)
SIZE = len(flat(WORKSPACE)) - 2 + OWN


@jit
def workspace_in(workspace: Floats, n: int, o: float) -> Workspace:
    """The workspace of n bodies, for numbers of the type of o."""
    m = n + 1
    counts = Workspace(m, m, m, m * OWN, m, m, workspace.size // doubles_in(o) - m * SIZE)
    return views(workspace, 0, typed(WORKSPACE, o), counts)


@jit
def joints_in(workspace: Floats, n: int, o: float) -> Numbers:
    """Numbers that joints keep from pass to pass."""
    return workspace_in(workspace, n, o).joints


@jit
def frames_in(workspace: Floats, n: int, o: float) -> Records:
    """Frames of the bodies."""
    return workspace_in(workspace, n, o).frame


@jit
def wrenches_in(workspace: Floats, n: int, o: float) -> Records:
    """Applied wrenches on the bodies."""
    return workspace_in(workspace, n, o).wrench
