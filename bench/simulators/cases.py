"""Write the cases of "test your simulator" (cases/*.json) from closed forms and tests/data/rolling.json.

    python bench/simulators/cases.py [NAME ...]

SI units; quaternions (w, x, y, z) turn body axes into space axes.  The frame of every body lies at its center
of mass; `at` is the place of its joint in its parent, `center` its own place from its joint (all axes are
parallel where all angles are zero), `inertia` is about the center of mass.  `start` has the pose and the
velocities of every body, and of a hinge angle and rate: positions and velocities of the center of mass in
space, angular velocities in body axes.  `answers` has what is exact at `times`, to `digits` decimal digits.
"""

import json
import sys
from pathlib import Path

import closed_forms as exact
from mpmath import mp, mpf

HERE = Path(__file__).parent
ROLLING = json.loads((HERE.parents[1] / "tests" / "data" / "rolling.json").read_text())["cases"]
GRAVITY = 9.81
FOOT, POUND, STANDARD_GRAVITY = 0.3048, 0.45359237, 9.80665  # by definition
UNIT = POUND * STANDARD_GRAVITY * FOOT  # kg m² in a slug ft²
PUBLISHED = (12.61839077566776, -17.3974747618308, 31.11958888682995)  # deg/s, NASA/TM-2015-218675, Atmos_02


def numbers(values):
    """Doubles, in nested lists."""
    return [numbers(x) for x in values] if isinstance(values, (list, tuple, mp.matrix)) else float(values)


def diagonal(*moments):
    """A tensor of inertia."""
    return [[float(moments[i]) if i == j else 0.0 for j in range(3)] for i in range(3)]


def body(name, mass, inertia, joint=None, parent="world", at=(0, 0, 0), center=(0, 0, 0)):
    """A body as data, with its frame at its center of mass."""
    return {
        "name": name,
        "mass": mass,
        "inertia": inertia,
        "joint": joint or {"kind": "free"},
        "parent": parent,
        "at": numbers(at),
        "center": numbers(center),
    }


def hinge(axis=(0, 1, 0)):
    """A revolute joint."""
    return {"kind": "revolute", "axis": numbers(axis)}


def moving(
    position=(0, 0, 0), quaternion=(1, 0, 0, 0), velocity=(0, 0, 0), angular_velocity=(0, 0, 0), **more
):
    """What is known of a body at one time."""
    rows = {
        "position": position,
        "quaternion": quaternion,
        "velocity": velocity,
        "angular_velocity": angular_velocity,
    }
    return {key: numbers(value) for key, value in {**rows, **more}.items()}


def case(title, about, source, digits, bodies, start, times=(), answers=(), **more):
    """A case: what is in its file, in this order."""
    return {
        "title": title,
        "about": about,
        "source": source,
        "digits": digits,
        "gravity": numbers(more.pop("gravity", (0, 0, -GRAVITY))),
        "bodies": bodies,
        "start": start,
        "energy": more.pop("energy", "constant"),
        **more,
        "times": numbers(list(times)),
        "answers": list(answers),
    }


def free_body():
    """100 s of a body that tumbles near its middle axis."""
    inertia, rates, times = (0.08, 0.15, 0.2), (0.3, 4.0, 0.3), (1, 10, 100)
    return case(
        "free body, 100 s",
        "A body without forces tumbles: it turns over again and again, 64 turns in 100 s.",
        "Jacobi's elliptic functions, 40 digits",
        15,
        [body("body", 1.0, diagonal(*inertia))],
        {"body": moving(angular_velocity=rates)},
        times,
        tumbles(inertia, rates, times),
        gravity=(0, 0, 0),
    )


def tumbles(inertia, rates, times):
    """Answers of a free body."""
    found = exact.tumble(inertia, rates, times)
    return [
        {"body": {"quaternion": numbers(exact.quaternion(R)), "angular_velocity": numbers(list(w))}}
        for R, w in found
    ]


