"""Tracking in joint coordinates: computed torque and joint PD (for joints with plain coordinates).

    e = q - q_R,     B u = M (a_R - L1 e' - L0 e) + f                                              (1)
                     B u = M a_R + C v_R + g - D e' - K e                                          (2)

C is the Levi-Civita matrix of the mass matrix: dM/dt - 2 C is skew.  Both laws need as many independent
inputs as velocities; neither depends on the coordinates in a natural way, as the templates do.
"""

import hashlib
from functools import cached_property

import numpy as np

from poinsot.compile.laws import CompiledLaw, LawCall, Q, limit_numbers
from poinsot.control.actuators import polygon
from poinsot.control.law import ReferenceLaw, controller_of, natural_rates
from poinsot.control.plant import Plant, with_plant
from poinsot.control.references.motions import Reference, joint_motion
from poinsot.control.templates import Pair, moments
from poinsot.core.control.joint_space import LAWS, joint_space
from poinsot.core.control.least_constraint import REGULAR
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Controller, Inputs, actuators, hold_inputs
from poinsot.model.feedback import Feedback
from poinsot.model.forces.drive import Drive
from poinsot.model.identity import digest_of_callable
from poinsot.model.inputs.feedback import input_matrix
from poinsot.model.mechanism import Mechanism

SYMMETRIC = 1e-9  # relative: asymmetry of a gain


class JointLaw(ReferenceLaw):
    """Computed torque or joint PD; `name` is that of its function."""

    groups = 1

    def __init__(
        self,
        name: str,
        mechanism: Mechanism,
        reference: Reference,
        inputs: Inputs,
        gains: dict[str, ArrayLike],
    ) -> None:
        joint_motion(
            checks.mechanism(name, mechanism), lambda t: np.zeros((3, mechanism.lengths[1]))
        )  # checks the joints
        drives = [force for force in mechanism.forces if isinstance(force, Drive)]
        for label in (*(one.label for one in mechanism.loops), *(one.label for one in drives)):
            raise ModelError(
                f"{name}: joints are not independent, there is {label}: use ps.control.track, which "
                "heeds loops and driven joints"
            )
        if not callable(reference):
            raise ModelError(
                f"{name}: reference must be a function of the time, got {checks.show(reference)}"
            )
        self.__name__, self.reference, self.plant = name, reference, Plant(mechanism)
        self.inputs = actuators(inputs, name)
        hold_inputs(mechanism, self.inputs)
        n = self.plant.nv
        self.gains, self.blocks = [], tuple(slice(i, i + 1) for i in range(n))
        for what, value in gains.items():
            found = checks.array(name, what, value, f"a number, {n} numbers or a matrix", (), (n,), (n, n))
            gain = found if found.ndim == 2 else np.diag(np.broadcast_to(found, (n,)))
            slack = SYMMETRIC * np.abs(gain).max(initial=0.0)
            if np.abs(gain - gain.T).max(initial=0.0) > slack or np.linalg.eigvalsh(gain)[0] < -slack:
                raise ModelError(
                    f"{name}: {what} must be symmetric and not negative, got {checks.show(value)}"
                )
            self.gains.append(gain)

    @property
    def identity(self) -> str:
        """Digest of all that the law depends on."""
        gains = [gain.tobytes() for gain in self.gains]
        what = self.__name__, self.plant.identity, gains, digest_of_callable(self.reference), self.inputs
        return hashlib.sha256(repr(what).encode()).hexdigest()[:16]

    @cached_property
    def rates(self) -> tuple[float, float]:
        """The smallest and the largest rate of the error."""
        K, D = self.gains
        own = self.__name__ == "computed_torque"
        return natural_rates(np.eye(len(K)) if own else self.plant.mass(self.reference_at(0.0)[0]), D, K)

    @cached_property
    def compiled(self) -> CompiledLaw:
        """The compiled law with its data."""
        m, n, kind = self.plant.mechanism, self.plant.nv, LAWS.index(self.__name__)
        bodies = [(link.name, link.body) for link in m.links] if kind else []
        own = [
            Pair(name, inertia=moments(body.mass, body.center_of_mass, body.inertia)) for name, body in bodies
        ]
        Z, b = polygon(m, self.inputs)
        limits, facts = (len(b), limit_numbers(m, self.inputs, Z, b)), (kind, 0, 0)
        return with_plant(
            joint_space, self.plant, self.inputs, own, limits, facts=facts, width=1 + 3 * n, more=self.gains
        )

    def sample(self, t: float) -> Array:
        """Return a time, and q, v and dv/dt of the reference there."""
        there, a = self.reference_at(t)
        return np.concatenate([[t], there.q, there.v, a])

    def _fault(self, status: int, call: LawCall) -> ModelError:
        q = np.array(call.call.arguments[Q])
        B = input_matrix(self.plant.mechanism, self.inputs, q)
        n, k = B.shape
        singular = np.linalg.svd(B, compute_uv=False)
        condition = singular[0] / singular[-1] if singular[-1] > 0 else np.inf
        rank = int((singular > REGULAR * singular[0]).sum())
        return ModelError(
            f"{self.__name__}: the input matrix {n}x{k} must be square and regular, its rank is {rank} "
            f"and its condition {condition:.3g}"
        )


