"""Scenarios: a mechanism, a start, and how to run it, by name and with parameters.

    s = scenario("fast-top")
    s = scenario("fast-top", **{"bodies.top.mass": 2.5, "start.top.angular_velocity": (0, 0, 40)})
    s = scenario("n-four-bar", N=40)

A scenario of the gallery is a `Recipe`: a TOML file, or plain data in a module with functions for what is
not data.  Parameter paths lead into that data.  A recipe with `options` belongs to a family; the options
choose the member.
"""

import copy
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poinsot.compile.catalogue import by_name
from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike, is_robot
from poinsot.model import checks, plain
from poinsot.model.checks import show, suggestion
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.forces.force import Force
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.live.live import Live
    from poinsot.run.run import Run

GALLERY = "poinsot.gallery"


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A scenario of the gallery; `bodies` has the fields of a [[bodies]] table by the name of the body."""

    title: str
    bodies: Mapping[str, Mapping[str, Any]]
    start: Mapping[str, Mapping[str, Any]]
    step: float
    until: float
    method: str = "auto"
    gravity: Sequence[float] = (0.0, 0.0, -9.81)
    forces: Callable[[], Sequence[Force | Mapping[str, Any]]] = list
    loops: Callable[[], Sequence[Loop | Mapping[str, Any]]] = list
    control: Mapping[str, Any] = field(default_factory=dict)  # settings of the controller
    # of mechanism, method, step and settings
    controller: Callable[[Mechanism, str, float, Mapping[str, Any]], Controller] | None = None
    events: Callable[[], list[Event]] = list
    story: "Callable[[Run, Mapping[str, Any]], str] | None" = None  # a summary of a run for people
    notes: str = ""
    reference: Mapping[str, Any] = field(default_factory=dict)  # check values
    live: Mapping[str, Any] = field(default_factory=dict)  # ranges, labels and panels of its sliders
    options: Mapping[str, Any] = field(default_factory=dict)  # options of the family
    family: "Callable[..., Recipe] | None" = None


@dataclass(frozen=True, eq=False)
class Scenario:
    """A mechanism, a start, and how to run it, from `ps.scenario`.

    Parameters
    ----------
    name : in the gallery, or of the file
    title : for people
    mechanism : the mechanism
    start : initial state
    step : suggested step size [s]
    until : suggested end time [s]
    method : suggested method, or "auto"
    notes : what to expect
    parameters : those that were given to `ps.scenario`
    reference : check values, by what they are
    controller : of the scenario.  Default: none
    story : function of a run that returns a summary for people.  Default: none
    every : suggested number of steps between two samples
    control : the gallery scenario that the controller is from, and its settings
    events : of the scenario
    events_of : the gallery scenario that the events are from
    sweep : what `ps.ensemble` varies: the table [sweep] of a file
    sliders : ranges, labels and panels of the live page: the table [live] of a file

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
    sweep: Mapping[str, Any] = field(default_factory=dict)
    sliders: Mapping[str, Any] = field(default_factory=dict)

    def live(self, **options: Any) -> "Live":
        """Show the motion in a browser while it is computed, with sliders for its numbers.

        Parameters
        ----------
        **options : `port`, `folder`, `browser`, `notebook` and `wait` of `Mechanism.live`

        >>> with ps.scenario("fast-top").live(browser=False) as live:
        ...     live.state.time
        0.0
        """
        found: Live = import_module("poinsot.live.live").show(self, **options)
        return found


@cache
def _homes() -> dict[str, str]:
    """Return the names of the scenarios, and the file of each: a module or a TOML file."""
    tables = (one.name for one in files(GALLERY).iterdir() if one.name.endswith(".toml"))
    modules: dict[str, str] = import_module(GALLERY).MODULES
    found = {**modules, **{name.removesuffix(".toml"): name for name in tables}}
    return dict(sorted(found.items(), key=lambda one: one[0].replace("4disp", "disp4")))


def gallery() -> list[str]:
    """Return the names of all scenarios, for `ps.scenario` and `poinsot run`.

    >>> "fast-top" in ps.gallery()
    True
    """
    return list(_homes())


def recipe(name: str) -> Recipe:
    """Return the recipe of this name."""
    homes = _homes()
    if not isinstance(name, str) or name not in homes:
        raise ScenarioError(
            f"unknown scenario {show(name)}"
            f"{suggestion(name, homes) or f': one of the {len(homes)} of ps.gallery() (poinsot gallery)'}"
        )
    if homes[name].endswith(".toml"):
        return _recipe_of_file(homes[name])
    found: Recipe = import_module(f"{GALLERY}.{homes[name]}").RECIPES[name]
    return found


