"""What a run says: the error of a failed step, and warnings (a step is too large, a loop opens)."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from poinsot.compile.functions.checks import culprit
from poinsot.compile.one_body import OneBody
from poinsot.compile.own_step import OwnStep
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.core.methods.method import Method
from poinsot.diagnostics.distance import apart, scales_at
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import ControllerWarning, ConvergenceError, EventError, StepError, warn
from poinsot.mechanics.assembly import LoopWarning, scales
from poinsot.mechanics.loop_constraints import closed_gaps
from poinsot.mechanics.thin import may_be_slow, spin_error
from poinsot.model.body import PhysicsWarning
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.kinematics import motions
from poinsot.model.loop_history import LoopHistory
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State, view
from poinsot.run.run import Run
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.noise import noise_of_forces, noise_of_system
from poinsot.simulation.stiffness import advice as stiff_advice
from poinsot.simulation.stiffness import damper_message, steepest

STEP_ERROR = 1e-5  # largest error of a step that rotates a body far; angles in rad
FAIR = 1e-3  # error over the time of this step with the shorter steps that are advised
SHORTER = (2, 5, 10, 20, 50, 100)  # numbers of steps that are tried in the place of one
TOO_MUCH = 0.01  # largest relative change of the energy, for methods without a limit of the angle
FAR_TOO_MUCH = 0.2  # the same for all others: the step is unstable, or the forces are too stiff for it
ROUNDING = 1e-9  # relative to the potential: no drift can be seen below this
STILL = 1e-13  # largest change of a coordinate of a mechanism at rest, relative to the largest coordinate
SPIN = 0.2  # largest error of the angular velocity of a thin body, relative to the fastest body
SLOW_SPIN = (
    "variational",
    "variational_midpoint",
    "variational_se3",
    "variational_product",
    "variational_riqn",
)
FEW = 5  # samples at which thin bodies are looked at
DENSE = (
    300  # velocities of a tree above which this, which needs dense matrices, would take longer than the run
)
THINNED = 1000  # samples at which the warnings look
LARGE = 1.0  # rad that a body may turn in a step before the step is to blame
LIKELY = 3  # intervals between samples in which a drive is looked at for a jump
ABRUPT = 0.01  # of what it rises between two samples: a drive that rises so much at once jumps
SEEN = 2.0**-40  # of its largest value: less is rounding
GAUSS = "gauss.gauss"  # module of the methods whose stages are solved by fixed-point iteration
OPEN = 1e-9  # smallest gap of an open loop, relative to the size of the mechanism


class StepWarning(UserWarning):
    """Warning: the step is too large for the motion.

    `ps.simulate` warns if a step rotates a body farther than the method allows (`turn` in its record in
    `ps.methods()`) and is also measured to be wrong there: it differs from shorter steps over the same time
    by more than 1e-5 (angles [rad], the rest relative to the motion).  The step that is advised was tried.
    It warns of methods without a limit if the energy moves by more than one percent.

    Examples
    --------
    >>> import warnings
    >>> s = ps.scenario("slow-top")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     run = ps.simulate(s.mechanism, s.start, "srkn4", step=1.0, until=20.0)
    >>> caught[0].category.__name__
    'StepWarning'
    """


def top_speed(system: CompiledMechanism, q: Array, v: Array) -> float:
    """Return the largest angular velocity of a body at these states, in rad/s."""
    return _largest(_energies(system, q, v)[2])


def _largest(squares: Array) -> float:
    """Return the square root of the largest number."""
    return float(np.sqrt(squares.max()))


def _energies(system: CompiledMechanism, q: Array, v: Array) -> tuple[Array, Array, Array]:
    """Return kinetic energy, potential of gravity and largest squared angular velocity, at states."""
    with np.errstate(over="ignore", invalid="ignore"):
        if isinstance(system, OneBody):
            return *system.energies(q, v), (v[:, :3] ** 2).sum(axis=1)
        assert isinstance(system, Tree)
        sums = system.plain.states.sums(q, v)
        return sums[:, 0], sums[:, 1], sums[:, -1]


def most_of(method: Method) -> float:
    """Return the largest relative change of the energy before the step is to blame."""
    return TOO_MUCH if method.turn is None else FAR_TOO_MUCH


def doubtful(system: CompiledMechanism, method: Method, h: float, q: Array, v: Array) -> Array:
    """Return for which of many runs `Watch.check_ends` may warn; q and v (2, runs, ...) are their ends."""
    sums = _energies(system, q.reshape(-1, q.shape[-1]), v.reshape(-1, v.shape[-1]))
    kinetic, potential, squares = (x.reshape(2, -1) for x in sums)
    with np.errstate(over="ignore", invalid="ignore"):
        total = kinetic + potential
        scale = np.maximum(kinetic.max(axis=0), np.abs(total[0]))
        found = ~(np.abs(total[1] - total[0]) <= most_of(method) * scale) & (not system.mechanism.forces)
        if method.turn is not None:
            found |= ~(h * np.sqrt(squares.max(axis=0)) <= method.turn)
    return np.asarray(found)


def step_errors(system: CompiledMechanism, method: Method, h: float, state: State) -> Iterator[float]:
    """Yield estimates of the error over a time h: of one step, then of n shorter ones, for n in `SHORTER`.

    Each is the distance (`apart`) from twice as many steps, and infinite if one of them cannot be made.
    """
    own, row = OwnStep(system, method), np.append(system.to_core(state.q, state.v), 0.0)
    with np.errstate(all="ignore"):
        sizes = scales_at(system.mechanism, state, h)

    def end(n: int) -> State | None:
        try:
            found = own(state.time, row, h / n, n)
        except Exception:  # of the user's function: the run itself will say so
            return None
        if found is None or not np.isfinite(found).all():
            return None
        q, v = system.from_core(found[None, : system.width])
        return State(state.time + h, q[0], v[0])

    with np.errstate(all="ignore"):
        for n in (1, *SHORTER):
            here, there = end(n), end(2 * n)
            known = here is not None and there is not None
            yield apart(system.mechanism, sizes, here, there) if known else math.inf  # type: ignore[arg-type]


class Watch:
    """Checks a run at its start and at its end, and warns once of each problem."""

    def __init__(
        self, system: CompiledMechanism, method: Method, h: float, start: State, switches: bool = False
    ) -> None:
        self.system, self.method, self.h = system, method, h
        self.warned = switches  # of a rotation; events that open loops make other systems of this one
        if method.turn is not None:
            self._rotation(top_speed(system, start.q[None], start.v[None]), start)

    def check(self, run: Run) -> None:
        """Warn if the step was too large, or if a loop opened."""
        few = run.steps // run.every < THINNED - 2  # beside these there are the first and the last
        thin = run.trajectory if few else run.trajectory.thin(THINNED)
        if isinstance(self.system, Tree) and self.system.constraints:
            self._gaps(self.system, thin, run.loop_history)
        if isinstance(self.system, Tree) and self.system.drives:
            self._jumps(self.system, thin)
        spin = self._motion(thin)
        if isinstance(self.system, Tree) and self.method.name in SLOW_SPIN:
            self._spin(self.system, spin, thin)

    def check_ends(self, ends: Trajectory) -> None:
        """Warn of what is seen at the start and at the end; the work of forces is not known there."""
        self._motion(ends, energy=not ends.mechanism.forces)

    def _motion(self, thin: Trajectory, energy: bool = True) -> float:
        """Warn of rotations and energies; return the largest angular velocity."""
        kinetic, potential, squares = self._energies(thin)
        spin, at = _largest(squares), int(np.argmax(squares))
        if self.method.turn is not None:
            self._rotation(spin, view(float(thin.time[at]), thin.q[at], thin.v[at]))
        if energy:
            self._energy(thin, kinetic, potential, most_of(self.method))
        return spin

    def _energies(self, thin: Trajectory) -> tuple[Array, Array, Array]:
        """Return energies and angular velocities as `_energies`, by the sums that the run may be asked for.

        Bodies that are fixed to the world have a potential, which is no measure of the energy that moves.
        """
        if isinstance(self.system, Tree) and all(link.joint.nv for link in thin.mechanism.links):
            with np.errstate(over="ignore", invalid="ignore"):
                return thin.sums[:, 0], thin.sums[:, 1], thin.sums[:, -1]
        return _energies(self.system, thin.q, thin.v)

    def _rotation(self, speed: float, state: State) -> None:
        """Warn, once, if a step rotates a body too far for the method and is wrong at this state."""
        most = self.method.turn
        if self.warned or most is None or not self.h * speed > most:
            return
        errors = step_errors(self.system, self.method, self.h, state)
        off = next(errors)
        if off <= STEP_ERROR:
            return  # it rotates as the method can: a rotor on its hinge, a body about an axis of symmetry
        self.warned = True
        goal = max(STEP_ERROR, min(FAIR, off / 10))
        fit = (
            n
            for n, left in zip(SHORTER, errors, strict=True)
            if left <= goal and (self.h * speed <= n * most or left <= n * STEP_ERROR)
        )
        advice = f"try step={self.h / n:.3g}" if (n := next(fit, 0)) else "try a method of higher order"
        size = f"is wrong by an estimated {off:.1g}" if math.isfinite(off) else "cannot be made"
        turned = f"the body rotates by {self.h * speed:.2g} rad in a step of {self.h:g}"
        warn(f"{self.method.label}: {turned}, which {size}; {advice}", StepWarning)

    def _energy(self, thin: Trajectory, kinetic: Array, potential: Array, most: float) -> None:
        """Warn if the energy drifts: the sign of a large step for methods without a limit of the angle."""
        if thin.forces.impulses:
            return
        if np.ptp(thin.q, axis=0).max(initial=0.0) <= STILL * np.abs(thin.q).max(initial=0.0):
            return  # nothing moves but by rounding, and there is no energy to compare with
        with np.errstate(over="ignore", invalid="ignore"):
            total = kinetic + potential + thin.applied_potential - thin.work
            scale = max(float(kinetic.max()), abs(float(total[0])))
            moved = float(np.ptp(total))
            if self.method.damps:  # what is stiff may lose energy, and not gain it
                moved = float((total - np.minimum.accumulate(total)).max())
        if moved <= ROUNDING * float(np.abs(potential + thin.applied_potential).max()):
            return  # rounding of a large potential
        moved /= scale or 1.0
        if moved > most:
            warn(
                f"{self.method.label}: the energy moves by {100 * moved:.2g} % with a step of "
                f"{self.h:g}, which is too large for these forces; try a smaller step",
                StepWarning,
            )

    def _spin(self, tree: Tree, spin: float, thin: Trajectory) -> None:
        """Warn if thin bodies spin too slowly: the bound of a variational step (`mechanics.thin`)."""
        finite = np.isfinite(thin.q).all() and np.isfinite(thin.v).all()
        if not finite or tree.nv > DENSE or not may_be_slow(tree, self.h, spin, thin.v):
            return
        few = thin.thin(FEW)
        found = max(spin_error(tree, q, v, self.h) for q, v in zip(few.q, few.v, strict=True))
        if found.relative > SPIN:
            places = tree.places.bodies.items()
            _, body = min((seat.link, name) for name, seat in places if seat.link >= found.link)
            warn(
                f"{self.method.label}: '{body}' is thin, and its angular velocity is wrong by "
                f"{100 * found.relative:.0f} % with a step of {self.h:g}; try a step below {found.bound:.1g} "
                "(the square root of I3/I1 / its angular velocity), or variational4",
                StepWarning,
            )

    def _jumps(self, tree: Tree, thin: Trajectory) -> None:
        """Warn if a drive jumps: between two samples, and still between two neighbouring times."""
        for one in tree.drives:
            joint, i, j = tree.places.joints[one.joint]
            seats = ("coordinates", thin.q, i, joint.nq), ("velocities", thin.v, j, joint.nv)
            for k, (what, x, first, n) in enumerate(seats):
                place = slice(first, first + n)

                def motion(t: float, k: int = k, place: slice = place) -> Array:
                    return tree.on_drives(t, thin.q[0], thin.v[0])[k][place]

                rise = np.abs(np.diff(x[:, place], axis=0)).max(axis=1, initial=0.0)
                for at in np.argsort(rise)[-LIKELY:].tolist():
                    time, jump = steepest(motion, *thin.time[at : at + 2].tolist())
                    if jump > max(ABRUPT * rise[at], SEEN * np.abs(x[:, place]).max()):
                        message = f"{one.label}: its {what} jump by {jump:.3g} at t = {time:.9g}"
                        warn(f"{message}, which no force can do: make f smooth there", PhysicsWarning)
                        return

    def _gaps(self, tree: Tree, thin: Trajectory, loops: LoopHistory) -> None:
        """Warn if a loop opened: a constraint was taken for redundant and was not."""
        worst = closed_gaps(tree, thin.time, thin.q, loops).max(axis=0)
        least = min(float(np.abs(tree.placements[:, 9:]).max()), 1.0) or 1.0
        if worst.max(initial=0.0) <= OPEN * least:  # far below all that it could be compared with
            return
        first = motions(tree.mechanism, thin.q[:1], thin.v[:1])
        sizes = scales(tree, first.values())
        if (worst / sizes).max(initial=0.0) > OPEN:
            name = tree.loop_of(worst / sizes)
            warn(f"loop '{name}' did not stay closed: it has a gap of {worst.max():.1e}", LoopWarning)


def warn_of_changes(controller: Controller | Feedback, before: str) -> None:
    """Warn if the identity of a controller is no longer what it was before the run."""
    if controller.identity != before:
        warn(
            f"the controller '{controller.name}' changed what it reads: a run that is split, resumed or "
            "replayed would not have the same bits; keep what changes in `memory`",
            ControllerWarning,
        )


def warn_of_dampers(mechanism: Mechanism, engine: Engine[Any], start: State) -> None:
    """Warn if a Gauss method went on with Newton's method, and does not damp what a damper damps."""
    if engine.status.changed and engine.method.module == GAUSS:
        message = damper_message(mechanism, engine.method, start, engine.clock.step)
        if message:
            warn(message, StepWarning)


