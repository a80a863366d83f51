"""Expressions of a state: the coordinates of joints and the motion of bodies, by name.

    ball.position[2] - 0.1          arm.angle - t / 2          hand.q[0] * elbow.rate

A name with a point stands for a quantity of a body; the rest is the language of `grammar`.  A name of a body
that is not a plain word stands in quotes, 'left-arm'.angle or "left-arm".angle; quotes in it are doubled.

A reset of an event sets quantities, each by an expression of the state before it:

    {"ball.speed": "-0.8 * ball.speed", "cart.v[0]": "cart.v[0] / 2", "ball.velocity[2]": "-ball.velocity[2]"}

Coordinates and velocities of joints are set as they are.  A body on a Free joint of the world has a position
p and a velocity u of its centre of mass in space and an angular velocity w in its axes; with R its attitude,
c its centre of mass and A the rotation of the joint frame,

    x += A^T dp,        v += R^T du - dw x c,        w += dw                                         (1)

change one of them and leave the others as they are.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from poinsot.elementary.linear import product
from poinsot.errors import ScenarioError
from poinsot.formats.expressions.formula import Formula, FormulaError, function_of, on_arrays
from poinsot.model.checks import Array, show, suggestion
from poinsot.model.forces.force import WORLD
from poinsot.model.joints import Free
from poinsot.model.kinematics import SampledMotion, motions
from poinsot.model.link import JointedBody
from poinsot.model.mechanism import Mechanism
from poinsot.model.part import Place, frame_motion, joint_places
from poinsot.model.rotations import apply, compose, inverse, matrix
from poinsot.model.state import State

BODY = r"""([A-Za-z_]\w*|'(?:[^']|'')+'|"(?:[^"]|"")+")"""
DOTTED = re.compile(rf"(?<![\w.]){BODY}\s*\.\s*([A-Za-z_]\w*)")
PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)  # what needs no quotes
OF_BODY = {"position": (3,), "velocity": (3,), "rotation": (3, 3), "angular_velocity": (3,)}
JOIN = "__"  # in place of the point: a name for the formula
Shape = tuple[int, ...]
Motions = Any  # the motion of each body and frame at many states: find(name)


class StateArrays(NamedTuple):
    """Many states: times (n,), coordinates (n, nq), velocities (n, nv)."""

    time: Array
    q: Array
    v: Array
    motions: Motions


class StatePart(NamedTuple):
    """A quantity of a body: its shape, its value at a state, and at many, with the states as last axis."""

    shape: Shape
    at: Callable[[State], Any]
    many: Callable[[StateArrays], Array]


TARGET = re.compile(rf"\s*{BODY}\s*\.\s*([A-Za-z_]\w*)\s*(?:\[\s*(\d{{1,3}})\s*\])?\s*")
OF_FREE = ("position", "velocity", "angular_velocity")
Put = Callable[[Array, Array, State, float], None]  # changes q and v; the state before, and the new value


