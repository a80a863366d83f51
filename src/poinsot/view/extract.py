"""What a page shows of a run: some frames, thinned curves, the report.

It is gathered part by part in two passes, so that a run of any length, in memory or in an archive, needs
little memory.  The first pass finds the samples that can be shown and the sizes to which errors are relative.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.diagnostics.motions import core_is_loaded
from poinsot.diagnostics.quantities import (
    ERROR,
    REFERENCE,
    Column,
    columns_of,
    input_columns,
    line_labels,
    panels,
    recorded_columns,
    run_columns,
    wrench_sizes,
)
from poinsot.diagnostics.report import Measurement, Report, summary
from poinsot.diagnostics.system_trajectory import SystemTrajectory
from poinsot.diagnostics.trajectory import Samples, Trajectory
from poinsot.errors import PoinsotError
from poinsot.model.checks import Array
from poinsot.view.apparatus import residual_of
from poinsot.view.frames import CURVE, POINTS, Envelope, Thinned
from poinsot.view.frames import thin as thinned

BODIES = 6  # largest number of bodies with curves of their own
LINES = 12  # largest number of lines of a curve: there are as many colors
SLIPS = 4000  # samples at which contacts are looked at
REACTIONS = 400  # samples at which joint forces are computed
STILL = 1e-9  # change relative to the size below which a curve stands still
XYZ = ("x", "y", "z")
TINY = float(np.finfo(float).tiny)


class Curve(NamedTuple):
    """A curve of a page: its values at some samples (n, k), and what they are."""

    key: str
    title: str
    unit: str
    labels: tuple[str, ...]
    values: Callable[[Trajectory], Array]
    log: bool = False
    rank: int = 5  # its place in the list: see below


COORDINATES, BODY, INPUT, RECORD, FORCE, STAND = 0, 1, 2, 3, 4, 7  # ranks; 5 energy and momenta, 6 errors


class Survey:
    """The first pass: the number of samples before the first that is not finite, and sizes up to there."""

    def __init__(self, parts: Iterator[Trajectory]) -> None:
        self.total = self.count = 0
        self.begin = self.end = self.energy = self.kinetic = self.spin = 0.0
        self.momentum, self.stopped = np.zeros(3), 0.0
        good = True
        for part in parts:
            n = len(part.time)
            if good and n:
                k = finite_samples(part)
                self._add(part if k == n else part.part(0, k), first=not self.total)
                good, self.stopped = k == n, float(part.time[min(k, n - 1)])
            self.total += n

    def _add(self, part: Trajectory, first: bool) -> None:
        if not len(part.time):
            return
        if first:
            self.begin, self.momentum = float(part.time[0]), part.angular_momentum[0]
            self.energy = float((part.kinetic + part.potential - part.work)[0])
        self.count, self.end = self.count + len(part.time), float(part.time[-1])
        self.kinetic = max(self.kinetic, float(part.kinetic.max()))
        self.spin = max(self.spin, float(np.linalg.norm(part.angular_momentum, axis=1).max()))


def finite_samples(part: Trajectory) -> int:
    """Return the number of samples before the first that is not finite."""
    with np.errstate(all="ignore"):
        finite = np.isfinite(part.time) & np.isfinite(part.angular_momentum).all(axis=1)
        for x in part.motions.values():
            for array in (x.quaternion, x.position, x.angular_velocity):
                finite &= np.isfinite(array).all(axis=1)
    return len(finite) if finite.all() else int(np.argmin(finite))


class Extract:
    """A run as a page shows it."""

    def __init__(self, run: Any, most_frames: int) -> None:
        self.run, self.trajectory = run, run.trajectory.picture
        self.mechanism = self.trajectory.mechanism
        self.survey = Survey(self.trajectory.parts())
        self.count = n = self.survey.count
        self.stride = max(1, -(-n // most_frames))
        self.curves: list[tuple[Curve, Array, Array]] = []
        self.report: Report | None = None
        self.residual: tuple[Array, Array] | None = None
        if n:
            self._gather(n)

    def _parts(self) -> Iterator[Trajectory]:
        """Yield the samples that can be shown."""
        left = self.count
        for part in self.trajectory.parts():
            n = len(part.time)
            if n and left > 0:
                yield part if n <= left else part.part(0, left)
            left -= n

    def _gather(self, n: int) -> None:
        """Make the second pass."""
        own = isinstance(self.run.trajectory, SystemTrajectory)
        wanted = [] if own else curves_of(self.run, self.survey)
        thin = [(Envelope(n, CURVE) if one.log else Thinned(n, POINTS)) for one in wanted]
        found = Measurement(self.mechanism, loops=self.run.loop_history)
        rows: list[Samples] = []
        at, work = 0, 0.0
        for part in self._parts():
            if not own:
                found.add(part)
            for one, target in zip(wanted, thin, strict=True):
                with np.errstate(all="ignore"):
                    values = np.asarray(one.values(part), dtype=np.float64)
                target.add(part.time, values.reshape(len(part.time), -1))
            end = at + len(part.time)
            picked = np.arange(-(-at // self.stride) * self.stride, end, self.stride)
            if end == n and (n - 1) % self.stride:
                picked = np.append(picked, n - 1)
            rows.append(part.samples.pick(picked - at))
            at, work, last = end, float(part.work[-1]), part
        whole = self.stride == 1 and len(last.time) == n
        picks = Samples(*(np.concatenate(x) for x in zip(*rows, strict=True)))
        self.frames = last if whole else last.with_samples(picks)
        if own:
            self.report = self.run.report()
            self.curves = [*system_curves(self.run.trajectory, n), *self._record_curves()]
            self.curves.sort(key=_rank)
            return
        made = summary(found, self.run.trajectory.forces, work, "", cost(self.run))
        self.report = replace(made, contacts=slips(self.run, self.frames))
        kept = self.report.angular_momentum.kept
        for one, target in zip(wanted, thin, strict=True):
            time, values = target.finish()
            some = bool(values.any())
            if {"momentum-error": kept and some, "work": some}.get(one.key, True):
                self.curves.append((one, time, values))
        self.curves += [*self._record_curves(), *joint_forces(self.run, self.frames)]
        self.curves.sort(key=_rank)
        self.residual = residual_of(self.run, self.frames)

    def _record_curves(self) -> Iterator[tuple[Curve, Array, Array]]:
        """Yield the curves of what the run recorded; a reference is drawn as a ghost."""
        for name, (table, labels, unit) in recorded_columns(self.run, self.survey.total).items():
            if name != REFERENCE:
                curve = Curve(f"recorded {name}", name, unit, labels, _nothing, rank=RECORD)
                yield curve, *thinned(self.run.time[: self.count], table[: self.count])

    def rows(self, thin: float) -> tuple[NDArray[np.int64], int]:
        """Return the places in `frames` of every k-th sample and the last, with k about `thin`, and k."""
        stride = self.stride * max(1, -(-round(thin) // self.stride))
        every = np.arange(0, self.count, stride, dtype=np.int64)
        if self.count and every[-1] != self.count - 1:
            every = np.append(every, self.count - 1)
        places = every // self.stride
        if self.count and (self.count - 1) % self.stride:
            places[-1] = len(self.frames.time) - 1
        return places, stride

    def sample_rows(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the samples of the run at places in `frames`."""
        return np.minimum(places * self.stride, self.count - 1)


