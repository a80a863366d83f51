"""Rules of physics for robot records: which link, which rule, which numbers.

A link is judged alone, and with all that is welded to it: a flaw that vanishes in the body is a remark.  With
the principal moments J1 <= J2 <= J3 about the center of mass and the mass m,

    J1 >= 0,    J1 + J2 >= J3 (triangle inequality),    k = sqrt(J3/m)  radius of gyration            (1)
"""

import numpy as np

from poinsot.elementary.linear import dot, eigh, norm
from poinsot.errors import ModelError, PoinsotError
from poinsot.mechanics.linearization import linearize
from poinsot.mechanics.pivots import loose_joints
from poinsot.model.body import SINGULAR, TRIANGLE
from poinsot.model.checks import Array, show
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.state import State
from poinsot.robots.conversion import Conversion
from poinsot.robots.findings import Level
from poinsot.robots.record import INFINITY, LinkRecord, RobotRecord

NOISE = 1e-14  # of a tensor, relative to its largest element: rounding of the program that wrote it
WIDE, NARROW = 3.0, 1e-4  # radius of gyration [m] of what is likely a placeholder, or rounding
DEGREES = 4 * np.pi  # a limit beyond two turns is likely in degrees
MILLIMETERS = 20.0  # a distance between joints [m] that is likely in millimeters
EXPLICIT = 2.0  # step times rate up to which explicit methods are stable, and follow a vibration roughly
MOST = 300  # velocities of a mechanism whose eigenvalues are computed
SEED = 1  # of the state at which joints are tried


def judge(robot: RobotRecord, base: str = "fixed", step: float | None = None) -> Mechanism | None:
    """Add what is wrong with a record to its findings; return the mechanism, or None if there is none.
    `step` is that of time; by default that of the file."""
    before = len(robot.findings)
    try:
        made = Conversion(robot, base)
        m = made.mechanism()
    except ModelError as error:
        if not any(one.level == "error" for one in robot.findings[before:] or robot.findings):
            robot.find("error", "robot", 0, "model", str(error))
        return None
    bodies = {name: body for body, names in made.groups.items() for name in names}
    moving = {link.name for link in m.links if link.parent != WORLD or link.joint.nv}
    wholes = {body: made.whole(body) for body in made.groups}
    for link in robot.links:
        if link.name in bodies:
            body = bodies[link.name]
            parts = [made.links[one] for one in made.groups[body]]
            heavy = [one for one in parts if one.mass or one.inertia.any()]
            bad = len(heavy) < 2 or _flaw(wholes[body].mass, wholes[body].inertia)[0] != ""
            _judge_link(robot, link, body in moving, bad)
    _judge_joints(robot)
    _judge_freedoms(robot, made, m)
    if not any(one.level == "error" for one in robot.findings):
        _judge_step(robot, m, step or robot.step)
    return m


def _flaw(mass: float, J: Array) -> tuple[str, Level, str]:
    """Return rule, level and message of what is wrong with an inertia; empty if nothing is."""
    if not mass:
        kept = f"inertia {show(float(np.abs(J).max()))} kg m2 but no mass"
        return ("no mass", "warning", kept) if J.any() else ("", "remark", "")
    if not J.any():
        return "no inertia", "warning", f"{show(mass)} kg, inertia 0: a point"
    low, middle, high = eigh(J)[0].tolist()
    if low < -SINGULAR * abs(high):
        if low >= -NOISE * abs(high):
            return "noise", "remark", f"the principal moment {show(low)} is rounding"
        return "negative", "error", f"the principal moment {low:.3g} is negative"
    if high > (low + middle) * (1 + TRIANGLE):
        times = f", {high / (low + middle):.3g} times too much" if low + middle > 0 else ""
        return "triangle", "warning", f"principal moments {high:.4g} > {low:.4g} + {middle:.4g}{times}"
    return "", "remark", ""


def _judge_link(robot: RobotRecord, link: LinkRecord, moves: bool, bad: bool) -> None:
    where, m, J = f"link '{link.name}'", link.mass, link.inertia
    rule, level, text = _flaw(m, J)
    if rule and (m or J.any()):
        if not moves:
            level, text = "remark", f"{text}; it never moves"
        elif not bad:
            level, text = "remark", f"{text}; the body that it is welded to makes up for it"
        elif rule in ("negative", "triangle"):
            text += _cause(link)
        robot.find(level, where, link.line, rule, text)
    elif m and J.any():
        low, _, high = eigh(J)[0].tolist()
        radius = float(np.sqrt(high / m))
        size = _size(link)
        if radius > WIDE and radius > size:
            shape = f", but its shape is {size:.3g} m large" if size else ""
            text = (
                f"{m:.4g} kg with {high:.4g} kg m2: radius of gyration {radius:.3g} m{shape}: a placeholder?"
            )
            robot.find("warning" if moves else "remark", where, link.line, "large inertia", text)
        elif radius < NARROW:
            text = f"{m:.4g} kg with {high:.3g} kg m2: radius of gyration {radius:.2g} m: rounding?"
            robot.find("warning" if moves else "remark", where, link.line, "small inertia", text)
        elif low <= NOISE * high:
            robot.find("remark", where, link.line, "rod", "a principal moment is 0: a rod without thickness")


