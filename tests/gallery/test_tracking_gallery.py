"""Scenarios with a tracking controller, in the continuous loop, against reference runs and closed forms."""

from types import SimpleNamespace

import numpy as np
import pytest

import poinsot as ps
from poinsot.gallery import (
    arm_tracking,
    cart_pole,
    copters,
    planar_body,
    pvtol,
    quadcopter,
    revolute_tracking,
    scara,
    six_axes,
    tricopter,
    tricopter_load,
    two_masses,
)
from support.data import load

RUNS = load("control.json")["runs"]
C = ps.control


def flown(name, file, until, step=0.01, **settings):
    """The continuous run of a scenario."""
    s = ps.scenario(name, **{f"control.{key}": value for key, value in settings.items()})
    known = {key: value for key, value in s.control.items() if key != "scenario"}
    law = file.law(s.mechanism, known, None)
    return ps.simulate(s.mechanism, s.start, "rk4", step=step, until=until, controller=law), law


def compared(run, samples, key, q=None, close=1e-6, until=np.inf):
    """Compare a coordinate of the samples of the reference with a run."""
    count = 0
    for sample in samples:
        if sample["t"] <= min(until, run.final.time + 1e-9):
            k = round(sample["t"] / run.step)
            found = run.trajectory.q[k] if q is None else q[k]
            assert np.abs(found - sample[key]).max() < close
            count += 1
    assert count > 2


def test_the_values_that_scenarios_carry_are_those_of_the_reference():
    """`tests/gallery/test_scenarios.py` compares them with runs."""
    hinge = RUNS["revolute"]["outputs"]["runs"]["body, amplitude 0.785398"]
    masses = [{**x, "q": (x["z"][0], x["z"][1] - x["z"][0])} for x in RUNS["two_mass"]["outputs"]["samples"]]

    def of(example, name):
        return RUNS[example]["outputs"][name]

    for name, samples, key, time in (
        ("revolute-tracking", hinge, "theta", 1),
        ("planar-body", of("planar", "energy"), "e", 0.5),
        ("scara", of("scara", "joint space, body"), "q", 1),
        ("arm-tracking", of("arm6", "tool space, body"), "q", 1),
        ("two-masses", masses, "q", 1),
        ("pvtol", of("pvtol", "transition, particle"), "r", 1),
        ("tricopter-helix", of("tricopter", "helix with roll, energy2"), "r", 1),
        ("tricopter-load", of("tri_load", "swing, particle"), "copter_r", 1.6),
        ("bicopter-circle", of("bicopter", "particle, polygon"), "r", 1),
    ):
        (sample,) = [x for x in samples if x["t"] == time]
        carried = ps.scenario(name).reference[f"coordinates at {time}, continuous loop"]
        assert carried == pytest.approx(np.atleast_1d(sample[key]), rel=1e-11), name
    (sample,) = [x for x in of("sampled", "quadcopter loop, particle, hold 0.01 s") if x["t"] == 2]
    flown = ps.scenario("quadcopter-loop").reference["coordinates at 2"]
    assert flown == pytest.approx(
        [*sample["r"], *np.negative(sample["q"])], rel=1e-11
    )  # q and -q: one attitude


@pytest.mark.parametrize(
    ("name", "setting", "message"),
    [
        ("scara", "space", "control.space must be 'joint' or 'tool', got 'x'"),
        ("arm-tracking", "space", "control.space must be 'joint' or 'tool', got 'x'"),
        ("pvtol", "path", "control.path must be 'transition' or 'circle', got 'x'"),
        ("revolute-tracking", "amplitude", "control.amplitude must be a number, got 'x'"),
    ],
)
def test_a_wrong_setting_is_named(name, setting, message):
    with pytest.raises(ps.ModelError, match=message):
        ps.scenario(name, **{f"control.{setting}": "x"})


