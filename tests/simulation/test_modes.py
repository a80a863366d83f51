"""Hard stops with restitution and exact dry friction of joints, against closed forms."""

import math

import numpy as np
import pytest

import poinsot as ps

METHODS = ("rk4", "gauss2", "dop853")
G = 9.81


def ball(restitution=0.0, lower=0.0, unit=1.0, **options):
    """A mass on a vertical slide above a floor; `unit` is a meter in the unit of length."""
    m = ps.Mechanism(gravity=(0, 0, -G * unit))
    m.add("ball", ps.Body(1.0, (unit**2, unit**2, unit**2)), ps.Prismatic((0, 0, 1)))
    return m.apply(ps.JointStop("ball", lower, restitution=restitution, **options))


def rotor(*forces, inertia=0.5):
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("rotor", ps.Body(1.0, (inertia, inertia, inertia)), ps.Revolute((0, 0, 1)))
    return m.apply(*forces)


def pendulum(*forces):
    """A rod of 1 kg on a hinge, its center 0.5 m below, I = 0.35 kg m2 about the hinge."""
    rod = ps.Body(1.0, (0.1, 0.1, 0.01), (0, 0, -0.5))
    return ps.Mechanism(gravity=(0, 0, -G)).add("rod", rod, ps.Revolute((0, 1, 0))).apply(*forces)


