"""Models over one period of a controller with constant input (zero-order hold).

exp(T [A B; 0 0]) = [A_T B_T; 0 1]            of a continuous linear model                   (1)

The linear-quadratic regulator, in discrete time (elsewhere called `dlqr`) and in continuous time.

    x1 = A x + B u,   u = -K x  minimises  sum of  x^T Q x + u^T R u                             (1)
    P = A^T P A - A^T P B (R + B^T P B)^-1 B^T P A + Q                                           (2)
    K = (R + B^T P B)^-1 B^T P A,      x^T P x is the cost from x onwards                         (3)

    x' = A x + B u:    A^T P + P A - P B R^-1 B^T P + Q = 0,    K = R^-1 B^T P                    (5)

It exists if (A, B) is stabilisable: for every eigenvalue with |lambda| >= 1 (Re lambda >= 0) the matrix
(lambda - A, B) has full rank (4).

Linear feedback on the manifold of states.

u = u0 - K x,      x = state (-) target: logarithms of relative rotations, differences else     (1)
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.cache import tree_for
from poinsot.compile.laws import CompiledLaw, limit_numbers
from poinsot.control.actuators import polygon
from poinsot.control.plant import flat
from poinsot.core.control.linear import linear
from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import product
from poinsot.errors import ModelError, ScenarioError
from poinsot.mechanics.linearization import Linearization, linearize
from poinsot.mechanics.tangent import difference, names
from poinsot.model import checks
from poinsot.model.checks import Array, suggestion
from poinsot.model.controller import Inputs, whole_steps
from poinsot.model.inputs.input import Input
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State


def discretize(A: ArrayLike, B: ArrayLike, period: float) -> tuple[Array, Array]:
    """Return the discrete model of a continuous one with constant input over a period (1).

    `A`: matrix of the states (n, n); `B`: matrix of the inputs (n, m); `period`: period [s].

    >>> A, B = ps.control.discretize([[0, 1], [0, 0]], [[0], [1]], period=2.0)
    >>> A
    array([[1., 2.],
           [0., 1.]])
    >>> B
    array([[2.],
           [2.]])
    """
    from scipy.linalg import expm

    A = checks.array("discretize", "A", A, "a square matrix", (None, None))
    n = len(A)
    if A.shape != (n, n):
        raise ModelError(f"discretize: A must be a square matrix, got {A.shape[0]}x{A.shape[1]}")
    B = checks.array("discretize", "B", B, f"a matrix with {n} rows", (n, None))
    T = checks.number("discretize", "period", period, positive=True)
    m = B.shape[1]
    whole = expm(T * np.block([[A, B], [np.zeros((m, n + m))]]))  # (1)
    return whole[:n, :n].copy(), whole[:n, n:].copy()


def sample_model(
    mechanism: Mechanism,
    state: State,
    inputs: Inputs,
    *,
    period: float,
    method: str,
    step: float,
    u: ArrayLike | None = None,
) -> Linearization:
    """Return the linear model of a mechanism over one period of a controller, with constant inputs.

    Parameters
    ----------
    mechanism : the mechanism
    state : state that the model is about
    inputs : joints by name, or actuators, as of a `Controller`
    period : period [s], a whole number of steps
    method : integration method
    step : step of the method [s]
    u : input at the state [N or N m] (m,).  Default: zero.

    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> lin = ps.control.sample_model(m, m.state(), ["cart"], period=0.2, method="rk4", step=0.1)
    >>> lin.A
    array([[1. , 0.2],
           [0. , 1. ]])
    """
    h = checks.number("sample_model", "step", step, positive=True)
    try:
        seconds = checks.number("sample_model", "period", period, positive=True)
    except ModelError as error:
        raise ScenarioError(str(error)) from None
    return linearize(mechanism, state, inputs, method, step=h, steps=whole_steps(seconds, h), u=u)


RANK = 1e-9  # a singular value of (4) below this, relative to the largest, is zero
CIRCLE = 1e-9  # distance inside the unit circle up to which a mode counts as not decaying


class LQR(NamedTuple):
    """A linear-quadratic regulator.

    Attributes
    ----------
    gain : gain K of the feedback u = -K x (m, n)
    cost : matrix P: xᵀ P x is the cost from x onwards (n, n)
    poles : eigenvalues of A - B K: inside the unit circle, or in continuous time left of the imaginary axis
        (n,)

    >>> ps.control.lqr([[1.0]], [[1.0]], [1.0], [1.0]).gain
    array([[0.618034]])
    """

    gain: Array
    cost: Array
    poles: NDArray[np.complex128]


def lqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike, *, continuous: bool = False) -> LQR:
    """Solve the linear-quadratic regulator problem in discrete or continuous time.

    The feedback u = -K x minimises the sum of xᵀ Q x + uᵀ R u along x₁ = A x + B u, or its integral along
    dx/dt = A x + B u.

    Parameters
    ----------
    A : matrix of the states: over one period, such as of `ps.control.sample_model`, or in continuous time,
        such as of `ps.dynamics.linearize` (n, n)
    B : matrix of the inputs (n, m)
    Q : weight of the states: a symmetric matrix without negative eigenvalues, or its diagonal (n, n) or (n,)
    R : weight of the inputs: a symmetric positive definite matrix, or its diagonal (m, m) or (m,)
    continuous : take A and B as those of dx/dt = A x + B u

    Raises
    ------
    ModelError
        If a matrix has the wrong shape or sign, or the model is not stabilisable.

    >>> A, B = ps.control.discretize([[0, 1], [0, 0]], [[0], [1]], period=1.0)
    >>> bool(abs(ps.control.lqr(A, B, [1, 1], [1]).poles).max() < 1)
    True
    >>> ps.control.lqr([[0, 1], [0, 0]], [[0], [1]], [1, 2], [1], continuous=True).gain
    array([[1., 2.]])
    """
    return LQR(*regulate(OF_LQR, A, B, Q, R, checks.flag("lqr", "continuous", continuous)))


class Words(NamedTuple):
    """What messages call the parts of the problem."""

    who: str
    B: str  # matrix of the inputs
    size: str  # what B must be
    nothing: str  # B has none
    unseen: str  # a mode that B does not reach
    transposed: bool = False  # B is given transposed


OF_LQR = Words(
    "lqr",
    "B",
    "a matrix with {} rows",
    "B has no column: name inputs when linearizing",
    "no input controls it; leave its coordinates out (lin.without(...)) or add an input",
)


def regulate(
    words: Words, A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike, running: bool
) -> tuple[Array, Array, NDArray[np.complex128]]:
    """Return gain, cost and poles of (2), (3) or (5); `words` says whose problem it is."""
    from scipy.linalg import matrix_balance

    who = words.who
    A = checks.array(who, "A", A, "a square matrix", (None, None))
    n = len(A)
    if A.shape != (n, n) or n == 0:
        raise ModelError(f"{who}: A must be a square matrix, got {A.shape[0]}x{A.shape[1]}")
    shape = (None, n) if words.transposed else (n, None)
    B = checks.array(who, words.B, B, words.size.format(n), shape)
    A, B = (A.T, B.T) if words.transposed else (A, B)
    m = B.shape[1]
    if m == 0:
        raise ModelError(f"{who}: {words.nothing}")
    Q, R = _weight(who, "Q", Q, n, positive=False), _weight(who, "R", R, m, positive=True)
    balanced, (units, _) = matrix_balance(A, permute=False, separate=True)  # of the states: powers of two
    T = np.asarray(units, dtype=np.float64)
    A = np.asarray(balanced, dtype=np.float64)
    B, Q = B / T[:, None], Q * np.outer(T, T)
    _check_stabilisable(words, A, B, running)
    try:
        P = _riccati(A, B, Q, R, running)
        W, y = (R, B.T @ P) if running else (R + B.T @ P @ B, B.T @ P @ A)
        K = np.linalg.solve(W, y)  # (3), (5)
        poles = np.linalg.eigvals(A - B @ K).astype(complex)
    except (np.linalg.LinAlgError, ValueError) as error:
        raise ModelError(f"{who}: no stabilising solution: {error}{_hint(A, Q, running)}") from None
    if running and poles.real.max() >= 0:
        raise ModelError(
            f"{who}: the closed loop has a pole with the real part {poles.real.max():.6g}, not below 0"
            f"{_hint(A, Q, running)}"
        )
    if not running and np.abs(poles).max() >= 1:
        raise ModelError(
            f"{who}: the closed loop has a pole of size {np.abs(poles).max():.6g}, not below 1"
            f"{_hint(A, Q, running)}"
        )
    return K / T, P / np.outer(T, T), poles


def _riccati(A: Array, B: Array, Q: Array, R: Array, continuous: bool) -> Array:
    """Solve (2) or (5), with P and the time in units in which the numbers are of one size."""
    from scipy.linalg import solve_continuous_are, solve_discrete_are

    G = np.linalg.solve(np.linalg.cholesky(R), B.T).T  # with inputs of the weight 1
    unit = _power_of_two(float(np.abs(Q).max()) / float(np.abs(G @ G.T).max() or 1.0)) or 1.0
    rate = (_power_of_two(float(np.abs(A).max()) ** 2) or 1.0) if continuous else 1.0
    solve = solve_continuous_are if continuous else solve_discrete_are
    return np.asarray(unit * solve(A / rate, np.sqrt(unit / rate) * G, Q / (unit * rate), np.eye(len(R))))


def _power_of_two(square: float) -> float:
    """Return the power of two next to the root of a number; 0 of 0."""
    return float(2.0 ** np.round(np.log2(square) / 2)) if 0 < square < np.inf else 0.0


def _weight(who: str, name: str, value: ArrayLike, n: int, positive: bool) -> Array:
    """Return a weight as a symmetric matrix."""
    W = checks.array(who, name, value, f"{n} numbers or a {n}x{n} matrix", (n,), (n, n))
    W = np.diag(W) if W.ndim == 1 else W
    size = float(np.abs(W).max())
    if np.abs(W - W.T).max() > 1e-9 * size:
        raise ModelError(f"{who}: {name} must be symmetric")
    sizes = np.sqrt(np.abs(np.diag(W))) if positive else np.full(n, np.sqrt(size))
    sizes[sizes == 0] = 1.0
    least = float(np.linalg.eigvalsh(W / np.outer(sizes, sizes))[0])
    if (positive and least <= 1e-15) or least < -1e-9:
        wanted = "positive definite" if positive else "without negative eigenvalues"
        least = float(np.linalg.eigvalsh(W)[0])
        raise ModelError(f"{who}: {name} must be {wanted}, its smallest eigenvalue is {least:.3g}")
    return W


def _lasting(A: Array, continuous: bool) -> Array:
    """Return the eigenvalues of the modes that do not decay."""
    values = np.linalg.eigvals(A)
    lasting = values.real >= -CIRCLE * np.abs(values).max() if continuous else np.abs(values) >= 1 - CIRCLE
    return np.asarray(values[lasting])


def _check_stabilisable(words: Words, A: Array, B: Array, continuous: bool) -> None:
    """Raise a ModelError if (4) does not hold."""
    largest = np.abs(B).max(axis=0, initial=0.0)
    sizes = largest * np.linalg.norm(B / np.where(largest > 0, largest, 1.0), axis=0)  # does not overflow
    B = B / np.where(sizes > 0, sizes, 1.0) * (np.abs(A).max() or 1.0)  # inputs have units of their own
    for value in _lasting(A, continuous):
        singular = np.linalg.svd(np.hstack([value * np.eye(len(A)) - A, B]), compute_uv=False)
        if singular[-1] <= RANK * singular[0]:
            raise ModelError(
                f"{words.who}: the mode with the eigenvalue {value:.6g} does not decay and {words.unseen}"
            )


def _hint(A: Array, Q: Array, continuous: bool) -> str:
    """Return a hint if a mode that does not decay has no weight in Q."""
    Q = Q * ((np.abs(A).max() or 1.0) / (np.abs(Q).max() or 1.0))
    for value in _lasting(A, continuous):
        singular = np.linalg.svd(np.vstack([value * np.eye(len(A)) - A, Q]), compute_uv=False)
        if singular[-1] <= RANK * singular[0]:
            return f" (the mode with the eigenvalue {value:.6g} has no weight in Q)"
    return ""


class Regulator:
    """Linear feedback u - K x as the function of a `Controller`.

    x is the deviation of the state from the target in tangent coordinates (`ps.dynamics.difference`).

    Parameters
    ----------
    mechanism : the mechanism
    gain : gain K, such as `ps.control.lqr(...).gain` (nu, n)
    target : state to keep
    u : input at the target [N or N m] (nu,).  Default: zero.
    states : coordinates that the columns of K belong to, such as `lin.states`.  Default: all.

    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> regulator = ps.control.Regulator(m, [[3.0, 1.0]], m.state())
    >>> regulator.force(m.state({"cart": dict(displacement=0.1)}))
    array([-0.3])
    >>> controller = ps.Controller(regulator, period=0.02, inputs=["cart"])
    """

    def __init__(
        self,
        mechanism: Mechanism,
        gain: ArrayLike,
        target: State,
        *,
        u: ArrayLike | None = None,
        states: Sequence[str] | None = None,
    ) -> None:
        check_state(mechanism, target)
        known = names(mechanism)
        given = known if states is None else checks.items("regulator", "states", states, "a list of names")
        wanted = tuple(given)
        for name in wanted:
            if not isinstance(name, str) or name not in known:
                raise ModelError(
                    f"regulator: unknown coordinate {checks.show(name)}{suggestion(name, known)}"
                )
        self.mechanism = mechanism.snapshot()
        self.gain = checks.array(
            "regulator", "gain", gain, f"a matrix with {len(wanted)} columns", (None, len(wanted))
        )
        self.target, self.states = target, wanted
        self.columns = [known.index(name) for name in wanted]
        self.u = checks.numbers(
            "regulator", "u", np.zeros(len(self.gain)) if u is None else u, len(self.gain)
        )

    @property
    def identity(self) -> str:
        """Text that identifies the regulator: equal texts mean equal feedback (`model.identity`)."""
        numbers = self.gain, self.u, self.target.q, self.target.v
        return repr((self.states, [x.tobytes() for x in numbers]))

    def deviation(self, state: State) -> Array:
        """Return the deviation x of a state from the target, in the coordinates `states`."""
        return difference(self.mechanism, state, self.target)[self.columns]

    def force(self, state: State) -> Array:
        """Return the input u - K x at a state."""
        return np.asarray(self.u - product(self.gain, self.deviation(state)))

    def _law(self, rows: int, limits: Sequence[Array]) -> CompiledLaw:
        tree, nu = tree_for(self.mechanism), len(self.gain)
        gain = np.zeros((nu, 2 * tree.nv))
        gain[:, self.columns] = self.gain
        numbers = flat([self.target.q, self.target.v, self.u, gain, *limits])
        ints = np.array([0, rows], dtype=np.int64)
        return CompiledLaw(linear, tree, ints, numbers, nu, 1, 2 * tree.nv)

    def _compiled_law(self, mechanism: Mechanism, inputs: Sequence[Input]) -> CompiledLaw | None:
        """Return the compiled law for the time loop of a mechanism with these inputs, or None."""
        Z, b = polygon(mechanism, inputs)
        if len(self.gain) != Z.shape[1] or type(self) is not Regulator:
            return None  # a class of a user may answer otherwise
        return self._law(len(b), limit_numbers(mechanism, inputs, Z, b))

    def __call__(self, t: float, state: State, memory: Any) -> tuple[Array, Any]:
        return self.force(state), memory
