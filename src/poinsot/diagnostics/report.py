"""The report of a run: the drift of everything that nature conserves, and what the run cost.

The table has a row for each quantity that the mechanism conserves.  A quantity that forces or the world
change is named below the table with what changes it, and so is one that is zero in the whole run: neither
says anything about the method.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from poinsot import html
from poinsot.compile.tree import compile_tree
from poinsot.diagnostics.drift import Drift, drift
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.mechanics.loop_constraints import gaps_along
from poinsot.model.checks import Array
from poinsot.model.joints import Free, Spherical
from poinsot.model.loops import Distance, Loop
from poinsot.model.mechanism import WORLD, Mechanism

HEAD = f"{'':18}{'band':>11}{'relative':>11}{'slope x T':>11}"
ROUNDING = 1e-13  # a sum that is smaller than this, relative to its terms, is zero


@dataclass(frozen=True)
class Report:
    """`print(report)` is a table."""

    title: str
    energy: Drift
    angular_momentum: Drift
    linear_momentum: Drift
    orthogonality: Drift
    evaluations: int
    iterations: int
    steps: int
    seconds: float
    gap: float | None = None  # largest of the loops, at the samples; None: there are no loops
    rotations: bool = True  # a joint stores a rotation, which can lose its orthogonality
    notes: Mapping[str, str] = field(default_factory=dict)  # what was measured, if not the whole quantity
    not_conserved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # and what changes it
    zero: tuple[str, ...] = ()  # conserved quantities that are zero in the whole run

    @property
    def drifts(self) -> dict[str, Drift]:
        """The drift of all four quantities by name, conserved or not."""
        return {
            "energy": self.energy,
            "angular momentum": self.angular_momentum,
            "linear momentum": self.linear_momentum,
            "orthogonality": self.orthogonality,
        }

    def rows(self) -> list[list[str]]:
        """Name, band, relative band, slope x T and a note, as text, of what the method had to conserve."""
        left_out = {*self.not_conserved, *self.zero, *(() if self.rotations else ("orthogonality",))}
        return [
            [name, *(f"{x:.2e}" for x in (one.band, one.relative_band, one.trend)), self.notes.get(name, "")]
            for name, one in self.drifts.items()
            if name not in left_out
        ]

    @property
    def remarks(self) -> list[str]:
        """What stands below the table: quantities without a row, and the gap of the loops."""
        changed = ", ".join(f"{name} ({', '.join(causes)})" for name, causes in self.not_conserved.items())
        parts = [(name, self.notes.get(name, "")) for name in self.zero]
        zero = ", ".join(f"{name} ({note})" if note else name for name, note in parts)
        return [
            *([f"zero in the whole run: {zero}"] if zero else []),
            *([f"not conserved here: {changed}"] if changed else []),
            *([f"loops closed to {self.gap:.1e}"] if self.gap is not None else []),
        ]

    @property
    def cost(self) -> str:
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
        """What stands below the table, in one line."""
        return "; ".join([*self.remarks, self.cost])

    def _repr_html_(self) -> str:
        rows = self.rows()
        drifts = html.table(["", "band", "relative", "slope x T", ""], rows) if rows else ""
        below = "".join(html.tag("div", html.text(line)) for line in (*self.remarks, self.cost))
        return f"<div>{html.tag('b', html.text(self.title))}{drifts}{below}</div>"


def report(
    run: Trajectory, title: str, steps: int, evaluations: int, iterations: int, seconds: float
) -> Report:
    """Measure the drift of a run.  Of a momentum, gravity leaves some components alone: only these count."""
    m, t = run.mechanism, run.time
    pushed, struck = run.forces
    weight = float(np.linalg.norm(m.gravity))
    L, p = run.angular_momentum, run.linear_momentum
    size_L, size_p = _largest(L), _largest(p)
    kinetic = float(run.kinetic.max()) if len(t) else 0.0
    total = run.kinetic + run.potential - run.work
    scale = max(kinetic, abs(float(total[0])) if len(t) else 0.0)
    notes = {}
    if run.work.any():
        notes["energy"] = f"less the work of forces, {run.work[-1]:.2e}"
    if weight > 0:
        down = m.gravity / weight
        L, p = (L @ down)[:, None], p - np.outer(p @ down, down)
        notes["angular momentum"] = "component along gravity"
        notes["linear momentum"] = "components across gravity"
    forces = [*(["gravity"] if weight > 0 else []), *(["applied forces"] if pushed else [])]
    causes = {
        "energy": ["impulses"] if struck else [],
        "angular momentum": [*forces, *_supports(m, torque=True)],
        "linear momentum": [*forces, *_supports(m, torque=False)],
    }
    changed = {name: tuple(found) for name, found in causes.items() if {*found} - {"gravity"}}
    spins, ways = _terms(run)
    absent = {
        "energy": scale == 0,
        "angular momentum": _largest(L) <= ROUNDING * spins,
        "linear momentum": _largest(p) <= ROUNDING * ways,
    }
    return Report(
        title=title,
        energy=drift(t, total, scale, kept="energy" not in changed),
        angular_momentum=drift(t, L, size_L, kept="angular momentum" not in changed),
        linear_momentum=drift(t, p, size_p, kept="linear momentum" not in changed),
        orthogonality=drift(t, run.orthogonality, 1.0),
        evaluations=evaluations,
        iterations=iterations,
        steps=steps,
        seconds=seconds,
        gap=_largest_gap(run),
        rotations=any(link.joint.quaternion is not None for link in m.links),
        notes=notes,
        not_conserved=changed,
        zero=tuple(name for name, is_zero in absent.items() if is_zero and name not in changed),
    )


def _largest(x: Array) -> float:
    """Return the largest length of the rows."""
    return float(np.linalg.norm(x, axis=1).max(initial=0.0))


def _terms(run: Trajectory) -> tuple[float, float]:
    """Return sizes of the terms whose sums are the angular and the linear momentum, each at its largest."""
    spins, ways = np.zeros(len(run.time)), np.zeros(len(run.time))
    for link in run.mechanism.links:
        x, mass = run.motions[link.name], link.body.mass
        p = mass * np.linalg.norm(x.velocity, axis=1)
        ways += p
        spins += np.linalg.norm(x.angular_velocity @ link.body.inertia.T, axis=1)
        spins += np.linalg.norm(x.position, axis=1) * p
    return float(spins.max(initial=0.0)), float(ways.max(initial=0.0))


def _largest_gap(run: Trajectory) -> float | None:
    """Of all loops, at all samples."""
    if not run.mechanism.loops:
        return None
    bare = run.mechanism.snapshot()
    bare.forces, bare.missing = [], ()  # loops do not ask for forces, which a file may have lost
    tree = compile_tree(bare)
    return float(np.abs(gaps_along(tree, run.q)).max(initial=0.0))


def _supports(m: Mechanism, torque: bool) -> list[str]:
    """Name the ways in which the world exerts a force on the mechanism, or a `torque` about the origin."""
    roots = [link for link in m.links if link.parent == WORLD and not isinstance(link.joint, Free)]
    ties = [loop for loop in m.loops if WORLD in (loop.a, loop.b)]
    if torque:  # a ball joint at the origin exerts none
        roots = [link for link in roots if link.at.any() or not isinstance(link.joint, Spherical)]
        ties = [loop for loop in ties if not _point_at_origin(loop)]
    return [*(["joint to the world"] if roots else []), *(["loop to the world"] if ties else [])]


def _point_at_origin(loop: Loop) -> bool:
    """True if the world holds nothing but a point at the origin."""
    at = loop.at_a if loop.a == WORLD else loop.at_b
    return not at.any() and isinstance(loop.joint, Spherical | Distance)