class BodyStates:
    """The motion of all bodies at a state, computed once for all expressions that read it."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.state: State | None = None
        self.motions: dict[str, SampledMotion] = {}

    def get(self, body: str, quantity: str, state: State) -> Any:
        """Return a quantity of a body as numbers or lists."""
        if state is not self.state:
            self.state, self.motions = state, motions(self.mechanism, state.q[None], state.v[None])
        if body not in self.motions:
            on, *frame = self.mechanism.place(body)
            self.motions[body] = frame_motion(self.motions[on], *frame)
        return getattr(self.motions[body], quantity)[0].tolist()


class StateExpressionError(ScenarioError):
    """What is wrong with an expression of a state: `reason`, at which character."""

    def __init__(self, who: str, reason: str, at: int) -> None:
        super().__init__(f"{who}: {reason}")
        self.reason, self.at = reason, at


def state_function(
    text: str, bodies: BodyStates, who: str, parameters: Mapping[str, float] | None = None
) -> Callable[[float, State], float]:
    """Return an expression as a function of time and state.
    A StateExpressionError says what is wrong with it."""
    parts: dict[str, StatePart] = {}
    sizes: dict[str, Shape] = {"t": ()}
    longer: list[tuple[int, int]] = []  # where the text for the formula is longer, and by how much
    written: dict[str, str] = {}  # names of the formula as they are written

    def substitute(match: "re.Match[str]") -> str:
        body, quantity = unquote(match[1]), match[2]
        word = body if PLAIN.fullmatch(body) else f"{JOIN}{body.encode().hex()}"
        name = f"{word}{JOIN}{quantity}"
        written[name] = f"{match[1]}.{quantity}"
        if name not in parts:
            parts[name] = _quantity(bodies, match, who)
            sizes[name] = parts[name].shape
        longer.append((match.start() + sum(more for _, more in longer), len(name) - len(match[0])))
        return name

    plain = DOTTED.sub(substitute, text)
    words = set(re.findall(r"[A-Za-z_]\w*", plain))
    used = {name: x for name, x in (parameters or {}).items() if name in words}
    try:
        function = function_of(Formula((plain,), parameters=used), sizes)
    except FormulaError as error:
        message = reduce(lambda text, pair: text.replace(*pair), written.items(), str(error))
        names = ", ".join(map(quote, bodies.mechanism.names[:5]))
        more = f"; write body.quantity, with a body such as {names}" if "unknown name" in message else ""
        at = error.at - sum(more for place, more in longer if place < error.at)
        raise StateExpressionError(f"{who}: {show(text)}", f"{message}{more}", at) from None
    getters = tuple(part.at for part in parts.values())

    def evaluate(t: float, state: State) -> float:
        return float(function(t, *(get(state) for get in getters)))

    def many(states: StateArrays) -> Array:
        found = on_arrays(function)(states.time, *(part.many(states) for part in parts.values()))
        return found if np.ndim(found) else np.full(states.time.shape, float(found))

    evaluate.many = many  # type: ignore[attr-defined] # but for the last bits
    evaluate.words = set(used)  # type: ignore[attr-defined] # parameters that it needs
    known = (text, sorted(sizes.items()), *([sorted(used.items())] if used else []))
    evaluate.identity = repr(known)  # type: ignore[attr-defined] # for archives
    return evaluate


def joint_place(mechanism: Mechanism, body: str, quantity: str) -> Place | None:
    """Return where a coordinate of a joint is by its name, if it has a place of its own."""
    return joint_places(mechanism.link(body).joint, *mechanism.slices(body)).get(quantity)


def quote(name: str) -> str:
    """Return the name of a body as expressions have it: in quotes, if it is not a plain word."""
    return name if PLAIN.fullmatch(name) else "'" + name.replace("'", "''") + "'"


def unquote(text: str) -> str:
    """Return the name of a body that may stand in quotes, of which those inside are written twice."""
    mark = text[:1]
    if mark in ("'", '"') and text.endswith(mark) and len(text) > 2:
        return text[1:-1].replace(2 * mark, mark)
    return text


def _unknown_body(body: str, text: str, names: Iterable[str]) -> str:
    """Return what to say of a body that there is not: how to write one that needs quotes, or a suggestion."""
    odd = [name for name in names if not PLAIN.fullmatch(name) and name in text]
    hint = f": write {quote(odd[0])}, a name that is not a plain word needs quotes" if odd else ""
    return f"unknown body '{body}'{hint or suggestion(body, names)}"


def _quantity(bodies: BodyStates, match: "re.Match[str]", who: str) -> StatePart:
    """Return a quantity of a body by its name."""
    mechanism, body, quantity = bodies.mechanism, unquote(match[1]), match[2]
    known = [*mechanism.names, *mechanism.frame_names]
    if body not in known:
        reason = _unknown_body(body, match.string, known)
        raise StateExpressionError(who, reason, match.start(1))
    if quantity in OF_BODY:
        return StatePart(
            OF_BODY[quantity],
            lambda state: bodies.get(body, quantity, state),
            lambda states: np.moveaxis(getattr(states.motions.find(body), quantity), 0, -1),
        )
    if body not in mechanism.names:
        hint = suggestion(quantity, OF_BODY) or f": one of {', '.join(OF_BODY)}"
        raise StateExpressionError(who, f"a frame has no '{body}.{quantity}'{hint}", match.start(2))
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


def _part(which: str, place: slice, whole: bool = False) -> StatePart:
    """Return a part of q or v: a list, or a number if it has one and is not `whole`."""
    n, at = place.stop - place.start, place.start
    if n == 1 and not whole:
        return StatePart(
            (), lambda state: float(getattr(state, which)[at]), lambda states: getattr(states, which)[:, at]
        )
    return StatePart(
        (n,),
        lambda state: getattr(state, which)[place].tolist(),
        lambda states: getattr(states, which)[:, place].T,
    )


class ResetError(StateExpressionError):
    """What is wrong with a reset: in which entry, and whether in what it sets or in its expression."""

    def __init__(self, who: str, reason: str, at: int, target: str, in_target: bool) -> None:
        super().__init__(who, reason, at)
        self.target, self.in_target = target, in_target


def reset_function(
    reset: Mapping[str, Any], bodies: BodyStates, who: str, parameters: Mapping[str, float] | None = None
) -> Callable[[float, State], State]:
    """Return the function of a reset given as data; a ResetError says what is wrong with it."""
    puts, values, places = [], [], dict[object, str]()
    for target, text in reset.items():
        put, place = _target(target, bodies, who)
        if place in places:
            raise ResetError(
                f"{who}: reset", f"'{places[place]}' and '{target}' are the same", 0, target, True
            )
        places[place] = target
        try:
            function = state_function(text, bodies, f"{who}: reset of '{target}'", parameters)
        except StateExpressionError as error:
            owner = str(error).removesuffix(f": {error.reason}")
            raise ResetError(owner, error.reason, error.at, target, False) from None
        puts.append(put)
        values.append(function)

    def evaluate(t: float, state: State) -> State:
        new = [function(t, state) for function in values]
        q, v = state.q.copy(), state.v.copy()
        for put, x in zip(puts, new, strict=True):
            put(q, v, state, x)
        return State(state.time, q, v)

    evaluate.words = {word for function in values for word in function.words}  # type: ignore[attr-defined]
    evaluate.identity = repr(  # type: ignore[attr-defined] # for archives
        [(target, function.identity) for target, function in zip(reset, values, strict=True)]  # type: ignore[attr-defined]
    )
    return evaluate


def _target(target: str, bodies: BodyStates, who: str) -> tuple[Put, object]:
    """Return what puts a value into a state, and the place where it does."""
    mechanism = bodies.mechanism

    def wrong(reason: str) -> ResetError:
        return ResetError(f"{who}: reset", reason, 0, target, True)

    match = TARGET.fullmatch(target)
    if match is None:
        odd = [quote(name) for name in mechanism.names if name in target and not PLAIN.fullmatch(name)]
        raise wrong(
            f"'{target}' cannot be set: write {odd[0] if odd else 'body'}.quantity or body.quantity[i]"
        )
    body, quantity, index = unquote(match[1]), match[2], match[3]
    if body not in mechanism.names:
        raise wrong(_unknown_body(body, target, mechanism.names))
    link = mechanism.link(body)
    found = joint_place(mechanism, body, quantity)
    free = isinstance(link.joint, Free) and link.parent == WORLD
    if quantity in OF_FREE and free:
        found = quantity, slice(0, 3)
    elif quantity in OF_FREE and not (quantity == "angular_velocity" and found is not None):
        raise wrong(
            f"'{body}.{quantity}' cannot be set, because '{body}' is not on a Free joint of the world: "
            f"set {_settable(link)}"
        )
    if found is None:
        hint = unknown_hint(mechanism, body, quantity, OF_FREE if free else ())
        why = "a rotation cannot be set by parts" if quantity == "rotation" else f"unknown{hint}"
        raise wrong(f"'{body}.{quantity}': {why}")
    which, place = found
    n = place.stop - place.start
    if index is None and (n > 1 or quantity in ("q", "v")):
        raise wrong(f"'{body}.{quantity}' is a vector: set {body}.{quantity}[0]")
    if index is not None and n == 1 and quantity not in ("q", "v"):
        raise wrong(f"'{body}.{quantity}' is a number: set {body}.{quantity}")
    i = int(index or 0)
    if i >= n:
        raise wrong(f"'{body}.{quantity}' has indices from 0 to {n - 1}, got {i}")
    if quantity in OF_FREE and free:
        return _of_free(mechanism, link, quantity, i, bodies), (body, quantity, i)
    return _of_joint(which, place.start + i), (which, place.start + i)


def _settable(link: JointedBody) -> str:
    """Return what can be set of a joint, in words."""
    names = link.joint.tangents(link.joint.velocities)
    return f"its velocities {', '.join(f'{link.name}.{name}' for name in names) or '(there are none)'}"


def _of_joint(which: str, place: int) -> Put:
    def put(q: Array, v: Array, before: State, value: float) -> None:
        (q if which == "q" else v)[place] = value

    return put


def _of_free(mechanism: Mechanism, link: JointedBody, quantity: str, i: int, bodies: BodyStates) -> Put:
    """Return what sets a component of the motion of a free body by (1)."""
    at, along = mechanism.slices(link.name)
    c = mechanism.rigid_links[link.name].body.center_of_mass

    def put(q: Array, v: Array, before: State, value: float) -> None:
        change = np.zeros(3)
        change[i] = value - bodies.get(link.name, quantity, before)[i]
        if quantity == "position":
            q[at][:3] += apply(inverse(link.rotation), change)
        elif quantity == "velocity":
            R = matrix(compose(link.rotation, before.q[at][3:]))
            v[along][3:] += product(R.T, change)
        else:
            v[along][:3] += change
            v[along][3:] -= np.cross(change, c)

    return put
