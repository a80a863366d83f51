"""The methods by name, and with the options that users choose.  Their records need no compiler.

A method with options has a label, "newmark(beta=0.25, gamma=0.6)", by which it is found again: in archives,
scenario files and on the command line.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from poinsot.core.methods import ALL
from poinsot.core.methods.method import Kept
from poinsot.core.methods.method import Method as Record
from poinsot.errors import ScenarioError
from poinsot.model.checks import number, real, show, suggestion

LABEL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)
MOST = 20  # largest order of an own method
OWN: dict[str, Record] = {}  # own methods by name: the last one of each
OPTION = re.compile(r"\s*(\w+)\s*=\s*(\S+)\s*", re.DOTALL)


class Method(Record):
    """A method of your own, from a function `step(field, t, q, v, h)` that returns q and v after a step.

    `field(t, q, v)` is the acceleration, `field.move(q, u)` is q exp(u), joint by joint.  The step has no
    memory; it runs on trees, wherever a method is named, compiled if Numba can compile it, else in Python,
    and then `run.reason` says why.  It is also found by its name.  What is not stated does not hold, and
    `ps.check_method` measures what does.

    Parameters
    ----------
    name : Name of the method: a word.
    order : Order of the method.
    step : The function, of Python or of Numba.
    symplectic : Whether it is symplectic.
    reversible : Whether it is time-symmetric.
    keeps : What it keeps of a free body to rounding: "energy", "momentum".
    turn : Largest rotation of a body in a step [rad]; None: no limit.

    >>> def euler(field, t, q, v, h):
    ...     v = v + h * field(t, q, v)
    ...     return field.move(q, h * v), v
    >>> m = ps.Mechanism().add("link", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)), body_at=(1, 0, 0))
    >>> mine = ps.Method("my_euler", order=1, step=euler)
    >>> run = ps.simulate(m, m.state({"link": dict(rate=1.0)}), mine, step=1e-4, steps=10)
    >>> run.method.name, run.evaluations
    ('my_euler', 10)
    """

    def __init__(
        self,
        name: str,
        *,
        order: int,
        step: Callable[..., Any],
        symplectic: bool = False,
        reversible: bool = False,
        keeps: Sequence[Kept] = (),
        turn: float | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.isidentifier():
            raise ScenarioError(f"Method: name must be a word: letters, digits and _, got {show(name)}")
        if any(name == one.name for one in ALL):
            raise ScenarioError(f"Method: there is a method '{name}' already: give yours another name")
        if not callable(step):
            raise ScenarioError("Method: step must be a function (field, t, q, v, h) that returns q and v")
        if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= MOST:
            raise ScenarioError(f"Method: order must be a whole number from 1 to {MOST}, got {show(order)}")
        if not isinstance(symplectic, bool) or not isinstance(reversible, bool):
            raise ScenarioError("Method: symplectic and reversible must be True or False")
        words = isinstance(keeps, list | tuple) and all(isinstance(one, str) for one in keeps)
        if not words or not {*keeps} <= {"energy", "momentum"}:
            raise ScenarioError(f'Method: keeps must have "energy", "momentum" or nothing, got {show(keeps)}')
        limit = None if turn is None else number("Method", "turn", turn, positive=True)
        super().__init__(
            name=name, title="own method", order=order, scope="tree", symplectic=symplectic,
            reversible=reversible, keeps=tuple(keeps), velocity_forces=True, evaluations=None, reference="",
            turn=limit, lanes=False, duals=False, step=step,
        )  # fmt: skip
        OWN[name] = self


def absent(field: Any, t: float, q: Any, v: Any, h: float) -> Any:
    """Step of an own method that an archive names and this process does not have."""
    raise ScenarioError("the method is that of another program: make it again with ps.Method")


def facts_of(method: Record) -> dict[str, Any]:
    """Return what an archive says of an own method besides its step."""
    names = ("name", "order", "symplectic", "reversible", "turn")
    return {name: getattr(method, name) for name in names} | {"keeps": list(method.keeps)}


def method_of(label: str, facts: Mapping[str, Any] | None) -> Record:
    """Return the method of an archive; an own one that this process does not have has the step `absent`."""
    if not facts or label in OWN:
        return by_name(label)
    known = {name: facts[name] for name in ("order", "symplectic", "reversible", "keeps", "turn")}
    found = Method(label, step=absent, **known)
    OWN.pop(label)  # it cannot be used by name
    return found


def by_name(name: Any) -> Record:
    """Return the method of a name or label, or a method itself; a ScenarioError suggests a similar name."""
    if isinstance(name, Record):
        return name
    if isinstance(name, str):
        for method in ALL:
            if method.name == name:
                return method
        if name in OWN:
            return OWN[name]
        found = LABEL.fullmatch(name)
        if found:
            return with_options(found[1], _parse(name, found[2]))
    names = [method.name for method in ALL]
    hint = suggestion(name, names) or f": one of {', '.join(names)}"
    raise ScenarioError(f"unknown method {show(name)}{hint}")


def label_of(given: Any) -> Any:
    """Return the label of a method; anything else as it is."""
    return given.label if isinstance(given, Record) else given


def _parse(label: str, text: str) -> dict[str, Any]:
    """Return the options "a=1, b=2" of a label."""
    options: dict[str, Any] = {}
    for part in text.split(",") if text.strip() else []:
        found = OPTION.fullmatch(part)
        try:
            if found is None or found[1] in options:
                raise ValueError
            options[found[1]] = float(found[2])
        except ValueError:
            raise ScenarioError(
                f"method {show(label)}: options are written as name(option=number, ...), got {show(part)}"
            ) from None
    return options


def with_options(name: Any, options: Mapping[str, Any]) -> Record:
    """Return the record of a method with these options; what equals the default is left out."""
    record = by_name(name)
    known = {option.name: option for option in record.options}
    given = dict(record.given)
    for key, value in options.items():
        if key not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise ScenarioError(
                f"method '{record.name}': unknown option {show(key)}{suggestion(key, known)} ({has})"
            )
        single, option = real(value), known[key]
        found = float(single) if single.shape == () else math.nan
        if not option.low <= found <= option.high:
            raise ScenarioError(
                f"method '{record.name}': {key} must be a number from {option.low:g} to {option.high:g}, "
                f"got {show(value)}"
            )
        given[key] = found
    chosen = tuple((key, given[key]) for key in known if key in given and given[key] != known[key].default)
    return record.make(chosen) if record.make is not None else record


def method(name: str, **options: float) -> Record:
    """Return a method with options, to be used wherever a method is named.

    The record of the method, with the facts that hold for these options (`order`, `reversible`, ...).  Its
    `label`, such as "newmark(beta=0.25)", is another way to name it, also in files and commands.

    Parameters
    ----------
    name : Name of the method, one of `ps.methods()`.
    **options : Options of the method by name; its record lists them with defaults and limits in `options`.
        `newmark` has `beta` and `gamma`, the Gauss methods `tolerance` (relative error of the velocities at
        which the iterations of a step end), `dop853` `tolerance` (error of an interval).

    >>> damped = ps.method("newmark", beta=0.3025, gamma=0.6)
    >>> damped.label, damped.order
    ('newmark(beta=0.3025, gamma=0.6)', 1)
    >>> s = ps.scenario("fast-top")
    >>> ps.simulate(s.mechanism, s.start, damped, step=0.001, steps=10).method.given
    (('beta', 0.3025), ('gamma', 0.6))
    """
    return with_options(name, options)


def methods() -> list[Record]:
    """Return the records of all methods.

    One record per method: its name, order, scope, whether it is symplectic and reversible, what it keeps,
    whether it keeps loops closed, and its `options` (see `ps.method`).

    >>> {method.name: method.order for method in ps.methods()}["srkn4"]
    4
    >>> [method.name for method in ps.methods() if method.loops and method.symplectic and not method.variant]
    ['variational', 'variational_midpoint', 'variational4', 'variational6']
    """
    return list(ALL)
