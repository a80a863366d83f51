"""The numbers and poses of a frame: what a run would say at this state, and the apparatus of one body."""

import time as clock
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from poinsot.compile.cache import tree_for
from poinsot.control import recording
from poinsot.diagnostics.apparatus import SEQUENCES, angles, readings, residual_norms
from poinsot.diagnostics.quantities import columns_of
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.elementary.euler import axes_of
from poinsot.errors import ModelError, PoinsotError
from poinsot.live.motion import Motion, Settings, hand_in
from poinsot.mechanics.loop_constraints import closed_gaps
from poinsot.model.checks import Array
from poinsot.model.kinematics import motions
from poinsot.model.loop_history import ALWAYS_CLOSED
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.view.control import input_forces

XYZ = ("x", "y", "z")
SPARED = 4.0  # time without a residual, in those that one takes, while the motion goes on
Values = Callable[[Motion, Trajectory], Any]


class Column(NamedTuple):
    """Numbers of a frame that belong together; `messages` says what the fields are."""

    key: str
    title: str
    unit: str
    labels: tuple[str, ...]
    values: Values
    curve: bool = True
    log: bool = False


class Apparatus(NamedTuple):
    """The body that is looked at, and the sequence of its angles."""

    body: str
    sequence: str = SEQUENCES[0]

    def check(self, mechanism: Mechanism) -> "Apparatus":
        """Return it; an error says that there is no such body or sequence."""
        axes_of("live", self.sequence, three=True)
        mechanism.link(self.body, "live")
        return self

    def numbers(self, mechanism: Mechanism, part: Trajectory) -> dict[str, Array]:
        """Return the readings of the body and its angles at the sample of a trajectory."""
        x = part.motions[self.body]
        found = {**readings(mechanism, self.body, x), "angles": angles(self.sequence, x)}
        return {key: table[0] for key, table in found.items()}


