"""The report of a run: the drift of everything that nature keeps, and what the run cost."""

from dataclasses import dataclass

import numpy as np

from poinsot import html
from poinsot.compile.tree import compile_tree
from poinsot.diagnostics.drift import Drift, drift
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.mechanics.loop_constraints import gaps_along
from poinsot.model.joints import Free, Spherical
from poinsot.model.loops import Distance, Loop
from poinsot.model.mechanism import WORLD

HEAD = f"{'':18}{'band':>11}{'relative':>11}{'slope x T':>11}"


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

    def rows(self) -> list[list[str]]:
        """Name, band, relative band, slope x T and a note, as text."""
        drifts = {
            "energy": self.energy,
            "angular momentum": self.angular_momentum,
            "linear momentum": self.linear_momentum,
            "orthogonality": self.orthogonality,
        }
        return [
            [name, *(f"{x:.2e}" for x in (one.band, one.relative_band, one.trend)),
             "" if one.kept else "changed by forces"]
            for name, one in drifts.items()
        ]  # fmt: skip

    @property
    def cost(self) -> str:
        each = f", {self.iterations} iterations" if self.iterations else ""
        return f"{self.steps} steps, {self.evaluations} torque evaluations{each}, {self.seconds:.3g} s"

    def __str__(self) -> str:
        lines = [self.title, HEAD]
        for name, band, relative, trend, note in self.rows():
            lines.append(f"{name:18}{band:>11}{relative:>11}{trend:>11}{f'   {note}' if note else ''}")
        return "\n".join([*lines, *self.loops, self.cost])

    @property
    def loops(self) -> list[str]:
        """One line, if there are any."""
        return [] if self.gap is None else [f"loops closed to {self.gap:.1e}"]

    @property
    def ending(self) -> str:
        """What stands below the table, in one line."""
        return ", ".join([*self.loops, self.cost])

    def _repr_html_(self) -> str:
        drifts = html.table(["", "band", "relative", "slope x T", ""], self.rows())
        return f"<div>{html.tag('b', html.text(self.title))}{drifts}{html.text(self.ending)}</div>"


def report(
    run: Trajectory, title: str, steps: int, evaluations: int, iterations: int, seconds: float
) -> Report:
    """Of a vector that gravity changes, only the components that it does not change are looked at."""
    m, t = run.mechanism, run.time
    tied = any(WORLD in (loop.a, loop.b) for loop in m.loops)
    held = tied or any(not isinstance(link.joint, Free) for link in m.links if link.parent == WORLD)
    pushed, struck = run.forces
    weight = float(np.linalg.norm(m.gravity))
    L, p = run.angular_momentum, run.linear_momentum
    size_L, size_p = (float(np.linalg.norm(x, axis=1).max()) if len(x) else 0.0 for x in (L, p))
    kinetic = float(run.kinetic.max()) if len(t) else 0.0
    total = run.kinetic + run.potential - run.work
    if weight > 0:
        down = m.gravity / weight
        L, p = (L @ down)[:, None], p - np.outer(p @ down, down)
    return Report(
        title=title,
        energy=drift(t, total, max(kinetic, abs(float(total[0])) if len(t) else 0.0), kept=not struck),
        angular_momentum=drift(t, L, size_L, kept=not pushed and not _moved_pivot(run)),
        linear_momentum=drift(t, p, size_p, kept=not pushed and not held),
        orthogonality=drift(t, run.orthogonality, 1.0),
        evaluations=evaluations,
        iterations=iterations,
        steps=steps,
        seconds=seconds,
        gap=_largest_gap(run),
    )


def _largest_gap(run: Trajectory) -> float | None:
    """Of all loops, at all samples."""
    if not run.mechanism.loops:
        return None
    bare = run.mechanism.snapshot()
    bare.forces, bare.missing = [], ()  # loops do not ask for forces, which a file may have lost
    tree = compile_tree(bare)
    return float(np.abs(gaps_along(tree, run.q)).max(initial=0.0))


def _moved_pivot(run: Trajectory) -> bool:
    """True if the world exerts a torque about the origin: through a pivot off it, or a joint that can."""
    if any(WORLD in (loop.a, loop.b) and not _point_at_origin(loop) for loop in run.mechanism.loops):
        return True
    roots = [link for link in run.mechanism.links if link.parent == WORLD]
    return any(
        not isinstance(link.joint, Free) and (link.at.any() or not isinstance(link.joint, Spherical))
        for link in roots
    )


def _point_at_origin(loop: Loop) -> bool:
    """True if the world holds nothing but a point at the origin."""
    at = loop.at_a if loop.a == WORLD else loop.at_b
    return not at.any() and isinstance(loop.joint, Spherical | Distance)