def nasa_brick():
    """Check case 2 of NASA."""
    inertia = [x * UNIT for x in (0.00189422, 0.006211019, 0.007194665)]
    rates, times = [float(mp.radians(x)) for x in (10, 20, 30)], (30,)
    answers = tumbles(inertia, rates, times)
    published = [float(mp.radians(mpf(repr(x)))) for x in PUBLISHED]
    return case(
        "NASA check case 2",
        "A brick of 8 by 4 by 2.25 inches tumbles (NASA/TM-2015-218675, Atmos_02).  `published` are the body "
        "rates of the report at 30 s, which five simulations of NASA miss by 3.6e-10 to 4.7e-3 deg/s.",
        "Jacobi's elliptic functions, 40 digits",
        15,
        [body("body", 5 * POUND, diagonal(*inertia))],
        {"body": moving(angular_velocity=rates)},
        times,
        answers,
        gravity=(0, 0, 0),
        published={"angular_velocity": published},
    )


def pendulum(degrees):
    """A rod on a hinge, some of its quarter periods."""
    amplitude = mp.radians(degrees)
    moment = 1.0 * (1.0**2 + 0.05**2) / 12
    frequency = mp.sqrt(mpf(GRAVITY) * mpf("0.5") / (mpf(moment) + mpf("0.25")))
    period = exact.period(amplitude, frequency)
    times = [float(period * (n + mpf("0.25"))) for n in (0, 1, 10, 100)]
    at = [(amplitude, mpf(0)), *exact.pendulum(amplitude, frequency, [mpf(t) for t in times])]
    states = [{"rod": swing(angle, rate)} for angle, rate in at]
    return case(
        f"pendulum, {degrees} degrees",
        f"A rod on a hinge, released at {degrees} degrees, at 1/4, 1 1/4, 10 1/4 and 100 1/4 periods: it "
        "passes the bottom, where an error of the period is seen best.",
        "Jacobi's elliptic functions, 40 digits",
        13,
        [body("rod", 1.0, diagonal(moment, moment, 0.05**2 / 6), hinge(), center=(0, 0, -0.5))],
        states[0],
        times,
        states[1:],
        period=float(period),
    )


def swing(angle, rate, top=(0, 0, 0), speed=(0, 0, 0), relative=None):
    """A rod turned about y, with its upper end at a place of a speed; its hinge has what is relative."""
    s, c = mp.sin(angle), mp.cos(angle)
    across = (-s, 0, -c), (-c * rate, 0, s * rate)
    place, velocity = (
        [a + b / 2 for a, b in zip(x, y, strict=True)] for x, y in zip((top, speed), across, strict=True)
    )
    own = relative or (angle, rate)
    return moving(
        place,
        (mp.cos(angle / 2), 0, mp.sin(angle / 2), 0),
        velocity,
        (0, rate, 0),
        angle=own[0],
        rate=own[1],
    )


def chain():
    """Four rods on hinges, 5 s."""
    first, times, names = (0.5, 0.9, -0.3, 0.2), (1, 2, 3, 4, 5), ("a", "b", "c", "d")
    moment, thin = 1.0 / 12, 1e-3  # about its axis: it never turns that way
    rows = [(first, [0] * 4), *exact.chain(first, 1, mpf(GRAVITY), times, mpf("0.02"))]
    states = []
    for angles, rates in rows:
        top, speed, before, states = [0, 0, 0], [0, 0, 0], (0, 0), [*states, {}]
        for name, angle, rate in zip(names, map(mpf, angles), map(mpf, rates), strict=True):
            states[-1][name] = swing(angle, rate, top, speed, (angle - before[0], rate - before[1]))
            s, c, before = mp.sin(angle), mp.cos(angle), (angle, rate)
            top, speed = [top[0] - s, 0, top[2] - c], [speed[0] - c * rate, 0, speed[2] + s * rate]
    links = [
        body(
            name,
            1.0,
            diagonal(moment, moment, thin),
            hinge(),
            parent,
            (0, 0, -0.5 if up else 0),
            (0, 0, -0.5),
        )
        for up, (name, parent) in enumerate(zip(names, ("world", *names), strict=False))
    ]
    return case(
        "chain of 4, 5 s",
        "Four thin rods of 1 m and 1 kg on hinges, released from a bent position; the motion is chaotic.",
        "Lagrange's equations, extrapolated with 40 digits",
        14,
        links,
        states[0],
        times,
        states[1:],
    )


