"""Equilibria of a mechanism, and its modes about them.

    equilibrium     a(q, 0, u) = 0            by Newton's method, A = D_q a, B = D_u a               (1)
    modes           (p^2 - p D - A) x = 0     poles p and shapes x,  D = D_v a                       (2)

In the metric of the mass matrix M = L L^T, with r = L^T a, K = L^T A L^-T, G = L^T B, a step is the shortest
one, y = L^T dq, that leaves what the inputs can balance to them: with N normal to G,

    N^T K y = -N^T r,      G du = -(r + K y)                                                       (3)

so that all lengths, masses and times have the units of the user.  A residual is small compared with

    |g| sqrt(m) + |K| sqrt(sum m p^2) + |G| |u|                                                   (4)

With loops and driven joints q are independent coordinates (`freedoms`): their velocities and accelerations
are zero, and M is N^T M N.

Without D, and with M A symmetric, (2) is L^T A L^-T z = -w^2 z, whose eigenvalues are real.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.mechanics.algorithms import acceleration, mass_matrix
from poinsot.mechanics.arguments import guard
from poinsot.mechanics.assembly import assemble, start_on_drives
from poinsot.mechanics.freedoms import freedoms
from poinsot.mechanics.linear_model import LinearModel, linear_model
from poinsot.mechanics.linearization import linearize, on_freedoms
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.mechanics.tangent import move
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Inputs
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

ANGLES = ("angle", "angles", "rotation")  # names of coordinates in rad
TURN = 0.5  # largest change of an angle in a step of Newton's method [rad]
STEPS, HALVINGS = 100, 40
GOOD, BEST = 1e-9, 1e-15  # residuals relative to (4): of an equilibrium; that cannot become smaller
RANK = 1e-10  # smallest singular value that counts, relative to the largest
SYMMETRIC = 1e-10  # relative
ZERO = 1e-13  # eigenvalues relative to the largest one that are rounding


@dataclass(frozen=True, eq=False)
class Equilibrium(State):
    """A state at rest in which nothing accelerates: what `ps.dynamics.equilibrium` returns.

    Parameters
    ----------
    time, q, v, memory : as those of a State
    u : inputs that hold it, in the order of `inputs` [N, N m]
    inputs : names of the inputs
    """

    u: Array = field(default_factory=lambda: np.zeros(0))
    inputs: tuple[str, ...] = ()


class Residual:
    """Accelerations of a mechanism at rest, and their derivatives, in the metric of its masses."""

    def __init__(self, model: LinearModel, state: State, u: Array) -> None:
        self.state, self.u, tree = state, u, model.tree
        M, free = mass_matrix(tree, state.q), freedoms(tree, state)
        if free is None:
            self.A, B, _ = model.continuous(state.time, state.q, state.v, u)
            self.N, a = np.eye(len(M)), model.acceleration
        else:
            self.A, B = on_freedoms(tree, state, u, free)
            n, loops = len(self.A) // 2, LoopConstraints(tree, state.q)
            self.N = free.basis[: len(M), :n]
            a = loops.accelerate(state.v, acceleration(tree, state.time, state.q, state.v))[free.rows[:n]]
        n = len(a)
        self.L = np.linalg.cholesky(self.N.T @ M @ self.N)
        self.r = self.L.T @ a
        self.K = np.linalg.solve(self.L, (self.L.T @ self.A[n:, :n]).T).T
        self.G, self.damped = self.L.T @ B[n:], self.A[n:, n:]
        x = motions(model.mechanism, state.q[None], state.v[None])
        links = model.mechanism.links
        masses = np.array([link.body.mass for link in links])
        far = np.array([x[link.name].position[0] for link in links])
        weight = np.linalg.norm(model.mechanism.gravity) * np.sqrt(masses.sum())
        stiff = np.linalg.norm(self.K) * np.sqrt(masses @ (far * far).sum(axis=1))
        self.scale = float(weight + stiff + np.linalg.norm(self.G) * np.linalg.norm(u))  # (4)

    def balance(self, free: bool) -> tuple[float, Array, Callable[[float], Array]]:
        """Return what the inputs cannot balance, relative to (4), and the step dq of (3), with du for a part
        of it.  `free`: the inputs are to be found."""
        U, sizes, _ = np.linalg.svd(self.G if free else self.G[:, :0])
        rank = int((sizes > RANK * sizes.max(initial=0.0)).sum())
        N = U[:, rank:]
        left = N.T @ self.r
        y: Array = np.zeros(len(self.r))
        if N.size:
            y = np.asarray(np.linalg.lstsq(N.T @ self.K, -left, rcond=RANK)[0], dtype=np.float64)

        def inputs(part: float) -> Array:
            rest = -(self.r + part * self.K @ y)
            found = np.linalg.lstsq(self.G, rest, rcond=RANK)[0] if free else 0.0 * self.u
            return np.asarray(found, dtype=np.float64)

        size = float(np.linalg.norm(left))
        relative = size / self.scale if self.scale > 0 else size
        return relative, self.N @ np.linalg.solve(self.L.T, y), inputs


def place(model: LinearModel, state: State) -> State:
    """Return a state on the drives and loops of a model, at rest but for its driven joints."""
    tree, still = model.tree, State(state.time, state.q, 0.0 * state.v)
    if tree.drives:
        still = start_on_drives(tree, still)
    if not tree.constraints:
        return still
    if still.v.any():
        raise ModelError(
            "equilibrium: with loops, driven joints must be at rest: give a guess at a time at which they are"
        )
    return assemble(tree, still).state


@guard
def equilibrium(
    mechanism: Mechanism, guess: State, inputs: Inputs | None = None, *, u: ArrayLike | None = None
) -> Equilibrium:
    """Return an equilibrium near a guess: a state at rest in which nothing accelerates, stable or not.

    With `inputs`, the joint forces that hold the mechanism are found too, unless `u` gives them; coordinates
    change no more than needed.  Loops stay closed.  Driven joints move as they do at the time of the guess:
    nothing else moves, or accelerates, beside them.

    Parameters
    ----------
    mechanism : the mechanism
    guess : a state; its velocities do not count
    inputs : joints by name, or inputs such as `Actuator` and `Thrust`, as of a `Controller`; default: none
    u : the inputs, if they are known [N, N m]

    >>> m = ps.Mechanism(gravity=(0, 0, -10)).add("weight", ps.Body(2.0, (1, 1, 1)), ps.Prismatic((0, 0, 1)))
    >>> m = m.apply(ps.Spring("world", "weight", stiffness=100.0))
    >>> rest = ps.dynamics.equilibrium(m, m.state({"weight": dict(displacement=-0.1)}))
    >>> print(f"{rest.q[0]:.3f}")
    -0.200
    """
    linearize(mechanism, guess, inputs)  # which checks everything
    model = linear_model(mechanism, inputs)
    m, free = model.count, u is None and model.count > 0
    values = checks.numbers("equilibrium", "u", np.zeros(m) if u is None else u, m)
    turning = [name.split(".")[-1].split("[")[0] in ANGLES for name in model.states[: len(guess.v)]]
    here = Residual(model, place(model, guess), values)
    if free:
        here = Residual(model, here.state, values + here.balance(free)[2](0.0))
    error, dq, inputs_along = here.balance(free)
    for _ in range(STEPS):
        if error <= BEST:
            break
        largest = float(np.abs(dq[turning]).max(initial=0.0))
        part = min(1.0, TURN / largest) if largest > 0.0 else 1.0
        for _ in range(HALVINGS):
            x = np.concatenate([part * dq, 0.0 * dq])
            there = Residual(model, place(model, move(mechanism, here.state, x)), here.u + inputs_along(part))
            found = there.balance(free)
            if found[0] < error:
                break
            part /= 2
        else:
            break  # rounding, or there is none near
        here, (error, dq, inputs_along) = there, found
    if not error <= GOOD:
        raise ModelError(
            f"equilibrium: none was found near the guess (the forces there balance to {error:.1g} of their "
            "size): try another guess" + ("" if inputs is not None else ", or give inputs= that hold it")
        )
    state = here.state
    return Equilibrium(state.time, state.q, state.v, None, here.u + inputs_along(0.0), model.inputs)


@dataclass(frozen=True, eq=False)
class Modes:
    """Modes of a mechanism about an equilibrium, in the order of their frequencies.

    A pair of complex poles is one mode; a real pole is one: it decays or grows without a vibration.

    Parameters
    ----------
    frequencies : natural angular frequencies |p|, shape (n,) [rad/s]
    damping : damping ratios -Re p/|p|, shape (n,): 0 undamped, 1 no vibration, negative: it grows
    poles : poles p, with an imaginary part that is not negative, shape (n,) [1/s]
    shapes : tangent coordinates dq of each mode, the largest of which is 1, shape (n, nv)
    coordinates : names of the coordinates, such as "cart.displacement"
    mechanism : the mechanism
    state : the equilibrium
    """

    frequencies: Array
    damping: Array
    poles: NDArray[np.complex128]
    shapes: Array
    coordinates: tuple[str, ...]
    mechanism: Mechanism
    state: State

    def displace(self, mode: int, amplitude: float) -> State:
        """Return the equilibrium displaced along a mode, at rest: a run from there shows the mode.

        `mode`: its number; `amplitude`: largest change of a coordinate [rad, m].
        """
        n = len(self.frequencies)
        if not isinstance(mode, int | np.integer) or isinstance(mode, bool) or not 0 <= mode < n:
            raise ModelError(f"modes: mode must be a whole number from 0 to {n - 1}, got {checks.show(mode)}")
        size = checks.number("modes", "amplitude", amplitude)
        dq = size * self.shapes[mode].real
        there = move(self.mechanism, self.state, np.concatenate([dq, 0.0 * dq]))
        return place(linear_model(self.mechanism, None), there)

    def __repr__(self) -> str:
        return f"Modes(frequencies={checks.show(self.frequencies)} rad/s)"


@guard
def modes(
    mechanism: Mechanism, state: State, inputs: Inputs | None = None, *, u: ArrayLike | None = None
) -> Modes:
    """Return the modes of a mechanism about an equilibrium: frequencies, damping and shapes.

    Parameters
    ----------
    mechanism : the mechanism
    state : an equilibrium, such as `equilibrium` returns
    inputs : inputs that hold it, as of `equilibrium`; default: none
    u : their values; default: those of the equilibrium [N, N m]

    >>> m = ps.Mechanism().add("mass", ps.Body(2.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    >>> m = m.apply(ps.Spring("world", "mass", stiffness=8.0))
    >>> ps.dynamics.modes(m, m.state()).frequencies
    array([2.])
    """
    linearize(mechanism, state, inputs)  # which checks everything
    model = linear_model(mechanism, inputs)
    given = state.u if u is None and isinstance(state, Equilibrium) and len(state.u) == model.count else u
    values = checks.numbers("modes", "u", model.zero if given is None else given, model.count)
    here = Residual(model, place(model, state), values)
    moving = np.delete(state.v, model.tree.driven_coordinates[1]).any()
    if moving or here.balance(free=False)[0] > np.sqrt(GOOD):
        raise ModelError(
            "modes: the state is no equilibrium: ps.dynamics.equilibrium(mechanism, state) finds one near it"
        )
    K, size = here.K, np.abs(here.K).max(initial=0.0)
    if not here.damped.any() and np.abs(K - K.T).max(initial=0.0) <= SYMMETRIC * size:
        squares, Z = np.linalg.eigh(-(K + K.T) / 2)
        squares[np.abs(squares) <= ZERO * np.abs(squares).max(initial=0.0)] = 0.0
        X = np.linalg.solve(here.L.T, Z).T
        grows = squares < 0
        p = np.sqrt(-squares.astype(complex))
        poles, X = np.concatenate([p, -p[grows]]), np.concatenate([X, X[grows]])
    else:
        p, Z = np.linalg.eig(here.A)
        kept = p.imag >= 0
        poles, X = p[kept], Z.T[kept, : len(here.r)]
    order = np.lexsort((poles.real, np.abs(poles)))
    poles, X = poles[order], X[order] @ here.N.T
    X = X / X[np.arange(len(X)), np.abs(X).argmax(axis=1)][:, None]
    frequencies = np.abs(poles)
    damping = -poles.real / np.where(frequencies > 0, frequencies, 1.0) + 0.0
    names = model.states[: len(state.v)]
    return Modes(frequencies, damping, poles, X, names, model.mechanism.copy(), here.state)