@pytest.mark.parametrize("kind", ["particle", "body"])
def test_a_hinge(kind):
    run, law = flown("revolute-tracking", revolute_tracking, 1.0, step=0.01, law=kind)
    data = RUNS["revolute"]["outputs"]["runs"]
    compared(run, data[f"{kind}, amplitude 0.785398"], "theta", run.trajectory.q[:, 0])
    energy = C.performance(run, law).energy
    whole = data[f"{kind}, amplitude 0.785398 summary"]
    assert energy[0] == pytest.approx(whole["W0"], rel=1e-9)
    assert energy.max() == pytest.approx(whole["W_max"], rel=1e-3)


@pytest.mark.slow
def test_the_phase_portrait_of_a_hinge():
    """Five starts about a resting reference: a damped pendulum, which settles in the turn that it reaches."""
    s = ps.scenario("revolute-tracking")
    law = revolute_tracking.law(s.mechanism, {"law": "body", "amplitude": 0.0}, None)
    for line in RUNS["revolute"]["outputs"]["phase_portrait_body"]:
        start = ps.State(0.0, line["start"][:1], line["start"][1:])
        run = ps.simulate(s.mechanism, start, "rk4", step=0.02, until=1.0, controller=law)
        for t, theta in zip(line["t"], line["theta"], strict=True):
            if t in (0.5, 1):
                assert run.trajectory.q[round(t / 0.02), 0] == pytest.approx(theta, abs=1e-4)


@pytest.mark.slow
def test_a_particle_law_on_a_fast_reference_settles_aside():
    """With 3.5 rad/s, above the 3 rad/s of the template: at 2 atan((w^2 - 9) / (4.2 w)) = 24.934 degrees."""
    s = ps.scenario("revolute-tracking")
    pair = C.Pair("arm", "world", *((0.0, (0, 0, 0), (0, 0, x)) for x in (1.0, 4.2, 9.0)))
    rate = 3.5
    rest = 2 * np.arctan((rate**2 - 9) / (4.2 * rate))

    def reference(t):
        return ps.State(t, [rate * t], [rate]), [0.0]

    law = C.track(s.mechanism, C.Template("particle", [pair]), reference, ["arm"])
    run = ps.simulate(s.mechanism, ps.State(0.0, [0.3], [rate]), "rk4", step=0.04, until=10.0, controller=law)
    assert run.final.q[0] - rate * run.final.time == pytest.approx(rest, abs=1e-3)
    assert np.rad2deg(rest) == pytest.approx(24.934, abs=1e-3)


@pytest.mark.parametrize("kind", ["particle", "body", "energy", "energy2"])
def test_a_planar_body(kind):
    run, law = flown("planar-body", planar_body, 2.0, law=kind)
    samples = RUNS["planar"]["outputs"][kind]
    compared(run, samples, "e", run.trajectory.q[:, :2])
    x = run.trajectory.q[:, 0]
    if kind in ("particle", "energy2"):
        assert np.abs(x).max() < 1e-12  # straight in space
    else:
        assert np.abs(x).max() > 0.1
    if kind == "particle":
        assert (np.abs(C.poles(law) + 2) < 0.05).sum() == 4  # double roots: to the root of the differences


@pytest.mark.parametrize("space", ["joint", "tool"])
def test_a_scara(space):
    run, _ = flown("scara", scara, 4.5, step=0.0125, space=space)
    compared(run, RUNS["scara"]["outputs"][f"{space} space, body"], "q")
    end = (174.73, -54.31) if space == "joint" else (132.14, 54.31)
    assert np.rad2deg(run.final.q) == pytest.approx(end, abs=0.1)
    side = "second" if space == "tool" else "first"
    assert f"in the {side} of its two positions" in scara.story(run, {})
    if space == "tool":  # its error is e0 (1 + w t) exp(-w t)
        line = scara.reference()
        e = scara.tool(run.trajectory.q) - [scara.tool(np.array(line(t)[0].q)) for t in run.time]
        exact = e[0] * ((1 + 4 * run.time) * np.exp(-4 * run.time))[:, None]
        assert np.abs(e - exact).max() < 1e-3  # rk4 where the arm is stretched


