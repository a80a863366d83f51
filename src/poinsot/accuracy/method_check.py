"""What a method does, measured: order, symplecticity, reversibility, and what it keeps of a free body.

order           errors of v at the end of a swing of a ball joint with a hinge, against gauss4
symplectic      J^T W J = W for the derivative J of a step in (q, p = M(q) v) of two links in a plane     (1)
reversible      forward, velocities reversed, and back to the start
energy          of a body without torque, and its angular momentum in space, over many steps
"""

import math
import warnings
from dataclasses import dataclass

import numpy as np

from poinsot.compile.catalogue import by_name
from poinsot.compile.method_choice import objection
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError, StepError
from poinsot.mechanics.dynamics import bind
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.joints import Revolute, Spherical
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.simulation.simulate import simulate

COUNTS = (6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096)  # steps in the swing
FLOOR = 1e-11  # errors below it are rounding, or those of the reference
RIGHT = 0.1  # an order is right if it is this close
ROUNDING = 1e-11  # what is kept or reversed to this is so to rounding
CHANGE, FORM = 1e-4, 1e-6  # of the differences in (1), and what they leave of its defect
LINK = Body(1.0, (0.1, 0.12, 0.02), center_of_mass=(0.02, 0.05, -0.5))


@dataclass(frozen=True)
class MethodCheck:
    """What `check_method` measured; it prints as a table.

    Parameters
    ----------
    method : the record of the method
    order : measured order; NaN: no error above rounding
    symplectic : largest defect of the symplectic form in a step
    reversible : largest error of the state after a way forward and back
    energy : relative change of the energy of a free body
    momentum : relative change of its angular momentum in space
    """

    method: Method
    order: float
    symplectic: float
    reversible: float
    energy: float
    momentum: float

    def __str__(self) -> str:
        """Return the table."""
        stated = self.method
        rows = [("order", f"{self.order:.2f}", str(stated.order))]
        limits = {"symplectic": FORM, "reversible": ROUNDING, "energy": ROUNDING, "momentum": ROUNDING}
        facts = {"symplectic": stated.symplectic, "reversible": stated.reversible}
        facts |= {name: name in stated.keeps for name in ("energy", "momentum")}
        for name, limit in limits.items():
            size = getattr(self, name)
            title = name if name in ("symplectic", "reversible") else f"keeps {name}"
            rows.append((title, f"{_say(size < limit)} ({size:.1e})", _say(facts[name])))
        lines = [f"{stated.label:16}{'measured':18}stated", *(f"{a:16}{b:18}{c}" for a, b, c in rows)]
        return "\n".join(lines)

    __repr__ = __str__

    @property
    def wrong(self) -> tuple[str, ...]:
        """Stated facts that the measurement contradicts."""
        off = self.method.order is not None and not abs(self.order - self.method.order) < RIGHT
        found = ["order"] if off else []
        if self.method.symplectic and self.symplectic > FORM:
            found.append("symplectic")
        if self.method.reversible and self.reversible > ROUNDING:
            found.append("reversible")
        return (*found, *(name for name in self.method.keeps if getattr(self, name) > ROUNDING))


def _say(fact: bool) -> str:
    return "yes" if fact else "no"


def _pendulum() -> tuple[Mechanism, State]:
    m = Mechanism().add("ball", LINK, Spherical())
    m.add("hinge", LINK, Revolute((1, 0.2, 0)), "ball", (0, 0, -1))
    return m, m.state({"ball": {"angular_velocity": (0.4, 1.0, 0.7)}, "hinge": {"angle": 0.5}})


def _order(method: Method) -> float:
    m, start = _pendulum()
    exact = simulate(m, start, "gauss4", step=1.0 / 400, steps=400).final.v
    counts, errors = [], []
    for n in COUNTS:
        end = simulate(m, start, method, step=1.0 / n, steps=n, every=n).final
        error = float(np.abs(end.v - exact).max())
        if error < FLOOR:
            break
        counts.append(n)
        errors.append(error)
        if len(errors) > 2 and error < 100 * FLOOR:
            break
    if len(errors) < 3:
        return math.nan
    return float(-np.polyfit(np.log(counts[-3:]), np.log(errors[-3:]), 1)[0])


def _defect(method: Method) -> float:
    """Return the largest defect of (1)."""
    m = Mechanism().add("a", LINK, Revolute((1, 0, 0))).add("b", LINK, Revolute((1, 0, 0)), "a", (0, 0, -1))
    equations, h = bind(m), 0.2

    def step(x: Array) -> Array:
        v = np.asarray(np.linalg.solve(equations.mass_matrix(x[:2]), x[2:]), dtype=np.float64)
        end = simulate(m, State(0.0, x[:2], v), method, step=h, steps=1).final
        return np.concatenate([end.q, equations.mass_matrix(end.q) @ end.v])

    x = np.array([0.7, -0.4, 0.6, 0.3])
    columns = []
    for unit in np.eye(4):  # differences of order 4
        near, far = (step(x + k * CHANGE * unit) - step(x - k * CHANGE * unit) for k in (1.0, 2.0))
        columns.append((8.0 * near - far) / (12.0 * CHANGE))
    J, W = np.array(columns).T, np.kron([[0.0, 1.0], [-1.0, 0.0]], np.eye(2))
    return float(np.abs(J.T @ W @ J - W).max())


def _return_error(method: Method) -> float:
    m, start = _pendulum()
    there = simulate(m, start, method, step=0.02, steps=40).final
    back = simulate(m, State(0.0, there.q, -there.v), method, step=0.02, steps=40).final
    return float(max(np.abs(back.q - start.q).max(), np.abs(back.v + start.v).max()))


def _drift(method: Method) -> tuple[float, float]:
    """Return the relative changes of energy and angular momentum of a body without torque."""
    m = Mechanism(gravity=(0, 0, 0)).add("body", Body(1.0, (0.5, 0.8, 1.1)), Spherical())
    m.add("still", Body(1.0, (1.0, 1.0, 1.0)), Revolute((0, 0, 1)))  # a second body: a tree to every method
    start = m.state({"body": {"angular_velocity": (0.4, 1.0, 0.7)}})
    try:
        run = simulate(m, start, method, step=0.3, steps=500)
    except StepError:
        return math.inf, math.inf
    E, L = run.energy, run.angular_momentum
    turned = float(np.abs(L - L[0]).max() / np.linalg.norm(L[0]))
    return float(np.ptp(E) / E[0]), turned


def check_method(method: Method | str) -> MethodCheck:
    """Measure order, symplecticity, reversibility and invariants of a method of trees; print the result.

    Parameters
    ----------
    method : an own method, `ps.Method(name, order=..., step=f)`, or the name of a method

    >>> def leapfrog(field, t, q, v, h):
    ...     q = field.move(q, h / 2 * v)
    ...     v = v + h * field(t + h / 2, q, v)
    ...     return field.move(q, h / 2 * v), v
    >>> found = ps.check_method(ps.Method("leapfrog", order=2, step=leapfrog))
    >>> round(found.order, 1), found.wrong
    (1.0, ('order',))
    """
    known = by_name(method)
    why = objection(known, _pendulum()[0])
    if why:
        raise ScenarioError(f"check_method: method '{known.label}' {why}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # large steps are what is measured
        return MethodCheck(known, _order(known), _defect(known), _return_error(known), *_drift(known))
