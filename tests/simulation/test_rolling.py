"""Rolling bodies and skates against closed forms, and runs of two other formulations (data/rolling.json)."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.cache import tree_for
from poinsot.core.tree.field import evaluation
from poinsot.core.tree.loops.field import closed_field
from poinsot.mechanics.algorithms import acceleration
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.mechanics.tangent import names

CASES = json.loads((Path(__file__).parents[1] / "data" / "rolling.json").read_text())["cases"]


def tumbling(name):
    """Return a rolling body of the data, its start, and what is expected."""
    given, expected = CASES[name]["input"], CASES[name]["expected"]
    shape, start = given["shape"], given["start"]
    touch = (
        ps.Wheel(shape["radius"], shape["edge_radius"])
        if shape["type"] == "torus"
        else ps.Ellipsoid(shape["semi_axes"])
    )
    m = ps.Mechanism(gravity=(0, 0, -given["gravity"]))
    m.add("body", ps.Body(given["mass"], given["inertia"]), ps.Free())
    m.close(ps.Rolling("body", touch, at=shape.get("centre", (0, 0, 0)), name="ground"))
    p, q, w = (np.array(expected[key][0]) for key in ("position", "quaternion", "angular_velocity_body"))
    v = np.cross(np.subtract(expected["contact_point"][0], p), ps.quaternion.apply(q, w))
    assert w == pytest.approx(start["angular_velocity_body"])
    moving = dict(position=p, rotation=q, angular_velocity=w, velocity=v)
    return m, m.state({"body": moving}), expected


@pytest.mark.parametrize(
    ("name", "step", "near", "strong"),
    [
        ("coin", 0.005, 2e-12, 1e-11),
        ("torus_wheel", 0.005, 2e-11, 2e-11),
        ("ellipsoid", 0.005, 5e-13, 2e-11),
        ("euler_disc", 0.001, 1e-10, 1e-7),
    ],
)
def test_bodies_of_all_shapes_roll_as_two_other_formulations_say(name, step, near, strong):
    m, start, expected = tumbling(name)
    run = ps.simulate(m, start, "gauss3", step=step, until=expected["times"][-1])
    at = np.rint(np.array(expected["times"]) / step).astype(int)
    assert np.abs(run.position("body")[at] - expected["position"]).max() < near
    assert np.abs(run.reaction("ground")[at, 3:] - expected["force"]).max() < strong
    energy = run.energy[0] if name != "euler_disc" else run.kinetic.max()
    assert np.ptp(run.energy) < 1e-9 * energy


def test_a_rattleback_turns_back():
    m, start, expected = tumbling("rattleback")
    run = ps.simulate(m, start, "gauss3", step=0.001, until=4.0, every=1000)
    assert np.abs(run.position("body") - expected["position"][:5]).max() < 1e-6
    w = np.einsum("nij,nj->ni", run.rotation("body"), run.angular_velocity("body"))[:, 2]
    assert w == pytest.approx(expected["spin_vertical"][:5], abs=1e-4)
    assert w[0] < 0 < w[-1]


def test_rows_hold_to_rounding_and_the_order_is_that_of_the_method():
    m, start, expected = tumbling("torus_wheel")
    ends = {}
    several = {
        "rk4": (200, 400),
        "gauss1": (100, 200),
        "gauss2": (50, 100),
        "gauss3": (25, 50),
        "gauss4": (20, 40),
    }
    for method, steps in several.items():
        for n in steps:
            run = ps.simulate(m, start, method, step=2 / n, steps=n)
            ends[method, n] = np.abs(run.position("body")[-1] - expected["position"][2]).max()
            for state in (run.at(0.5), run.final):
                here = ps.dynamics.loop_constraints(m, state)
                assert np.abs(here.residuals["ground"]).max() < 1e-15
                assert np.abs(here.rates["ground"]).max() < 1e-14
        order = np.log2(ends[method, steps[0]] / ends[method, steps[1]])
        assert order == pytest.approx(ps.method(method).order, abs=0.2)


def test_dop853_rolls_too():
    m, start, expected = tumbling("coin")
    run = ps.simulate(m, start, "dop853", step=0.5, until=5.0)
    assert np.abs(run.position("body") - expected["position"]).max() < 1e-10


def ball(gravity=(0, 0, -9.81), radius=0.1, mass=0.4, **contact):
    m = ps.Mechanism(gravity=gravity).add("ball", ps.Sphere(radius).body(mass=mass), ps.Free())
    return m.close(ps.Rolling("ball", ps.Sphere(radius), name="foot", **contact))


def test_a_ball_on_an_incline():
    given, expected = CASES["ball_incline"]["input"], CASES["ball_incline"]["expected"]
    g, slope, r = given["gravity"], given["slope"], given["radius"]
    m = ball((g * np.sin(slope), 0, -g * np.cos(slope)), r, given["mass"], friction=0.05)
    x, y = given["velocity_xy"]
    spin = (-y / r, x / r, given["spin_normal"])
    start = m.state({"ball": dict(position=(0, 0, r), velocity=(x, y, 0), angular_velocity=spin)})
    run = ps.simulate(m, start, "gauss3", step=0.002, until=given["time"], every=10)
    assert run.position("ball")[-1, :2] == pytest.approx(expected["position"], abs=1e-10)
    assert run.reaction("foot")[0, 3:] == pytest.approx(
        [-expected["friction_force"], 0, expected["normal_force"]], abs=1e-12
    )
    assert "contact 'foot': would slip at t = 0 s, it needs a friction of 0.0884" in str(run.report())
    assert "linear momentum (gravity, contact with the world)" in str(run.report())


@pytest.mark.parametrize("name", ["turntable", "turntable_tilted"])
def test_a_ball_on_a_table_that_is_driven(name):
    given, expected = CASES[name]["input"], CASES[name]["expected"]
    g, slope, r, rate = (given[key] for key in ("gravity", "slope", "radius", "table_rate"))
    m = ps.Mechanism(gravity=(g * np.sin(slope), 0, -g * np.cos(slope)))
    m.add("table", ps.Cylinder(2.0, 0.05).body(mass=5.0), ps.Revolute((0, 0, 1)))
    m.add("ball", ps.Sphere(r).body(mass=given["mass"]), ps.Free())
    m.apply(ps.Drive("table", lambda t: 3.0 * t)).close(ps.Rolling("ball", ps.Sphere(r), on="table"))
    p, v = np.array([*given["position_xy"], r]), np.array([*given["velocity_xy"], 0.0])
    u = v - rate * np.array([-p[1], p[0], 0])
    moving = dict(position=p, velocity=v, angular_velocity=(-u[1] / r, u[0] / r, 0))
    run = ps.simulate(m, m.state({"ball": moving}), "gauss3", step=0.002, until=given["time"], every=10)
    assert run.position("ball")[-1, :2] == pytest.approx(expected["position"], abs=1e-9)
    assert run.velocity("ball")[-1, :2] == pytest.approx(expected["velocity"], abs=1e-9)
    assert np.ptp(run.energy - run.work) < 1e-9


def test_a_ball_in_a_bowl():
    given, general = CASES["bowl"]["input"], CASES["bowl"]["expected"]["general"]
    m = ball((0, 0, -given["gravity"]), given["radius"], given["mass"], surface=ps.Bowl(given["bowl_radius"]))
    moving = {key: general[f"start_{key}"] for key in ("position", "velocity", "angular_velocity")}
    run = ps.simulate(m, m.state({"ball": moving}), "gauss3", step=0.004, until=4.0, every=100)
    assert run.position("ball")[-1] == pytest.approx(general["position"], abs=1e-10)
    assert run.energy[-1] == pytest.approx(run.energy[0], abs=1e-11)
    n = -run.position("ball") / 0.8
    w = np.einsum("nij,nj->ni", run.rotation("ball"), run.angular_velocity("ball"))
    assert np.sum(n * w, axis=1) == pytest.approx(general["spin_normal"], abs=1e-9)


def test_a_ball_leaves_a_sphere():
    given, expected = CASES["ball_off_sphere"]["input"], CASES["ball_off_sphere"]["expected"]
    far, angle = given["sphere_radius"] + given["radius"], given["start_angle"]
    m = ball(radius=given["radius"], surface=ps.Sphere(given["sphere_radius"]), friction=0.5)
    start = m.state({"ball": dict(position=(far * np.sin(angle), 0, far * np.cos(angle)))})
    fly = ps.Event("foot.lift", direction=-1, release=["foot"])
    events = [fly, ps.Event("'foot'.slip", direction=-1, name="slips")]
    run = ps.simulate(m, start, "gauss3", step=0.005, until=1.3, events=events)
    assert run.events["foot.lift"].times == pytest.approx([expected["lift_off_time"]], abs=1e-10)
    assert run.events["foot.lift"].states[0].q[2] / far == pytest.approx(
        expected["lift_off_cosine"], abs=1e-11
    )
    assert len(run.events["slips"].times) == 1
    after = run.time > 1.2
    assert not run.reaction("foot")[after].any()
    assert np.ptp(run.energy) < 1e-10


def cart_with_ball():
    """A ball on the slope of a cart, with a spring, and a start at which it rolls."""
    m = ps.Mechanism().add("cart", ps.Box(0.5).body(mass=3.0), ps.Prismatic((1, 0, 0)))
    m.add("ball", ps.Sphere(0.1).body(mass=0.4), ps.Free()).apply(ps.JointSpring("cart", 20.0))
    m.close(ps.Rolling("ball", ps.Sphere(0.1), on="cart", normal=(0.3, 0.2, 1), name="foot"))
    n = np.array([0.3, 0.2, 1]) / np.linalg.norm([0.3, 0.2, 1])
    w, v = np.array([1.0, -2.0, 0.5]), np.array([0.4, 0, 0])
    rolling = dict(position=0.1 * n, angular_velocity=w, velocity=v + np.cross(w, 0.1 * n))
    return m, m.state({"cart": dict(speed=0.4), "ball": rolling})


def test_chaplygins_sleigh():
    s = ps.scenario("chaplygin-sleigh")
    expected = CASES["sleigh"]["expected"]
    run = ps.simulate(s.mechanism, s.start, "gauss3", step=0.01, until=10.0)
    at = np.rint(np.array(expected["time"]) / 0.01).astype(int)
    assert run.joint("sleigh")[at, 2] == pytest.approx(expected["heading"], abs=1e-11)
    assert run.rate("sleigh")[at, 2] == pytest.approx(expected["rate"], abs=1e-11)
    assert np.abs(run.reaction("knife")[at, 4]) == pytest.approx(np.abs(expected["knife_force"]), abs=1e-10)


def test_a_knife_edge_on_an_incline():
    given, expected = CASES["knife_incline"]["input"], CASES["knife_incline"]["expected"]
    pull = given["gravity"] * np.sin(given["slope"])
    m = ps.Mechanism(gravity=(pull, 0, 0)).add(
        "knife", ps.Body(given["mass"], (0.1, 0.1, 0.2)), ps.Planar((0, 0, 1))
    )
    m.close(ps.Skate("knife", (0, 0, 0), (1, 0, 0)))
    h, v = given["heading"], given["speed"]
    moving = dict(angle=h, rate=given["rate"], speed=(v * np.cos(h), v * np.sin(h)))
    run = ps.simulate(m, m.state({"knife": moving}), "gauss3", step=0.01, until=given["time"])
    assert run.joint("knife")[-1, :2] == pytest.approx(expected["position"], abs=1e-10)


def test_the_bicycle_of_meijaard_and_others():
    given, expected = CASES["bicycle"]["input"], CASES["bicycle"]["expected"]
    s = ps.scenario("bicycle")
    m, rear, front = s.mechanism, given["rear_radius"], given["front_radius"]

    def upright(speed):
        wheels = {"rear": dict(rate=-speed / rear), "front": dict(rate=-speed / front)}
        place = (given["body_x"], 0, given["body_z"])
        return m.state({"frame": dict(position=place, velocity=(speed, 0, 0)), **wheels})

    load = ps.dynamics.reactions(m, upright(0.0))["F"][5]
    assert load == pytest.approx(expected["front_contact_load"], rel=1e-13)
    for row in expected["eigenvalues"]:
        wanted = np.array(row["real"]) + 1j * np.array(row["imag"])
        poles = ps.dynamics.linearize(m, upright(float(row["speed"]))).poles
        miss = np.abs(poles[:, None] - wanted).min(axis=0) / np.maximum(1, np.abs(wanted))
        assert miss.max() < 1e-11
    run = ps.simulate(m, s.start, "gauss3", step=0.01, until=6.0)
    assert np.ptp(run.energy) < 1e-9 * run.kinetic.max()
    lean = run.rotation("frame")[:, 2, 1]
    assert np.abs(lean).max() > 0.03
    assert np.abs(lean[-1]) < 0.15 * np.abs(lean).max()


def test_the_compiled_field_agrees_with_linear_algebra_in_python():
    """Gram and Schmidt in the core against singular values and Householder's method, on the bicycle and a
    ball, which also has a rope; with a redundant loop."""
    s, random = ps.scenario("bicycle"), np.random.default_rng(3)
    roped = ball(surface=ps.Sphere(0.9)).close(
        ps.Loop("world", "ball", ps.Distance(1.0), name="rope"),
        ps.Loop("world", "ball", ps.Distance(1.0), name="again"),
    )
    for m, q in ((s.mechanism, s.start.q), (roped, roped.state({"ball": dict(position=(0, 0.6, 0.8))}).q)):
        tree = tree_for(m)
        here = LoopConstraints(tree, q)
        v = here.project(random.normal(size=tree.nv))
        y, f = np.concatenate([q, v, [0.0]]), np.zeros(tree.nq + tree.nv + 1)
        evaluation()(closed_field(), *tree.functions(), 0.0, len(y), y, f, tree.model())
        a = here.accelerate(v, acceleration(tree, 0.0, q, v))
        assert f[tree.nq : -1] == pytest.approx(a, abs=1e-11 * np.abs(a).max())


def test_a_run_in_parts_has_the_bits_of_the_whole(tmp_path):
    m, start, _ = tumbling("coin")
    whole = ps.simulate(m, start, "gauss3", step=0.01, steps=60)
    first = ps.simulate(m, start, "gauss3", step=0.01, steps=25)
    first.save(tmp_path / "first.poinsot")
    again = ps.load(tmp_path / "first.poinsot")
    rest = ps.simulate(again.mechanism, again.final, "gauss3", step=0.01, steps=35)
    assert rest.final.q.tobytes() == whole.final.q.tobytes()
    back = ps.scenario("rolling-coin")
    assert ps.to_toml(back) == ps.to_toml(ps.scenario(tmp_file(tmp_path, ps.to_toml(back))))


def tmp_file(folder, text):
    path = folder / "coin.toml"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("method", ["gauss1", "gauss2", "gauss3", "gauss4"])
def test_steps_back_come_to_the_start(method):
    """A projection of the end alone leaves 1e-4, 1e-8, 6e-13 and 1e-14 at the smaller step."""
    for step, steps in ((0.01, 100), (0.05, 10)):
        for m, start in (tumbling("coin")[:2], cart_with_ball()):
            there = ps.simulate(m, start, method, step=step, steps=steps).final
            back = ps.simulate(m, ps.State(0.0, there.q, -there.v), method, step=step, steps=steps).final
            assert np.abs(back.q - start.q).max() < 2e-14
            assert np.abs(back.v + start.v).max() < 1e-13


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "method", "step", "trend", "band"),
    [
        ("coin", "gauss2", 0.01, 1e-11, 2e-9),
        ("coin", "gauss3", 0.02, 2e-12, 2e-11),
        ("ellipsoid", "gauss3", 0.01, 3e-10, 4e-10),
    ],
)
def test_the_energy_over_a_million_steps_is_what_the_docs_say(name, method, step, trend, band):
    """Relative to the energy: means over twentieths of the run change by at most the trend."""
    m, start, _ = tumbling(name)
    run = ps.simulate(m, start, method, step=step, steps=10**6, every=100)
    off = (run.energy[1:] - run.energy[0]) / run.kinetic.max()
    assert np.ptp(off) < band
    assert np.ptp(off.reshape(20, -1).mean(axis=1)) < trend
    here = ps.dynamics.loop_constraints(m, run.final)
    assert max(np.abs(here.residuals["ground"]).max(), np.abs(here.rates["ground"]).max()) < 1e-14


def flat_coin():
    m = ps.Mechanism().add("coin", ps.Body(1.0, (0.1, 0.1, 0.2)), ps.Free())
    m.close(ps.Rolling("coin", ps.Wheel(0.2)))
    ps.simulate(m, m.state(), step=0.01, steps=1)


def lying_can():
    m = ps.Mechanism().add("can", ps.Cylinder(0.1, 0.3).body(mass=1.0), ps.Free())
    m.close(ps.Rolling("can", ps.Cylinder(0.1, 0.3)))
    across = ps.quaternion.exp((np.pi / 2, 0, 0))
    ps.simulate(m, m.state({"can": dict(position=(0, 0, 0.1), rotation=across)}), step=0.01, steps=1)


def fixed_ball(parent="cart"):
    m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    m.add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Fixed(), parent=parent, at=(0, 0, 0.6))
    m.close(ps.Rolling("ball", ps.Sphere(0.1), on=parent, point=(0, 0, 0.5)))
    ps.simulate(m, m.state(), step=0.01, steps=1)


def upright_blade():
    m = ps.Mechanism().add("sleigh", ps.Box(1.0).body(mass=1.0), ps.Free())
    m.close(ps.Skate("sleigh", (0, 0, 0), (0, 0, 1)))
    ps.simulate(m, m.state(), step=0.01, steps=1)


def far_bowl():
    m = ball(surface=ps.Bowl(1.0))
    ps.simulate(m, m.state(), step=0.01, steps=1)


def cornered():
    ps.Rolling("box", ps.Box(1.0))


def tight():
    ps.Rolling("ball", ps.Sphere(1.0), surface=ps.Bowl(0.5))


def unwatched():
    m = ball()
    start = m.state({"ball": dict(position=(0, 0, 0.1))})
    ps.simulate(m, start, step=0.01, steps=1, events=[ps.Event("foot.slip")])


def varied():
    m = ball()
    ps.simulate(m, m.state({"ball": dict(position=(0, 0, 0.1))}), "variational", step=0.01, steps=1)


BAD = {
    "touches more than a point: tilt it, or close a Wheel at each of its ends": lying_can,
    "the shape lies flat, it touches more than a point": flat_coin,
    "'ball' is fixed to 'cart', it cannot roll or glide on it": fixed_ball,
    "'ball' is fixed to 'world', it cannot roll or glide on it": lambda: fixed_ball("world"),
    "the blade stands upright on the plane: give another direction": upright_blade,
    "cannot be closed from this state, a gap of 0.9 remains": far_bowl,
    "a Box has corners or hollows; take a Sphere": cornered,
    "a Sphere of radius 1 does not fit into the bowl": tight,
    "contact 'foot' has no friction: give it with friction=": unwatched,
    "cannot keep a body rolling or gliding, and there is loop 'foot': use rk4, gauss1": varied,
    "friction must not be negative": lambda: ps.Rolling("a", ps.Sphere(1.0), friction=-1.0),
    "shape must be a shape such as Sphere": lambda: ps.Rolling("a", 0.1),
    "only a Sphere rolls on or in a sphere": lambda: ps.Rolling("a", ps.Wheel(0.1), surface=ps.Sphere(1.0)),
    "surface must be a Sphere or a Bowl": lambda: ps.Rolling("a", ps.Sphere(0.1), surface=3),
}


@pytest.mark.parametrize("message", BAD)
def test_what_cannot_roll_is_refused(message):
    with pytest.raises(ps.PoinsotError, match=message) as found:
        BAD[message]()
    assert "\n" not in str(found.value)


def test_a_start_off_the_surface_is_moved_onto_it():
    m = ball()
    with pytest.warns(
        ps.LoopWarning, match=r"the start is 5.0e-02 off loop 'foot'; it was moved onto the loop"
    ):
        run = ps.simulate(m, m.state({"ball": dict(position=(0, 0, 0.15))}), "gauss3", step=0.01, steps=1)
    assert run.position("ball")[0] == pytest.approx([0, 0, 0.1], abs=1e-14)


@pytest.mark.parametrize(
    ("method", "step"), [("rk4", 0.01), ("gauss1", 0.05), ("gauss3", 0.05), ("dop853", 0.1)]
)
def test_the_linear_model_of_steps_is_that_of_simulate(method, step):
    """The derivative of steps with their projections against differences of runs; gauss1 has multipliers that
    are not small."""
    for m, start in (cart_with_ball(), tumbling("coin")[:2]):
        lin, d = ps.dynamics.linearize(m, start, method=method, step=step, steps=2), 1e-5
        rows = [names(m).index(name) for name in lin.states]

        def image(x, m=m, start=start, lin=lin, rows=rows):
            end = ps.simulate(m, ps.dynamics.move(m, start, x), method, step=step, steps=2).final
            return ps.dynamics.difference(m, end, lin.image)[rows]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deviations of second order are put onto the rows
            slopes = [(image(d * column) - image(-d * column)) / (2 * d) for column in lin.basis.T]
        assert np.abs(np.transpose(slopes) - lin.A).max() < 1e-8 * np.abs(lin.A).max()


def test_auto_says_why():
    m = ball()
    run = ps.simulate(m, m.state({"ball": dict(position=(0, 0, 0.1))}), step=0.01, steps=1)
    assert run.method.name == "gauss3"
    assert run.reason == "auto: keeps contacts, which are constraints of velocities"


def test_the_report_lists_the_times_at_which_a_contact_would_slip():
    """A ball in a bowl where the slope is steep: |T| = 2/7 m g sin, N = m g (cos + 10/7 (cos - cos a)), for
    a start at rest at the angle a; it comes there once in each half of a period."""
    m, far, a, mu = ball(surface=ps.Bowl(1.1), friction=0.05), 1.0, 0.5, 0.05
    start = m.state({"ball": dict(position=(far * np.sin(a), 0, -far * np.cos(a)))})
    run = ps.simulate(m, start, "gauss3", step=0.005, until=8.0)
    angle = np.arctan2(run.position("ball")[:, 0], -run.position("ball")[:, 2])
    normal = np.cos(angle) + 10 / 7 * (np.cos(angle) - np.cos(a))
    slipping = 2 / 7 * np.abs(np.sin(angle)) > mu * normal
    starts = run.time[1:][slipping[1:] & ~slipping[:-1]]
    (line,) = run.report().contacts
    words = line.removeprefix("contact 'foot': would slip at t = 0, ").split(" s and ")
    assert [float(x) for x in words[0].split(", ")] == pytest.approx(starts[:2], abs=0.005)
    assert words[1].startswith(f"{len(starts) - 2} more times, it needs a friction of ")
    assert float(words[1].split()[-1]) == pytest.approx(2 / 7 * np.tan(a), rel=1e-2)


def lying(shape, ends, inertia, slope=0.3, g=9.81):
    """Return a body that lies across a slope on its two ends, and its start at rest."""
    m = ps.Mechanism(gravity=(g * np.sin(slope), 0, -g * np.cos(slope)))
    m.add("roller", shape.body(mass=3.0), ps.Free())
    for name, z in (("left", -0.4), ("right", 0.4)):
        m.close(ps.Rolling("roller", ends, at=(0, 0, z), friction=0.5, name=name))
    across = ps.quaternion.exp((np.pi / 2, 0, 0))
    start = m.state({"roller": dict(position=(0, 0, 0.1), rotation=across)})
    return m, start, g * np.sin(slope) / (1 + inertia / 0.1**2)


@pytest.mark.parametrize(
    ("shape", "ends", "inertia"),
    [
        (ps.Cylinder(0.1, 0.8), ps.Wheel(0.1), 0.1**2 / 2),
        (ps.Capsule(0.1, 0.8), ps.Sphere(0.1), None),
    ],
    ids=["cylinder", "capsule"],
)
def test_a_roller_that_lies_on_a_slope(shape, ends, inertia):
    """Contact along a line: at both ends, whose rows along the axis are one.  A cylinder has 2/3 g sin."""
    if inertia is None:  # a cylinder and a ball, 3 l : 4 r, about the axis
        inertia = (2.4 * 0.1**2 / 2 + 0.4 * 2 / 5 * 0.1**2) / 2.8
    m, start, a = lying(shape, ends, inertia)
    run = ps.simulate(m, start, "gauss3", step=0.002, until=1.0, every=10)
    found = ps.dynamics.loop_constraints(m, start)
    assert (found.rank, found.redundant) == (5, 1)
    assert run.position("roller")[-1] == pytest.approx([a / 2, 0, 0.1], abs=1e-12)
    assert np.abs(run.angular_velocity("roller")[-1]) == pytest.approx([0, 0, a / 0.1], abs=1e-11)
    load = run.reaction("left")[:, 5] + run.reaction("right")[:, 5]
    assert load == pytest.approx(3.0 * 9.81 * np.cos(0.3), abs=1e-10)
    (line,) = run.report().contacts
    assert line.endswith("not unique, the smallest are taken: 1 of 6 rows of loops follow from the others")
    if isinstance(shape, ps.Cylinder):
        assert a == pytest.approx(2 / 3 * 9.81 * np.sin(0.3), rel=1e-14)


@pytest.mark.parametrize(
    ("shape", "same"),
    [(ps.Cylinder(0.1, 0.3), ps.Wheel(0.1)), (ps.Capsule(0.1, 0.3), ps.Sphere(0.1))],
    ids=["cylinder", "capsule"],
)
def test_a_leaning_body_touches_with_its_lower_end(shape, same):
    """With the edge of a cylinder, which is a disc there, and with the cap of a capsule, which is a ball."""
    ends = []
    for touch, at in ((shape, 0.0), (same, -0.15)):
        m = ps.Mechanism().add("can", shape.body(mass=1.0), ps.Free())
        m.close(ps.Rolling("can", touch, at=(0, 0, at)))
        turn, spin = ps.quaternion.exp((0.4, 0, 0)), np.array((0, 0, 9.0))
        arm = ps.quaternion.apply(turn, (0, -0.1, -0.15) if isinstance(same, ps.Wheel) else (0, 0, -0.15))
        arm = arm - (0, 0, 0 if isinstance(same, ps.Wheel) else 0.1)  # to the contact
        v = -np.cross(ps.quaternion.apply(turn, spin), arm)
        moving = dict(position=(0, 0, -arm[2]), rotation=turn, angular_velocity=spin, velocity=v)
        ends.append(ps.simulate(m, m.state({"can": moving}), "gauss3", step=0.002, until=0.4).final)
    assert np.abs(ends[0].q - ends[1].q).max() < 1e-12
    assert np.abs(ends[0].v - ends[1].v).max() < 1e-11