def test_two_masses():
    """Against the reference, and the poles that were asked for; the matching force is zero throughout."""
    run, law = flown("two-masses", two_masses, 2.5)
    q = run.trajectory.q
    compared(run, RUNS["two_mass"]["outputs"]["samples"], "z", np.column_stack([q[:, 0], q.sum(axis=1)]))
    template = RUNS["two_mass"]["outputs"]["template"]
    for pair, name in zip(law.function.template.pairs, ("01", "02", "12"), strict=True):
        for what, letter in (("inertia", "m"), ("damping", "d"), ("stiffness", "k")):
            assert getattr(pair, what)[3, 3] == pytest.approx(template[letter + name], rel=1e-10)
    assert np.abs(C.poles(law) - np.array([-5 - 3j, -5 + 3j, -2 - 1.5j, -2 + 1.5j])).max() < 1e-6
    seen = C.performance(run, law)
    assert seen.matching.max() < 1e-10
    assert seen.residual.max() < 1e-20
    found = C.matching(law)
    assert max(np.abs(found.damping).max(), np.abs(found.stiffness).max()) < 1e-6


@pytest.mark.parametrize("kind", ["particle", "body", "energy", "energy2"])
def test_a_pvtol_transition(kind):
    run, law = flown("pvtol", pvtol, 1.0, law=kind)
    q = run.trajectory.q
    compared(run, RUNS["pvtol"]["outputs"][f"transition, {kind}"], "r", q[:, :2])
    if kind == "particle":
        for root in RUNS["pvtol"]["outputs"]["roots"]:
            assert np.abs(C.poles(law) - complex(*root)).min() < 1e-5


@pytest.mark.slow
def test_a_pvtol_on_its_circle():
    """'particle' converges, 'body' does not: the residual of the first does not know the position error."""
    ends = []
    data = RUNS["pvtol"]
    for kind in ("particle", "body"):
        s = ps.scenario("pvtol", **{"control.path": "circle", "control.law": kind})
        law = pvtol.law(s.mechanism, {"path": "circle", "law": kind}, None)
        first = data["outputs"]["loop, particle"][0]
        rotated = np.array(
            [
                [np.cos(first["theta"]), -np.sin(first["theta"])],
                [np.sin(first["theta"]), np.cos(first["theta"])],
            ]
        )
        start = ps.State(0.0, [*first["r"], first["theta"]], [*(rotated @ first["v"]), first["w"]])
        run = ps.simulate(s.mechanism, start, "rk4", step=0.0125, until=3.0, controller=law)
        if kind == "particle":
            compared(run, data["outputs"]["loop, particle"], "r", run.trajectory.q[:, :2], 1e-4)
        there = pvtol.reference(s.mechanism, {"path": "circle"})(3.0)[0].q
        ends.append(np.linalg.norm(run.final.q[:2] - there[:2]))
    assert ends[0] < 5e-3
    assert ends[1] > 0.2


@pytest.mark.parametrize("space", ["joint", "tool"])
def test_an_arm_with_six_axes(space):
    data, off = RUNS["arm6"]["outputs"], arm_tracking.OFF[space]
    s = ps.scenario("arm-tracking")
    start = ps.State(0.0, np.add(arm_tracking.FROM, off), np.zeros(6))
    for kind in ("particle", "energy"):
        law = arm_tracking.law(s.mechanism, {"space": space, "law": kind, "completion": 0.0}, None)
        run = ps.simulate(s.mechanism, start, "rk4", step=0.01, until=0.5, controller=law)
        compared(run, data[f"{space} space, {kind}"], "q", close=2e-6)


