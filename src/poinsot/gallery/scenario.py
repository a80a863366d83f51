"""Scenarios: a mechanism, a start, and how to run it, by name and with parameters.

    s = scenario("fast-top")
    s = scenario("fast-top", **{"bodies.top.mass": 2.5, "start.top.angular_velocity": (0, 0, 40)})
    s = scenario("n-four-bar", N=40)

A file in `scenarios/` holds one `Recipe`: plain data, except for forces, which are functions.  Parameter
paths lead into that data.  A recipe with `options` belongs to a family; the options choose the member.
"""

import copy
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from poinsot.compile.catalogue import by_name
from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.gallery import scenarios
from poinsot.gallery.parameters import add_body, set_value
from poinsot.model import checks, plain
from poinsot.model.checks import show, suggestion
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.forces.force import Force
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.run.run import Run


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A scenario as data; `bodies` holds keywords of `Body`, with `joint` and keywords of `Mechanism.add`."""

    title: str
    bodies: Mapping[str, Mapping[str, Any]]
    start: Mapping[str, Mapping[str, Any]]
    step: float
    until: float
    method: str = "auto"
    gravity: Sequence[float] = (0.0, 0.0, -9.81)
    forces: Callable[[], list[Force]] = list
    loops: Callable[[], list[Loop]] = list
    control: Mapping[str, Any] = field(default_factory=dict)  # settings of the controller
    controller: Callable[[Mechanism, str, float, Mapping[str, Any]], Controller] | None = (
        None  # also method and step
    )
    events: Callable[[], list[Event]] = list
    story: "Callable[[Run, Mapping[str, Any]], str] | None" = None  # a summary of a run for people
    notes: str = ""
    reference: Mapping[str, Any] = field(default_factory=dict)  # check values
    options: Mapping[str, Any] = field(default_factory=dict)  # options of the family
    family: "Callable[..., Recipe] | None" = None


@dataclass(frozen=True, eq=False)
class Scenario:
    """A mechanism, a start, and how to run it, from `ps.scenario`.

    Parameters
    ----------
    name : str
        Name in the gallery.
    title : str
        Title for people.
    mechanism : Mechanism
        The mechanism.
    start : State
        Initial state.
    step : float
        Suggested step size in s.
    until : float
        Suggested end time in s.
    method : str
        Suggested method, or "auto".
    notes : str
        What to expect.
    parameters : mapping
        The parameters that were given to `ps.scenario`.
    reference : mapping
        Check values, by what they are.
    controller : Controller, optional
        Controller of the scenario.  Default: none.
    story : callable, optional
        Function of a run that returns a summary for people.  Default: none.
    every : int, default 1
        Suggested number of steps between two samples.
    control : mapping
        The gallery scenario that the controller is from, and its settings.
    events : tuple of Event, default ()
        Events of the scenario.
    events_of : str, default ""
        The gallery scenario that the events are from.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov", until=1.0)
    >>> run = ps.simulate(
    ...     s.mechanism, s.start, "srkn4", step=s.step, until=s.until, controller=s.controller
    ... )
    >>> run.final.time
    1.0
    """

    name: str
    title: str
    mechanism: Mechanism
    start: State
    step: float
    until: float
    method: str
    notes: str
    parameters: Mapping[str, Any]
    reference: Mapping[str, Any]
    controller: Controller | None = None
    story: "Callable[[Run], str] | None" = None
    every: int = 1
    control: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    events_of: str = ""


def _files() -> dict[str, str]:
    """Return the names of the scenarios and their modules: fast-top is in fast_top.py, 4disp in disp4.py."""
    names = (module.name for module in iter_modules(scenarios.__path__))
    found = sorted(name for name in names if not name.startswith("_"))
    return {
        name.replace("disp4", "4disp").replace("_", "-"): f"{scenarios.__name__}.{name}" for name in found
    }


def gallery() -> list[str]:
    """Return the names of all scenarios.

    Returns
    -------
    list of str
        Names for `ps.scenario` and `poinsot run`.

    Examples
    --------
    >>> import poinsot as ps
    >>> "fast-top" in ps.gallery()
    True
    """
    return list(_files())


def recipe(name: str) -> Recipe:
    """Return the recipe of this name."""
    files = _files()
    if not isinstance(name, str) or name not in files:
        raise ScenarioError(
            f"unknown scenario {show(name)}"
            f"{suggestion(name, files) or f': one of the {len(files)} of ps.gallery() (poinsot gallery)'}"
        )
    found: Recipe = import_module(files[name]).RECIPE
    return found


def scenario(name: PathLike, /, **parameters: Any) -> Scenario:
    """Build the scenario of this name or file, with changed parameters if any are given.

    Parameters
    ----------
    name : str or path-like
        One of `ps.gallery()`, or a scenario file: a path that ends in .toml.
    **parameters
        Values by path: "step", "until", "method", "gravity", "time", "bodies.<body>.<keyword>",
        "start.<body>.<coordinate>", "control.<setting>", or an option of the scenario, such as N of
        n-four-bar.  Units are SI; of a file, values may be texts with units.

    Returns
    -------
    Scenario
        The mechanism, its start, and how to run it.

    Raises
    ------
    ScenarioError
        If there is no such scenario or parameter, or a file is wrong: with a line for each mistake.
    ModelError
        If a value is not possible, such as a negative mass.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("fast-top", **{"bodies.top.mass": 2.5, "step": 0.01})
    >>> s.title, s.step, s.mechanism.names
    ('Fast Lagrange top', 0.01, ['top'])
    """
    if isinstance(name, os.PathLike) or (isinstance(name, str) and name.lower().endswith(".toml")):
        from poinsot.gallery.files import scenario_from_file  # which imports this file

        return scenario_from_file(name, parameters)
    one = recipe(name)
    asked = {path: value for path, value in parameters.items() if path in one.options}
    if one.family is not None and asked:
        one = one.family(**{**one.options, **asked})
    data: dict[str, Any] = {
        "bodies": copy.deepcopy({key: dict(body) for key, body in one.bodies.items()}),
        "start": copy.deepcopy({key: dict(one.start.get(key, {})) for key in one.bodies}),
        "gravity": one.gravity,
        "step": one.step,
        "until": one.until,
        "method": one.method,
        "time": 0.0,
        "control": copy.deepcopy(dict(one.control)),
    }
    for path, value in parameters.items():
        if path in asked:
            continue
        set_value(data, path, value, one.options)
    if not isinstance(data["method"], str) or data["method"] != "auto":
        data["method"] = by_name(data["method"]).label
    m = Mechanism(gravity=data["gravity"])
    for body_name, keywords in data["bodies"].items():
        add_body(m, body_name, keywords)
    m.apply(*one.forces()).close(*one.loops())
    m.origin = origin(name, parameters)
    start = m.state(data["start"], time=data["time"])
    step, until = (checks.number("scenario", name, data[name]) for name in ("step", "until"))
    settings, story = data["control"], one.story
    return Scenario(
        name,
        one.title,
        m,
        start,
        step,
        until,
        data["method"],
        one.notes,
        dict(parameters),
        one.reference,
        controller=one.controller(m, data["method"], step, settings) if one.controller is not None else None,
        story=(lambda run: story(run, settings)) if story is not None else None,
        control={"scenario": name, **settings} if one.controller is not None else {},
        events=(happening := tuple(one.events())),
        events_of=name if happening else "",
    )


def origin(name: str, parameters: Mapping[str, Any], text: str | None = None) -> dict[str, Any] | None:
    """Return how a scenario was made, as data for archives; None if a parameter is not data."""
    try:
        given = plain.written(dict(parameters))
    except (TypeError, ValueError, RecursionError):
        return None
    return {"name": name, "parameters": given, **({} if text is None else {"text": text})}
