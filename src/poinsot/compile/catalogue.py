"""The methods by name, and with the options that users choose.  Their records need no compiler.

A method with options has a label, "newmark(beta=0.25, gamma=0.6)", by which it is found again: in archives,
scenario files and on the command line.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from poinsot.core.methods import ALL
from poinsot.core.methods.method import OWN, Method
from poinsot.errors import ScenarioError
from poinsot.model.checks import real, show, suggestion

LABEL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)
OPTION = re.compile(r"\s*(\w+)\s*=\s*(\S+)\s*", re.DOTALL)


def by_name(name: Any) -> Method:
    """Return the method of a name or label, or a method itself; a ScenarioError suggests a similar name."""
    if isinstance(name, Method):
        return _check_own(name)
    if isinstance(name, str):
        for method in ALL:
            if method.name == name:
                return method
        if name in OWN:
            return _check_own(OWN[name])
        found = LABEL.fullmatch(name)
        if found:
            return with_options(found[1], _parse(name, found[2]))
    names = [method.name for method in ALL]
    hint = suggestion(name, names) or f": one of {', '.join(names)}"
    raise ScenarioError(f"unknown method {show(name)}{hint}")


def _check_own(method: Method) -> Method:
    """Return a method; raise a ScenarioError if it is a user's own and not well formed."""
    if method.step is None:
        return method
    if not isinstance(method.name, str) or not method.name.isidentifier():
        raise ScenarioError(f"Method: name must be a word: letters, digits and _, got {show(method.name)}")
    if any(method.name == one.name for one in ALL):
        raise ScenarioError(f"Method: there is a method '{method.name}' already: give yours another name")
    if not callable(method.step):
        raise ScenarioError("Method: step must be a function (field, t, q, v, h) that returns q and v")
    order = method.order
    if order is not None and (isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= 20):
        raise ScenarioError(f"Method: order must be a whole number from 1 to 20, got {show(order)}")
    return method


def label_of(given: Any) -> Any:
    """Return the label of a method; anything else as it is."""
    return given.label if isinstance(given, Method) else given


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


def with_options(name: Any, options: Mapping[str, Any]) -> Method:
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
        number, option = real(value), known[key]
        found = float(number) if number.shape == () else math.nan
        if not option.low <= found <= option.high:
            raise ScenarioError(
                f"method '{record.name}': {key} must be a number from {option.low:g} to {option.high:g}, "
                f"got {show(value)}"
            )
        given[key] = found
    chosen = tuple((key, given[key]) for key in known if key in given and given[key] != known[key].default)
    return record.make(chosen) if record.make is not None else record


def method(name: str, **options: float) -> Method:
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


def methods() -> list[Method]:
    """Return the records of all methods.

    One record per method: its name, order, scope, whether it is symplectic and reversible, what it keeps,
    whether it keeps loops closed, and its `options` (see `ps.method`).

    >>> {method.name: method.order for method in ps.methods()}["srkn4"]
    4
    >>> [method.name for method in ps.methods() if method.loops and not method.variant]
    ['variational', 'variational_midpoint', 'variational4', 'variational6']
    """
    return list(ALL)
