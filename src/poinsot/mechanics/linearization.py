"""Linear models of a mechanism about a state: `ps.dynamics.linearize`.

    d/dt x = A x + B u         continuous, x = (dq, dv)                          method=None
    x1     = A x0 + B u        over `steps` steps of a method, u constant        method="...", step=h

dq is in the units of v: the neighbor of q is q exp(dq), joint by joint; x1 is measured at the image of the
state.  All derivatives are exact (dual numbers), to rounding.

    continuous     d/dt dq = dv - [v, dq],    d/dt dv = D_q a dq + D_v a dv + D_u a u           (1)
    of steps       D = L(q1)^+ (dy1/dy0) L(q0)                                                  (2)

L is the lift of `tangent`; (2) is measured at the image.  With loops and driven joints, x are independent
coordinates (`freedoms`), and (dq, dv) = E x.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from poinsot.compile.cache import cache_of
from poinsot.compile.catalogue import label_of
from poinsot.compile.method_choice import system_for
from poinsot.compile.one_body import OneBody
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.core.methods.method import Method
from poinsot.errors import ModelError, ScenarioError
from poinsot.mechanics.arguments import guard
from poinsot.mechanics.assembly import check_start, start_on_drives, start_on_loops
from poinsot.mechanics.derivatives import body_steps, field_along, flow_along, gauss_along, steps_along
from poinsot.mechanics.freedoms import Freedoms, accelerations_along, freedoms
from poinsot.mechanics.tangent import bracket, lift, names, to_tangent
from poinsot.model import checks
from poinsot.model.checks import MOST_STEPS, Array, show, suggestion
from poinsot.model.controller import Inputs, actuators, hold_forces, without_control
from poinsot.model.inputs.hold import Held, Hold
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts
from poinsot.model.state import State

COUPLED = 1e-9  # relative: a smaller entry of A does not couple two coordinates


@dataclass(frozen=True, eq=False)
class Linearization:
    """A linear model about a state, with the names of its coordinates; `A, B = lin` takes it apart.

    Parameters
    ----------
    A : matrix of the coordinates x = (dq, dv), shape (n, n), n = 2 nv; with loops or driven joints x has the
        independent ones only, two for each degree of freedom
    B : matrix of the inputs, shape (n, m)
    states : names of the coordinates, such as "cart.displacement"
    inputs : names of the inputs, such as "cart" or "ball[2]"
    state : state that the model is about
    image : state after the steps; None for a continuous model
    time : duration of all steps; None for a continuous model [s]
    basis : matrix E, shape (2 nv, n): deviations (dq, dv) = E x of all coordinates keep the loops closed and
        the driven joints on their drives; None if there are neither

    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> lin = ps.dynamics.linearize(m, m.state(), inputs=["cart"])
    >>> lin
    Linearization(continuous, states=['cart.displacement', 'cart.speed'], inputs=['cart'])
    """

    A: Array
    B: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    state: State
    image: State | None = None
    time: float | None = None
    basis: Array | None = None

    def __iter__(self) -> Iterator[Array]:
        return iter((self.A, self.B))

    def without(self, *names: str) -> "Linearization":
        """Return the model without the coordinates `*names`; the others must not depend on them."""
        for name in names:
            if not isinstance(name, str) or name not in self.states:
                raise ModelError(
                    f"linearization: unknown coordinate {show(name)}{suggestion(name, self.states)} "
                    f"(there are {', '.join(self.states)})"
                )
        kept = [i for i, name in enumerate(self.states) if name not in names]
        gone = [i for i, name in enumerate(self.states) if name in names]
        felt = np.abs(self.A[np.ix_(kept, gone)])
        if felt.size and felt.max() > COUPLED * max(1.0, np.abs(self.A).max()):
            i, j = np.unravel_index(np.argmax(felt), felt.shape)
            raise ModelError(
                f"linearization: '{self.states[kept[i]]}' depends on '{self.states[gone[j]]}' "
                f"(by {felt.max():.3g}): it cannot be left out"
            )
        return replace(
            self,
            A=self.A[np.ix_(kept, kept)],
            B=self.B[kept],
            states=tuple(self.states[i] for i in kept),
            basis=None if self.basis is None else self.basis[:, kept],
        )

    def __repr__(self) -> str:
        kind = "continuous" if self.time is None else f"over {self.time:g} s"
        return f"Linearization({kind}, states={list(self.states)}, inputs={list(self.inputs)})"


@guard
def linearize(
    mechanism: Mechanism,
    state: State,
    inputs: Inputs | None = None,
    method: str | Method | None = None,
    *,
    step: float | None = None,
    steps: int = 1,
    u: ArrayLike | None = None,
) -> Linearization:
    """Return the linear model of a mechanism about a state.

    Without a method it is the continuous model d/dt x = A x + B u, with one the discrete model of `steps`
    steps with constant inputs.  x = (dq, dv) are tangent coordinates (see `move`).  With loops, x has as many
    of them as there are degrees of freedom: the first joints that determine the others well.  Driven joints
    are functions of time and not in x.  `Linearization.basis` gives all coordinates.  All derivatives are
    exact, to rounding.

    Parameters
    ----------
    mechanism : the mechanism
    state : state that the model is about; it is put onto the drives and the loops, as the start of a run
    inputs : joints by name, or inputs such as `Actuator` and `Thrust`, as of a `Controller`; default: none
    method : integration method of the discrete model, or "auto"; with `step`
    step : step of the method [s]
    steps : number of steps
    u : input at the state; default: zero [N, N m]

    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> A, B = ps.dynamics.linearize(m, m.state(), inputs=["cart"])
    >>> A + 0.0
    array([[0., 1.],
           [0., 0.]])
    >>> B
    array([[0. ],
           [0.5]])
    """
    if not isinstance(mechanism, Mechanism) or not isinstance(state, State):
        raise ModelError("linearize takes a Mechanism and a State: start = m.state({...})")
    check_parts(mechanism)
    if (method is None) != (step is None):
        raise ScenarioError("linearize: give method= and step= together, or neither for the continuous model")
    if not isinstance(steps, int | np.integer) or isinstance(steps, bool) or not 1 <= steps <= MOST_STEPS:
        raise ScenarioError(
            f"linearize: steps must be a whole number from 1 to {MOST_STEPS:.0e}, got {checks.show(steps)}"
        )
    copy = without_control(mechanism)
    holds = [] if inputs is None else hold_forces(copy, actuators(inputs, "linearize"))
    copy.apply(*holds)
    labels = _labels(copy, holds)
    values = checks.numbers("linearize", "u", np.zeros(len(labels)) if u is None else u, len(labels))
    if method is None or step is None:
        tree = cache_of(copy).tree()
        state = _on_constraints(tree, state)
        free = freedoms(tree, state)
        A, B = _continuous(tree, state, values) if free is None else _on_freedoms(tree, state, values, free)
        return Linearization(
            A, B, _names(copy, free), labels, state, basis=None if free is None else free.basis
        )
    h = checks.number("linearize", "step", step, positive=True)
    known, how, _ = system_for(copy, label_of(method))
    state = _on_constraints(known, state)
    if isinstance(known, OneBody):
        image, A = body_steps(known, how, state, h, int(steps))
        return Linearization(A, np.zeros((len(A), 0)), names(copy), (), state, image, steps * h)
    assert isinstance(known, Tree)
    nq, free = known.nq, freedoms(known, state)
    dy, du = _directions(lift(copy, state.q), len(values), free)
    if how.duals:
        y, D = steps_along(known, how, state, values, h, int(steps), dy, du)
    elif how.tree is not None and how.tree.stages_in_lanes:
        y, D = gauss_along(known, how, state, values, h, int(steps), dy, du)
    else:
        y, D = flow_along(known, state, values, steps * h, dy, du)
    image = State(state.time + steps * h, y[:nq], y[nq:])
    whole = np.concatenate([to_tangent(lift(copy, image.q), D[:nq]), D[nq:]])  # (2)
    if free is not None:
        whole = whole[free.rows]
    A, B = whole[:, : len(whole)], whole[:, len(whole) :]
    return Linearization(A, B, _names(copy, free), labels, state, image, steps * h, free and free.basis)


def _labels(mechanism: Mechanism, holds: list[Held]) -> tuple[str, ...]:
    """Return the names of the inputs: a joint with one velocity by its name, else with the component.
    Inputs on bodies are counted by their name: "drone[0]", "drone[1]"."""
    single = {link.name for link in mechanism.links if link.joint.nv == 1}
    labels: list[str] = []
    seen: dict[str, int] = {}
    for force in holds:
        for i, name in enumerate(force.names):
            if isinstance(force, Hold):
                labels.append(name if name in single else f"{name}[{force.components[i]}]")
            else:
                labels.append(f"{name}[{seen.setdefault(name, 0)}]")
                seen[name] += 1
    return tuple(labels)


def _on_constraints(system: CompiledMechanism, state: State) -> State:
    """Return the state on the drives and the loops of its mechanism, checked."""
    state = start_on_drives(system, state)
    check_start(system, state)
    return start_on_loops(system, state) if system.mechanism.loops else state


def _names(mechanism: Mechanism, free: Freedoms | None) -> tuple[str, ...]:
    """Return the names of the independent coordinates."""
    found = names(mechanism)
    return found if free is None else tuple(found[i] for i in free.rows)


def _directions(L: Array, inputs: int, free: Freedoms | None = None) -> tuple[Array, Array]:
    """Return the columns (dq, dv, u), or (x, u) of independent coordinates, as changes of y and of inputs."""
    (nq, nv), m = L.shape, inputs
    dy = np.zeros((nq + nv, 2 * nv + m))
    dy[:nq, :nv], dy[nq:, nv : 2 * nv] = L, np.eye(nv)
    if free is not None:
        dy = np.hstack([dy[:, : 2 * nv] @ free.basis, dy[:, 2 * nv :]])
    return dy, np.hstack([np.zeros((m, dy.shape[1] - m)), np.eye(m)])


def _continuous(tree: Tree, state: State, u: Array) -> tuple[Array, Array]:
    """Return A and B of (1)."""
    nq, nv = tree.mechanism.lengths
    dy, du = _directions(lift(tree.mechanism, state.q), len(u))
    _, D = field_along(tree, state.time, np.concatenate([state.q, state.v]), u, dy, du)
    A = np.block([[-bracket(tree.mechanism, state.v), np.eye(nv)], [D[nq:, : 2 * nv]]])
    B = np.vstack([np.zeros((nv, len(u))), D[nq:, 2 * nv :]])
    return A, B


def _on_freedoms(tree: Tree, state: State, u: Array, free: Freedoms) -> tuple[Array, Array]:
    """Return A and B of (1) in independent coordinates."""
    nv, E, n, m = tree.nv, free.basis, free.basis.shape[1], len(u)
    da = accelerations_along(tree, state, u, *_directions(lift(tree.mechanism, state.q), m, free))
    dq = np.hstack([E[nv:] - bracket(tree.mechanism, state.v) @ E[:nv], np.zeros((nv, m))])
    whole = np.vstack([dq, da])[free.rows]
    return whole[:, :n], whole[:, n:]
