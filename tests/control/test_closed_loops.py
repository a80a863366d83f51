"""Whole flights in the continuous loop: what the specification promises of them, with its numbers."""

import numpy as np
import pytest

import poinsot as ps
from control.test_tracking import loaded, loaded_state, tracked, turned
from poinsot.gallery import bicopter_circle, copters
from support.data import load

DATA = load("control.json")
RUNS, COVARIANCE = DATA["runs"], DATA["vectors"]["covariance"]
C = ps.control
O3 = (0.0, 0.0, 0.0)
J = (17.9e-3, 18e-3, 30.7e-3)


def since(run, error, bound):
    """The time from which on an error stays below a bound."""
    far = np.flatnonzero(error > bound)
    return run.time[far[-1] + 1] if len(far) else 0.0


# attitude, with w0 = 6 1/s and zeta = 1

SPIN = ps.Mechanism(gravity=O3).add("c", ps.Body(1.0, J), ps.Spherical())
PAIR = C.Pair("c", "world", (0.0, O3, J), (0.0, O3, 12 * np.array(J)), (0.0, O3, (0.648, 0.756, 0.936)))
AXES = {(1, 0, 0): 3.062, (0, 1, 0): 2.598, (0, 0, 1): 3.684, (1, 1, 1): 2.70}  # within 1 degree after (s)


@pytest.mark.parametrize("axis", AXES)
def test_an_error_of_179_degrees_is_recovered(axis):
    """About four axes, at the times of the reference computation, with falling energy."""
    law = C.track(SPIN, C.Template("energy", [PAIR]), C.references.constant(SPIN.state()), ["c"])
    start = ps.State(0.0, ps.quaternion.exp(np.deg2rad(179) * np.array(axis) / np.linalg.norm(axis)), O3)
    run = ps.simulate(SPIN, start, "rk4", step=0.02, until=4.0, controller=law)
    angle = 2 * np.arcsin(np.minimum(1.0, np.linalg.norm(run.trajectory.q[:, 1:], axis=1)))
    assert np.rad2deg(angle[0]) == pytest.approx(179)
    assert since(run, angle, np.deg2rad(1)) == pytest.approx(AXES[axis], abs=0.02)
    assert (np.diff(C.performance(run, law).energy) < 0).all()


@pytest.mark.parametrize("kind", ["particle", "body", "energy", "energy2"])
def test_a_body_with_offset_centres_on_a_moving_reference(kind):
    """Six inputs, all centres off the origin: the reference run, and the balance of its energy."""
    data = RUNS["free_body"]["inputs"]
    m = ps.Mechanism().add("c", ps.Body(data["m"], data["J"]), ps.Free())
    amp, rate, phase, slope = (np.array(data[f"ref_{x}"], float) for x in ("amp", "rate", "phase", "linear"))
    at, speed, lag = (np.array(data[f"pos_{x}"], float) for x in ("amp", "rate", "phase"))

    def wave(a, w, p, t):
        return np.array([a * w**k * np.sin(w * t + p + k * np.pi / 2) for k in range(5)])

    def angles(t):
        out = wave(amp, rate, phase, t)
        out[0] += slope * t
        out[1] += slope
        return out

    reference = C.references.free_motion(
        m, "c", lambda t: wave(at, speed, lag, t), C.references.euler_attitude(angles)
    )
    pair = C.Pair("c", "world", *(data[f"{x}_bar"] for x in ("inertia", "damping", "stiffness")))
    law = C.track(m, C.Template(kind, [pair]), reference, [ps.WrenchInput("c")])
    begin = turned(reference(0.0)[0], data["error_axis"], data["error_angle"], data["dr"])
    first = RUNS["free_body"]["outputs"][f"moving reference, {kind}"][0]
    assert np.abs(begin.q[:3] - first["r"]).max() < 1e-9
    start = ps.State(0.0, begin.q, [*first["w"], *first["v"]])
    run = ps.simulate(m, start, "rk4", step=0.01, until=1.0, controller=law)
    for sample in RUNS["free_body"]["outputs"][f"moving reference, {kind}"]:
        if sample["t"] <= 1.0:
            k = round(sample["t"] / 0.01)
            assert np.abs(run.trajectory.q[k, :3] - sample["r"]).max() < 1e-6
            assert np.abs(run.trajectory.v[k] - [*sample["w"], *sample["v"]]).max() < 1e-5
    seen = C.performance(run, law)
    lost = seen.dissipation[:-2:2] + 4 * seen.dissipation[1::2] + seen.dissipation[2::2]  # Simpson
    balance = np.abs(seen.energy[2::2] - seen.energy[0] + np.cumsum(lost) * 0.01 / 3).max() / seen.energy[0]
    assert balance > 0.05 if kind == "particle" else balance < 1e-6
    whole = RUNS["free_body"]["outputs"][f"moving reference, {kind} summary"]
    assert seen.energy[0] == pytest.approx(whole["W0"], rel=1e-9)


# copters