def bouncing_ball(restitution, count):
    """A ball that falls on a floor, at the tops of its path."""
    radius, height, mass = 0.1, 1.0, 0.5
    tops = exact.bounces(mpf(height), mpf(GRAVITY), mpf(repr(restitution)), count)
    moment = 0.4 * mass * radius**2
    answers = [{"body": {"position": numbers([0, 0, top + mpf(repr(radius))])}} for _, top in tops]
    energy = "constant" if restitution == 1 else [restitution ** (2 * k) for k in range(1, count + 1)]
    return case(
        f"{count} bounces, restitution {restitution:g}",
        f"A ball falls 1 m onto a floor (z = 0) and keeps {restitution:g} of its speed at each bounce; seen "
        "at the tops of its path.",
        "parabolas, 40 digits",
        15,
        [body("body", mass, diagonal(moment, moment, moment))],
        {"body": moving((0, 0, height + radius))},
        [t for t, _ in tops],
        answers,
        energy=energy,
        contact={"kind": "bounce", "body": "body", "radius": radius, "restitution": restitution},
    )


def cross(a, b):
    """Of two vectors."""
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]


def turn(q, x):
    """A vector in space axes of which the body axes are given."""
    w, u = q[0], q[1:]
    t = [2 * y for y in cross(u, x)]
    return [x[i] + w * t[i] + cross(u, t)[i] for i in range(3)]


def rolling_body(name, title, about, digits, until=None):
    """A body that rolls on the floor, of rolling.json."""
    given, expected = ROLLING[name]["input"], ROLLING[name]["expected"]
    shape = given["shape"]
    kind = (
        {"kind": "wheel", "radius": shape["radius"], "tube": shape["edge_radius"]}
        if shape["type"] == "torus"
        else {"kind": "ellipsoid", "semi_axes": shape["semi_axes"]}
    )
    states = []
    for p, q, w, foot in zip(
        *(expected[key] for key in ("position", "quaternion", "angular_velocity_body", "contact_point")),
        strict=True,
    ):
        arm = [a - b for a, b in zip(foot, p, strict=True)]
        states.append({"body": moving(p, q, cross(arm, turn(q, w)), w)})
    count = sum(t <= (until or mp.inf) for t in expected["times"])
    return case(
        title,
        about,
        "two formulations that agree (tests/data/rolling.json)",
        digits,
        [body("body", given["mass"], numbers(given["inertia"]))],
        states[0],
        expected["times"][1:count],
        states[1:count],
        gravity=(0, 0, -given["gravity"]),
        contact={
            "kind": "rolling",
            "body": "body",
            "shape": kind,
            "at": numbers(shape.get("centre", [0, 0, 0])),
        },
    )


def ball(name):
    """The mass, the tensor of a ball of rolling.json, and its radius."""
    given = ROLLING[name]["input"]
    moment = given["inertia_over_mr2"] * given["mass"] * given["radius"] ** 2
    return body("body", given["mass"], diagonal(moment, moment, moment)), given["radius"]


def on_incline():
    """A ball on an incline."""
    given, expected = ROLLING["ball_incline"]["input"], ROLLING["ball_incline"]["expected"]
    one, r = ball("ball_incline")
    (x, y), slope, g = given["velocity_xy"], mpf(given["slope"]), given["gravity"]
    end = {
        "position": numbers([*expected["position"], r]),
        "velocity": numbers([*expected["velocity"], 0.0]),
    }
    return case(
        "ball on an incline",
        "A ball rolls across and down a slope of 0.3 rad, seen in axes of the slope.",
        "closed form (tests/data/rolling.json)",
        14,
        [one],
        {
            "body": moving(
                (0, 0, r), velocity=(x, y, 0), angular_velocity=(-y / r, x / r, given["spin_normal"])
            )
        },
        [given["time"]],
        [{"body": end}],
        gravity=(g * mp.sin(slope), 0, -g * mp.cos(slope)),
        contact={
            "kind": "rolling",
            "body": "body",
            "shape": {"kind": "sphere", "radius": r},
            "at": [0.0, 0.0, 0.0],
        },
    )


