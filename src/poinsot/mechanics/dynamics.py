"""The mechanics of a mechanism at one state: accelerations, forces, matrices, energies, momenta.

    a = ps.dynamics.acceleration(m, state)                M a + c = tau + forces
    tau = ps.dynamics.inverse_dynamics(m, state, a)       the same read backwards: zero here
    M = ps.dynamics.mass_matrix(m, state)
    lin = ps.dynamics.linearize(m, state, inputs=["cart"])      d/dt x = A x + B u  (`linearization`)
    ps.dynamics.modes(m, ps.dynamics.equilibrium(m, state)).frequencies                (`equilibrium`)
    ps.dynamics.pose(m, state, "tool")                    of a body or frame by name
    d = ps.dynamics.bind(m)                               the same functions of arrays q and v

The order of rows and columns is that of `state.v`.  Gravity and all forces of the mechanism act; impulses
do not.  Everything is computed in O(n) (the mass matrix in O(n depth)) by the compiled core.  A mechanism is
compiled once, until it changes.  Loops are kept closed by the forces of `multipliers` (dense matrices,
`mechanics.loop_constraints`).

The functions of one state are those of the class `Dynamics` (`mechanics.equations`), made by `_at_state`.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.mechanics.discrete import (
    discrete_residual,
    discrete_residual_along,
    discrete_residual_recorder,
)
from poinsot.mechanics.equations import Dynamics, Energy, Momentum, bind
from poinsot.mechanics.equilibrium import Equilibrium, Modes, equilibrium, modes
from poinsot.mechanics.inverse_kinematics import Kinematics, inverse_kinematics
from poinsot.mechanics.linearization import Linearization, linearize
from poinsot.mechanics.loop_constraints import LoopResiduals, loop_constraints, multipliers
from poinsot.mechanics.rates import jacobian_rate
from poinsot.mechanics.reactions import reactions, reactions_along
from poinsot.mechanics.robotics import inertial_parameters
from poinsot.mechanics.tangent import difference, move
from poinsot.model import checks
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

__all__ = ["Dynamics", "Energy", "Linearization", "LoopResiduals", "Momentum", "acceleration", "bind"]
__all__ += ["Equilibrium", "Modes", "equilibrium", "modes"]
__all__ += ["angular_velocity", "pose", "position", "velocity"]
__all__ += ["center_of_mass", "difference", "energy", "inverse_dynamics", "jacobian", "jacobian_rate"]
__all__ += ["linearize", "loop_constraints", "mass_matrix", "momentum", "move", "multipliers", "reactions"]
__all__ += ["Kinematics", "center_of_mass_jacobian", "centroidal_matrix", "coriolis_matrix", "gravity_forces"]
__all__ += ["inertial_parameters", "inverse_kinematics", "regressor", "relative_jacobian", "relative_pose"]
__all__ += ["discrete_residual", "discrete_residual_along", "discrete_residual_recorder", "reactions_along"]


def __dir__() -> list[str]:
    return __all__


P = ParamSpec("P")
R = TypeVar("R")
OF_STATE = "q", "v", "time"  # arguments of methods that a state has


@overload
def _at_state(
    method: Callable[Concatenate[Dynamics, ArrayLike, ArrayLike, P], R],
) -> Callable[Concatenate[Mechanism, State, P], R]: ...
@overload
def _at_state(
    method: Callable[Concatenate[Dynamics, ArrayLike, P], R],
) -> Callable[Concatenate[Mechanism, State, P], R]: ...
def _at_state(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of `Dynamics` as a function of a mechanism and a state."""
    given = inspect.signature(method).parameters
    moving, timed = "v" in given, "time" in given

    def function(mechanism: Mechanism, state: State, *args: Any, **options: Any) -> Any:
        d = bind(mechanism)
        if not isinstance(state, State):
            raise ModelError(
                "dynamics: expected a Mechanism and a State (ps.dynamics.bind(mechanism) takes arrays), "
                f"got {checks.show(state)}"
            )
        if timed:
            return method(d, state.q, state.v, *args, time=state.time, **options)
        if moving:
            return method(d, state.q, state.v, *args, **options)
        return method(d, state.q, *args, **options)

    first = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=kind)
        for name, kind in (("mechanism", Mechanism), ("state", State))
    ]
    rest = [one for name, one in given.items() if name not in ("self", *OF_STATE)]
    function.__name__ = function.__qualname__ = method.__name__
    function.__signature__ = inspect.signature(method).replace(parameters=[*first, *rest])  # type: ignore[attr-defined]
    function.__doc__ = _doc(inspect.getdoc(method) or "")
    return function


def _doc(text: str) -> str:
    """Return the docstring of a method without what it says of q, v and time: a state has them."""
    lines = [line for line in text.splitlines() if line.split(" : ")[0] not in OF_STATE]
    said = r" at `q` \(\.\.\., nq\)(?: and `v` \(\.\.\., nv\))?|`q`: [^`]*; (?=`)"
    return re.sub(said, "", "\n".join(lines))


acceleration = _at_state(Dynamics.acceleration)
inverse_dynamics = _at_state(Dynamics.inverse_dynamics)
mass_matrix = _at_state(Dynamics.mass_matrix)
jacobian = _at_state(Dynamics.jacobian)
pose = _at_state(Dynamics.pose)
position = _at_state(Dynamics.position)
velocity = _at_state(Dynamics.velocity)
angular_velocity = _at_state(Dynamics.angular_velocity)
energy: Callable[[Mechanism, State], Energy] = _at_state(Dynamics.energy)
momentum = _at_state(Dynamics.momentum)
center_of_mass = _at_state(Dynamics.center_of_mass)
relative_pose = _at_state(Dynamics.relative_pose)
relative_jacobian = _at_state(Dynamics.relative_jacobian)
gravity_forces = _at_state(Dynamics.gravity_forces)
coriolis_matrix = _at_state(Dynamics.coriolis_matrix)
center_of_mass_jacobian = _at_state(Dynamics.center_of_mass_jacobian)
centroidal_matrix = _at_state(Dynamics.centroidal_matrix)
regressor = _at_state(Dynamics.regressor)
