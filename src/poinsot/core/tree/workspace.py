"""Where the algorithms keep what they compute, in one flat array: `SIZE` numbers a body, the world included.

[ articulated-body algorithm | frames | wrenches ]
"""

from typing import Any

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import doubles_in, flat, records, typed
from poinsot.core.tree.dynamics import aba
from poinsot.core.tree.dynamics.kinematics import FRAME, WRENCH
from poinsot.core.tree.joints.joint import OWN

ABA, FRAMES = aba.SIZE, len(flat(FRAME))
SIZE = ABA + FRAMES + len(flat(WRENCH))


@jit
def joints_in(workspace: Any, n: int, o: float) -> Any:
    """What joints keep between passes: the last part of what the articulated-body algorithm uses."""
    return records(workspace, (n + 1) * (ABA - OWN) * doubles_in(o), (n + 1) * OWN, o)


@jit
def frames_in(workspace: Any, n: int, o: float) -> Any:
    return records(workspace, (n + 1) * ABA * doubles_in(o), n + 1, typed(FRAME, o))


@jit
def wrenches_in(workspace: Any, n: int, o: float) -> Any:
    return records(workspace, (n + 1) * (ABA + FRAMES) * doubles_in(o), n + 1, typed(WRENCH, o))
