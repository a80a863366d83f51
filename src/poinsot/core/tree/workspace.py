"""Where the algorithms keep what they compute, in one flat array: `SIZE` numbers a body, the world included.

[ articulated-body algorithm | frames | wrenches ]
"""

from typing import Any

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import doubles_in, records, typed
from poinsot.core.numbers.flat import flat
from poinsot.core.tree.dynamics import aba
from poinsot.core.tree.dynamics.kinematics import FRAME, WRENCH
from poinsot.core.tree.joints.joint import NOTE

ABA, FRAMES = aba.WORK, len(flat(FRAME))
SIZE = ABA + FRAMES + len(flat(WRENCH))


@jit
def notes_in(work: Any, n: int, o: float) -> Any:
    """What joints note: the last part of what the articulated-body algorithm uses."""
    return records(work, (n + 1) * (ABA - NOTE) * doubles_in(o), (n + 1) * NOTE, o)


@jit
def frames_in(work: Any, n: int, o: float) -> Any:
    return records(work, (n + 1) * ABA * doubles_in(o), n + 1, typed(FRAME, o))


@jit
def wrenches_in(work: Any, n: int, o: float) -> Any:
    return records(work, (n + 1) * (ABA + FRAMES) * doubles_in(o), n + 1, typed(WRENCH, o))
