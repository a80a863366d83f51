"""Expressions of a state: the coordinates of joints and the motion of bodies, by name.

    ball.position[2] - 0.1          arm.angle - t / 2          hand.q[0] * elbow.rate

A name with a point stands for a quantity of a body; the rest is the language of `grammar`.
"""

import re
from collections.abc import Callable
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


def state_function(text: str, bodies: Bodies, who: str) -> Callable[[float, State], float]:
    """Return an expression as a function of time and state; a ScenarioError says what is wrong with it."""
    getters: dict[str, Getter] = {}
    sizes: dict[str, Shape] = {"t": ()}

    def replaced(match: "re.Match[str]") -> str:
        body, quantity = match.groups()
        name = f"{body}{JOIN}{quantity}"
        if name not in getters:
            sizes[name], getters[name] = _quantity(bodies, body, quantity, who)
        return name

    plain = DOTTED.sub(replaced, text)
    try:
        function = function_of(Formula((plain,)), sizes)
    except FormulaError as error:
        message = str(error).replace(JOIN, ".")
        names = ", ".join(bodies.mechanism.names[:5])
        more = f"; write body.quantity, with a body such as {names}" if "unknown name" in message else ""
        raise ScenarioError(f"{who}: {show(text)}: {message}{more}") from None
    parts = tuple(getters.values())

    def evaluate(t: float, state: State) -> float:
        return float(function(t, *(part(state) for part in parts)))

    evaluate.identity = repr((text, sorted(sizes.items())))  # type: ignore[attr-defined] # for archives
    return evaluate


def _quantity(bodies: Bodies, body: str, quantity: str, who: str) -> tuple[Shape, Getter]:
    """Return the shape of a quantity of a body, and the function that gives it."""
    mechanism = bodies.mechanism
    if body not in mechanism.names:
        raise ScenarioError(f"{who}: unknown body '{body}'{suggestion(body, mechanism.names)}")
    if quantity in OF_BODY:
        return OF_BODY[quantity], lambda state: bodies.get(body, quantity, state)
    joint = mechanism.link(body).joint
    q, v = mechanism.slices(body)
    if quantity in ("q", "v"):
        return _part(quantity, q if quantity == "q" else v, whole=True)
    for names, which, place in ((joint.coordinates, "q", q), (joint.velocities, "v", v)):
        begin = place.start
        for name in names:
            n = joint.sizes.get(name, 1)
            if name == quantity:
                return _part(which, slice(begin, begin + n))
            begin += n
    known = list(dict.fromkeys([*OF_BODY, "q", "v", *joint.coordinates, *joint.velocities]))
    hint = suggestion(quantity, known) or f": one of {', '.join(known)}"
    raise ScenarioError(f"{who}: unknown quantity '{body}.{quantity}'{hint}")


def _part(which: str, place: slice, whole: bool = False) -> tuple[Shape, Getter]:
    """Return shape and getter of a part of q or v: a list, or a number if it has one and is not `whole`."""
    n = place.stop - place.start
    if n == 1 and not whole:
        return (), lambda state: float(getattr(state, which)[place.start])
    return (n,), lambda state: getattr(state, which)[place].tolist()
