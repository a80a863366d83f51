"""Templates: the wanted behaviour of a mechanism about a reference, M_ dv/dt + f_ = 0 (Konz)."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.control.plant import Plant
from poinsot.control.templates import kinds
from poinsot.control.templates.motion_error import errors, potential
from poinsot.control.templates.pair import Pair, check_pair
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State

KINDS = ("particle", "body", "energy", "energy2")


class TemplateAt(NamedTuple):
    """A template at a state: it wants M dv/dt + f = 0.

    Attributes
    ----------
    M : ndarray, shape (nv, nv)
        Mass matrix of the template.
    f : ndarray, shape (nv,)
        Forces of the template on the left side.
    potential : float
        Error potential V in J.
    energy : float
        V + T, with the kinetic energy T of the error, in J.
    dissipation : float
        Twice the dissipation function, in W: the rate at which the energy falls where it is a Lyapunov
        function.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> spring, mass = (8, (0, 0, 0), (0, 0, 0)), (1.5, (0, 0, 0), (0, 0, 0))
    >>> pair = ps.control.Pair("cart", inertia=mass, stiffness=spring)
    >>> wanted = ps.control.Template("particle", [pair])
    >>> wanted.at(m, m.state({"cart": dict(displacement=0.5)}), m.state(), [0.0]).f
    array([4.])
    """

    M: Array
    f: Array
    potential: float
    energy: float
    dissipation: float


class Template:
    """The wanted behaviour of a mechanism about a reference: own inertia, damping and stiffness.

    Four laws measure the error of a motion.  They agree for a constant reference.

    - "particle": in space; the usual choice for vehicles with fewer inputs than freedoms.
    - "body": in the moving frame of the body; autonomous for one body.
    - "energy": the reference velocity is transported with the pose; its energy never grows.
    - "energy2": the same, transported with the attitude about the centre of stiffness; the usual choice for
    a body with
      six inputs.

    Parameters
    ----------
    kind : {"particle", "body", "energy", "energy2"}
        The law.
    pairs : iterable of Pair
        Inertia, damping and stiffness between bodies.

    Raises
    ------
    ModelError
        If the kind is unknown, or there is no pair.

    Examples
    --------
    >>> import poinsot as ps
    >>> pair = ps.control.Pair("cart", inertia=(1.5, (0, 0, 0), (0, 0, 0)))
    >>> ps.control.Template("body", [pair])
    Template('body', 1 pair)
    """

    def __init__(self, kind: str, pairs: Iterable[Pair]) -> None:
        self.kind = checks.choice("template", "kind", kind, KINDS)
        given = checks.items("template", "pairs", pairs, "a list of pairs")
        for pair in given:
            if not isinstance(pair, Pair):
                raise ModelError(f"template: expected a ps.control.Pair, got {show(pair)}")
        if not given:
            raise ModelError("template: pairs is empty, give at least one ps.control.Pair")
        self.pairs: tuple[Pair, ...] = tuple(given)

    def at(self, m: Mechanism, state: State, reference: State, acceleration: ArrayLike) -> TemplateAt:
        """Return the template at a state.

        Parameters
        ----------
        m : Mechanism
            The mechanism.
        state : State
            The state.
        reference : State
            State of the reference motion.
        acceleration : array_like, shape (nv,)
            Rate of `reference.v`.

        Returns
        -------
        TemplateAt
            `M`, `f`, `potential`, `energy` and `dissipation`, in the order of `state.v`.

        Raises
        ------
        ModelError
            If the states do not fit the mechanism, a body is unknown, or there is no transport map (see
            "energy").
        """
        checks.mechanism("template", m)
        for one in (state, reference):
            check_state(m, one)
        for pair in self.pairs:
            check_pair(pair, m)
        rate = checks.vector("template", "acceleration", acceleration, m.lengths[1])
        return self._at(Plant(m), state, reference, np.array(rate))

    def _at(self, plant: Plant, state: State, reference: State, acceleration: Array) -> TemplateAt:
        """Return the template on a compiled mechanism."""
        found = errors(plant, self.pairs, state, reference, acceleration)
        parts = [potential(x) for x in found]
        V = sum(part[0] for part in parts)
        rest = kinds.forces(self.kind, found, state.v, reference.v, acceleration)
        f = rest.f + sum(part[1] for part in parts)
        return TemplateAt(kinds.inertia(found), f, V, V + rest.kinetic, rest.dissipation)

    def __repr__(self) -> str:
        count = len(self.pairs)
        return f"Template({self.kind!r}, {count} pair{'s' if count > 1 else ''})"