def cost(run: Any) -> tuple[int, int, int, float, float]:
    """Return what a run cost, and by how much it went beyond its end."""
    return run.steps, run.evaluations, run.iterations, run.seconds, run.overshoot


def curves_of(run: Any, survey: Survey) -> list[Curve]:
    """Return all curves of a run: what moves first, the errors last."""
    g = np.asarray(run.mechanism.gravity, dtype=float)
    weight = float(np.linalg.norm(g))
    along = " along gravity:" if weight > 0 else ""
    energy_size = max(survey.kinetic, abs(survey.energy), TINY)
    spin_size = max(survey.spin, TINY)

    def energy_error(part: Trajectory) -> Array:
        return np.abs(part.kinetic + part.potential - part.work - survey.energy) / energy_size

    def momentum_error(part: Trajectory) -> Array:
        away = part.angular_momentum - survey.momentum
        if weight > 0:
            return np.asarray(np.abs(away @ g) / weight / spin_size)
        return np.asarray(np.linalg.norm(away, axis=1) / spin_size)

    def energies(part: Trajectory) -> Array:
        return np.stack([part.kinetic, part.potential, part.kinetic + part.potential], axis=1)

    own: list[Curve] = []
    for name in run.mechanism.names[:BODIES]:
        spin, place = f"{name}: angular velocity, body frame", f"{name}: center of mass"
        own += [
            Curve(f"place of {name}", place, "m", XYZ, partial(_position, name), rank=BODY),
            Curve(f"spin of {name}", spin, "rad/s", XYZ, partial(_angular_velocity, name), rank=BODY),
        ]
    return [
        *joint_curves([*columns_of(run.mechanism), *input_columns(run.trajectory)], run),
        *own,
        Curve("energy", "energy", "J", ("kinetic", "potential", "total"), energies),
        Curve("work", "work of forces", "J", ("",), lambda part: part.work),
        Curve("angular-momentum", "angular momentum", "kg m²/s", XYZ, lambda part: part.angular_momentum),
        Curve("linear-momentum", "linear momentum", "kg m/s", XYZ, lambda part: part.linear_momentum),
        Curve("energy-error", "energy error, relative", "", ("",), energy_error, True, 6),
        Curve(
            "momentum-error", f"angular momentum{along} error, relative", "", ("",), momentum_error, True, 6
        ),
        Curve("orthogonality", "orthogonality error", "", ("",), lambda part: part.orthogonality, True, 6),
    ]