def _size(link: LinkRecord) -> float:
    """Return the largest extent of the solids of a link from its origin; 0 if there are none."""
    found = 0.0
    for one in link.parts:
        J = one.shape.inertia(1.0)
        if J.any():
            found = max(found, norm(np.array(one.at)) + 2 * float(np.sqrt(np.abs(J).max())))
    return found


def _cause(link: LinkRecord) -> str:
    """Return what may have happened to an inertia that no body has."""
    m, d, J = link.mass, link.center, link.inertia
    shifted = J + m * (dot(d, d) * np.eye(3) - np.outer(d, d))
    if np.unique(np.abs(J[np.triu_indices(3)])).size == 1:
        return ": six equal numbers, a placeholder?"
    if not _flaw(m, shifted)[0]:
        return ": with m d2 added it is a body: shifted to the center of mass once too often?"
    for factor in (10.0, 100.0, 1000.0):
        for i in range(3):
            for one in (factor, 1 / factor):
                trial = J.copy()
                trial[i, i] *= one
                if not _flaw(m, trial)[0]:
                    name = f"i{'xyz'[i]}{'xyz'[i]}"
                    return f": with {name} = {show(float(trial[i, i]))} it would be a body"
    return ""


def _judge_joints(robot: RobotRecord) -> None:
    for joint in robot.joints:
        where, distance = f"joint '{joint.name}'", float(norm(joint.at))
        if distance > MILLIMETERS:
            text = f"it lies {distance:.4g} m from its parent: millimeters?"
            robot.find("warning", where, joint.line, "units", text)
        ends = [abs(x) for x in (joint.lower, joint.upper) if abs(x) < INFINITY]
        if joint.kind == "revolute" and ends and max(ends) > DEGREES:
            text = f"its limit is {max(ends):.4g} rad: degrees?"
            robot.find("warning", where, joint.line, "units", text)


def _judge_step(robot: RobotRecord, m: Mechanism, step: float) -> None:
    """Compare a step with the fastest eigenvalue of the linear model at the first keyframe, or at zero."""
    if not step or not 0 < m.lengths[1] <= MOST:
        return
    states = list(m.starts.values())
    state = states[1] if len(states) > 1 else states[0] if states else m.state()
    try:
        A = linearize(m, State(0.0, state.q, 0 * state.v)).A
    except PoinsotError as error:
        robot.find("remark", "robot", 0, "step", f"the step is not looked at: {error}")
        return
    values, vectors = np.linalg.eig(A)
    fastest = int(np.argmax(np.abs(values)))
    rate, n = float(np.abs(values[fastest])), len(A) // 2
    if step * rate > EXPLICIT and len(A) == 2 * m.lengths[1]:
        moved = int(np.argmax(np.abs(vectors[n:, fastest])))
        body = next(one for one in m.names if m.slices(one)[1].start <= moved < m.slices(one)[1].stop)
        where = next((f"joint '{joint}'" for joint, one in m.joint_names.items() if one == body), body)
        line = next((joint.line for joint in robot.joints if f"joint '{joint.name}'" == where), 0)
        text = f"a step of {show(step)} s is too large for its motion, {rate:.3g} 1/s"
        hint = f"explicit methods need less than {EXPLICIT / rate:.2g} s, radau3 takes it"
        robot.find("warning", where, line, "step", f"{text}: {hint}")


def _judge_freedoms(robot: RobotRecord, made: Conversion, m: Mechanism) -> None:
    """Name the joints beyond which nothing resists, and bodies without mass that something beyond resists."""
    rng = np.random.default_rng(SEED)
    q = rng.uniform(-1.0, 1.0, m.lengths[0])
    at = 0
    for one in (link.joint for link in m.links):
        if one.quaternion is not None:
            part = slice(at + one.quaternion, at + one.quaternion + 4)
            q[part] /= norm(q[part])
        at += one.nq
    loose = set(loose_joints(m, q))
    for name, joint in made.joints.items():
        if name in loose:
            text = "nothing beyond it has inertia about its axis: a force on it has no finite answer"
            what = f"{text}; give the link '{name}' a mass and an inertia"
            robot.find("error", f"joint '{joint.name}'", joint.line, "no inertia beyond", what)
        elif joint.kind != "fixed" and not made.whole(name).mass:
            line = made.links[name].line
            text = "no mass; what hangs beyond it has some"
            robot.find("remark", f"link '{name}'", line, "no mass", text)
