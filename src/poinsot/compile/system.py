"""The interface of a compiled system; `OneBody` and `Tree` are mechanisms in the numbers of the core."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import float64

from poinsot.compile.functions.potentials import potential_of
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.methods.method import Method
from poinsot.model.checks import Array
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.impulse import Impulse
from poinsot.model.kinematics import Sampled
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State, view


class System(ABC):
    """A system of equations of motion in the numbers of the core."""

    width: int  # numbers of a state, without the work
    mechanism: Any = None  # that was compiled; None for a system of equations

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Digest that changes when the physics or the kernels change."""

    @abstractmethod
    def time_loop(self, method: Method, number: Any = float64) -> TimeLoop:
        """Return the compiled time loop of a method for a number type."""

    @abstractmethod
    def to_core(self, q: Array, v: Array) -> Array:
        """Return a state of the user in the numbers of the core."""

    @abstractmethod
    def from_core(self, x: Array) -> tuple[Array, Array]:
        """Return q (n, nq) and v (n, nv) of n states of the core."""

    def state_of(self, time: float, x: Array) -> State:
        """Return the state of the user with which an array of the core begins, without a memory."""
        q, v = self.from_core(x[None, : self.width])
        q.flags.writeable = v.flags.writeable = False
        return view(time, q[0], v[0], None, self.mechanism)


class CompiledMechanism(System):
    """A mechanism in the numbers of the core."""

    mechanism: Mechanism

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.impulses = [force for force in mechanism.forces if isinstance(force, Impulse)]
        self.forces = [force for force in mechanism.forces if not isinstance(force, Impulse | Drive)]
        self.drives = [force for force in mechanism.forces if isinstance(force, Drive)]
        self.workers = [force for force in self.forces if not force.conservative]

    def hold(self, u: Array | Sequence[float]) -> None:
        """Set the inputs of a controller."""

    @abstractmethod
    def energies(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return kinetic energy and potential of gravity at n states, (n,) each, without fixed bodies."""

    def potential(self, q: Array, v: Array) -> Array:
        """Return the potential (n,) of the forces at n states, without gravity."""
        total = np.zeros(len(q))
        forces = [force for force in self.forces if force.conservative]
        if forces:
            x = Sampled(self.mechanism, q, v)
            for force in forces:
                total += potential_of(force, x)
        return total