def system_curves(run: SystemTrajectory, count: int) -> Iterator[tuple[Curve, Array, Array]]:
    """Yield the curves of a system: coordinates, velocities, inputs, energy, multipliers, errors."""
    assert run.facts is not None
    widths = run.facts.widths
    tables = [
        (title, run.q if some[0].array == "q" else run.v, tuple(one.name for one in some), COORDINATES)
        for title, some in panels(run_columns(run)).items()
    ]
    if run.facts.inputs:
        names = tuple(run.driven[: run.facts.inputs])
        tables.append(("inputs", run.inputs[:, : run.facts.inputs], names, INPUT))
    if "multipliers" in widths:
        numbers = tuple(map(str, range(1, widths["multipliers"] + 1)))
        tables.append(("multipliers", run.answer("multipliers"), numbers, FORCE))
    if run.work.any():
        tables.append(("work of forces", run.work[:, None], ("",), RECORD))
    for title, values, labels, rank in tables:
        shown = values[:count, :LINES]
        curve = Curve(title, title, "", labels[:LINES], _nothing, rank=rank)
        yield curve, *thinned(run.time[:count], np.asarray(shown))
    if {"energy", "hamiltonian"} & {*widths}:
        total = run.total[:count]
        size = max(float(np.abs(total + run.work[:count]).max()), TINY)
        yield Curve("energy", "energy", "J", ("",), _nothing), *thinned(run.time[:count], total[:, None])
        far = Envelope(count, CURVE)
        far.add(run.time[:count], np.abs(total - total[0])[:, None] / size)
        yield Curve("energy-error", "energy error, relative", "", ("",), _nothing, True, 6), *far.finish()
    if run.answer("residual").any():
        far = Envelope(count, CURVE)
        far.add(run.time[:count], run.answer("residual")[:count])
        yield Curve("orthogonality", "constraint error", "", ("",), _nothing, True, 6), *far.finish()


def joint_curves(columns: list[Column], run: Any) -> list[Curve]:
    """Return the curves of the coordinates and rates of joints, or of inputs; attitudes have others."""
    found, m = [], run.mechanism
    simple = [one for one in columns if one.array == "inputs" or m.link(one.owner).joint.quaternion is None]
    for title, some in panels(simple).items():
        shown = some[:LINES]
        unit, array = shown[0].unit, shown[0].array
        labels = line_labels(shown) if len(shown) > 1 or array != "inputs" else [""]
        key = f"input at {shown[0].owner}" if array == "inputs" else title
        rank = INPUT if array == "inputs" else COORDINATES
        pick = partial(_columns, array, [one.place for one in shown])
        found.append(Curve(key, title.removesuffix(f" [{unit}]"), unit, tuple(labels), pick, rank=rank))
    return found


def _columns(array: str, places: list[int], part: Trajectory) -> Array:
    return np.asarray(getattr(part, array)[:, places])


def _angular_velocity(name: str, part: Trajectory) -> Array:
    return part.motions[name].angular_velocity


def _position(name: str, part: Trajectory) -> Array:
    return part.motions[name].position


def _nothing(part: Trajectory) -> Array:
    return np.zeros((len(part.time), 0))  # of a curve that is not computed part by part


def joint_forces(run: Any, frames: Trajectory) -> list[tuple[Curve, Array, Array]]:
    """Return the sizes of the forces and torques in the joints at some frames, where all forces are known.

    A process that only shows a file does not load the compiler for them.
    """
    if not core_is_loaded():
        return []
    loose = [link.name for link in run.mechanism.links if link.joint.kind == "free"]
    few = replace(run, trajectory=frames.thin(REACTIONS), recorded={})
    try:
        known = {name: x for name, x in few.reactions.items() if name not in loose}
    except PoinsotError:
        return []
    found = []
    for title, sizes in wrench_sizes(known, run.mechanism).items():
        name, _, unit = title.removesuffix("]").partition(" [")
        if np.isfinite(sizes).all():
            curve = Curve(title, name, unit, tuple(known)[:LINES], _nothing, rank=FORCE)
            found.append((curve, few.time, sizes[:, :LINES]))
    return found


def slips(run: Any, frames: Trajectory) -> tuple[str, ...]:
    """Return which contacts with friction would slip or lift off, as the report of the run has it."""
    if not core_is_loaded() or not any(getattr(x.joint, "friction", None) for x in run.mechanism.loops):
        return ()
    from poinsot.mechanics.friction import remarks  # which needs the compiler

    few = replace(run, trajectory=frames.thin(SLIPS), recorded={})
    try:
        return tuple(remarks(run.mechanism, run.final, few.time, few.reaction))
    except PoinsotError:
        return ()


def _rank(one: tuple[Curve, Array, Array]) -> int:
    """Return the place of a curve: the error of a tracking controller first, what stands still last."""
    curve, _, values = one
    size = float(np.abs(values).max(initial=0.0))
    still = not len(values) or not float(np.ptp(values, axis=0).max(initial=0.0)) > STILL * size
    if curve.key == f"recorded {ERROR}":
        return -1
    return STAND if still and not curve.log else curve.rank