def block(friction, slope, *forces, mass=2.0):
    """A block on an incline, x downhill."""
    m = ps.Mechanism(gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
    m.add("block", ps.Body(mass, (0.1, 0.1, 0.1)), ps.Prismatic((1, 0, 0)))
    return m.apply(ps.JointFriction("block", friction), *forces)


def bits(run):
    return run.time.tobytes(), run.trajectory.q.tobytes(), run.trajectory.v.tobytes(), run.work.tobytes()


def is_balanced(run, tolerance):
    """Whether energy - work stays, relative to the largest energy."""
    return np.ptp(run.energy - run.work) <= tolerance * np.abs(run.energy).max()


# stops


@pytest.mark.parametrize("method", METHODS)
def test_a_ball_bounces_at_the_times_and_with_the_speeds_of_the_closed_form(method):
    """t_k = T (1 + 2 (e + ... + e^k)), T = sqrt(2 H/g), and leaves with e^(k+1) g T."""
    e, height = 0.8, 1.3
    m = ball(e)
    run = ps.simulate(m, m.state({"ball": dict(displacement=height)}), method, step=0.01, until=6.0)
    T, found = math.sqrt(2 * height / G), run.events["ball.stop"]
    k = np.arange(15)
    assert found.times[:15] == pytest.approx(T * (1 + 2 * e * (1 - e**k) / (1 - e)), rel=1e-12)
    speeds = np.array([state.v[0] for state in found.after])[:15]
    assert speeds == pytest.approx(G * T * e ** (k + 1), rel=1e-12)
    assert all(state.q[0] == 0.0 for state in found.after)
    heights = [run.at(t + s / G).q[0] for t, s in zip(found.times[:3], speeds, strict=False)]
    assert heights == pytest.approx(height * e ** (2 * (k[:3] + 1)), rel=1e-12)
    assert is_balanced(run, 1e-12)


def test_bounces_come_to_an_end_and_their_energy_is_counted():
    """The infinitely many bounces end at T (1 + e)/(1 - e): the ball rests from then on, exactly."""
    e = 0.5
    m = ball(e)
    run = ps.simulate(m, m.state({"ball": dict(displacement=1.0)}), "rk4", step=0.01, until=2.0)
    limit = math.sqrt(2 / G) * (1 + e) / (1 - e)
    assert run.events["ball.stop"].times[-1] == pytest.approx(limit, abs=1e-7)
    assert 20 < len(run.events["ball.stop"]) < 60
    resting = run.time > limit
    assert not run.trajectory.q[resting].any()
    assert not run.trajectory.v[resting].any()
    assert run.work[-1] == pytest.approx(-G, rel=1e-14)
    assert is_balanced(run, 1e-14)


def test_lossless_bounces_keep_the_energy():
    m = ball(1.0, lower=0.2)
    start = m.state({"ball": dict(displacement=0.25)})
    run = ps.simulate(m, start, "gauss2", step=0.02, until=210.0, every=100)
    assert len(run.events["ball.stop"]) > 1000
    assert is_balanced(run, 1e-13)
    assert np.abs(run.work).max() < 1e-13 * run.energy[0]
    T = math.sqrt(2 * 0.05 / G)
    assert run.events["ball.stop"].times[1000] == pytest.approx(T * 2001, rel=1e-12)


def test_a_slider_between_two_stops_goes_to_and_fro():
    m = rotor(ps.JointStop("rotor", -1.0, 2.0, restitution=0.5))
    run = ps.simulate(m, m.state({"rotor": dict(rate=4.0)}), "rk4", step=0.05, until=4.0)
    assert run.events["rotor.stop"].times == pytest.approx([0.5, 0.5 + 3 / 2], rel=1e-14)
    assert run.rate("rotor")[-1, 0] == 1.0


def test_a_pendulum_comes_to_rest_on_its_stop_and_the_first_impact_has_the_speed_of_its_energy():
    m = pendulum(ps.JointStop("rod", 0.3, 2.0, restitution=0.6))
    run = ps.simulate(m, m.state({"rod": dict(angle=1.5)}), "gauss3", step=0.01, until=4.0)
    first = run.events["rod.stop"].states[0]
    speed = math.sqrt(2 * 0.5 * G * (math.cos(0.3) - math.cos(1.5)) / 0.35)
    assert first.v[0] == pytest.approx(-speed, rel=1e-12)
    assert (run.final.q[0], run.final.v[0]) == (0.3, 0.0)
    assert is_balanced(run, 1e-12)
    lost = 0.5 * G * (math.cos(0.3) - math.cos(1.5))
    assert run.work[-1] == pytest.approx(-lost, rel=1e-12)


def test_a_joint_leaves_its_stop_where_the_reaction_changes_its_sign():
    """m g - f(t) with f = 3 t m g leaves at t = 1/3, then x' = 3 g s^2/2, x = g s^3/2."""

    def lift(t, q, v):
        return 3.0 * t * 9.81

    m = ball(0.0).apply(ps.JointTorque("ball", lift))
    for method in METHODS:
        run = ps.simulate(m, m.state(), method, step=0.02, until=1.0)
        assert run.events["ball.stop"].times == pytest.approx([1 / 3], rel=1e-12)
        s = np.maximum(run.time - 1 / 3, 0.0)
        assert run.trajectory.q[:, 0] == pytest.approx(G * s**3 / 2, abs=1e-13)
        assert is_balanced(run, 1e-12)


def two_links(restitution, *more):
    """A double pendulum in the plane, its second joint with a stop."""
    m = ps.Mechanism(gravity=(0, 0, -G))
    body = ps.Body(1.0, (0.1, 0.1, 0.01), (0, 0, -0.5))
    m.add("a", body, ps.Revolute((0, 1, 0)))
    m.add("b", body, ps.Revolute((0, 1, 0)), "a", at=(0, 0, -1))
    return m.apply(ps.JointStop("b", -0.5, 0.5, restitution=restitution), *more)


def two_link_mass(angle):
    """M of the double pendulum by hand: J = 0.35 about each hinge, m l c = 0.5 cos b."""
    c = 0.5 * math.cos(angle)
    return np.array([[0.35 + 1.0 + 0.35 + 2 * c, 0.35 + c], [0.35 + c, 0.35]])


@pytest.mark.parametrize("e", [0.0, 0.7, 1.0])
def test_an_impact_of_one_joint_moves_the_other_through_the_mass_matrix(e):
    """v+ = v - (1 + e) v_b M^-1 e_b/(M^-1)_bb, with M by hand."""
    m = two_links(e)
    start = m.state({"a": dict(angle=0.4, rate=1.0), "b": dict(angle=0.1, rate=6.0)})
    run = ps.simulate(m, start, "gauss3", step=0.005, until=0.3)
    before, after = run.events["b.stop"].states[0], run.events["b.stop"].after[0]
    Minv = np.linalg.inv(two_link_mass(0.5))
    wanted = before.v - (1 + e) * before.v[1] * Minv[:, 1] / Minv[1, 1]
    assert after.q == pytest.approx(before.q, abs=1e-15)
    assert after.v == pytest.approx(wanted, rel=1e-12)
    assert is_balanced(run, 1e-11)


def test_several_impacts_at_once_are_one_problem():
    """Both joints meet their stops at once: e = 0 stops both; with e they leave as Moreau's law says."""
    M = two_link_mass(0.5)
    for e, v in ((0.0, (1.0, 2.0)), (0.6, (1.0, 2.0)), (0.6, (0.05, 3.0))):
        m = two_links(e, ps.JointStop("a", -0.4, 0.4, restitution=e))
        start = m.state({"a": dict(angle=0.4, rate=v[0]), "b": dict(angle=0.5, rate=v[1])})
        after = ps.simulate(m, start, "rk4", step=1e-3, steps=1).events["b.stop"].after[0]
        both = np.linalg.solve(np.linalg.inv(M), (1 + e) * np.array(v))  # impulses against both
        if (both >= 0).all():
            assert after.v == pytest.approx(-e * np.array(v), rel=1e-6, abs=1e-12)
        else:  # only b pushes, and a is thrown off its stop
            W = np.linalg.inv(M)
            assert after.v == pytest.approx(v - (1 + e) * v[1] * W[:, 1] / W[1, 1], rel=1e-6)
            assert after.v[0] < -e * v[0]


# friction


@pytest.mark.parametrize("method", METHODS)
def test_friction_stops_a_rotor_at_the_time_of_the_closed_form(method):
    f, inertia, w = 0.7, 0.5, 2.0
    m = rotor(ps.JointFriction("rotor", f))
    for sign in (1, -1):
        run = ps.simulate(m, m.state({"rotor": dict(rate=sign * w)}), method, step=0.03, until=3.0)
        assert run.events["rotor.friction"].times == pytest.approx([inertia * w / f], rel=1e-12)
        assert run.final.q[0] == pytest.approx(sign * inertia * w * w / (2 * f), rel=1e-12)
        assert run.final.v[0] == 0.0
        assert run.work[-1] == pytest.approx(-inertia * w * w / 2, rel=1e-12)
        assert is_balanced(run, 1e-12)


def test_friction_and_damping_stop_a_rotor_at_the_time_of_the_closed_form():
    """I w' = -f - b w:  t = (I/b) log(1 + b w/f)."""
    f, b, inertia, w = 0.7, 0.3, 0.5, 2.0
    m = rotor(ps.JointFriction("rotor", f), ps.JointDamper("rotor", b))
    run = ps.simulate(m, m.state({"rotor": dict(rate=w)}), "gauss4", step=0.02, until=2.0)
    assert run.events["rotor.friction"].times == pytest.approx(
        [inertia / b * math.log(1 + b * w / f)], rel=1e-12
    )


def test_friction_stops_a_mass_on_a_spring_after_half_swings():
    """Each half swing lasts pi/omega and loses 2 f/k, until |x| <= f/k."""
    f, k, mass, x = 1.0, 20.0, 2.0, 0.43
    m = block(f, 0.0, ps.JointSpring("block", k), mass=mass)
    run = ps.simulate(m, m.state({"block": dict(displacement=x)}), "gauss3", step=0.01, until=6.0)
    half, wanted = math.pi / math.sqrt(k / mass), [x]
    while abs(wanted[-1]) > f / k:
        wanted.append(-math.copysign(abs(wanted[-1]) - 2 * f / k, wanted[-1]))
    found = run.events["block.friction"]
    assert found.times == pytest.approx(half * np.arange(1, len(wanted)), rel=1e-12)
    assert [state.q[0] for state in found.states] == pytest.approx(wanted[1:], rel=1e-11)
    assert run.final.v[0] == 0.0
    assert is_balanced(run, 1e-12)


@pytest.mark.parametrize(("share", "slides"), [(1.0, False), (1.01, False), (0.99, True)])
def test_a_block_slides_on_an_incline_if_it_is_steeper_than_friction(share, slides):
    slope, mass = 0.5, 2.0
    f = share * math.tan(slope) * mass * G * math.cos(slope)
    a = G * math.sin(slope) - f / mass
    m = block(f, slope, mass=mass)
    rest = ps.simulate(m, m.state(), "rk4", step=0.02, until=1.0)
    assert rest.final.q[0] == pytest.approx(a / 2 if slides else 0.0, rel=1e-12)
    assert bool(rest.final.v[0]) == slides
    # thrown uphill: it stops after 1/(g sin + f/m), and then stays or slides back
    run = ps.simulate(m, m.state({"block": dict(speed=-1.0)}), "rk4", step=0.02, until=1.0)
    t = 1 / (G * math.sin(slope) + f / mass)
    assert run.events["block.friction"].times == pytest.approx([t], rel=1e-12)
    assert run.final.v[0] == pytest.approx(a * (1 - t) if slides else 0.0, rel=1e-12)
    assert is_balanced(run, 1e-12)


def test_a_force_that_grows_breaks_a_joint_loose_and_its_return_catches_it():
    """f sin t against friction: slip from sin t = 0.5 on, v = cos(pi/6) - cos t - (t - pi/6)/2."""

    def push(t, q, v):
        return math.sin(t)

    m = rotor(ps.JointFriction("rotor", 0.5), ps.JointTorque("rotor", push), inertia=1.0)
    run = ps.simulate(m, m.state(), "gauss4", step=0.05, until=4.0)
    loose, caught = run.events["rotor.friction"].times[:2]
    assert loose == pytest.approx(math.pi / 6, rel=1e-12)
    left = math.cos(loose) - math.cos(caught) - (caught - loose) / 2
    assert left == pytest.approx(0.0, abs=1e-12)
    # there the push is -0.5 or less already: it goes back at once, or sticks until it is
    assert (math.sin(caught) < -0.5) == (run.at(caught + 1e-3).v[0] < 0)


def test_a_pendulum_with_friction_swings_as_far_as_its_energy_allows():
    """m g c (cos x - cos a) = f |x - a| at the first turn; friction above the torque of gravity holds it."""
    f, a = 0.4, 1.2
    m = pendulum(ps.JointFriction("rod", f))
    run = ps.simulate(m, m.state({"rod": dict(angle=a)}), "gauss4", step=0.01, until=3.0)
    x = run.events["rod.friction"].states[0].q[0]
    assert 0.5 * G * (math.cos(x) - math.cos(a)) == pytest.approx(f * (a - x), rel=1e-12)
    stuck = pendulum(ps.JointFriction("rod", 0.5 * G * math.sin(a) * 1.0001))
    run = ps.simulate(stuck, stuck.state({"rod": dict(angle=a)}), "rk4", step=0.01, until=1.0)
    assert set(run.trajectory.q[:, 0].tolist()) == {a}
    assert not run.trajectory.v.any()
    assert not len(run.events["rod.friction"])


def test_a_joint_at_its_stop_with_friction_needs_more_to_leave():
    """At the lower stop the weight and friction hold: 3 t m g leaves at m g + f."""

    def lift(t, q, v):
        return 3.0 * t * 9.81

    m = ball(0.0).apply(ps.JointTorque("ball", lift), ps.JointFriction("ball", 0.5 * G))
    run = ps.simulate(m, m.state(), "rk4", step=0.02, until=1.0)
    assert run.events["ball.stop"].times == pytest.approx([0.5], rel=1e-12)
    assert not len(run.events["ball.friction"])
    assert run.trajectory.q[-1, 0] == pytest.approx(G * 0.5**3 / 2, rel=1e-12)


def test_joints_that_stick_share_the_load():
    """Two hinges in the plane, both stuck: torques of gravity by statics; less friction lets one go."""
    angles = (0.7, -0.2)
    weight = [
        0.5 * G * math.sin(0.7) + G * math.sin(0.7) + 0.5 * G * math.sin(0.5),
        0.5 * G * math.sin(0.5),
    ]
    for share, free in (((1.001, 1.001), ()), ((1.001, 0.999), ("b",)), ((0.99, 1.2), ("a",))):
        m = two_links(0.0)
        m.forces = []
        m.apply(*(ps.JointFriction(n, s * w) for n, s, w in zip("ab", share, weight, strict=True)))
        start = m.state({n: dict(angle=x) for n, x in zip("ab", angles, strict=True)})
        run = ps.simulate(m, start, "rk4", step=1e-3, steps=2)
        moved = [name for name in "ab" if run.rate(name)[-1, 0] != 0.0]
        assert moved == [*free]


# order, bits, units, words


@pytest.mark.parametrize(("method", "order"), [("rk4", 4), ("gauss2", 4), ("gauss3", 6)])
def test_the_order_of_a_method_is_kept_through_impacts_and_stick(method, order):
    """A pendulum that bounces twice and rubs, against steps that are much smaller."""
    m = pendulum(ps.JointStop("rod", 0.1, restitution=0.8), ps.JointFriction("rod", 0.2))
    start = m.state({"rod": dict(angle=1.5)})

    def end(steps, name=method):
        run = ps.simulate(m, start, name, step=1.6 / steps, steps=steps)
        assert (len(run.events["rod.stop"]), len(run.events["rod.friction"])) == (2, 1)
        return np.array([*run.final.q, *run.final.v])

    exact, few = end(800, "gauss4"), 24
    errors = [np.abs(end(n) - exact).max() for n in (few, 2 * few)]
    assert math.log2(errors[0] / errors[1]) > order - 0.6
    assert errors[1] > 1e-13  # not rounding


def rubbing():
    """A double pendulum that bounces, sticks and slips."""
    m = two_links(0.9, ps.JointFriction("a", 0.8), ps.JointFriction("b", 0.1))
    return m, m.state({"a": dict(angle=1.4), "b": dict(angle=-0.3, rate=12.0)})


@pytest.mark.parametrize("method", METHODS)
def test_a_run_that_is_split_has_the_same_bits(method):
    m, start = rubbing()
    whole = ps.simulate(m, start, method, step=0.01, steps=200)
    assert len(whole.events["b.stop"]) > 2
    assert len(whole.events["b.friction"]) > 0
    assert len(whole.events["a.friction"]) > 0
    first = ps.simulate(m, start, method, step=0.01, steps=77)
    second = ps.simulate(m, first.final, method, step=0.01, steps=123)
    assert second.trajectory.q.tobytes() == whole.trajectory.q[77:].tobytes()
    assert second.trajectory.v.tobytes() == whole.trajectory.v[77:].tobytes()
    assert second.work[-1] == whole.work[-1]


def test_a_run_resumes_and_replays_to_the_same_bits(tmp_path):
    m, start = rubbing()
    path, other = tmp_path / "a.poinsot", tmp_path / "b.poinsot"
    whole = ps.simulate(m, start, "gauss2", step=0.01, steps=200, archive=path)
    assert ps.replay(path).identical
    ps.simulate(m, start, "gauss2", step=0.01, until=1.0, archive=other)
    resumed = ps.resume(other, until=2.0)
    assert bits(resumed) == bits(whole)
    for name, record in whole.events.items():
        assert record.times.tobytes() == resumed.events[name].times.tobytes()
    assert ps.load(path).events["b.stop"].times.tobytes() == whole.events["b.stop"].times.tobytes()


def test_units_and_the_origin_of_time_do_not_matter():
    """Millimeters, and a start at 1e9 s, where a step of 1/64 s has 17 bits."""
    e, T = 0.5, math.sqrt(2 / G)
    wanted = T * (1 + 2 * e * (1 - e ** np.arange(6)) / (1 - e))
    m = ball(e, unit=1000.0)
    run = ps.simulate(m, m.state({"ball": dict(displacement=1000.0)}), "rk4", step=0.01, until=2.0)
    assert run.events["ball.stop"].times[:6] == pytest.approx(wanted, rel=1e-12)
    assert (run.final.q[0], run.final.v[0]) == (0.0, 0.0)
    assert is_balanced(run, 1e-13)
    m = ball(e)
    start = m.state({"ball": dict(displacement=1.0)}, time=1e9)
    late = ps.simulate(m, start, "rk4", step=1 / 64, until=1e9 + 2)
    assert late.events["ball.stop"].times[:6] - 1e9 == pytest.approx(wanted, abs=2.5e-7)
    assert (late.final.q[0], late.final.v[0]) == (0.0, 0.0)
    assert is_balanced(late, 1e-12)


def test_dense_output_knows_the_modes():
    m = rotor(ps.JointFriction("rotor", 0.7), ps.JointStop("rotor", upper=1.0, restitution=0.5))
    run = ps.simulate(m, m.state({"rotor": dict(rate=2.0)}), "gauss3", step=0.1, until=3.0, every=10)
    for t in (0.05, 0.4, 0.77, 1.3, 2.9):
        fine = ps.simulate(m, m.state({"rotor": dict(rate=2.0)}), "gauss3", step=t / 10, steps=10)
        assert run.at(t).q == pytest.approx(fine.final.q, abs=1e-13)
        assert run.at(t).v == pytest.approx(fine.final.v, abs=1e-13)


def test_reactions_of_a_run_know_the_modes():
    """At rest on its stop, the hinge carries the torque of gravity; at a slide that sticks, the weight."""
    m = pendulum(ps.JointStop("rod", 0.3, 2.0))
    run = ps.simulate(m, m.state({"rod": dict(angle=0.3)}), "rk4", step=0.1, steps=2)
    assert run.reaction("rod")[-1, 1] == pytest.approx(0.5 * G * math.sin(0.3), rel=1e-12)
    assert run.reaction("rod")[-1, 3:] == pytest.approx(
        [-G * math.sin(0.3), 0.0, G * math.cos(0.3)], rel=1e-12, abs=1e-12
    )


def test_energy_and_work_between_samples_know_the_impacts():
    m = ball(0.5)
    run = ps.simulate(m, m.state({"ball": dict(displacement=1.0)}), "rk4", step=0.1, until=1.0, every=5)
    fine = run.resample(np.linspace(0, 1, 41))
    assert np.ptp(fine.energy - fine.work) < 1e-13 * G


def test_a_coupled_joint_stops_with_its_leader():
    """Two equal rotors on a gear: the stop of one stops both, and friction of one slows both."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    for name in "ab":
        m.add(name, ps.Body(1.0, (0.5, 0.5, 0.5)), ps.Revolute((0, 0, 1)))
    m.close(ps.Loop("b", "a", ps.Gear(-2.0)))
    m.apply(ps.JointStop("b", -3.0, restitution=0.5), ps.JointFriction("a", 0.7))
    run = ps.simulate(m, m.state({"a": dict(rate=2.0), "b": dict(rate=-4.0)}), "gauss2", step=0.02, until=4.0)
    whole = 0.5 + 4 * 0.5  # inertia at a
    t = (2.0 - math.sqrt(4.0 - 2 * 1.5 * 0.7 / whole)) * whole / 0.7
    u = 2.0 - 0.7 / whole * t
    assert run.events["b.stop"].times == pytest.approx([t], rel=1e-11)
    assert run.events["b.stop"].after[0].v == pytest.approx([-u / 2, u], rel=1e-11)
    assert run.events["a.friction"].times[0] == pytest.approx(t + u / 2 * whole / 0.7, rel=1e-11)
    assert not run.final.v.any()
    assert is_balanced(run, 1e-11)


def test_a_torque_that_jumps_breaks_a_joint_loose_at_once():
    def push(t, q, v):
        return 2.0 if t > 0.5 else 0.2

    m = rotor(ps.JointFriction("rotor", 0.5), ps.JointTorque("rotor", push, switches=[0.5]), inertia=1.0)
    run = ps.simulate(m, m.state(), "rk4", step=0.1, until=1.0)
    assert run.events["rotor.friction"].times == pytest.approx([0.5], rel=1e-12)
    assert run.final.v[0] == pytest.approx(1.5 * 0.5, rel=1e-12)


def test_a_controller_that_lets_go_and_pushes():
    """Inputs that are held change at ticks: 0.3 sticks at friction 0.5, 1.5 moves with (1.5 - 0.5)/I."""
    m = rotor(ps.JointFriction("rotor", 0.5), inertia=1.0)

    def law(t, state, memory):
        return (0.3 if t < 0.55 else 1.5,), memory

    law = ps.Controller(law, inputs=["rotor"], period=0.1)
    run = ps.simulate(m, m.state(), "rk4", step=0.05, until=1.0, controller=law)
    assert run.final.v[0] == pytest.approx(0.4, rel=1e-12)
    assert run.events["rotor.friction"].times == pytest.approx([0.6], rel=1e-12)


def test_a_scenario_file_holds_them(tmp_path):
    m = ball(0.5).apply(ps.JointFriction("ball", 0.2))
    path = tmp_path / "ball.toml"
    path.write_text(ps.to_toml(m))
    s = ps.scenario(path)
    stop, friction = s.mechanism.forces
    assert (stop.lower, stop.upper, stop.restitution, stop.stiffness) == (0.0, None, 0.5, None)
    assert (friction.friction, friction.speed) == (0.2, None)
    run = ps.simulate(m, s.start, step=0.1, steps=1)
    assert run.method.name == "gauss3"
    assert "holds joints at hard stops" in run.reason


def test_what_is_wrong_is_told_in_a_line():
    for call, text in (
        (lambda: ps.JointStop("a"), "give lower, upper or both"),
        (lambda: ps.JointStop("a", 0.0, restitution=1.5), "restitution must be at most 1, got 1.5"),
        (lambda: ps.JointStop("a", 0.0, damping=1.0), "damping is for elastic stops"),
        (lambda: ps.JointStop("a", 0.0, 1.0, 1e4, restitution=0.5), "restitution is for hard stops"),
        (lambda: ps.JointStop("a", 0.0, stiffness=1e4), "need both lower and upper"),
        (lambda: ps.JointFriction("a", -1.0), "friction must not be negative"),
    ):
        with pytest.raises(ps.ModelError, match=text):
            call()
    m = ball(0.5)
    start = m.state({"ball": dict(displacement=-0.1)})
    with pytest.raises(ps.ModelError, match=r"'ball' is at -0.1, beyond its stops: they allow 0 to inf"):
        ps.simulate(m, start, "rk4", step=0.1, steps=1)
    with pytest.raises(ps.ScenarioError, match=r"cannot hold joints at hard stops .* use rk4, .*gauss3"):
        ps.simulate(m, m.state(), "sgauss2", step=0.1, steps=1)
    with pytest.raises(ps.ScenarioError, match=r"two events have the name 'ball.stop'"):
        ps.simulate(m, m.state(), step=0.1, steps=1, events=[ps.Event("t - 1", name="ball.stop")])
    with pytest.raises(ps.ScenarioError, match=r"do not support Drive .*at .ball."):
        ps.simulate(m.copy().apply(ps.Drive("ball", lambda t: 0.0 * t)), m.state(), "rk4", step=0.1, steps=1)
    m.apply(ps.JointStop("ball", 0.0))
    with pytest.raises(ps.ModelError, match="give one of each"):
        ps.simulate(m, m.state(), "rk4", step=0.1, steps=1)


@pytest.mark.parametrize("case", [0, 2, 4])
def test_fingers_that_nothing_pushes_stay_at_their_stops(case):
    """Slides across the plane of a falling arm: their reactions are zero but for rounding."""
    rng = np.random.default_rng(case)
    m, turn = ps.Mechanism(gravity=(0, 0, -G)), rng.uniform(-2, 2) / 2
    body = ps.Body(3.0, (0.2, 0.2, 0.2), (0.3, 0, -0.2))
    m.add("arm", body, ps.Revolute((0, 1, 0)), rotation=(math.cos(turn), 0, math.sin(turn), 0))
    for name, side in (("left", 1.0), ("right", -1.0)):
        turn = rng.uniform(-2, 2)
        axis, frame = (
            (0, side * math.cos(turn), -side * math.sin(turn)),
            (math.cos(turn / 2), math.sin(turn / 2)),
        )
        body = ps.Body(0.015, (1e-5, 1e-5, 1e-5), (0.01, 0.02 * side, -0.03))
        m.add(name, body, ps.Prismatic(axis), "arm", at=(0.1, 0, -0.6), rotation=(*frame, 0, 0))
        m.apply(ps.JointStop(name, 0.0, 0.04))
    run = ps.simulate(m, m.state(), "gauss3", step=0.002, until=0.1)
    assert not any(map(len, run.events.values()))
    assert run.final.q[1:].tolist() == [0.0, 0.0]


def random_tree(rng):
    """A tree of hinges and slides, most of them with stops and friction."""
    m, parent = ps.Mechanism(gravity=(0, 0, -G)), "world"
    for i in range(int(rng.integers(1, 6))):
        axis, moment, name = rng.normal(size=3), rng.uniform(0.02, 0.1), f"b{i}"
        joint = ps.Revolute(axis) if rng.random() < 0.7 else ps.Prismatic(axis)
        body = ps.Body(rng.uniform(0.5, 2), (moment, moment, moment), rng.normal(size=3) * 0.2)
        m.add(name, body, joint, parent, at=rng.normal(size=3) * 0.3 * (parent != "world"))
        parent = name if rng.random() < 0.7 else parent
        if i == 0 or rng.random() < 0.8:
            upper = rng.uniform(0.1, 0.5) if rng.random() < 0.8 else None
            m.apply(ps.JointStop(name, -rng.uniform(0.1, 0.5), upper, restitution=0.5))
        if rng.random() < 0.7:
            m.apply(ps.JointFriction(name, rng.uniform(0.01, 3)))
    q, v = m.lengths
    return m, ps.State(0.0, rng.uniform(-0.1, 0.1, size=q), rng.normal(size=v) * 2)


def check_random_tree(seed, until):
    """Nothing passes a stop, no friction gives energy, and none is lost that is not counted."""
    m, start = random_tree(np.random.default_rng(seed))
    run = ps.simulate(m, start, "gauss3", step=0.002, until=until)
    for force in m.forces:
        if isinstance(force, ps.JointStop):
            x = run.joint(force.joint)[:, 0]
            assert x.min() >= force.lower
            assert force.upper is None or x.max() <= force.upper
    largest = np.abs(run.trajectory.v).max()
    assert np.ptp(run.energy - run.work) <= 1e-12 * np.abs(run.energy).max() * max(1.0, largest) ** 4
    assert (np.diff(run.work) <= 1e-12).all()
    return sum(map(len, run.events.values()))


def test_random_trees_with_stops_and_friction():
    assert sum(check_random_tree(seed, 0.7) for seed in (0, 1, 2, 5)) > 30


@pytest.mark.slow
def test_many_random_trees_with_stops_and_friction():
    for seed in range(100):
        check_random_tree(seed, 2.0)