@pytest.mark.slow
def test_a_singular_wrist_with_a_completion():
    """A reference through q5 = 0: the completed law needs about 155 N m and arrives."""
    data = RUNS["arm6"]["inputs"]
    s = ps.scenario("arm-tracking")
    m = s.mechanism
    reference = C.references.joint_motion(
        m, C.references.rest_to_rest(data["sing_from"], [(0.0, 2.0, data["sing_to"])])
    )
    template = C.Template("body", [six_axes.tool_pair()])
    law = C.track(m, template, reference, list(six_axes.NAMES), completion=1e-3)
    start = ps.State(0.0, np.add(data["sing_from"], data["sing_start"]), np.zeros(6))
    run = ps.simulate(m, start, "rk4", step=0.01, until=3.0, controller=law)
    torque = max(np.abs(run.input(name)).max() for name in six_axes.NAMES)
    wanted = RUNS["arm6"]["outputs"]["singular_wrist"]["eps=0.001"]
    assert torque == pytest.approx(wanted["max_torque"], rel=0.05)
    assert np.abs(run.trajectory.v).max() == pytest.approx(wanted["max_joint_rate"], rel=0.05)


def test_a_load_on_a_tricopter():
    run, law = flown("tricopter-load", tricopter_load, 3.2, step=0.02)
    distance, swing = tricopter_load.load_errors(run)
    for sample in RUNS["tri_load"]["outputs"]["swing, particle"]:
        if sample["t"] <= 3.2:
            k = round(sample["t"] / run.step)
            assert np.abs(run.trajectory.q[k, :3] - sample["copter_r"]).max() < 1e-4
            assert distance[k] == pytest.approx(sample["flat_err"], abs=1e-4)
    assert distance[-1] < 5e-3
    assert np.rad2deg(swing[-1]) < 0.3
    poles = C.poles(law)
    for pole in (-1.8 + 0.872j, -3.85 + 3.928j):
        assert (np.abs(poles - pole) < 1e-3).sum() == 2
    start = tricopter_load.reference()(0.0)[0]
    exact = ps.simulate(run.mechanism, start, "rk4", step=0.01, until=0.4, controller=law)
    assert tricopter_load.load_errors(exact)[0].max() < 1e-7


def test_a_pole_on_a_cart_has_the_wanted_poles():
    """The template of a PVTOL with the centre of oscillation as offset; and how far it may lean."""
    s = ps.scenario("cart-pole")
    law = cart_pole.law(s.mechanism, {"law": "particle"}, None)
    poles = C.poles(law)
    for w, z in (cart_pole.SLOW, cart_pole.FAST):
        assert np.abs(poles - complex(-z * w, w * np.sqrt(1 - z * z))).min() < 1e-5
    for degrees, stands in ((50, True), (52, False)):
        start = s.mechanism.state({"pole": dict(angle=np.deg2rad(degrees))})
        run = ps.simulate(s.mechanism, start, "rk4", step=0.04, until=4.0, controller=law)
        assert (abs(run.final.q[1]) < 0.1) == stands


def test_a_quadcopter_flip():
    """From 23 degrees off; the reference run begins its flip at the start."""
    s = ps.scenario("quadcopter-flip")
    c = quadcopter.COPTER
    reference = C.references.flat_quadcopter(c.mechanism, "copter", C.references.flip())
    law = C.track(s.mechanism, C.Template("particle", [c.pair]), reference, c.inputs)
    run = ps.simulate(s.mechanism, s.start, "rk4", step=0.01, until=1.2, controller=law)
    compared(run, RUNS["quadcopter"]["outputs"]["flip, offset, particle"], "r", run.trajectory.q[:, :3], 2e-6)


@pytest.mark.slow
def test_quadcopter_transitions():
    flight = SimpleNamespace(law=copters.law_of(quadcopter.COPTER, quadcopter.transitions_reference))
    run, _ = flown("quadcopter-transitions", flight, 1.2)
    assert np.linalg.norm(run.final.q[:3] - quadcopter.transitions_reference()(1.2)[0].q[:3]) < 0.01


def test_tricopter_transitions_without_limits():
    c, s = copters.tricopter(), ps.scenario("tricopter-transitions")
    law = C.track(s.mechanism, C.Template("body", [c.pair]), tricopter.transitions(), c.inputs)
    run = ps.simulate(s.mechanism, s.start, "rk4", step=0.01, until=1.5, controller=law)
    compared(run, RUNS["tricopter"]["outputs"]["transitions, body"], "r", run.trajectory.q[:, :3], 1e-5)
