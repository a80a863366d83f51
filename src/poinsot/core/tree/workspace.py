"""The workspace of the algorithms, one flat array: `SIZE` numbers for each body, the world included.

[ articulated-body algorithm | frames | wrenches ]
"""

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Floats, Numbers, Records, doubles_in, flat, records, typed
from poinsot.core.tree.dynamics import aba
from poinsot.core.tree.dynamics.kinematics import FRAME, WRENCH
from poinsot.core.tree.joints.joint import OWN

ABA, FRAMES = aba.SIZE, len(flat(FRAME))
SIZE = ABA + FRAMES + len(flat(WRENCH))


@jit
def joints_in(workspace: Floats, n: int, o: float) -> Numbers:
    """Workspace of the joints: the last part of that of the articulated-body algorithm."""
    return records(workspace, (n + 1) * (ABA - OWN) * doubles_in(o), (n + 1) * OWN, o)


@jit
def frames_in(workspace: Floats, n: int, o: float) -> Records:
    """Frames of the bodies, for numbers of the type of o."""
    return records(workspace, (n + 1) * ABA * doubles_in(o), n + 1, typed(FRAME, o))


@jit
def wrenches_in(workspace: Floats, n: int, o: float) -> Records:
    """Applied wrenches on the bodies, for numbers of the type of o."""
    return records(workspace, (n + 1) * (ABA + FRAMES) * doubles_in(o), n + 1, typed(WRENCH, o))
