"""The report of a run: the drift of the conserved quantities, measured part by part, and what the run cost.

The table has a row for each quantity that the mechanism conserves.  Quantities that forces or the world
change, and quantities that are zero in the whole run, say nothing about the method: they are named below the
table, the former with what changes them.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from poinsot import html
from poinsot.diagnostics.drift import Drift, DriftMeter
from poinsot.diagnostics.trajectory import CHUNK, Forces, Trajectory
from poinsot.model.checks import Array
from poinsot.model.joints import Free, Spherical
from poinsot.model.loop_history import ALWAYS_CLOSED, LoopHistory
from poinsot.model.loops import Distance, Loop
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import apply, inverse

if TYPE_CHECKING:
    from poinsot.compile.tree import Tree


def _largest(x: Array) -> float:
    """Return the largest length of the rows."""
    return float(np.linalg.norm(x, axis=1).max(initial=0.0))


@dataclass
class Measurement:
    """What is measured of a run part by part; of a momentum, only what gravity does not change drifts."""

    mechanism: Mechanism
    _: KW_ONLY
    energy: DriftMeter = field(default_factory=DriftMeter)
    angular: DriftMeter = field(default_factory=DriftMeter)
    linear: DriftMeter = field(default_factory=DriftMeter)
    orthogonality: DriftMeter = field(default_factory=DriftMeter)
    axial: DriftMeter = field(default_factory=DriftMeter)
    first: float = 0.0  # energy at the start
    kinetic: float = 0.0
    worked: bool = False
    angular_size: float = 0.0
    linear_size: float = 0.0
    angular_kept: float = 0.0  # largest size of what gravity does not change
    linear_kept: float = 0.0
    angular_first: float = 0.0  # its size at the start
    linear_first: float = 0.0
    axial_size: float = 0.0
    spins: float = 0.0  # largest sums of the sizes of the terms
    ways: float = 0.0
    gap: float | None = None
    loops: LoopHistory = ALWAYS_CLOSED  # gaps of open loops do not count

    @cached_property
    def _tree(self) -> "Tree | None":
        """The mechanism for its loops; None if there are none."""
        if not self.mechanism.loops:
            return None
        from poinsot.compile.tree import compile_tree  # only loops need it

        bare = self.mechanism.snapshot()
        bare.forces, bare.missing = [], ()  # loops do not depend on forces, which a file may not hold
        return compile_tree(bare)

    @cached_property
    def axis(self) -> Array | None:
        """I e for the axis e of a symmetric body that turns about a point of it; None if there is none."""
        return symmetry_axis(self.mechanism)

    def add(self, part: Trajectory) -> None:
        """Measure some samples."""
        t, L, p = part.time, part.angular_momentum, part.linear_momentum
        total = part.kinetic + part.potential - part.work
        first = not self.energy.count and len(t) > 0
        if first:
            self.first = float(total[0])
        self.worked = self.worked or bool(part.work.any())
        self._larger(kinetic=part.kinetic.max(initial=0.0), angular_size=_largest(L), linear_size=_largest(p))
        weight = float(np.linalg.norm(self.mechanism.gravity))
        if weight > 0:
            down = self.mechanism.gravity / weight
            L, p = (L @ down)[:, None], p - np.outer(p @ down, down)
        if first:
            self.angular_first, self.linear_first = _largest(L[:1]), _largest(p[:1])
        if self.axis is not None:
            spin = part.motions[self.mechanism.names[0]].angular_velocity @ self.axis
            self.axial.add(t, spin)
            self._larger(axial_size=np.abs(spin).max(initial=0.0))
        ways, spins = part.sums[:, 12:14].max(axis=0, initial=0.0)
        self._larger(angular_kept=_largest(L), linear_kept=_largest(p), spins=spins, ways=ways)
        self.energy.add(t, total)
        self.angular.add(t, L)
        self.linear.add(t, p)
        self.orthogonality.add(t, part.orthogonality)
        if self._tree is not None:
            from poinsot.mechanics.loop_constraints import closed_gaps

            self.gap = self.gap or 0.0
            self._larger(gap=closed_gaps(self._tree, t, part.q, self.loops).max(initial=0.0))

    def _larger(self, **found: float) -> None:
        """Keep the larger of each of these numbers and of what was found before; NaN stays NaN."""
        for name, x in found.items():
            setattr(self, name, float(np.maximum(getattr(self, name), x)))


HEAD = f"{'':18}{'band':>11}{'relative':>11}{'slope x T':>11}"
NONE = Drift(0.0, 0.0, 0.0, 0.0, kept=False)  # of a quantity that there is not
ROUNDING = 1e-13  # a sum below this size, relative to its terms, counts as zero


@dataclass(frozen=True)
class Report:
    """Drift of the conserved quantities in a run, and what the run cost; `print` shows it as a table.

    Parameters
    ----------
    title : Method, step and end of the run.
    energy : Drift of the energy less the work of the forces without a potential [J].
    angular_momentum : Drift of the angular momentum about the origin, in kg m^2/s; under gravity, of its
        vertical component.
    linear_momentum : Drift of the linear momentum, in kg m/s; under gravity, of its horizontal components.
    orthogonality : Drift of ||q|^2 - 1|, with q the stored quaternions.
    axial_momentum : Drift of the angular momentum of a single body about its axis of symmetry, in kg m^2/s,
        if it turns about a point of this axis.
    evaluations : Number of force evaluations.
    iterations : Number of iterations of an implicit method.
    steps : Number of steps.
    seconds : Time that the run took to compute [s].
    gap : Largest gap of a loop at the samples [m, rad].  Default None: there are no loops.
    rotations : True if a joint stores a quaternion, which can lose its unit length.
    notes : By quantity: what was measured, if it was not the whole quantity.
    contacts : Which contacts with friction would slip or lift off, and when: a line for each.
    not_conserved : By quantity: what changes it, for the quantities that are not conserved.
    zero : Conserved quantities that are zero in the whole run.
    unknown : Quantities that are not known: those of a system of equations.
    overshoot : Time in s by which the last step went beyond `until`, which was not a whole number of steps
        away.
    estimate : Function that estimates the error of the state, called once by `state_error`; or None.

    >>> s = ps.scenario("dzhanibekov")
    >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
    >>> report = run.report()
    >>> report.title
    'srkn4: Runge-Kutta-Nystrom splitting, exact flight, step 0.02, until t = 1'
    >>> [row[0] for row in report.rows()]
    ['energy', 'angular momentum', 'orthogonality']
    """

    title: str
    energy: Drift
    angular_momentum: Drift
    linear_momentum: Drift
    orthogonality: Drift
    axial_momentum: Drift
    evaluations: int
    iterations: int
    steps: int
    seconds: float
    gap: float | None = None
    rotations: bool = True
    notes: Mapping[str, str] = field(default_factory=dict)
    contacts: tuple[str, ...] = ()
    not_conserved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    zero: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    overshoot: float = 0.0
    estimate: Callable[[], float | None] | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        _ = self.state_error
        return {**vars(self), "estimate": None}

    @cached_property
    def state_error(self) -> float | None:
        """Estimated error of the state at the end, if the errors of all steps add up; None: it is not known.

        Angles in rad, the rest relative to the motion, as of `accuracy=`.  The error of a step is the
        distance of one step from two of half its length, in the mean over a few samples of the run.
        """
        return None if self.estimate is None else self.estimate()

    @property
    def drifts(self) -> dict[str, Drift]:
        """Drift of the quantities by name, whether they are conserved or not."""
        return {
            "energy": self.energy,
            "angular momentum": self.angular_momentum,
            "axial momentum": self.axial_momentum,
            "linear momentum": self.linear_momentum,
            "orthogonality": self.orthogonality,
        }

    def rows(self) -> list[list[str]]:
        """Return the rows of the table, one for each quantity that the method had to conserve.
        Name, band, relative band, slope x duration, and a note."""
        left_out = {
            *self.not_conserved,
            *self.zero,
            *self.unknown,
            *(() if self.rotations else ("orthogonality",)),
        }
        left_out |= set() if self.axial_momentum.kept else {"axial momentum"}
        return [
            [name, *(f"{x:.2e}" for x in (one.band, one.relative_band, one.trend)), self.notes.get(name, "")]
            for name, one in self.drifts.items()
            if name not in left_out
        ]

    @property
    def remarks(self) -> list[str]:
        """Lines below the table: quantities without a row, the gap of the loops, and the end of the run."""
        changed = ", ".join(f"{name} ({', '.join(causes)})" for name, causes in self.not_conserved.items())
        parts = [(name, self.notes.get(name, "")) for name in self.zero]
        zero = ", ".join(f"{name} ({note})" if note else name for name, note in parts)
        why = "which is not a whole number of steps from the start"
        return [
            *([f"zero in the whole run: {zero}"] if zero else []),
            *([f"not conserved here: {changed}"] if changed else []),
            *(
                [self._state()]
                if "work" in self.notes.get("energy", "") and self.state_error is not None
                else []
            ),
            *([f"loops closed to {self.gap:.1e}"] if self.gap is not None else []),
            *self.contacts,
            *([f"ends {self.overshoot:.3g} s after `until`, {why}"] if self.overshoot > 0 else []),
        ]

    def _state(self) -> str:
        """Return what is known of the state: of a damped motion, the energy says little about it."""
        what = "one step against two at a few samples, added up over all; rad, or relative to the motion"
        return f"state at the end: estimated error {self.state_error:.1e} ({what})"

    @property
    def cost(self) -> str:
        """What the run cost, in one line: steps, evaluations, iterations, time."""
        each = f", {self.iterations} iterations" if self.iterations else ""
        return f"{self.steps} steps, {self.evaluations} torque evaluations{each}, {self.seconds:.3g} s"

    def __str__(self) -> str:
        rows = self.rows()
        lines = [
            f"{name:18}{band:>11}{relative:>11}{trend:>11}{f'   {note}' if note else ''}"
            for name, band, relative, trend, note in rows
        ]
        return "\n".join([self.title, *([HEAD] if rows else []), *lines, *self.remarks, self.cost])

    @property
    def ending(self) -> str:
        """Everything below the table but the contacts, in one line."""
        return "; ".join([*(line for line in self.remarks if line not in self.contacts), self.cost])

    def _repr_html_(self) -> str:
        rows = self.rows()
        drifts = html.table(["", "band", "relative", "slope x T", ""], rows) if rows else ""
        below = "".join(html.tag("div", html.text(line)) for line in (*self.remarks, self.cost))
        return f"<div>{html.tag('b', html.text(self.title))}{drifts}{below}</div>"


def report(
    run: Trajectory,
    title: str,
    steps: int,
    evaluations: int,
    iterations: int,
    seconds: float,
    overshoot: float = 0.0,
    loops: LoopHistory = ALWAYS_CLOSED,
) -> Report:
    """Measure the drift of a run; of a momentum, only the components count that gravity does not change."""
    found = Measurement(run.mechanism, loops=loops)
    for part in run.parts(CHUNK):  # sums over all bodies: a few numbers for each sample
        found.add(part)
    work = float(run.work[-1]) if len(run.work) else 0.0
    cost = steps, evaluations, iterations, seconds, overshoot
    return summary(found, run.forces, work, title, cost)


def summary(
    found: "Measurement", forces: Forces, work: float, title: str, cost: tuple[int, int, int, float, float]
) -> Report:
    """Return the report of what was measured; the cost has the arguments of `report` from `steps` on."""
    steps, evaluations, iterations, seconds, overshoot = cost
    m, (pushed, impulses) = found.mechanism, forces
    weight = float(np.linalg.norm(m.gravity))
    scale = max(found.kinetic, abs(found.first))
    notes = {}
    if found.worked:
        notes["energy"] = f"less the work of forces, {work:.2e}"
    if weight > 0:
        notes["angular momentum"] = "component along gravity"
        notes["linear momentum"] = "components across gravity"
    angular_scale, linear_scale = found.angular_size, found.linear_size
    if found.angular_first <= ROUNDING * found.spins < found.angular_kept:  # 0 of 0: relative to its terms
        angular_scale = found.spins
        notes["angular momentum"] = f"{notes.get('angular momentum', '')} zero at the start".strip()
    if found.linear_first <= ROUNDING * found.ways < found.linear_kept:
        linear_scale = found.ways
        notes["linear momentum"] = f"{notes.get('linear momentum', '')} zero at the start".strip()
    if found.axis is not None:
        notes["axial momentum"] = "about the axis of symmetry"
    causes = {
        "energy": ["impulses"] if impulses else [],
        "angular momentum": momentum_causes(m, forces, torque=True),
        "linear momentum": momentum_causes(m, forces, torque=False),
        "axial momentum": ["applied forces"] if pushed and found.axis is not None else [],
    }
    changed = {name: tuple(why) for name, why in causes.items() if {*why} - {"gravity"}}
    absent = {
        "energy": scale == 0,
        "angular momentum": found.angular_kept <= ROUNDING * found.spins,
        "linear momentum": found.linear_kept <= ROUNDING * found.ways,
        "axial momentum": found.axis is not None and found.axial_size <= ROUNDING * found.spins,
    }
    return Report(
        title=title,
        energy=found.energy.drift(scale, kept="energy" not in changed),
        angular_momentum=found.angular.drift(angular_scale, kept="angular momentum" not in changed),
        linear_momentum=found.linear.drift(linear_scale, kept="linear momentum" not in changed),
        orthogonality=found.orthogonality.drift(1.0),
        axial_momentum=found.axial.drift(found.axial_size, kept="axial momentum" not in changed)
        if found.axis is not None
        else NONE,
        evaluations=evaluations,
        iterations=iterations,
        steps=steps,
        seconds=seconds,
        gap=found.gap,
        rotations=any(link.joint.quaternion is not None for link in m.links),
        notes=notes,
        not_conserved=changed,
        zero=tuple(name for name, is_zero in absent.items() if is_zero and name not in changed),
        overshoot=overshoot,
    )


def symmetry_axis(m: Mechanism) -> Array | None:
    """Return I e for the axis e of symmetry of a single body that is free, or on a ball joint on this axis.
    The body may have welded parts.

    Then e.I w = I_e e.w is the momentum about the axis, which neither gravity nor the joint changes.
    """
    others = any(link.joint.nv or link.parent == WORLD for link in m.links[1:])
    if others or m.loops or not isinstance(m.links[0].joint, Free | Spherical):
        return None
    link = m.rigid_links[m.names[0]]
    body, held = link.body, isinstance(link.joint, Spherical)
    if not np.isfinite(body.inertia).all():  # of a file that was edited: sums of huge masses
        return None
    moments, axes = np.linalg.eigh(body.inertia)
    arm = body.center_of_mass + apply(inverse(link.body_rotation), link.body_at)
    size = float(np.linalg.norm(arm))
    if held and size > 0 and np.ptp(moments) <= ROUNDING * moments[-1]:
        return np.asarray(moments[0] / size * arm)
    for k in range(3):
        e, equal = axes[:, k], abs(moments[k - 1] - moments[k - 2]) <= ROUNDING * moments[-1]
        if equal and (not held or float(np.linalg.norm(np.cross(arm, e))) <= ROUNDING * size):
            return np.asarray(moments[k] * e)
    return None


def momentum_causes(m: Mechanism, forces: Forces, torque: bool) -> list[str]:
    """List what changes the linear momentum, or with `torque` the angular one; gravity but one component."""
    outside = [*(["gravity"] if m.gravity.any() else []), *(["applied forces"] if forces.applied else [])]
    return [*outside, *_supports(m, torque)]


def _supports(m: Mechanism, torque: bool) -> list[str]:
    """List how the world exerts a force on the mechanism, or a `torque` about the origin."""
    roots = [link for link in m.links if link.parent == WORLD and not isinstance(link.joint, Free)]
    loops = [loop for loop in m.loops if WORLD in (loop.a, loop.b)]
    if torque:  # a ball joint at the origin exerts none
        roots = [link for link in roots if link.at.any() or not isinstance(link.joint, Spherical)]
        loops = [loop for loop in loops if not _point_at_origin(loop)]
    touch = any(loop.joint.contact for loop in loops)
    closed = any(not loop.joint.contact for loop in loops)
    named = {"joint to the world": roots, "loop to the world": closed, "contact with the world": touch}
    return [words for words, there in named.items() if there]


def _point_at_origin(loop: Loop) -> bool:
    """Return True if the world holds nothing but a point at the origin."""
    at = loop.at_a if loop.a == WORLD else loop.at_b
    return not at.any() and isinstance(loop.joint, Spherical | Distance)
