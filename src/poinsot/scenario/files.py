"""Scenarios to and from TOML files: `ps.scenario("my.toml")` and `ps.to_toml`.

What reads and writes files is imported when it is used: most runs have no file.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from poinsot.compile.tree import Tree
from poinsot.errors import ModelError, PoinsotError, ScenarioError
from poinsot.formats.data import event_data
from poinsot.formats.paths import PathLike, file_path, refuse_robot
from poinsot.mechanics.assembly import assemble, start_on_drives
from poinsot.model.checks import show, suggestion
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.scenario.scenario import Scenario, gallery, origin, recipe

if TYPE_CHECKING:
    from poinsot.formats.scenario_file.places import Mistakes
    from poinsot.scenario.reading import Read

OPEN = 1e-3  # gap of a loop at the start, relative to the mechanism, that is a mistake in a file
STEP, UNTIL = 0.01, 10.0  # of the file of a mechanism alone


def scenario_from_file(path: PathLike, parameters: Mapping[str, Any]) -> Scenario:
    """Return the scenario of a TOML file; a ScenarioError has a line for each mistake."""
    from poinsot.scenario.reading import text_of

    refuse_robot(path)
    return scenario_from_text(str(file_path(path)), text_of(path), parameters)


def scenario_from_text(
    name: str, text: str, parameters: Mapping[str, Any], *, closed: bool = True
) -> Scenario:
    """Return the scenario of the text of a TOML file `name`; `closed`: its start must be on the loops."""
    from poinsot.scenario.reading import read

    found = read(name, text, parameters)
    m, values, mistakes = found.mechanism, found.values, found.mistakes
    control = dict(values.get("controller", {}))
    if not mistakes and m.loops and closed:
        _check_loops(m, found.start, mistakes)
    controller = _controller(found, control) if control and not mistakes else None
    events = _events(found) if not mistakes else ()
    mistakes.check()
    m.origin = origin(name, parameters, text)
    return Scenario(
        name,
        values.get("title", name),
        m,
        found.start,
        values["step"],
        values["until"],
        values.get("method", "auto"),
        values.get("notes", ""),
        dict(parameters),
        values.get("reference", {}),
        controller=controller,
        every=values.get("every", 1),
        control=control,
        events=events,
        events_of=values["events"] if isinstance(values.get("events"), str) else "",
        sliders=values.get("live", {}),
        sweep=dict(values.get("sweep", {})),
    )


def _check_loops(m: Mechanism, start: State, mistakes: "Mistakes") -> None:
    """Note it if the start lies far from the loops: nearer starts are moved onto them by a run."""
    try:
        tree = Tree(m)
        near = assemble(tree, start_on_drives(tree, start))
    except ModelError as error:
        mistakes.add(("start",), str(error))
        return
    if near.off > OPEN:
        names = ", ".join(f"{link.name} {show(near.state.q[m.slices(link.name)[0]])}" for link in m.links)
        mistakes.add(
            ("start",),
            f"the start is {near.gap:.2g} off loop '{near.loop}'; the nearest closed one has q = {names}",
        )


def _events(found: "Read") -> tuple[Event, ...]:
    """Return the events in the file, or those of the gallery scenario that it names."""
    name = found.values.get("events", "")
    if not isinstance(name, str) or "events" not in found.values:
        return found.events
    known = [one for one in gallery() if recipe(one).events()]
    if name not in known:
        hint = suggestion(name, known) or f": one of {', '.join(known)}"
        found.mistakes.add(("events",), f"no gallery scenario with events, got {show(name)}{hint}")
        return ()
    return tuple(recipe(name).events())


def _controller(found: "Read", control: Mapping[str, Any]) -> Controller | None:
    """Return the controller of a gallery scenario with the settings of the file."""
    name, mistakes = control.get("scenario"), found.mistakes
    known = [one for one in gallery() if recipe(one).controller is not None]
    if name not in known:
        hint = suggestion(name, known) or f": one of {', '.join(known)}"
        mistakes.add(
            ("controller", "scenario"), f"no gallery scenario with a controller, got {show(name)}{hint}"
        )
        return None
    one = recipe(name)
    for key in control:
        if key != "scenario" and key not in one.control:
            mistakes.add(("controller", key), f"not known{suggestion(key, one.control)}", key=True)
    if mistakes or one.controller is None:
        return None
    settings = {**one.control, **{key: value for key, value in control.items() if key != "scenario"}}
    try:
        method = found.values.get("method", "auto")
        return one.controller(found.mechanism, method, found.values["step"], settings)
    except PoinsotError as error:
        mistakes.add(("controller",), str(error))
    except Exception as error:  # settings of the wrong kind, in the code of the gallery
        mistakes.add(("controller",), f"the settings do not fit: {type(error).__name__}: {error}")
    return None


def to_toml(what: Mechanism | Scenario) -> str:
    """Return a mechanism or a scenario as the text of a scenario file.

    `ps.scenario` reads it back to the same bits.  Forces given by Python functions are written as formulas
    where they are arithmetic.

    Parameters
    ----------
    what : a Mechanism or a Scenario.  A mechanism alone gets a step of 0.01 s, an end at 10 s, and a start at
        zero.

    >>> with open("top.toml", "w") as file:
    ...     _ = file.write(ps.to_toml(ps.scenario("fast-top")))
    >>> ps.scenario("top.toml").title
    'Fast Lagrange top'
    """
    from poinsot.formats.scenario_file.writing import table, toml_text

    if isinstance(what, Mechanism):
        return toml_text({"step": STEP, "until": UNTIL}, _written(what), None)
    if not isinstance(what, Scenario):
        raise ScenarioError(f"to_toml takes a Mechanism or a Scenario, got {show(what)}")
    head: dict[str, Any] = {"title": what.title, "notes": what.notes, "method": what.method}
    head |= {"step": float(what.step), "until": float(what.until)}
    head |= {"time": what.start.time} if what.start.time else {}
    head |= {"every": int(what.every)} if what.every != 1 else {}
    events = [event_data(event) for event in what.events]
    held = [one for one in events if one is not None]
    if len(held) < len(events):
        if what.events_of not in gallery():
            label = what.events[events.index(None)].label
            raise ScenarioError(
                f"a file cannot hold the event '{label}': it has Python functions and is not of the gallery"
            )
        head["events"], held = what.events_of, []
    first = {key: one for key, one in head.items() if one != ""}
    text = toml_text(first, _written(what.mechanism), what.start, held)
    text += "\n" + table("[live]", what.sliders) if what.sliders else ""
    if what.sweep:
        text += "\n" + table("[sweep]", what.sweep)
    return text if what.controller is None else text + "\n" + _control(what)


def _written(m: Mechanism) -> Mechanism:
    """Return the mechanism, unless a controller holds forces in it."""
    if m.control.forces:
        raise ScenarioError(
            f"a file cannot hold the {m.control.forces[0].label}: write the mechanism without its controller"
        )
    return m


def _control(what: Scenario) -> str:
    """Return the table of the controller, or raise a ScenarioError that names it."""
    from poinsot.formats.scenario_file.writing import table

    assert what.controller is not None
    name, control = what.controller.name, dict(what.control)
    if control.get("scenario") in gallery():
        one = recipe(control["scenario"])
        settings = {**one.control, **{key: value for key, value in control.items() if key != "scenario"}}
        if one.controller is not None:
            like = one.controller(what.mechanism, what.method, what.step, settings)
            if like.identity == what.controller.identity:
                note = (
                    f"# The controller '{name}' is written in Python: the file names its gallery scenario.\n"
                )
                return note + table("[controller]", control)
    raise ScenarioError(f"a file cannot hold the controller '{name}': it is written in Python")