def _before_growth(run: Run) -> State:
    """Return the last sample before the velocities of a run more than doubled at each one, up to its end."""
    speed = np.abs(run.trajectory.v).max(axis=1, initial=0.0)
    k = len(speed) - 1
    while k > 0 and not speed[k] < 2.0 * speed[k - 1]:
        k -= 1
    return State(float(run.time[k]), run.trajectory.q[k], run.trajectory.v[k])


def step_error(stop: Stopped, engine: Engine[Any], run: Run) -> StepError:
    """Return the error: what happened, where, what to try; it carries the run up to the failed step."""
    final, h, count = run.final, engine.clock.step, engine.clock.count
    where = f"{engine.method.label}: step {count} from t = {final.time:g}"
    kind: type[StepError] = StepError
    if run.system is not None:
        message = f"{where}: {stop.controller or f'the system {stop.fault}'}"
        if not stop.controller and not stop.fault:
            kind = StepError if stop.infinite else ConvergenceError
            what = ": the state became infinite or NaN" if stop.infinite else " did not converge"
            noisy = noise_of_system(engine.system, final)
            message = f"{where}{what}: {noisy}" if noisy else f"{where}{what}; try a smaller step"
        return kind(message, time=final.time, step=count, state=final, run=run)
    angle = h * top_speed(engine.system, final.q[None], final.v[None])
    advice = f"(a body rotates by {angle:.2g} rad in a step of {h:g}); try a smaller step"
    if stop.event:
        kind, message = EventError, f"{where}: {stop.event}"
    elif stop.controller:
        message = f"{where}: {stop.controller}; the state is q = {show(final.q)}, v = {show(final.v)}"
    elif cause := culprit(run.mechanism, final, h):
        message = f"{where}: {cause}" + (f" {advice}" if not angle < LARGE else "")
    elif stop.fault:
        message = f"{where}: {'a force' if engine.method.step is None else 'the step'} {stop.fault}"
    else:
        kind = StepError if stop.infinite else ConvergenceError
        what = ": the state became infinite or NaN" if stop.infinite else " did not converge"
        before = _before_growth(run) if stop.infinite else final
        angle = h * top_speed(engine.system, before.q[None], before.v[None])
        stiff = stiff_advice(run.mechanism, before, h, engine.method.label) if angle < LARGE else ""
        noisy = "" if stiff or stop.infinite else noise_of_forces(run.mechanism, final)
        message = f"{where}{what}" + (f": {stiff or noisy}" if stiff or noisy else f" {advice}")
    return kind(message, time=final.time, step=count, state=final, run=run)
