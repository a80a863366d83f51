"""The report of a run: the drift of the conserved quantities, and what the run cost.

The table has a row for each quantity that the mechanism conserves.  Quantities that forces or the world
change, and quantities that are zero in the whole run, say nothing about the method: they are named below the
table, the former with what changes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from poinsot import html
from poinsot.diagnostics.drift import Drift, meter
from poinsot.diagnostics.measured import Measured
from poinsot.diagnostics.trajectory import CHUNK, Forces, Trajectory
from poinsot.model.joints import Free, Spherical
from poinsot.model.loop_history import ALWAYS_CLOSED, LoopHistory
from poinsot.model.loops import Distance, Loop
from poinsot.model.mechanism import WORLD, Mechanism

HEAD = f"{'':18}{'band':>11}{'relative':>11}{'slope x T':>11}"
ROUNDING = 1e-13  # a sum below this size, relative to its terms, counts as zero


@dataclass(frozen=True)
class Report:
    """Drift of the conserved quantities in a run, and what the run cost; `print` shows it as a table.

    Parameters
    ----------
    title : str
        Method, step and end of the run.
    energy : Drift
        Drift of the energy less the work of the forces without a potential, in J.
    angular_momentum : Drift
        Drift of the angular momentum about the origin, in kg m^2/s; under gravity, of its vertical component.
    linear_momentum : Drift
        Drift of the linear momentum, in kg m/s; under gravity, of its horizontal components.
    orthogonality : Drift
        Drift of ||q|^2 - 1|, with q the stored quaternions.
    evaluations : int
        Number of force evaluations.
    iterations : int
        Number of iterations of an implicit method.
    steps : int
        Number of steps.
    seconds : float
        Time that the run took to compute, in s.
    gap : float, optional
        Largest gap of a loop at the samples, in m or rad.  Default None: there are no loops.
    rotations : bool, default True
        True if a joint stores a quaternion, which can lose its unit length.
    notes : mapping of str to str, default {}
        By quantity: what was measured, if it was not the whole quantity.
    not_conserved : mapping of str to tuple of str, default {}
        By quantity: what changes it, for the quantities that are not conserved.
    zero : tuple of str, default ()
        Conserved quantities that are zero in the whole run.
    overshoot : float, default 0.0
        Time in s by which the last step went beyond `until`, which was not a whole number of steps away.

    Examples
    --------
    >>> import poinsot as ps
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
    evaluations: int
    iterations: int
    steps: int
    seconds: float
    gap: float | None = None
    rotations: bool = True
    notes: Mapping[str, str] = field(default_factory=dict)
    not_conserved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    zero: tuple[str, ...] = ()
    overshoot: float = 0.0

    @property
    def drifts(self) -> dict[str, Drift]:
        """Drift of the four quantities by name, whether they are conserved or not."""
        return {
            "energy": self.energy,
            "angular momentum": self.angular_momentum,
            "linear momentum": self.linear_momentum,
            "orthogonality": self.orthogonality,
        }

    def rows(self) -> list[list[str]]:
        """Return the rows of the table, one for each quantity that the method had to conserve.

        Returns
        -------
        list of list of str
            Name, band, relative band, slope x duration, and a note.
        """
        left_out = {*self.not_conserved, *self.zero, *(() if self.rotations else ("orthogonality",))}
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
            *([f"loops closed to {self.gap:.1e}"] if self.gap is not None else []),
            *([f"ends {self.overshoot:.3g} s after `until`, {why}"] if self.overshoot > 0 else []),
        ]

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
        """Everything below the table, in one line."""
        return "; ".join([*self.remarks, self.cost])

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
    found = Measured(run.mechanism, *(meter(run.time) for _ in range(4)), loops=loops)
    for part in run.parts(CHUNK):  # sums over all bodies: a few numbers for each sample
        found.add(part)
    work = float(run.work[-1]) if len(run.work) else 0.0
    return summary(found, run.forces, work, title, steps, evaluations, iterations, seconds, overshoot)


def summary(
    found: "Measured",
    forces: Forces,
    work: float,
    title: str,
    steps: int,
    evaluations: int,
    iterations: int,
    seconds: float,
    overshoot: float = 0.0,
) -> Report:
    """Return the report of what was measured."""
    m, (pushed, struck) = found.mechanism, forces
    weight = float(np.linalg.norm(m.gravity))
    scale = max(found.kinetic, abs(found.first))
    notes = {}
    if found.worked:
        notes["energy"] = f"less the work of forces, {work:.2e}"
    if weight > 0:
        notes["angular momentum"] = "component along gravity"
        notes["linear momentum"] = "components across gravity"
    outside = [*(["gravity"] if weight > 0 else []), *(["applied forces"] if pushed else [])]
    causes = {
        "energy": ["impulses"] if struck else [],
        "angular momentum": [*outside, *_supports(m, torque=True)],
        "linear momentum": [*outside, *_supports(m, torque=False)],
    }
    changed = {name: tuple(why) for name, why in causes.items() if {*why} - {"gravity"}}
    absent = {
        "energy": scale == 0,
        "angular momentum": found.angular_kept <= ROUNDING * found.spins,
        "linear momentum": found.linear_kept <= ROUNDING * found.ways,
    }
    return Report(
        title=title,
        energy=found.energy.drift(scale, kept="energy" not in changed),
        angular_momentum=found.angular.drift(found.angular_size, kept="angular momentum" not in changed),
        linear_momentum=found.linear.drift(found.linear_size, kept="linear momentum" not in changed),
        orthogonality=found.orthogonality.drift(1.0),
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


def _supports(m: Mechanism, torque: bool) -> list[str]:
    """List how the world exerts a force on the mechanism, or a `torque` about the origin."""
    roots = [link for link in m.links if link.parent == WORLD and not isinstance(link.joint, Free)]
    loops = [loop for loop in m.loops if WORLD in (loop.a, loop.b)]
    if torque:  # a ball joint at the origin exerts none
        roots = [link for link in roots if link.at.any() or not isinstance(link.joint, Spherical)]
        loops = [loop for loop in loops if not _point_at_origin(loop)]
    return [*(["joint to the world"] if roots else []), *(["loop to the world"] if loops else [])]


def _point_at_origin(loop: Loop) -> bool:
    """Return True if the world holds nothing but a point at the origin."""
    at = loop.at_a if loop.a == WORLD else loop.at_b
    return not at.any() and isinstance(loop.joint, Spherical | Distance)