@pytest.mark.parametrize(
    ("kind", "soon"), [("particle", 2.1), ("body", 2.1), ("energy2", 2.1), ("energy", 3.2)]
)
def test_a_tricopter_on_its_helix(kind, soon):
    """A helix with a full roll from 179 degrees and 0.98 m off, with the gains that were flown."""
    c, data = copters.tricopter(), RUNS["tricopter"]
    h, start = data["inputs"]["helix"], data["inputs"]["start_helix"]
    roll = C.references.turning(
        (1, 0, 0), C.references.rest_to_rest([0.0], [(h["roll_start"], h["roll_T"], [2 * np.pi])])
    )
    reference = C.references.free_motion(
        c.mechanism, "copter", C.references.helix(h["R"], h["Hz"], (0, 0, h["climb"])), roll
    )
    begin = turned(reference(0.0)[0], start["axis"], start["angle"], start["dr"])
    run = ps.simulate(
        c.mechanism, begin, "rk4", step=0.025, until=5.0, controller=tracked(c, kind, reference)
    )
    distance, angle = copters.errors(run, reference)
    assert distance[0] == pytest.approx(0.985, abs=1e-3)
    assert soon - 0.1 < since(run, distance, 0.05) < soon
    assert since(run, angle, np.deg2rad(5)) < 3.3
    last = data["outputs"][f"helix with roll, {kind}"][-1]
    assert last["t"] == run.final.time
    assert np.abs(run.final.q[:3] - last["r"]).max() < 1e-6
    if kind in ("particle", "energy2"):  # its position obeys m e'' + d e' + k e = 0 alone
        m, d, k = 1.251, 6.0, 8.0
        e0 = begin.q[:3] - reference(0.0)[0].q[:3]
        v0 = ps.quaternion.matrix(begin.q[3:]) @ begin.v[3:] - reference(0.0)[0].v[3:]
        roots = np.roots([m, d, k])
        parts = np.linalg.solve(np.vander(roots, 2, increasing=True).T, np.array([e0, v0]))
        exact = np.real(np.exp(np.outer(run.time, roots)) @ parts)
        found = run.trajectory.q[:, :3] - [reference(t)[0].q[:3] for t in run.time]
        assert np.abs(found - exact).max() < 1e-5  # rk4 with long steps


@pytest.mark.parametrize("kind", ["particle", "body", "energy"])
def test_a_quadcopter_stays_on_its_loop(kind):
    """Continuous loop of 1.5 m at 0.5 Hz from the exact start: over its top to 1e-5 m."""
    c = copters.quadcopter()
    reference = C.references.flat_quadcopter(c.mechanism, "copter", C.references.circle(1.5, 0.5))
    law = tracked(c, kind, reference)
    run = ps.simulate(c.mechanism, reference(0.0)[0], "rk4", step=0.0125, until=1.5, controller=law)
    assert copters.errors(run, reference)[0].max() < 1e-5


def test_a_quadcopter_comes_to_its_loop():
    """From 0.52 m and 0.7 rad off with the slow gains of section 6."""
    c = copters.quadcopter((2.5, 0.9), (10.0, 0.8))
    reference = C.references.flat_quadcopter(c.mechanism, "copter", C.references.circle(1.5, 0.5))
    start = turned(reference(0.0)[0], (1, 1, 0.5), 0.7, (0.3, -0.3, 0.3))
    run = ps.simulate(
        c.mechanism, start, "rk4", step=0.02, until=4.0, controller=tracked(c, "particle", reference)
    )
    distance, _ = copters.errors(run, reference)
    assert distance[0] == pytest.approx(0.52, abs=1e-3)
    assert since(run, distance, 0.05) < 2.7
    assert distance[-1] < 5e-3


def test_a_quadcopter_with_the_right_velocity_comes_sooner_to_its_loop():
    """Section 6 of the specification says 1.4 s for 0.52 m and 0.7 rad, for no direction and damping.

    Over forty directions 0.9 to 2.3 s were found.
    """
    c, random, soon = copters.quadcopter((2.5, 0.8), (10.0, 0.8)), np.random.default_rng(0), []
    reference = C.references.flat_quadcopter(c.mechanism, "copter", C.references.circle(1.5, 0.5))
    law = tracked(c, "particle", reference, horizon=2.4)
    for _ in range(2):
        axis, way = random.normal(size=(2, 3))
        start = turned(reference(0.0)[0], axis, 0.7, 0.52 * way / np.linalg.norm(way))
        R, R_R = (ps.quaternion.matrix(one.q[3:]) for one in (start, reference(0.0)[0]))
        start = ps.State(0.0, start.q, [*start.v[:3], *(R.T @ R_R @ start.v[3:])])  # the velocity is right
        run = ps.simulate(c.mechanism, start, "rk4", step=0.02, until=2.4, controller=law)
        away = run.trajectory.q[:, :3] - [C.references.circle(1.5, 0.5)(t)[0] for t in run.time]
        soon.append(since(run, np.linalg.norm(away, axis=1), 0.05))
    assert 0.8 < min(soon) < max(soon) < 2.35


