"""A pair of bodies between which a template has inertia, damping and stiffness.

Templates: the wanted behavior of a mechanism about a reference, M_ dv/dt + f_ = 0 (Konz).
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from poinsot.control.plant import Moving, Plant, no_limits, pose_derivatives, relative, with_plant
from poinsot.core.control.pairs import KINDS
from poinsot.core.control.records import DECIDED, NO_MAP, SAMPLE, Law, work_places
from poinsot.core.control.tracking import template
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.problem import check_state
from poinsot.model.rotations import Vee
from poinsot.model.state import State

SYMMETRIC = 1e-9  # largest asymmetry of a matrix, relative to its largest element


def moments(total: float, center: Array, about_center: Array) -> Array:
    """Return the 4x4 matrix of moments P = sum m (h, 1)(h, 1)^T of a total with moments T about its center.

    P = [[tr(T0)/2 1 - T0, m c], [m c^T, m]],     T0 = T + m (c.c 1 - c c^T)                      (1)
    """
    about_origin = about_center + total * (center @ center * np.eye(3) - np.outer(center, center))
    P = np.empty((4, 4))
    P[:3, :3] = np.trace(about_origin) / 2 * np.eye(3) - about_origin
    P[:3, 3] = P[3, :3] = total * center
    P[3, 3] = total
    return P


class Pair:
    """Inertia, damping and stiffness of a template between two bodies.

    Each of the three is a 4x4 matrix of moments in the frame of `body`, or (total, centre, moments about the
    centre), where the moments are three principal ones or a 3x3 matrix.

    Parameters
    ----------
    body : name of the body
    relative_to : name of the other body, relative to which the body is to move
    inertia, damping, stiffness : matrix (4, 4), or (total, centre, moments): kg, kg/s, N/m and kg m², N m s,
        N m.  Default: zero. Single pairs may have negative values, as long as the sum over all pairs is
        definite.

    Attributes
    ----------
    inertia, damping, stiffness : matrices of moments about the origin of the body frame (4, 4)

    >>> pair = ps.control.Pair("drone", inertia=(2.0, (0, 0, 0.1), (0.1, 0.1, 0.2)))
    >>> pair
    Pair('drone')
    >>> pair.inertia[3]
    array([0. , 0. , 0.2, 2. ])
    """

    def __init__(
        self,
        body: str,
        relative_to: str = WORLD,
        inertia: Any = None,
        damping: Any = None,
        stiffness: Any = None,
    ) -> None:
        self.body = checks.text("pair", "body", body)
        self.relative_to = checks.text(f"pair of '{body}'", "relative_to", relative_to)
        self.inertia = self._matrix("inertia", inertia)
        self.damping = self._matrix("damping", damping)
        self.stiffness = self._matrix("stiffness", stiffness)
        self.M, self.D, self.K = Vee(self.inertia), Vee(self.damping), Vee(self.stiffness)

    def __repr__(self) -> str:
        other = "" if self.relative_to == WORLD else f", relative_to={self.relative_to!r}"
        return f"Pair({self.body!r}{other})"

    @property
    def label(self) -> str:
        """Name of the pair for messages."""
        return f"pair of '{self.body}' and '{self.relative_to}'"

    @property
    def center(self) -> Array:
        """Centre of stiffness in the body frame; the origin where the total stiffness is zero."""
        k = self.stiffness[3, 3]
        return self.stiffness[:3, 3] / k if k != 0 else np.zeros(3)

    def _matrix(self, what: str, value: Any) -> Array:
        if value is None:
            return np.zeros((4, 4))
        if isinstance(value, list | tuple) and len(value) == 3:
            total = checks.number(self.label, f"total {what}", value[0])
            centre = checks.vector(self.label, f"centre of {what}", value[1])
            three = "3 moments or a 3x3 matrix"
            about = checks.array(self.label, f"moments of {what}", value[2], three, (3,), (3, 3))
            found = moments(total, centre, np.diag(about) if about.ndim == 1 else about)
        else:
            wanted = "a 4x4 matrix or (total, centre, moments)"
            found = np.array(checks.array(self.label, what, value, wanted, (4, 4)))
        with np.errstate(over="ignore", invalid="ignore"):
            off = float(np.abs(found - found.T).max())
            if not off <= SYMMETRIC * float(np.abs(found).max()):
                raise ModelError(f"{self.label}: {what} must be symmetric and finite, got {show(value)}")
        found.setflags(write=False)
        return found


def check_pair(pair: Pair, mechanism: Mechanism) -> None:
    """Raise a ModelError unless the mechanism has both bodies of a pair."""
    for name in (pair.body, pair.relative_to):
        if name != WORLD:
            mechanism.link(name, pair.label)
    if pair.body == WORLD or pair.body == pair.relative_to:
        raise ModelError(f"{pair.label}: a pair has two different bodies, the first one not the world")


class TemplateAt(NamedTuple):
    """A template at a state: it wants M dv/dt + f = 0.

    Attributes
    ----------
    M, f : mass matrix (nv, nv) of the template, and its forces (nv) on the left side
    potential : error potential V [J]
    energy : V + T, with the kinetic energy T of the error [J]
    dissipation : function [W]
    """

    M: Array
    f: Array
    potential: float
    energy: float
    dissipation: float


class Template:
    """The wanted behavior of a mechanism about a reference: own inertia, damping and stiffness.

    Four laws measure the error of a motion.  They agree for a constant reference.

    - "particle": in space; the usual choice for vehicles with fewer inputs than freedoms.
    - "body": in the moving frame of the body; autonomous for one body.
    - "energy": the reference velocity is transported with the pose; its energy never grows.
    - "energy2": the same, transported with the attitude about the center of stiffness; the usual choice for a
      body with six inputs.

    Parameters
    ----------
    kind : "particle", "body", "energy" or "energy2"
    pairs : inertia, damping and stiffness between bodies

    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> spring, mass = (8, (0, 0, 0), (0, 0, 0)), (1.5, (0, 0, 0), (0, 0, 0))
    >>> wanted = ps.control.Template("particle", [ps.control.Pair("cart", inertia=mass, stiffness=spring)])
    >>> wanted.at(m, m.state({"cart": dict(displacement=0.5)}), m.state(), [0.0]).f
    array([4.])
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

    @cached_property
    def _ordered(self) -> tuple[Pair, ...]:
        """The pairs, those with stiffness first."""
        return tuple(sorted(self.pairs, key=lambda pair: not pair.stiffness.any()))

    @property
    def _seen(self) -> int:
        """Number of pairs with stiffness, or of all if there is none."""
        return sum(bool(pair.stiffness.any()) for pair in self.pairs) or len(self.pairs)

    def at(self, mechanism: Mechanism, state: State, reference: State, acceleration: ArrayLike) -> TemplateAt:
        """Return the template at a `state` of a `mechanism`; `acceleration` is the rate of `reference.v`.

        Raises
        ------
        ModelError
            If a body is unknown, or there is no transport map (see "energy").
        """
        checks.mechanism("template", mechanism)
        for one in (state, reference):
            check_state(mechanism, one)
        for pair in self.pairs:
            check_pair(pair, mechanism)
        rate = checks.vector("template", "acceleration", acceleration, mechanism.lengths[1])
        return self._evaluate(Plant(mechanism), state, reference, np.array(rate))

    def _evaluate(self, plant: Plant, state: State, reference: State, acceleration: Array) -> TemplateAt:
        """Return the template on a compiled mechanism."""
        nv, facts = plant.nv, (KINDS.index(self.kind), len(self.pairs), self._seen)
        width = 1 + SAMPLE * len(self.pairs)
        law = with_plant(template, plant, [], self._ordered, (0, no_limits(0)), facts=facts, width=width)
        workspace, energies, at = np.zeros(law.size), np.zeros(3), work_places(nv, 0, 0)
        sample = template_samples(plant, self, state.time, reference, acceleration)
        data = Law(law.ints, law.numbers, workspace)
        q, v = np.array(state.q, dtype=float), np.array(state.v, dtype=float)
        status = int(template()(sample, q, v, energies, data, plant.tree.model()))
        if status != DECIDED:
            raise map_fault(self.kind, status)
        V, T, lost = energies.tolist()
        return TemplateAt(
            workspace[at.wanted_mass].reshape(nv, nv).copy(),
            workspace[at.wanted_force].copy(),
            V,
            V + T,
            lost,
        )

    def _matrices(self, plant: Plant, state: State) -> list[Array]:
        """Return inertia, damping and stiffness (nv, nv): sums of J^T Vee(.) J over the pairs."""
        J = [one.J for one in pair_motions(plant, self.pairs, state)]
        both = list(zip(J, self.pairs, strict=True))
        return [np.asarray(sum(j.T @ getattr(pair, what) @ j for j, pair in both)) for what in "MDK"]

    def __repr__(self) -> str:
        count = len(self.pairs)
        return f"Template({self.kind!r}, {count} pair{'s' if count > 1 else ''})"


def pair_motions(plant: Plant, pairs: Sequence[Pair], state: State) -> list[Moving]:
    """Return the motions of pairs at a state."""
    moving = plant.moving(state, [name for pair in pairs for name in (pair.relative_to, pair.body)])
    return [relative(moving[pair.relative_to], moving[pair.body], state.v) for pair in pairs]


def template_samples(plant: Plant, wanted: Template, t: float, state: State, rate: Array) -> Array:
    """Return the time, and the pose of each pair of a template with two derivatives, at a state."""
    found = [t]
    for x in pair_motions(plant, wanted._ordered, state):
        G, twist = x.G, x.J @ state.v
        found += pose_derivatives(G[:3, :3], G[:3, 3], twist, x.J @ rate + x.Jd @ state.v)
    return np.array(found)


def map_fault(kind: str, status: int) -> ModelError:
    """Return the error of a template without a transport map."""
    if status == NO_MAP:
        return ModelError(
            f"template '{kind}': no transport map is known for these pairs, whose errors depend on each "
            "other; take 'particle' or 'body'"
        )
    return ModelError(
        f"template '{kind}': the pairs with stiffness leave a velocity of the mechanism free, or stand "
        "at a singular position; take 'particle' or 'body', or add stiffness"
    )
