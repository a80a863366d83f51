"""Copters of the gallery: mechanism, inputs and template, with the published data of Konz.

Rotors stand on arms of equal length; `spin` times `TORQUE` is the drag torque per thrust.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poinsot.gallery.tracking import Law, Settings, short, track
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.inputs import Input, Thrust, TiltRotor
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.shapes.composite import Shapes
from poinsot.model.shapes.solids import Box, Cylinder
from poinsot.run.run import Run

if TYPE_CHECKING:
    from poinsot.control import Pair
    from poinsot.control.references.motions import Reference

TORQUE = 2.45e-7 / 1.44e-5  # torque per thrust in m
UP = (0.0, 0.0, 1.0)
BICOPTER = {"y": 0.24, "z": 0.05, "lean": float(np.deg2rad(20))}  # places of its rotors in m and rad
LEVER = BICOPTER["y"] * np.cos(BICOPTER["lean"]) - BICOPTER["z"] * np.sin(BICOPTER["lean"])
BICOPTER_OFFSET = float(17e-3 * np.sin(BICOPTER["lean"]) / LEVER)  # of the flat output, for tilts about x


class Copter(NamedTuple):
    """A vehicle with its inputs and the template that it flies with."""

    mechanism: Mechanism
    inputs: list[Input]
    tune: Callable[[], "Pair"]

    @property
    def pair(self) -> "Pair":
        """The body in the template."""
        return self.tune()


def _body(mass: float, inertia: tuple[float, float, float]) -> Mechanism:
    return Mechanism().add("copter", Body(mass, inertia), Free())


def quadcopter(
    slow: tuple[float, float] = (4.0, 0.8),
    fast: tuple[float, float] = (20.0, 0.8),
    limit: tuple[float, float] | None = None,
) -> Copter:
    """Return the quadcopter with matched poles."""
    arm = 0.24
    places = [(arm, 0.0, 0.0), (0.0, arm, 0.0), (-arm, 0.0, 0.0), (0.0, -arm, 0.0)]
    inputs: list[Input] = [
        Thrust("copter", at, UP, spin * TORQUE, limit, name="rotors")
        for at, spin in zip(places, (1, -1, 1, -1), strict=True)
    ]

    def tune() -> "Pair":
        from poinsot.control import matched_pair  # the gallery is listed without it

        return matched_pair("copter", 1.001, slow, fast, (6.0, 1.0), 0.0307)

    return Copter(_body(1.001, (17.9e-3, 18e-3, 30.7e-3)), inputs, tune)


def tricopter(limit: tuple[float, float] | None = None, tilt_limit: float | None = None) -> Copter:
    """Return the tricopter with tilting rotors and the gains that it was flown with."""
    inputs: list[Input] = []
    for angle, spin in zip(np.deg2rad([60, 180, 300]), (-1, 1, 1), strict=True):
        c, s = float(np.cos(angle)), float(np.sin(angle))
        at, radial = (0.24 * c, 0.24 * s, -0.006), (c, s, 0.0)  # tilts towards (s, -c, 0) = radial x up
        inputs.append(TiltRotor("copter", at, UP, radial, spin * TORQUE, limit, tilt_limit, name="rotors"))
    J = (19.2e-3, 19.2e-3, 30.8e-3)

    def tune() -> "Pair":
        from poinsot.control import Pair  # the gallery is listed without it

        origin = (0.0, 0.0, 0.0)
        return Pair(
            "copter",
            inertia=(1.251, origin, J),
            damping=(6.0, origin, (0.3, 0.3, 0.25)),
            stiffness=(8.0, origin, (1.7, 1.7, 0.7)),
        )

    return Copter(_body(1.251, J), inputs, tune)


def bicopter(limit: tuple[float, float] | None = (2.0, 14.0), tilt_limit: float | None = np.pi / 6) -> Copter:
    """Return the bicopter: two rotors, inclined outwards by 20 degrees, that tilt forwards."""
    y, z, beta, m = BICOPTER["y"], BICOPTER["z"], BICOPTER["lean"], 1.0
    J = (17e-3, 10e-3, 25e-3)
    inputs: list[Input] = []
    for side in (1.0, -1.0):
        axis = (0.0, side * float(np.sin(beta)), float(np.cos(beta)))
        forwards = (
            0.0,
            float(np.cos(beta)),
            -side * float(np.sin(beta)),
        )  # tilt axis: its thrust tilts to +x
        inputs.append(
            TiltRotor("copter", (0.0, side * y, z), axis, forwards, 0.0, limit, tilt_limit, name="rotors")
        )
    eps_x = -J[1] / (m * z)

    def tune() -> "Pair":
        from poinsot.control import matched_pair  # the gallery is listed without it

        offset = BICOPTER_OFFSET, eps_x
        return matched_pair("copter", m, (3.0, 0.8), (12.0, 0.8), (9.0, 1.0), 25e-3, offsets=offset)

    return Copter(_body(m, J), inputs, tune)


def data(copter: Copter) -> dict[str, Any]:
    """Return the body of a copter as data of a scenario."""
    body = copter.mechanism.links[0].body
    shape = copter_shape([getattr(one, "at") for one in copter.inputs])  # noqa: B009 - a thrust or a rotor
    return {"mass": body.mass, "inertia": tuple(np.diag(body.inertia)), "shape": shape, "joint": "free"}


def copter_shape(places: Sequence[Sequence[float]]) -> Shapes:
    """Return a hub with an arm, a motor and the disc of a rotor for each of these places, for drawing."""
    parts: list[tuple[Any, ...]] = [(Cylinder(0.06, 0.05),)]
    for x, y, z in places:
        half = float(np.arctan2(y, x)) / 2
        turn = (float(np.cos(half)), 0.0, 0.0, float(np.sin(half)))
        parts += [
            (Box((float(np.hypot(x, y)), 0.022, 0.014)), (x / 2, y / 2, z / 2), turn),
            (Cylinder(0.02, 0.04), (x, y, z + 0.01)),
            (Cylinder(0.1, 0.004), (x, y, z + 0.035)),
        ]
    return Shapes(parts)


def in_space(c: float, s: Array, velocity: tuple[float, float, float]) -> Array:
    """Return in space a velocity that is given in the axes of a body with the attitude (c, s)."""
    return np.asarray(matrix(np.array([c, *s])) @ velocity)


def errors(run: Run, reference: "Reference") -> tuple[Array, Array]:
    """Return the distances (m) and angles (rad) of a run of a copter from its reference, at its samples."""
    there = [reference(float(t))[0].q for t in run.time]
    distance = [float(np.linalg.norm(q[:3] - r[:3])) for q, r in zip(run.trajectory.q, there, strict=True)]
    cosine = [min(1.0, abs(float(q[3:] @ r[3:]))) for q, r in zip(run.trajectory.q, there, strict=True)]
    return np.array(distance), 2 * np.arccos(cosine)


def describe(run: Run, reference: "Reference") -> str:
    """Describe how a copter came to its reference."""
    distance, angle = errors(run, reference)
    u = run.input("rotors")
    near, straight = _since(run, distance, 0.05), _since(run, angle, np.deg2rad(5))
    off = f"{short(1000 * distance[-1])} mm and {short(np.rad2deg(angle[-1]))} degrees"
    return (
        f"It started {distance[0]:.2f} m and {np.rad2deg(angle[0]):.0f} degrees off; "
        f"{near} 5 cm, {straight} 5 degrees.\n"
        f"At the end it is off by {off}; the inputs lay between {u.min():.2f} and {u.max():.2f} N."
    )


def _since(run: Run, error: Array, bound: float) -> str:
    """Return from when on an error stays below a bound."""
    far = np.flatnonzero(error > bound)
    first = int(far[-1]) + 1 if len(far) else 0
    if first == len(error):
        return "it never stays within"
    return f"from t = {run.time[first]:.2f} s on it is within"


def law_of(copter: Copter, reference: "Callable[[], Reference]", *options: str) -> Law:
    """Return the law with which a copter tracks a reference; the settings `options` are those of `track`."""

    def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
        more = {name: settings[name] for name in options}
        return track(m, settings["law"], [copter.pair], reference(), copter.inputs, period=period, **more)

    return law


def limits_in_action(run: Run, copter: Copter) -> Array:
    """Return at which samples of a run limits of the inputs act."""
    from poinsot.control.actuators import polygon  # the gallery is listed without it

    Z, b = polygon(copter.mechanism, copter.inputs)
    left = run.input("rotors") @ Z.T
    return np.asarray((left - b >= -1e-9 * (np.abs(left) + np.abs(b))).any(axis=1))


def story_of(
    reference: "Callable[[], Reference]", limited: Copter | None = None
) -> Callable[[Run, Settings], str]:
    """Return the story of a flight, of a copter with limits also when they act."""

    def story(run: Run, settings: Settings) -> str:
        found = describe(run, reference())
        if limited is None:
            return found
        act = limits_in_action(run, limited)
        if not act.any():
            return f"{found}\nNo limit of the motors acts."
        last = run.time[np.flatnonzero(act)[-1]]
        share = f"{100 * act.mean():.0f} % of the time"
        return f"{found}\nLimits of the motors act for {share}, last at {last:.2f} s."

    return story
