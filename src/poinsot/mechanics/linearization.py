"""Linear models of a mechanism about a state: `ps.dynamics.linearize`.

    d/dt x = A x + B u         continuous, x = (dq, dv)                          method=None
    x1     = A x0 + B u        over `steps` steps of a method, u constant        method="...", step=h
    y      = C x + D u         outputs; all coordinates by default               outputs=[...]

dq is in the units of v: the neighbor of q is q exp(dq), joint by joint; x1 is measured at the image of the
state.  All derivatives are exact (dual numbers), to rounding.

    continuous     d/dt dq = dv - [v, dq],    d/dt dv = D_q a dq + D_v a dv + D_u a u           (1)
    of steps       D = L(q1)^+ (dy1/dy0) L(q0)                                                  (2)

L is the lift of `tangent`; (2) is measured at the image.  With loops and driven joints, x are independent
coordinates (`freedoms`), and (dq, dv) = E x.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.catalogue import label_of
from poinsot.compile.one_body import OneBody
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.core.methods.method import Method
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.tree.dynamics import entries
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError, ScenarioError
from poinsot.lie import so3
from poinsot.mechanics.arguments import GOOD, guard
from poinsot.mechanics.assembly import check_start, start_on_drives, start_on_loops
from poinsot.mechanics.derivatives import body_steps, steps_along
from poinsot.mechanics.equations import bind
from poinsot.mechanics.freedoms import Freedoms, accelerations_along, freedoms
from poinsot.mechanics.gauss_derivatives import flow_along, gauss_along
from poinsot.mechanics.linear_model import LinearModel, Outputs, linear_model
from poinsot.mechanics.loop_constraints import dual_tables
from poinsot.mechanics.radau_derivatives import radau_along
from poinsot.mechanics.tangent import bracket, lift, to_tangent
from poinsot.model import checks
from poinsot.model.checks import MOST_STEPS, Array, show, suggestion
from poinsot.model.controller import Inputs
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts, check_state
from poinsot.model.state import State, view

QUANTITIES = {  # of bodies and frames: the outputs that they are made of
    "position": ("position",),
    "velocity": ("velocity",),
    "rotation": ("rotation",),
    "angular_velocity": ("angular_velocity",),
    "pose": ("rotation", "position"),
}
WHAT = f"the {', '.join(QUANTITIES)}".replace(", pose", " or pose")
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
    C, D : matrices of the outputs, shapes (p, n) and (p, m); default: the outputs are the coordinates x
    outputs : names of the outputs
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
    C: Array = None  # type: ignore[assignment] # set by `__post_init__`
    D: Array = None  # type: ignore[assignment]
    outputs: tuple[str, ...] = ()
    basis: Array | None = None

    def __post_init__(self) -> None:
        if self.C is None:
            n, m = np.shape(self.B)
            vars(self).update(C=np.eye(n), D=np.zeros((n, m)), outputs=self.states)

    def __iter__(self) -> Iterator[Array]:
        return iter((self.A, self.B))

    @property
    def poles(self) -> NDArray[np.complex128]:
        """Eigenvalues of A: of d/dt x = A x [1/s], or of a step, x1 = A x0."""
        return np.asarray(np.linalg.eigvals(self.A), dtype=complex)

    def to_ss(self) -> Any:
        """Return the model as a `StateSpace` of python-control, continuous, or discrete with `dt = time`.

        Names of inputs and outputs have "_" where python-control allows no point: "cart_displacement".
        """
        try:
            from control import ss  # type: ignore[import-not-found,unused-ignore]
        except ImportError:
            raise ModelError("to_ss needs python-control: pip install control") from None
        inputs, outputs = ([one.replace(".", "_") for one in names] for names in (self.inputs, self.outputs))
        dt = 0 if self.time is None else self.time
        names = {"states": [one.replace(".", "_") for one in self.states], "outputs": outputs}
        names |= {"inputs": inputs} if inputs else {}
        return ss(self.A, self.B, self.C, self.D, dt, **names)

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
        seen = [i for i, name in enumerate(self.outputs) if name not in names]
        felt = np.abs(self.C[np.ix_(seen, gone)])
        if felt.any():
            raise ModelError(
                f"linearization: the output '{self.outputs[seen[int(felt.max(axis=1).argmax())]]}' depends "
                "on a coordinate that would be left out: choose other outputs="
            )
        return replace(
            self,
            A=self.A[np.ix_(kept, kept)],
            B=self.B[kept],
            C=self.C[np.ix_(seen, kept)],
            D=self.D[seen],
            states=tuple(self.states[i] for i in kept),
            outputs=tuple(self.outputs[i] for i in seen),
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
    outputs: Sequence[str] | None = None,
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
    outputs : coordinates such as "cart.displacement", or of a body (its center of mass) or frame
        "tool.position" and "tool.velocity" in space, "tool.rotation" (the small rotation vector) and
        "tool.angular_velocity" in its axes, "tool.pose" (rotation, position); default: all coordinates

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
    model = linear_model(mechanism, inputs)
    values = checks.numbers("linearize", "u", np.zeros(model.count) if u is None else u, model.count)
    if method is None or step is None:
        return _continuous(model, state, values, outputs)
    h = checks.number("linearize", "step", step, positive=True)
    return _of_steps(model, state, values, label_of(method), h, int(steps), outputs)


def _of_steps(
    model: LinearModel, state: State, u: Array, method: str, h: float, steps: int, outputs: Any
) -> Linearization:
    """Return the model (2) of steps of a method."""
    known, how = model.system(method)
    state = on_constraints(known, state)
    if isinstance(known, OneBody):
        image, A = body_steps(known, how, state, h, steps)
        seen = _outputs(model, state, outputs, None)
        return Linearization(A, np.zeros((len(A), 0)), model.states, (), state, image, steps * h, *seen)
    assert isinstance(known, Tree)
    nq, free = known.nq, freedoms(known, state)
    dy, du = _directions(model.lift(state.q), len(u), free)
    if how.duals:
        y, D = steps_along(model, how, state, u, h, steps, dy, du)
    elif how.tree is not None and how.tree.stages_in_lanes:
        y, D = gauss_along(model, how, state, u, h, steps, dy, du)
    elif how.tree is not None and how.tree.tangents:
        y, D = radau_along(model, how, state, u, h, steps, dy, du)
    else:
        y, D = flow_along(model, state, u, steps * h, dy, du)
    y.flags.writeable = False
    image = view(state.time + steps * h, y[:nq], y[nq:])
    whole = np.concatenate([to_tangent(model.lift(image.q), D[:nq]), D[nq:]]) if model.curved else D  # (2)
    whole = whole if free is None else whole[free.rows]
    A, B = whole[:, : len(whole)], whole[:, len(whole) :]
    names, seen = _names(model, free), _outputs(model, state, outputs, free)
    basis = None if free is None else free.basis
    return Linearization(A, B, names, model.inputs, state, image, steps * h, *seen, basis)


def on_constraints(system: CompiledMechanism, state: State) -> State:
    """Return the state on the drives and the loops of its mechanism, checked."""
    state = start_on_drives(system, state) if system.drives else state
    check_start(system, state)
    return start_on_loops(system, state) if system.mechanism.loops else state


def _names(model: LinearModel, free: Freedoms | None) -> tuple[str, ...]:
    """Return the names of the independent coordinates."""
    return model.states if free is None else tuple(model.states[i] for i in free.rows)


def _directions(L: Array, inputs: int, free: Freedoms | None = None) -> tuple[Array, Array]:
    """Return the columns (dq, dv, u), or (x, u) of independent coordinates, as changes of y and of inputs."""
    (nq, nv), m = L.shape, inputs
    dy = np.zeros((nq + nv, 2 * nv + m))
    dy[:nq, :nv], dy[nq:, nv : 2 * nv] = L, np.eye(nv)
    if free is not None:
        dy = np.hstack([dy[:, : 2 * nv] @ free.basis, dy[:, 2 * nv :]])
    return dy, np.hstack([np.zeros((m, dy.shape[1] - m)), np.eye(m)])


def _continuous(model: LinearModel, state: State, u: Array, outputs: Any) -> Linearization:
    """Return the model (1)."""
    tree = model.tree
    if tree.constraints or tree.drives:
        state = on_constraints(tree, state)
        free = freedoms(tree, state)
        assert free is not None, "there are constraints"
        A, B = on_freedoms(tree, state, u, free)
        seen, names = _outputs(model, state, outputs, free), _names(model, free)
        return Linearization(A, B, names, model.inputs, state, None, None, *seen, free.basis)
    if len(state.q) != tree.nq or len(state.v) != tree.nv:
        check_state(model.mechanism, state)
    A, B, done = model.continuous(state.time, state.q, state.v, u)
    if done != GOOD or not tree.solid or model.functions:
        check_start(tree, state)
    seen = model.outputs if outputs is None else _outputs(model, state, outputs, None)
    return Linearization(A, B, model.states, model.inputs, state, None, None, *seen)


def on_freedoms(tree: Tree, state: State, u: Array, free: Freedoms) -> tuple[Array, Array]:
    """Return A and B of (1) in independent coordinates."""
    nv, E, n, m = tree.nv, free.basis, free.basis.shape[1], len(u)
    da = accelerations_along(tree, state, u, *_directions(lift(tree.mechanism, state.q), m, free))
    dq = np.hstack([E[nv:] - bracket(tree.mechanism, state.v) @ E[:nv], np.zeros((nv, m))])
    whole = np.vstack([dq, da])[free.rows]
    return whole[:, :n], whole[:, n:]


def _outputs(model: LinearModel, state: State, outputs: Any, free: Freedoms | None) -> Outputs:
    """Return C and D of outputs by name, and a name for each row; without names, of the coordinates."""
    states = _names(model, free)
    if outputs is None:
        return (np.eye(len(states)), np.zeros((len(states), model.count)), states) if free else model.outputs
    rows, found = [], list[str]()
    basis = np.eye(2 * len(state.v)) if free is None else free.basis
    for name in checks.items("linearize", "outputs", outputs, 'a list of names such as "cart.displacement"'):
        if isinstance(name, str) and name in model.states:
            rows.append(basis[model.states.index(name)])
            found.append(name)
            continue
        part, _, quantity = name.rpartition(".") if isinstance(name, str) else ("", "", "")
        if quantity not in QUANTITIES or part not in (*model.mechanism.names, *model.mechanism.frame_names):
            near = checks.suggestion(name, model.states) or f" (there are {', '.join(model.states)})"
            raise ModelError(
                f"linearize: unknown output {checks.show(name)}{near}: name coordinates, or {WHAT} "
                'of a body or frame, such as "tool.position"'
            )
        here = _motion_rows(model, state, part)
        for one in QUANTITIES[quantity]:
            rows += list(here[one] @ basis)
            found += [f"{part}.{one}[{i}]" for i in range(3)]
    C = np.array(rows).reshape(len(found), len(states))
    return C, np.zeros((len(found), model.count)), tuple(found)


def _motion_rows(model: LinearModel, state: State, name: str) -> dict[str, Array]:
    """Return C (3, 2 nv) of what moves with a body (its center of mass) or a frame, by name.

    With its twist (w, u) = J v in body axes, and its attitude R, these are changes of

        rotation  J_w dq,    w  D w + J_w dv    in body axes                                            (3)
        position  R J_u dq,    velocity  R (J_w dq x u + D u + J_u dv)    in space,      D = (D_q J dq) v
    """
    m, tree, n = model.mechanism, model.tree, len(state.v)
    at = m.rigid_links[name].body.center_of_mass if name in m.names else np.zeros(3)
    link, seat = tree.seat(name, at)
    parts = []
    for table in dual_tables(state.q, model.lift(state.q)):
        J = np.zeros((6, n, table.shape[1]))
        call = entries.point_jacobian(dual4)
        call(tree.model(dual4), link, seat, table.reshape(-1), np.zeros(n * table.shape[1]), J.reshape(-1))
        parts.append(np.einsum("ijk,j->ik", J[:, :, 1:], state.v))
    J, D = J[:, :, 0], np.hstack(parts)[:, :n]
    R, still = bind(m).pose(state.q, name)[:3, :3], np.zeros((3, n))
    return {
        "rotation": np.hstack([J[:3], still]),
        "angular_velocity": np.hstack([D[:3], J[:3]]),
        "position": R @ np.hstack([J[3:], still]),
        "velocity": R @ np.hstack([D[3:] - so3.hat(J[3:] @ state.v) @ J[:3], J[3:]]),
    }