@cache
def _recipe_of_file(file: str) -> Recipe:
    """Return the recipe in a TOML file of the gallery."""
    from poinsot.scenario.values import check_values  # a recipe in Python does without

    text = files(GALLERY).joinpath(file).read_text(encoding="utf-8")
    values, mistakes = check_values(file, text)
    mistakes.check()
    bodies = {one["name"]: {key: x for key, x in one.items() if key != "name"} for one in values["bodies"]}
    forces, loops = values.pop("forces", []), values.pop("loops", [])
    start = values.pop("start", {})
    return Recipe(**{**values, "bodies": bodies, "start": start}, forces=lambda: forces, loops=lambda: loops)


def scenario(name: PathLike, /, **parameters: Any) -> Scenario:
    """Build the scenario of this name or file, with changed parameters if any are given.

    Parameters
    ----------
    name : one of `ps.gallery()`, or a scenario file: a path that ends in .toml; or a robot file (URDF, MJCF),
        which takes base, method, step, until, start and start.<joint>.<coordinate>
    **parameters : values by path: "step", "until", "method", "gravity", "time", "bodies.<body>.<keyword>",
        "start.<body>.<coordinate>", "control.<setting>", or an option of the scenario, such as N of
        n-four-bar.  Units are SI; of a file, values may be strings with units.

    >>> s = ps.scenario("fast-top", **{"bodies.top.mass": 2.5, "step": 0.01})
    >>> s.title, s.step, s.mechanism.names
    ('Fast Lagrange top', 0.01, ['top'])
    """
    if is_robot(name):
        from poinsot.scenario.robots import scenario_from_robot  # which imports this file

        return scenario_from_robot(name, parameters)
    if isinstance(name, os.PathLike) or (isinstance(name, str) and name.lower().endswith(".toml")):
        from poinsot.scenario.files import scenario_from_file  # which imports this file

        return scenario_from_file(name, parameters)
    return _build(name, *recipe_data(name, parameters), parameters)


def recipe_data(name: str, parameters: Mapping[str, Any]) -> tuple[Recipe, dict[str, Any]]:
    """Return the recipe of this name, of its family the one that is chosen, and its data with parameters."""
    from poinsot.scenario.values import set_value

    one = recipe(name)
    chosen = {path: value for path, value in parameters.items() if path in one.options}
    if one.family is not None and chosen:
        one = one.family(**{**one.options, **chosen})
    data: dict[str, Any] = {
        "bodies": copy.deepcopy([{"name": key, **body} for key, body in one.bodies.items()]),
        "start": copy.deepcopy({key: dict(one.start.get(key, {})) for key in one.bodies}),
        "gravity": one.gravity,
        "step": one.step,
        "until": one.until,
        "method": one.method,
        "time": 0.0,
        "control": copy.deepcopy(dict(one.control)),
        "forces": [dict(x) if isinstance(x, Mapping) else x for x in one.forces()],
        "loops": one.loops(),
    }
    for path, value in parameters.items():
        if path not in chosen:
            set_value(data, path, value, [*data, *one.options], recipe=True)
    return one, data


def _build(name: str, one: Recipe, data: dict[str, Any], parameters: Mapping[str, Any]) -> Scenario:
    """Return the scenario of a recipe and its data."""
    from poinsot.scenario.builder import Builder

    if not isinstance(data["method"], str) or data["method"] != "auto":
        data["method"] = by_name(data["method"]).label
    builder = Builder(data, None, Path())
    m = builder.mechanism()
    m.origin = origin(name, parameters)
    start = builder.start()
    step, until = (checks.number("scenario", key, data[key]) for key in ("step", "until"))
    settings, story, events = data["control"], one.story, tuple(one.events())
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
        events=events,
        events_of=name if events else "",
        sliders=one.live,
    )


def origin(name: str, parameters: Mapping[str, Any], text: str | None = None) -> dict[str, Any] | None:
    """Return how a scenario was made, as data for archives; None if a parameter is not data."""
    try:
        given = plain.write(dict(parameters))
    except (TypeError, ValueError, RecursionError):
        return None
    return {"name": name, "parameters": given, **({} if text is None else {"text": text})}
