"""`linearize`: the derivative of the motion or of a method in tangent coordinates.

    continuous     d/dt dq = dv - [v, dq],    d/dt dv = D_q a dq + D_v a dv + D_u a u           (1)
    of steps       D = L(q1)^+ (dy1/dy0) L(q0)                                                  (2)

L is the lift of `tangent`; (2) is measured at the image.
"""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.compile.catalogue import label_of
from poinsot.compile.kept import kept
from poinsot.compile.method_choice import compiled
from poinsot.compile.one_body import OneBody
from poinsot.compile.tree import Tree
from poinsot.core.methods.method import Method
from poinsot.errors import ModelError, ScenarioError
from poinsot.mechanics.linearization.body import body_steps
from poinsot.mechanics.linearization.flow import flow_along
from poinsot.mechanics.linearization.gauss import gauss_along
from poinsot.mechanics.linearization.record import Linearization
from poinsot.mechanics.linearization.tangent import bracket, lift, lowered, names
from poinsot.mechanics.linearization.trees import field_along, steps_along
from poinsot.mechanics.start import check_start
from poinsot.model import checks
from poinsot.model.checks import MOST_STEPS, Array
from poinsot.model.controller import Inputs, actuators, hold_forces, uncontrolled
from poinsot.model.forces.drive import Drive
from poinsot.model.inputs.held import Held, Hold
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts
from poinsot.model.state import State


def linearize(
    m: Mechanism,
    state: State,
    inputs: Inputs | None = None,
    method: str | Method | None = None,
    step: float | None = None,
    *,
    steps: int = 1,
    u: ArrayLike | None = None,
) -> Linearization:
    """Return the linear model of a mechanism about a state.

    Without a method it is the continuous model d/dt x = A x + B u, with one the discrete model of `steps`
    steps with constant inputs.  x = (dq, dv) are tangent coordinates (see `moved`).  All derivatives are
    exact, to rounding.

    Parameters
    ----------
    m : Mechanism
        The mechanism, without loops.
    state : State
        State that the model is about.
    inputs : iterable of str or inputs, optional
        Joints by name, or inputs such as `Actuator` and `Thrust`, as of a `Controller`.  Default: no inputs.
    method : str or Method, optional
        Integration method of the discrete model, or "auto"; with `step`.
    step : float, optional
        Step of the method in seconds.
    steps : int, default 1
        Number of steps.
    u : array_like, shape (m,), optional
        Input at the state, in N or N m.  Default: zero.

    Returns
    -------
    Linearization
        Matrices A and B with the names of their rows and columns.

    Raises
    ------
    ModelError
        If the mechanism, the state or an input is wrong, or a force cannot be differentiated.
    ScenarioError
        If the mechanism has a loop, the method cannot run it, or the options do not fit.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> A, B = ps.dynamics.linearize(m, m.state(), inputs=["cart"])
    >>> A + 0.0
    array([[0., 1.],
           [0., 0.]])
    >>> B
    array([[0. ],
           [0.5]])
    """
    if not isinstance(m, Mechanism) or not isinstance(state, State):
        raise ModelError("linearize takes a Mechanism and a State: start = m.state({...})")
    check_parts(m)
    drives = [force.label for force in m.forces if isinstance(force, Drive)]
    if drives:
        raise ScenarioError(
            f"linearize: a joint that is driven has no linear model, and there is {drives[0]}"
        )
    if m.loops:
        raise ScenarioError(
            f"linearize: '{m.loops[0].name}' closes a loop, so the joint coordinates do not move freely: "
            "linear models are for trees"
        )
    if (method is None) != (step is None):
        raise ScenarioError("linearize: give method= and step= together, or neither for the continuous model")
    if not isinstance(steps, int | np.integer) or isinstance(steps, bool) or not 1 <= steps <= MOST_STEPS:
        raise ScenarioError(
            f"linearize: steps must be a whole number from 1 to {MOST_STEPS:.0e}, got {checks.show(steps)}"
        )
    copy = uncontrolled(m)
    holds = [] if inputs is None else hold_forces(copy, actuators(inputs, "linearize"))
    copy.apply(*holds)
    labels = _labels(copy, holds)
    values = checks.listed("linearize", "u", np.zeros(len(labels)) if u is None else u, len(labels))
    if method is None or step is None:
        A, B = _continuous(kept(copy).tree(), state, values)
        return Linearization(A, B, names(copy), labels, state)
    h = checks.number("linearize", "step", step, positive=True)
    known, how, _ = compiled(copy, label_of(method))
    check_start(known, state)
    if isinstance(known, OneBody):
        image, A = body_steps(known, how, state, h, int(steps))
        return Linearization(A, np.zeros((len(A), 0)), names(copy), (), state, image, steps * h)
    assert isinstance(known, Tree)
    nq, nv = copy.lengths
    dy, du = _directions(lift(copy, state.q), len(values))
    if how.duals:
        y, D = steps_along(known, how, state, values, h, int(steps), dy, du)
    elif how.tree is not None and how.tree.stages_in_lanes:
        y, D = gauss_along(known, how, state, values, h, int(steps), dy, du)
    else:
        y, D = flow_along(known, state, values, steps * h, dy, du)
    image = State(state.time + steps * h, y[:nq], y[nq:])
    whole = np.concatenate([lowered(lift(copy, image.q), D[:nq]), D[nq:]])  # (2)
    A, B = whole[:, : 2 * nv], whole[:, 2 * nv :]
    return Linearization(A, B, names(copy), labels, state, image, steps * h)


def _labels(mechanism: Mechanism, holds: list[Held]) -> tuple[str, ...]:
    """Return the names of the inputs: a joint with one velocity by its name, else with the component.

    Inputs on bodies are counted by their name: "drone[0]", "drone[1]".
    """
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


def _directions(L: Array, inputs: int) -> tuple[Array, Array]:
    """Return the columns (dq, dv, u) as changes of y and of the inputs."""
    (nq, nv), m = L.shape, inputs
    dy = np.zeros((nq + nv, 2 * nv + m))
    dy[:nq, :nv], dy[nq:, nv : 2 * nv] = L, np.eye(nv)
    return dy, np.hstack([np.zeros((m, 2 * nv)), np.eye(m)])


def _continuous(tree: Tree, state: State, u: Array) -> tuple[Array, Array]:
    """Return A and B of (1)."""
    check_start(tree, state)
    nq, nv = tree.mechanism.lengths
    dy, du = _directions(lift(tree.mechanism, state.q), len(u))
    _, D = field_along(tree, state.time, np.concatenate([state.q, state.v]), u, dy, du)
    A = np.block([[-bracket(tree.mechanism, state.v), np.eye(nv)], [D[nq:, : 2 * nv]]])
    B = np.vstack([np.zeros((nv, len(u))), D[nq:, 2 * nv :]])
    return A, B
