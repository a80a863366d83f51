"""Tracking in joint coordinates: computed torque and joint PD (for joints with plain coordinates).

    e = q - q_R,     B u = M (a_R - L1 e' - L0 e) + f                                              (1)
                     B u = M a_R + C v_R + g - D e' - K e                                          (2)

C is the Levi-Civita matrix of the mass matrix: dM/dt - 2 C is skew.  Both laws need as many independent
inputs as velocities; neither depends on the coordinates in a natural way, as the templates do.
"""

import hashlib
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from poinsot.compile.functions.laws.compiled_law import CompiledLaw
from poinsot.compile.functions.laws.joint_law import LAWS, joint_law
from poinsot.control.inputs.polygon import polygon
from poinsot.control.laws.compiled_plant import with_plant
from poinsot.control.laws.continuous import checked_horizon, continuous
from poinsot.control.laws.sampled_law import SampledLaw
from poinsot.control.matrices import Vee, connection, moments
from poinsot.control.plant import Plant
from poinsot.control.references.checked import Reference, reference_at
from poinsot.control.references.motions import joint_motion
from poinsot.control.templates.pair import Pair
from poinsot.core.jit import COMPILED
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Controller, Inputs, actuators, hold_forces
from poinsot.model.feedback import Feedback
from poinsot.model.identity import digest_of_callable
from poinsot.model.inputs.feedback import input_matrix
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

SYMMETRIC = 1e-9  # relative: asymmetry of a gain
REGULAR = 1e12  # largest condition of the input matrix


def coriolis_matrix(plant: Plant, state: State) -> Array:
    """Return C of equation (2): sum over the bodies of J^T (M J' + C(v) J)."""
    m = plant.mechanism
    moving = plant.moving(state, m.names)
    C = np.zeros((plant.nv, plant.nv))
    for link in m.links:
        body, x = link.body, moving[link.name]
        M = Vee(moments(body.mass, body.center_of_mass, body.inertia))
        C += x.J.T @ (M @ x.Jd + connection(M, x.J @ state.v) @ x.J)
    return C


class _JointLaw(ABC):
    """What both laws share: the error, the input matrix, and what they depend on."""

    def __init__(
        self, who: str, m: Mechanism, reference: Reference, inputs: Inputs, gains: dict[str, ArrayLike]
    ) -> None:
        joint_motion(checks.mechanism(who, m), lambda t: np.zeros((3, m.lengths[1])))  # checks the joints
        if not callable(reference):
            raise ModelError(f"{who}: reference must be a function of the time, got {checks.show(reference)}")
        self.__name__, self.reference, self.plant = who, reference, Plant(m)
        self.inputs = actuators(inputs, who)
        hold_forces(m, self.inputs)
        n = self.plant.nv
        self.gains = []
        for name, value in gains.items():
            found = checks.array(who, name, value, f"a number, {n} numbers or a matrix", (), (n,), (n, n))
            gain = found if found.ndim == 2 else np.diag(np.broadcast_to(found, (n,)))
            slack = SYMMETRIC * np.abs(gain).max(initial=0.0)
            if np.abs(gain - gain.T).max(initial=0.0) > slack or np.linalg.eigvalsh(gain)[0] < -slack:
                raise ModelError(
                    f"{who}: {name} must be symmetric and not negative, got {checks.show(value)}"
                )
            self.gains.append(gain)

    def _error(self, t: float, state: State) -> tuple[State, Array, Array, Array]:
        there, a = reference_at(self.plant.mechanism, self.reference, t)
        return there, a, state.q - there.q, state.v - there.v

    def _solved(self, state: State, tau: Array) -> Array:
        B = input_matrix(self.plant.mechanism, self.inputs, state.q)
        n, k = B.shape
        singular = np.linalg.svd(B, compute_uv=False)
        condition = singular[0] / singular[-1] if singular[-1] > 0 else np.inf
        if n != k or condition > REGULAR:
            rank = int((singular > singular[0] / REGULAR).sum())
            raise ModelError(
                f"{self.__name__}: the input matrix {n}x{k} must be square and regular, its rank is {rank} "
                f"and its condition {condition:.3g}"
            )
        return np.asarray(np.linalg.solve(B, tau), dtype=np.float64)

    @property
    def identity(self) -> str:
        """Digest of all that the law depends on."""
        gains = [gain.tobytes() for gain in self.gains]
        what = self.__name__, self.plant.identity, gains, digest_of_callable(self.reference), self.inputs
        return hashlib.sha256(repr(what).encode()).hexdigest()[:16]

    def compiled(self) -> CompiledLaw:
        """Return the compiled law (`compile.functions.joint_law`)."""
        m, n = self.plant.mechanism, self.plant.nv
        if not COMPILED:
            raise ModelError(f"{self.__name__}: nothing is compiled where Numba is switched off")
        kind = LAWS.index(self.__name__)
        bodies = [(link.name, link.body) for link in m.links] if kind else []
        own = [
            Pair(name, inertia=moments(body.mass, body.center_of_mass, body.inertia)) for name, body in bodies
        ]
        facts = {"kind": kind, "own": 0, "seen": 0, "width": 1 + 3 * n}
        limits = polygon(m, self.inputs)
        return with_plant(joint_law, self.plant, self.inputs, own, limits, more=self.gains, **facts)

    def node(self, t: float) -> Array:
        """Return a time, and q, v and dv/dt of the reference there."""
        there, a = reference_at(self.plant.mechanism, self.reference, t)
        return np.concatenate([[t], there.q, there.v, a])

    @abstractmethod
    def __call__(self, t: float, state: State) -> Array:
        """Inputs at a state."""