def computed_torque(
    mechanism: Mechanism,
    reference: Reference,
    inputs: Inputs,
    stiffness: ArrayLike,
    damping: ArrayLike,
    *,
    period: float | None = None,
    horizon: float | None = None,
) -> Controller | Feedback:
    """Return a controller by computed torque: the error obeys e'' + L1 e' + L0 e = 0 in joint coordinates.

    Parameters
    ----------
    mechanism : the mechanism, without loops and driven joints; its joints have plain coordinates
    reference : `reference(t)` returns (state, acceleration), such as of `joint_motion`
    inputs : the inputs: as many as velocities
    stiffness, damping : l0 [1/s²] and L1 [1/s]; matrices are symmetric
    period : sample time [s].  Default: the law acts continuously.
    horizon : compile the law, with the reference in a table up to this time [s], as of `track`

    Raises
    ------
    ModelError
        If a joint has no plain coordinates, or a gain is negative; in a run, if the input matrix is not
        square and regular, or the reference is wrong.

    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> law = ps.control.computed_torque(m, ps.control.references.constant(m.state()), ["arm"], 9.0, 6.0)
    >>> run = ps.simulate(m, m.state({"arm": dict(angle=1.0)}), "rk4", step=0.01, until=5.0, controller=law)
    >>> bool(abs(run.final.q[0]) < 1e-5)
    True
    """
    gains = {"stiffness": stiffness, "damping": damping}
    return controller_of(JointLaw("computed_torque", mechanism, reference, inputs, gains), period, horizon)


def joint_pd(
    mechanism: Mechanism,
    reference: Reference,
    inputs: Inputs,
    stiffness: ArrayLike,
    damping: ArrayLike,
    *,
    period: float | None = None,
    horizon: float | None = None,
) -> Controller | Feedback:
    """Return a joint PD controller with the forces of the reference.

    Parameters
    ----------
    mechanism : the mechanism, without loops and driven joints; its joints have plain coordinates
    reference : `reference(t)` returns (state, acceleration), such as of `joint_motion`
    inputs : the inputs: as many as velocities
    stiffness, damping : K [N/m] or N m, and D in kg/s or N m s; matrices are symmetric
    period : sample time [s].  Default: the law acts continuously.
    horizon : compile the law, with the reference in a table up to this time [s], as of `track`

    Raises
    ------
    ModelError
        If a joint has no plain coordinates, or a gain is negative; in a run, if the input matrix is not
        square and regular, or the reference is wrong.

    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> law = ps.control.joint_pd(m, ps.control.references.constant(m.state()), ["arm"], 9.0, 6.0)
    >>> law.function(0.0, m.state({"arm": dict(angle=1.0)})).round(6)
    array([-9.])
    """
    gains = {"stiffness": stiffness, "damping": damping}
    return controller_of(JointLaw("joint_pd", mechanism, reference, inputs, gains), period, horizon)