class Numbers:
    """What frames of a motion hold; it is the same as long as the scene is."""

    def __init__(self, settings: Settings, apparatus: Apparatus) -> None:
        self.apparatus, self.mechanism = apparatus, settings.mechanism
        self.tracked: dict[str, Callable[[float, State], Array]] = {}
        if settings.controller is not None and hand_in(settings.controller) is None:
            with suppress(ModelError):  # not a controller that tracks
                self.tracked = recording(settings.controller)
        self.columns = [*self._motion(), *self._of_controller(settings), *self._apparatus()]
        self.width = sum(len(one.labels) for one in self.columns)
        self._seen: tuple[Any, dict[str, Array]] = (None, {})
        self.brief = False  # True: the motion goes on, and what takes long is not computed for each frame
        self._residuals: dict[int, tuple[float, float]] = {}  # of each motion: when it is due, the last one

    def _motion(self) -> list[Column]:
        """Return what every motion has."""
        m = self.mechanism
        q, v = ([one for one in columns_of(m) if one.array == array] for array in "qv")
        found = [
            Column("time", "time", "s", ("",), lambda motion, part: part.time, False),
            Column("span", "known times", "s", ("from", "to"), _span, False),
            Column("energy", "energy", "J", ("kinetic", "potential", "total"), _energy),
            Column("work", "work of forces", "J", ("",), lambda motion, part: motion.total_work),
            Column("energy-work", "energy - work", "J", ("",), _balance),
            Column("linear-momentum", "linear momentum", "kg m/s", XYZ, lambda _, part: part.linear_momentum),
            Column(
                "angular-momentum", "angular momentum", "kg m²/s", XYZ, lambda _, part: part.angular_momentum
            ),
            Column("q", "coordinates", "", tuple(one.label for one in q), lambda _, part: part.q),
            Column("v", "velocities", "", tuple(one.label for one in v), lambda _, part: part.v),
        ]
        if m.loops:
            found.append(Column("loops", "gap of the loops", "m, rad", ("",), _gap, log=True))
        return found

    def _of_controller(self, settings: Settings) -> list[Column]:
        """Return what a motion with a controller has: those of a hand are left out."""
        if settings.controller is None:
            return []
        control = settings.controller.control(settings.mechanism)
        n, m = len(control.names), settings.mechanism.snapshot()
        m.control = control
        found = [Column("inputs", "inputs", "N, N m", control.names, lambda _, part: part.inputs[0, :n])]
        if "error" in self.tracked:
            labels = tuple(one.label for one in columns_of(m) if one.array == "v")
            found.append(Column("error", "tracking error", "m, rad", labels, self._error))
        count = len(forces_of(m, np.zeros((1, n))))
        if count:
            push = Column(
                "thrusts", "forces", "N", XYZ * count, lambda _, part: forces_of(m, part.inputs[:, :n]), False
            )
            found.append(push)
        return found

    def _error(self, motion: Motion, part: Trajectory) -> Any:
        return self.tracked["error"](motion.time, motion.recent[-1])

    def _apparatus(self) -> list[Column]:
        """Return the numbers of the body of the apparatus."""

        def of(key: str) -> Values:
            return lambda motion, part: self._of_body(part)[key]

        both = ("in space", "in the body")
        ways = ("w.Iw/2", "L.w/2", "L.I⁻¹L/2")
        found = [
            Column("L-space", "L in space", "kg m²/s", XYZ, of("L-space")),
            Column("L-body", "L in the body", "kg m²/s", XYZ, of("L-body")),
            Column("w-space", "w in space", "rad/s", XYZ, of("w-space")),
            Column("w-body", "w in the body", "rad/s", XYZ, of("w-body")),
            Column("L-sizes", "|L|", "kg m²/s", both, of("L-sizes")),
            Column("kinetic", "kinetic energy", "J", ways, of("kinetic")),
            Column("angles", "angles", "rad", ("first", "second", "third"), of("angles")),
        ]
        if not self.mechanism.loops and not tree_for(self.mechanism).drives:
            title = "residual of the discrete Euler-Poincaré equations"
            found.append(Column("residual", title, "N m s", ("",), self._residual, log=True))
        return found

    def _of_body(self, part: Trajectory) -> dict[str, Array]:
        if self._seen[0] is not part:
            self._seen = part, self.apparatus.numbers(self.mechanism, part)
        return self._seen[1]

    def _residual(self, motion: Motion, part: Trajectory) -> Any:
        """Return the residual; if there is no time for it, that of a frame before."""
        due, last = self._residuals.get(id(motion), (0.0, np.nan))
        if self.brief and clock.perf_counter() < due:
            return last
        begun = clock.perf_counter()
        found = _residual(motion)
        now = clock.perf_counter()
        self._residuals[id(motion)] = now + (now - begun) * SPARED, found
        return found

    def describe(self) -> list[dict[str, Any]]:
        """Return the columns as data of a hello."""
        found, at = [], 0
        for one in self.columns:
            count = len(one.labels)
            data = {"key": one.key, "title": one.title, "unit": one.unit, "labels": list(one.labels)}
            found.append({**data, "at": at, "count": count, "log": one.log, "curve": one.curve})
            at += count
        return found

    def row(self, motion: Motion) -> Array:
        """Return the numbers of a motion as it is now; what cannot be computed is NaN."""
        part, found = motion.trajectory, []
        with np.errstate(all="ignore"):
            for one in self.columns:
                try:
                    value = np.asarray(one.values(motion, part), dtype=float).reshape(-1)
                except (PoinsotError, ValueError, IndexError):
                    value = np.full(len(one.labels), np.nan)
                found.append(value if value.size == len(one.labels) else np.full(len(one.labels), np.nan))
        return np.concatenate(found)

    def poses(self, motion: Motion) -> Array:
        """Return quaternion and position of all bodies, and of the ghosts of a tracked reference, (p, 7)."""
        part, rows = motion.trajectory, []
        for x in part.motions.values():
            rows.append(np.concatenate([x.quaternion[0], x.part.position[0]]))
        if "reference" in self.tracked:
            q = np.asarray(self.tracked["reference"](motion.time, motion.recent[-1]))
            there = motions(self.mechanism, q[None], np.zeros((1, self.mechanism.lengths[1])))
            for link in self.mechanism.links:
                ghost = there[link.name]
                place = ghost.point(link.body.center_of_mass)[0]
                rows.append(np.concatenate([ghost.quaternion[0], place[0]]))
        found = np.array(rows)
        length = np.linalg.norm(found[:, :4], axis=1, keepdims=True)
        found[:, :4] /= np.where(length > 0, length, 1.0)
        return found


def forces_of(mechanism: Mechanism, inputs: Array) -> list[Array]:
    """Return the forces of the inputs as a page draws them."""
    return [one.values[0] for one in input_forces(mechanism, inputs)]


def _span(motion: Motion, part: Trajectory) -> Any:
    return motion.checkpoints.all[0].state.time, motion.end


def _energy(motion: Motion, part: Trajectory) -> Any:
    return part.kinetic[0], part.potential[0], (part.kinetic + part.potential)[0]


def _balance(motion: Motion, part: Trajectory) -> Any:
    return (part.kinetic + part.potential)[0] - motion.total_work


def _gap(motion: Motion, part: Trajectory) -> Any:
    tree = tree_for(motion.settings.mechanism)
    return closed_gaps(tree, part.time, part.q, ALWAYS_CLOSED).max(initial=0.0)


def _residual(motion: Motion) -> float:
    if len(motion.recent) < 3 or motion.settings.controller is not None:
        return np.nan
    return float(residual_norms(motion.settings.mechanism, motion.recent, motion.settings.step)[-1])
