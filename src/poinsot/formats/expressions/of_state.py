"""Expressions of a state: the coordinates of joints and the motion of bodies, by name.

    ball.position[2] - 0.1          arm.angle - t / 2          hand.q[0] * elbow.rate

A name with a point stands for a quantity of a body; the rest is the language of `grammar`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.formats.expressions.formula import Formula, FormulaError, function_of
from poinsot.model.checks import show, suggestion
from poinsot.model.kinematics import Motion, motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

DOTTED = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*\.\s*([A-Za-z_]\w*)")
OF_BODY = {"position": (3,), "velocity": (3,), "rotation": (3, 3), "angular_velocity": (3,)}
JOIN = "__"  # in place of the point: a name for the formula
Shape = tuple[int, ...]
Getter = Callable[[State], Any]


class Bodies:
    """The motion of all bodies at a state, computed once for all expressions that read it."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.state: State | None = None
        self.motions: dict[str, Motion] = {}

    def get(self, body: str, quantity: str, state: State) -> Any:
        """Return a quantity of a body as numbers or lists."""
        if state is not self.state:
            self.state, self.motions = state, motions(self.mechanism, state.q[None], state.v[None])
        return getattr(self.motions[body], quantity)[0].tolist()


class StateExpressionError(ScenarioError):
    """What is wrong with an expression of a state: `reason`, at which character."""

    def __init__(self, who: str, reason: str, at: int) -> None:
        super().__init__(f"{who}: {reason}")
        self.reason, self.at = reason, at


def state_function(
    text: str, bodies: Bodies, who: str, parameters: Mapping[str, float] | None = None
) -> Callable[[float, State], float]:
    """Return an expression as a function of time and state.

    A StateExpressionError says what is wrong with it.
    """
    getters: dict[str, Getter] = {}
    sizes: dict[str, Shape] = {"t": ()}
    longer: list[tuple[int, int]] = []  # where the text for the formula is longer, and by how much

    def replaced(match: "re.Match[str]") -> str:
        body, quantity = match.groups()
        name = f"{body}{JOIN}{quantity}"
        if name not in getters:
            sizes[name], getters[name] = _quantity(bodies, match, who)
        longer.append((match.start() + sum(more for _, more in longer), len(name) - len(match[0])))
        return name

    plain = DOTTED.sub(replaced, text)
    words = set(re.findall(r"[A-Za-z_]\w*", plain))
    used = {name: x for name, x in (parameters or {}).items() if name in words}
    try:
        function = function_of(Formula((plain,), parameters=used), sizes)
    except FormulaError as error:
        message = str(error).replace(JOIN, ".")
        names = ", ".join(bodies.mechanism.names[:5])
        more = f"; write body.quantity, with a body such as {names}" if "unknown name" in message else ""
        at = error.at - sum(more for place, more in longer if place < error.at)
        raise StateExpressionError(f"{who}: {show(text)}", f"{message}{more}", at) from None
    parts = tuple(getters.values())

    def evaluate(t: float, state: State) -> float:
        return float(function(t, *(part(state) for part in parts)))

    evaluate.words = set(used)  # type: ignore[attr-defined] # parameters that it needs
    known = (text, sorted(sizes.items()), *([sorted(used.items())] if used else []))
    evaluate.identity = repr(known)  # type: ignore[attr-defined] # for archives
    return evaluate


def joint_place(mechanism: Mechanism, body: str, quantity: str) -> tuple[str, slice] | None:
    """Return where a coordinate of a joint is, "q" or "v" and its places; None if it has none of this name.

    A rotation has no such place: it is three numbers of a tangent, and four of a quaternion.
    """
    joint = mechanism.link(body).joint
    q, v = mechanism.slices(body)
    if quantity in ("q", "v"):
        return quantity, q if quantity == "q" else v
    for names, which, place in ((joint.coordinates, "q", q), (joint.velocities, "v", v)):
        if which == "q" and joint.quaternion is not None:
            continue
        begin = place.start
        for name in names:
            n = joint.sizes.get(name, 1)
            if name == quantity:
                return which, slice(begin, begin + n)
            begin += n
    return None


def _quantity(bodies: Bodies, match: "re.Match[str]", who: str) -> tuple[Shape, Getter]:
    """Return the shape of a quantity of a body, and the function that gives it."""
    mechanism, (body, quantity) = bodies.mechanism, match.groups()
    if body not in mechanism.names:
        reason = f"unknown body '{body}'{suggestion(body, mechanism.names)}"
        raise StateExpressionError(who, reason, match.start(1))
    if quantity in OF_BODY:
        return OF_BODY[quantity], lambda state: bodies.get(body, quantity, state)
    found = joint_place(mechanism, body, quantity)
    if found is None:
        hint = unknown_hint(mechanism, body, quantity, OF_BODY)
        raise StateExpressionError(who, f"unknown quantity '{body}.{quantity}'{hint}", match.start(2))
    return _part(*found, whole=quantity in ("q", "v"))


def unknown_hint(mechanism: Mechanism, body: str, quantity: str, others: Iterable[str]) -> str:
    """Return a suggestion for a quantity of a body that there is not, or the list of those that there are."""
    joint = mechanism.link(body).joint
    known = list(dict.fromkeys([*others, "q", "v", *joint.coordinates, *joint.velocities]))
    return suggestion(quantity, known) or f": one of {', '.join(known)}"


def _part(which: str, place: slice, whole: bool = False) -> tuple[Shape, Getter]:
    """Return shape and getter of a part of q or v: a list, or a number if it has one and is not `whole`."""
    n = place.stop - place.start
    if n == 1 and not whole:
        return (), lambda state: float(getattr(state, which)[place.start])
    return (n,), lambda state: getattr(state, which)[place].tolist()
