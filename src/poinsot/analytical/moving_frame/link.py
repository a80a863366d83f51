"""What a `MovingFrame` is made of, and the motion of its bodies."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import check_fields, number, reals, whole
from poinsot.analytical.operators import Array


@dataclass(frozen=True)
class Link:
    """A body of a `MovingFrame` with the joint that carries it.

    Parameters
    ----------
    parent : int
        Place of the parent in the list of links; -1 for the world.
    mass : float
        Mass in kg.
    inertia : array_like, shape (3, 3)
        Inertia about the centre of mass in the frame of the body, in kg m².
    inboard : array_like, shape (3,)
        Vector s from the joint to the centre of mass in the frame of the body, in metres.
    outboard : array_like, shape (3,), default (0, 0, 0)
        Vector o from the parent's centre of mass to the joint in the frame of the parent, in metres.
    axes : array_like, shape (m, 3), optional
        No, one or two axes of the joint: `[]` for none.  Default: a spherical joint.
    placement : array_like, shape (3, 3), optional
        Rotation of the joint frame in the parent.  Default: none.
    slides : array_like, shape (m, 3), default ()
        Up to three directions of the joint frame along which the joint slides.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.Link(-1, 2.0, np.eye(3), inboard=(0, 0, -1), axes=[(0, 1, 0)]).mass
    2.0
    """

    parent: int
    mass: float
    inertia: ArrayLike
    inboard: ArrayLike
    outboard: ArrayLike = (0.0, 0.0, 0.0)
    axes: ArrayLike | None = None
    placement: ArrayLike = field(default_factory=lambda: np.eye(3))
    slides: ArrayLike = ()

    def __post_init__(self) -> None:
        check_fields(
            self,
            parent=whole(-1),
            mass=number,
            inertia=reals((3, 3)),
            inboard=reals((3,)),
            outboard=reals((3,)),
            axes=reals((0,), (3,), (1, 3), (2, 3)),
            placement=reals((3, 3)),
            slides=reals((0,), (3,), (1, 3), (2, 3), (3, 3)),
        )


class Motion(NamedTuple):
    """Motion of all bodies: relative and absolute rotations, centres of mass, velocities."""

    relative: list[Array]
    R: list[Array]
    x: Array
    v: Array
    W: Array
    w: Array


Loads = tuple[Array, Array]  # forces in space (n, 3), moments in body frames (n, 3)
Force = Callable[[float, Motion], Loads]