def in_bowl():
    """A ball in a bowl."""
    given, general = ROLLING["bowl"]["input"], ROLLING["bowl"]["expected"]["general"]
    one, r = ball("bowl")
    contact = {
        "kind": "rolling",
        "body": "body",
        "shape": {"kind": "sphere", "radius": r},
        "at": [0.0, 0.0, 0.0],
    }
    return case(
        "ball in a bowl, 4 s",
        "A ball with spin rolls in a bowl about the origin.",
        "closed form and quadrature (tests/data/rolling.json)",
        13,
        [one],
        {
            "body": moving(
                *(
                    general[f"start_{key}"] if key else (1, 0, 0, 0)
                    for key in ("position", "", "velocity", "angular_velocity")
                )
            )
        },
        [given["start"]["time"]],
        [{"body": {key: general[key] for key in ("position", "velocity")}}],
        gravity=(0, 0, -given["gravity"]),
        contact={**contact, "bowl": given["bowl_radius"]},
    )


def on_turntable():
    """A ball on a turntable."""
    given, expected = ROLLING["turntable"]["input"], ROLLING["turntable"]["expected"]
    one, r = ball("turntable")
    rate, (px, py), (vx, vy) = given["table_rate"], given["position_xy"], given["velocity_xy"]
    ux, uy = vx + rate * py, vy - rate * px  # against the table
    table = body("table", 5.0, diagonal(5.0, 5.0, 10.0), hinge((0, 0, 1)))
    contact = {
        "kind": "rolling",
        "body": "body",
        "shape": {"kind": "sphere", "radius": r},
        "at": [0.0, 0.0, 0.0],
    }
    return case(
        "ball on a turntable, 5 s",
        "A ball rolls on a table that is driven at 3 rad/s: its center goes round a circle at 6/7 rad/s.",
        "closed form (tests/data/rolling.json)",
        14,
        [table, one],
        {
            "table": moving(angular_velocity=(0, 0, rate), angle=0, rate=rate),
            "body": moving((px, py, r), velocity=(vx, vy, 0), angular_velocity=(-uy / r, ux / r, 0)),
        },
        [given["time"]],
        [{"body": {key: numbers([*expected[key], z]) for key, z in (("position", r), ("velocity", 0.0))}}],
        gravity=(0, 0, -given["gravity"]),
        energy=None,
        contact={**contact, "on": "table"},
        drive={"table": rate},
    )


def sleigh():
    """Chaplygin's sleigh."""
    given, expected = ROLLING["sleigh"]["input"], ROLLING["sleigh"]["expected"]
    d, heading = given["distance"], [given["heading"], *expected["heading"]]
    knife, speed = [[0.0, 0.0], *expected["knife_position"]], [given["speed"], *expected["speed"]]
    states = []
    for (x, y), h, u, w in zip(knife, heading, speed, [given["rate"], *expected["rate"]], strict=True):
        s, c = mp.sin(h), mp.cos(h)
        velocity = (u * c - d * w * s, u * s + d * w * c, 0)
        turned = (mp.cos(mpf(h) / 2), 0, 0, mp.sin(mpf(h) / 2))
        states.append({"body": moving((x + d * c, y + d * s, 0), turned, velocity, (0, 0, w))})
    moment = given["inertia"]
    return case(
        "Chaplygin's sleigh, 10 s",
        "A body on a smooth plane with a knife edge behind its center of mass, started backwards: it turns.",
        "closed form and quadrature (tests/data/rolling.json)",
        13,
        [body("body", given["mass"], diagonal(moment / 2, moment / 2, moment))],
        states[0],
        expected["time"],
        states[1:],
        gravity=(0, 0, 0),
        contact={"kind": "skate", "body": "body", "at": [-d, 0.0, 0.0], "direction": [1.0, 0.0, 0.0]},
    )


