"""A state of a mechanism: time, coordinates, velocities, and the memory of the last method."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.part import Part, PartMotion

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


class MethodMemory(NamedTuple):
    """Numbers that a method keeps between two steps, so that a run continues from here to the same bits.
    It is used only with the same mechanism, method and step; otherwise a run starts from q and v."""

    fingerprint: str
    method: str
    step: float
    origin: float  # time of step 0
    steps: int  # since then
    cell: bytes  # memory of the time loop: float64, native order
    changed: int = (
        False  # the fallback of the method is in use, because the method itself did not converge; 2: its own
    )
    control: str = ""  # value held by a controller and its memory, as text (`model.plain`)
    sides: str = ""  # of zero on which the functions of the events are, as text (`simulation.events`)


@dataclass(frozen=True, eq=False)
class State:
    """A state of a mechanism: time, coordinates and velocities.

    `Mechanism.state` makes one from named joint coordinates; runs return states.  Joints come in the order
    in which their bodies were added; each has the numbers that its class lists (`Revolute`, `Free`, ...).
    A state that a run gives (to controllers, events and `record`, and as `run.at`) knows its mechanism:
    `state["tool"]` has `position`, `velocity`, `rotation`, `angular_velocity`, `origin`, `pose` and `point`
    of a body or frame, and the coordinates of its joint by name, such as `state["arm"].angle`.

    Parameters
    ----------
    time : Time [s].
    q, v : Coordinates (nq,) and velocities (nv,) of all joints, as read-only arrays.
    memory : Memory of the method that made the state.  With it a run continues bit for bit.

    >>> ps.State(0.0, [0.5], [1.0])
    State(time=0.0, q=array([0.5]), v=array([1.]))
    """

    time: float
    q: Array
    v: Array
    memory: MethodMemory | None = field(default=None, repr=False)
    _of: ClassVar[Any] = None  # the mechanism, of a state that a run gives

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", checks.number("state", "time", self.time))
        for name in ("q", "v"):
            array = np.array(checks.real(getattr(self, name)))
            if array.ndim != 1:
                raise ModelError(f"state: {name} must be a list of numbers, got {show(getattr(self, name))}")
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if self.memory is not None and not isinstance(self.memory, MethodMemory):
            raise ModelError(f"state: memory must be that of a method, got {show(self.memory)}")

    def __getitem__(self, name: str) -> PartMotion:
        mechanism = self._of
        if mechanism is None:
            raise ModelError(
                f"state: it does not know its mechanism, so it has no {show(name)}: "
                "use ps.dynamics.position(mechanism, state, name) and its neighbors"
            )
        known = mechanism._cache  # of a mechanism that does not change
        return PartMotion(Part(mechanism, name) if known is None else known.part(name), self)

    __iter__: ClassVar[None] = None  # though it has items

    def __getstate__(self) -> dict[str, Any]:
        return {name: x for name, x in vars(self).items() if name != "_of"}


def view(
    time: float, q: Array, v: Array, memory: MethodMemory | None = None, of: "Mechanism | None" = None
) -> State:
    """Return a state of read-only arrays that are known to fit: they are neither checked nor copied.
    `of` is the mechanism, which must not change any more."""
    state = object.__new__(State)
    known = state.__dict__
    known["time"], known["q"], known["v"], known["memory"], known["_of"] = time, q, v, memory, of
    return state


def attach(state: State, mechanism: "Mechanism") -> State:
    """Return a state that knows its mechanism, which must not change any more."""
    return view(state.time, state.q, state.v, state.memory, mechanism)
