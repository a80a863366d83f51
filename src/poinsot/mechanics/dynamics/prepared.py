"""Compiled algorithms at one state, prepared for the thread that calls them (`compile.states.One`)."""

import threading
from functools import cached_property
from typing import Any

from numpy import ndarray
from numpy.typing import ArrayLike

from poinsot.compile.kept import Kept
from poinsot.compile.states import FLOAT, One

GOOD = -1  # what a prepared call returns for a valid state
POINTS = 256  # Jacobians that a thread keeps prepared


def is_row(x: Any, shape: tuple[int, ...]) -> bool:
    """Return whether x is what a prepared call takes: an array of float64 of this shape."""
    return x.__class__ is ndarray and x.shape == shape and x.dtype is FLOAT


class Prepared(threading.local):
    """The prepared calls of one thread on one mechanism."""

    def __init__(self, known: Kept) -> None:
        self.known, self.tree = known, known.tree()
        self.points: dict[Any, One] = {}  # Jacobians

    def point(self, body: str, at: ArrayLike) -> One:
        """Return the prepared Jacobian of a point, which is kept if `at` is a tuple."""
        key = (body, at) if isinstance(at, tuple) else (body, None)
        try:
            if key in self.points:
                return self.points[key]
        except TypeError:  # a tuple of lists
            key = body, None
        one = self.tree.states.one_jacobian(*self.tree.seat(body, at))
        if key[1] is not None:
            if len(self.points) >= POINTS:
                self.points.clear()
            self.points[key] = one
        return one

    @cached_property
    def acceleration(self) -> One:
        return self.tree.states.one_acceleration()

    @cached_property
    def inverse(self) -> One:
        return self.tree.states.one_inverse()

    @cached_property
    def mass(self) -> One:
        return self.tree.states.one_mass()

    @cached_property
    def sum(self) -> One:
        return self.known.bodies().states.one_sum()