def bicycle():
    """The eigenvalues of the benchmark bicycle."""
    given, expected = ROLLING["bicycle"]["input"], ROLLING["bicycle"]["expected"]
    tilt = mp.pi * mpf(repr(given["steer_tilt_over_pi"]))
    base, trail, back, front = (given[key] for key in ("wheelbase", "trail", "rear_radius", "front_radius"))
    main, fork = (given["body_x"], 0, given["body_z"]), (given["fork_x"], 0, given["fork_z"])
    steer = (mpf(repr(base)) + mpf(repr(trail)), 0, 0)
    places = {"frame": main, "rear": (0, 0, -back), "fork": fork, "front": (base, 0, -front)}
    away = {
        (a, b): [mpf(x) - mpf(y) for x, y in zip(a, b, strict=True)]
        for a in (*places.values(), steer)
        for b in (*places.values(), steer)
    }
    wheels = {
        key: diagonal(given[f"{key}_Ixx"], given[f"{key}_Iyy"], given[f"{key}_Ixx"])
        for key in ("rear", "front")
    }
    bodies = [
        body("frame", given["body_mass"], numbers(given["body_inertia"])),
        body("rear", given["rear_mass"], wheels["rear"], hinge(), "frame", away[places["rear"], main]),
        body(
            "fork",
            given["fork_mass"],
            numbers(given["fork_inertia"]),
            hinge((mp.sin(tilt), 0, mp.cos(tilt))),
            "frame",
            away[steer, main],
            away[fork, steer],
        ),
        body("front", given["front_mass"], wheels["front"], hinge(), "fork", away[places["front"], fork]),
    ]
    contacts = [
        {
            "kind": "rolling",
            "body": name,
            "shape": {"kind": "wheel", "radius": r, "tube": 0.0},
            "at": [0.0, 0.0, 0.0],
            "axis": [0.0, 1.0, 0.0],
            "normal": [0.0, 0.0, -1.0],
        }
        for name, r in (("rear", back), ("front", front))
    ]
    start = {name: moving(place) for name, place in places.items()}
    for name in ("rear", "fork", "front"):
        start[name] |= {"angle": 0.0, "rate": 0.0}
    poles = [
        {
            "speed": float(row["speed"]),
            "eigenvalues": [list(x) for x in zip(row["real"], row["imag"], strict=True)],
        }
        for row in expected["eigenvalues"]
    ]
    return case(
        "bicycle, eigenvalues",
        "The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007), upright at 0 to 10 m/s; z "
        "is down.  Four eigenvalues at each speed (1/s, real and imaginary part); the others are zero.",
        "published (tests/data/rolling.json)",
        14,
        bodies,
        start,
        gravity=(0, 0, given["gravity"]),
        contacts=contacts,
        eigenvalues=poles,
    )


CASES = {
    "free-body": free_body,
    "nasa-brick": nasa_brick,
    "pendulum-10": lambda: pendulum(10),
    "pendulum-90": lambda: pendulum(90),
    "pendulum-170": lambda: pendulum(170),
    "chain-4": chain,
    "bounces": lambda: bouncing_ball(1.0, 10),
    "bounces-with-loss": lambda: bouncing_ball(0.8, 5),
    "ball-on-incline": on_incline,
    "ball-in-bowl": in_bowl,
    "ball-on-turntable": on_turntable,
    "coin": lambda: rolling_body("coin", "rolling coin, 5 s", "A thin disc rolls and leans.", 12),
    "wheel": lambda: rolling_body("torus_wheel", "wheel with a round rim, 5 s", "A torus rolls.", 12),
    "ellipsoid": lambda: rolling_body(
        "ellipsoid", "rolling ellipsoid, 5 s", "Its center of mass is its middle.", 12
    ),
    "euler-disc": lambda: rolling_body(
        "euler_disc", "Euler's disk without loss, 2 s", "A flat disc whirls.", 11
    ),
    "rattleback": lambda: rolling_body(
        "rattleback",
        "rattleback, 4 s",
        "Spun the wrong way round, it begins to rattle and turns back.",
        9,
        4.0,
    ),
    "sleigh": sleigh,
    "bicycle": bicycle,
}


def text(content, depth=0):
    """JSON with a line for each list of numbers."""
    flat = json.dumps(content)
    if len(flat) <= 100 or not isinstance(content, (dict, list)) or depth > 4:
        return flat
    inner, (left, right) = " " * (depth + 1), "{}" if isinstance(content, dict) else "[]"
    rows = (
        [f"{json.dumps(key)}: {text(value, depth + 1)}" for key, value in content.items()]
        if isinstance(content, dict)
        else [text(value, depth + 1) for value in content]
    )
    return left + "\n" + ",\n".join(inner + row for row in rows) + "\n" + " " * depth + right


def main(names):
    """Write the files."""
    for name in names or CASES:
        (HERE / "cases" / f"{name}.json").write_text(text(CASES[name]()) + "\n", encoding="utf-8")
        print(name)


if __name__ == "__main__":
    (HERE / "cases").mkdir(exist_ok=True)
    main(sys.argv[1:])
