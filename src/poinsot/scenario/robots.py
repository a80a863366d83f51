"""Robot files as scenarios, and the run of one sample that a page with sliders shows."""

from collections.abc import Mapping
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import show, suggestion
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.robots.reading import read
from poinsot.run.run import Run
from poinsot.scenario.scenario import Scenario

STEP, UNTIL = 1e-3, 1.0  # of a robot
KNOWN = ("base", "friction", "method", "start", "step", "stops", "until")
LIGHT = 1e-9  # mass and inertia of what has none, relative to the largest: a picture needs a mechanism


def scenario_from_robot(path: PathLike, parameters: Mapping[str, Any]) -> Scenario:
    """Return the scenario of a robot file: it falls from the first start of the file, or from zero.

    `parameters` are base, stops, friction (as `ps.read` takes them), method, step, until, start (a name of
    `mechanism.starts`) and "start.<joint>.<coordinate>".
    """
    given = dict(parameters)
    joints = {key: given.pop(key) for key in list(given) if key.startswith("start.")}
    for key in given:
        if key not in KNOWN:
            hint = suggestion(key, KNOWN) or f": one of {', '.join(KNOWN)}, start.<joint>.<coordinate>"
            raise ScenarioError(
                f"{path}: unknown parameter {show(key)}{hint}; poinsot new writes a file to edit"
            )
    m = read(path, **{key: given[key] for key in ("base", "friction", "stops") if key in given})
    step = checks.number("scenario", "step", given.get("step", STEP), positive=True)
    until = checks.number("scenario", "until", given.get("until", UNTIL))
    notes = "not simulated: " + ", ".join(m.notes) if m.notes else ""
    start = start_of(m, given.get("start"), joints)
    method = given.get("method", "auto")
    return Scenario(str(path), str(path), m, start, step, until, method, notes, dict(parameters), {})


def start_of(m: Mechanism, name: Any, joints: Mapping[str, Any]) -> State:
    """Return a start by its name, the first of the file, or zero, with other coordinates of some joints."""
    if name is not None and name not in m.starts:
        raise ScenarioError(f"unknown start {show(name)}{suggestion(name, m.starts)}")
    first = m.starts.get(name) or next(iter(m.starts.values()), m.state())
    if not joints:
        return first
    values: dict[str, dict[str, Any]] = {}
    for path, value in joints.items():
        joint, _, coordinate = path.removeprefix("start.").rpartition(".")
        values.setdefault(m.joint_names.get(joint, joint), {})[coordinate] = value
    changed, (q, v) = m.state(values), (first.q.copy(), first.v.copy())
    for name in values:
        a, b = m.slices(name)
        q[a], v[b] = changed.q[a], changed.v[b]
    return State(0.0, q, v)


def posture(m: Mechanism, state: State) -> Run:
    """Return a run of one sample, with a little mass where there is none."""
    from poinsot.simulation.simulate import simulate

    still = m.copy()
    still.forces, still.loops = [], []
    tiny = LIGHT * (max((one.body.mass for one in m.links), default=0.0) or 1.0)
    for link in m.links:
        body = link.body
        if link.joint.nv and not (body.mass and body.principal_moments[0] > 0):
            light = Body(body.mass or tiny, 3 * (tiny,), body.center_of_mass, body.shape)
            still.replace(link.name, body=light)
    return simulate(still, state, "rk4", step=1.0, steps=0)