def test_a_bicopter_on_its_circle_with_its_polygon():
    c, reference = copters.bicopter(), bicopter_circle.reference()
    law = tracked(c, "particle", reference)
    start = ps.scenario("bicopter-circle").start
    run = ps.simulate(c.mechanism, start, "rk4", step=0.01, until=3.0, controller=law)
    distance, angle = copters.errors(run, reference)
    assert since(run, distance, 0.05) == pytest.approx(2.45, abs=0.03)
    assert since(run, angle, np.deg2rad(5)) == pytest.approx(2.24, abs=0.03)
    limited = C.performance(run, law).limited
    assert limited.sum() * 0.01 == pytest.approx(0.07 * 5.0, rel=0.1)
    assert np.flatnonzero(limited)[-1] * 0.01 == pytest.approx(0.70, abs=0.03)
    k = round(2.0 / 0.01)
    sample = next(s for s in RUNS["bicopter"]["outputs"]["particle, polygon"] if s["t"] == 2.0)
    assert np.abs(run.trajectory.q[k, :3] - sample["r"]).max() < 1e-4  # rk4 over corners of the input


# the same closed loop, written in other ways


def test_the_loop_does_not_depend_on_the_root_body():
    """The copter with its load, once from the copter and once from the load: the same motion to 1e-10."""
    data, found = COVARIANCE["two_body"], []
    c = copters.tricopter()
    for root in ("copter", "load"):
        m, pairs = loaded(root)
        goal = C.references.constant(loaded_state(m, root, data["ref"]))
        law = C.track(m, C.Template("body", pairs), goal, c.inputs, check=False)
        run = ps.simulate(m, loaded_state(m, root, data), "gauss4", step=0.005, until=0.1, controller=law)
        parts = run.trajectory.motions
        found.append(np.hstack([parts[b].rotation.reshape(-1, 9) for b in ("copter", "load")]))
        found[-1] = np.hstack([found[-1], parts["copter"].origin, run.input("rotors")])
    assert np.abs(found[0][-1] - found[0][0]).max() > 0.1  # it moves
    scale = np.maximum(1.0, np.abs(found[0]))
    assert (np.abs(found[0] - found[1]) / scale).max() < 1e-10


def test_the_loop_does_not_depend_on_coordinates_and_velocities():
    """Quaternion and velocities in body axes, sliders and velocities in space, Euler angles: to 1e-10."""
    c = copters.quadcopter()
    body, light = c.mechanism.links[0].body, ps.Body(0.0, O3)
    sliders, euler = ps.Mechanism(), ps.Mechanism()
    for m in (sliders, euler):
        for k, axis in enumerate(np.eye(3)):
            m.add(f"s{k}", light, ps.Prismatic(axis), parent=f"s{k - 1}" if k else "world")
    sliders.add("copter", body, ps.Spherical(), parent="s2")
    euler.add("z", light, ps.Revolute((0, 0, 1)), parent="s2").add(
        "y", light, ps.Revolute((0, 1, 0)), parent="z"
    )
    euler.add("copter", body, ps.Revolute((1, 0, 0)), parent="y")
    roll, pitch, yaw = 0.4, -0.3, 0.5
    q = ps.quaternion.from_matrix(
        ps.so3.exp((0, 0, yaw)) @ ps.so3.exp((0, pitch, 0)) @ ps.so3.exp((roll, 0, 0))
    )
    r = 0.2, -0.1, 0.3
    found = []
    for m, coordinates in (
        (c.mechanism, [*r, *q]),
        (sliders, [*r, *q]),
        (euler, [*r, yaw, pitch, roll]),
    ):
        start = ps.State(0.0, coordinates, np.zeros(6))
        law = C.track(m, C.Template("particle", [c.pair]), C.references.constant(m.state()), c.inputs)
        run = ps.simulate(m, start, "gauss4", step=0.005, until=0.15, controller=law)
        x = run.trajectory.motions["copter"]
        found.append(np.hstack([x.origin, x.rotation.reshape(-1, 9), run.input("rotors")]))
    assert np.abs(found[0][-1] - found[0][0]).max() > 0.1
    for other in found[1:]:
        assert np.abs(found[0] - other).max() < 1e-10


@pytest.mark.parametrize("method", ["gauss2", "variational"])
def test_the_continuous_loop_with_every_plant_method(method):
    """The loop of a quadcopter from an offset: methods differ by O(h^2)."""
    c = copters.quadcopter()
    reference = C.references.flat_quadcopter(c.mechanism, "copter", C.references.circle(1.5, 0.5))
    start = turned(reference(0.0)[0], (1, 2, 0.5), 0.4, (0.15, -0.1, 0.1))

    def end(method, h):
        law = tracked(c, "particle", reference)
        return ps.simulate(c.mechanism, start, method, step=h, until=0.4, controller=law).final.q

    exact = end("rk4", 0.005)
    near, far = (np.abs(end(method, h) - exact).max() for h in (0.01, 0.02))
    assert near < 2e-3
    assert near < far / 3