class _ComputedTorque(_JointLaw):
    def __call__(self, t: float, state: State) -> Array:
        _, a, e, ed = self._error(t, state)
        L0, L1 = self.gains
        M, f = self.plant.mass(state), self.plant.bias(state)
        return self._solved(state, M @ (a - L1 @ ed - L0 @ e) + f)  # (1)


class _JointPD(_JointLaw):
    def __call__(self, t: float, state: State) -> Array:
        there, a, e, ed = self._error(t, state)
        K, D = self.gains
        M, C = self.plant.mass(state), coriolis_matrix(self.plant, state)
        rest = self.plant.bias(state) - C @ state.v  # gravity and forces
        return self._solved(state, M @ a + C @ there.v + rest - D @ ed - K @ e)  # (2)


def _controller(law: _JointLaw, period: float | None, horizon: float | None) -> Controller | Feedback:
    if period is None:
        return continuous(law, law.inputs, horizon, groups=1)
    return Controller(SampledLaw(law, checked_horizon(law.__name__, horizon)), period, law.inputs)


def computed_torque(
    m: Mechanism,
    reference: Reference,
    inputs: Inputs,
    stiffness: ArrayLike,
    damping: ArrayLike,
    period: float | None = None,
    *,
    horizon: float | None = None,
) -> Controller | Feedback:
    """Return a controller by computed torque: the error obeys e'' + L1 e' + L0 e = 0 in joint coordinates.

    Parameters
    ----------
    m : Mechanism
        The mechanism; its joints have plain coordinates.
    reference : callable
        `reference(t)` returns (state, acceleration), such as of `joint_motion`.
    inputs : iterable of str, Actuator, Thrust, TiltRotor, ReactionWheel or WrenchInput
        The inputs: as many as velocities.
    stiffness, damping : array_like, shape (), (nv,) or (nv, nv)
        L0 in 1/s² and L1 in 1/s; matrices are symmetric.
    period : float, optional
        Sample time in seconds.  Default: the law acts continuously.
    horizon : float, optional
        Compile the law, with the reference in a table up to this time in seconds, as of `track`.

    Returns
    -------
    Controller or Feedback
        For `simulate(controller=...)`.

    Raises
    ------
    ModelError
        If a joint has no plain coordinates, or a gain is negative; in a run, if the input matrix is not
        square and regular, or the reference is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> law = ps.control.computed_torque(m, ps.control.constant(m.state()), ["arm"], 9.0, 6.0)
    >>> run = ps.simulate(m, m.state({"arm": dict(angle=1.0)}), "rk4", step=0.01, until=5.0, controller=law)
    >>> bool(abs(run.final.q[0]) < 1e-5)
    True
    """
    gains = {"stiffness": stiffness, "damping": damping}
    return _controller(_ComputedTorque("computed_torque", m, reference, inputs, gains), period, horizon)


def joint_pd(
    m: Mechanism,
    reference: Reference,
    inputs: Inputs,
    stiffness: ArrayLike,
    damping: ArrayLike,
    period: float | None = None,
    *,
    horizon: float | None = None,
) -> Controller | Feedback:
    """Return a joint PD controller with the forces of the reference.

    Parameters
    ----------
    m : Mechanism
        The mechanism; its joints have plain coordinates.
    reference : callable
        `reference(t)` returns (state, acceleration), such as of `joint_motion`.
    inputs : iterable of str, Actuator, Thrust, TiltRotor, ReactionWheel or WrenchInput
        The inputs: as many as velocities.
    stiffness, damping : array_like, shape (), (nv,) or (nv, nv)
        K in N/m or N m, and D in kg/s or N m s; matrices are symmetric.
    period : float, optional
        Sample time in seconds.  Default: the law acts continuously.
    horizon : float, optional
        Compile the law, with the reference in a table up to this time in seconds, as of `track`.

    Returns
    -------
    Controller or Feedback
        For `simulate(controller=...)`.

    Raises
    ------
    ModelError
        If a joint has no plain coordinates, or a gain is negative; in a run, if the input matrix is not
        square and regular, or the reference is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> law = ps.control.joint_pd(m, ps.control.constant(m.state()), ["arm"], 9.0, 6.0)
    >>> law.function(0.0, m.state({"arm": dict(angle=1.0)})).round(6)
    array([-9.])
    """
    gains = {"stiffness": stiffness, "damping": damping}
    return _controller(_JointPD("joint_pd", m, reference, inputs, gains), period, horizon)
