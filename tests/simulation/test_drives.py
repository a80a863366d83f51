"""Driven joints in trees: motion, force and work against a pendulum with a shaken support, done by hand.

The support moves as z = s(t), the rod (mass m, centre at a below, inertia I) swings freely:

    (I + m a^2) q.. = -m a (g + s..) sin q                                                       (1)
    F = (M + m)(g + s..) - m a (q.. sin q + q.^2 cos q) ... of the support of mass M, upwards      (2)
"""

import math
import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.simulation.stiffness import steepest

M, MASS, ARM, INERTIA, G = 1.3, 0.8, 0.5, 0.07, 9.81
UNTIL, ANGLE = 1.0, 0.7
FIELDS = ("rk4", "cg4", "rkmk4", "cf4", "gauss1", "gauss3", "newmark", "dop853")
METHODS = (*FIELDS, "variational", "variational_midpoint", "variational4")
# h = 0.01: bounds of the error of the angle, and of energy less work relative to the kinetic energy, by order
ERRORS = {
    "rk4": (2e-6, 2e-6),
    "cg4": (2e-6, 2e-6),
    "rkmk4": (2e-6, 2e-6),
    "cf4": (2e-6, 2e-6),
    "gauss1": (4e-3, 4e-3),
    "gauss3": (1e-9, 1e-9),
    "newmark": (4e-3, 4e-3),
    "dop853": (1e-9, 1e-9),
    "variational": (4e-3, 4e-3),
    "variational_midpoint": (4e-3, 4e-3),
    "variational4": (1e-6, 1e-6),
}


def shake(t):
    return 0.1 * math.sin(7.0 * t) + 0.05 * t * t


def shake1(t):
    return 0.7 * math.cos(7.0 * t) + 0.1 * t


def shake2(t):
    return -4.9 * math.sin(7.0 * t) + 0.1


def bare():
    m = ps.Mechanism(gravity=(0.0, 0.0, -G))
    m.add("support", ps.Body(M, (0.01, 0.01, 0.01)), ps.Prismatic((0.0, 0.0, 1.0)))
    rod = ps.Body(MASS, (INERTIA, INERTIA, 0.001))
    return m.add("rod", rod, ps.Revolute((0.0, 1.0, 0.0)), "support", body_at=(0.0, 0.0, -ARM))


def shaken():
    return bare().apply(ps.Drive("support", shake))


def start_of(m):
    return m.state({"rod": dict(angle=ANGLE)})


@pytest.fixture(scope="module")
def exact():
    """Angle and rate of (1) as functions of time."""

    def field(t, y):
        return y[1], -MASS * ARM * (G + shake2(t)) * math.sin(y[0]) / (INERTIA + MASS * ARM**2)

    done = solve_ivp(field, (0, UNTIL), (ANGLE, 0.0), "DOP853", rtol=1e-13, atol=1e-14, dense_output=True)
    return done.sol


def force(t, q, v):
    """(2) by Newton's law: the heights are s and s - a cos q."""
    a = -MASS * ARM * (G + shake2(t)) * np.sin(q) / (INERTIA + MASS * ARM**2)
    return M * (G + shake2(t)) + MASS * (G + shake2(t) + ARM * (a * np.sin(q) + v**2 * np.cos(q)))


@pytest.mark.parametrize("method", METHODS)
def test_a_pendulum_on_a_shaken_support(method, exact):
    m = shaken()
    run = ps.simulate(m, start_of(m), method, step=0.01, until=UNTIL)
    t, (angle, balance) = run.time, ERRORS[method]
    q, v = run.joint("rod")[:, 0], run.rate("rod")[:, 0]
    assert run.joint("support")[:, 0] == pytest.approx([shake(x) for x in t], abs=1e-15)  # not an unknown
    assert run.rate("support")[:, 0] == pytest.approx([shake1(x) for x in t], abs=1e-15)
    assert np.abs(q - exact(t)[0]).max() < angle
    assert run.input("support")[:, 0] == pytest.approx(
        [force(*row) for row in zip(t, q, v, strict=True)], abs=1e-12
    )
    scale = run.kinetic.max()
    assert np.ptp(run.energy - run.work) < balance * scale
    assert np.abs(run.work).max() > 0.5 * scale, "the drive works: without it the balance would not hold"
    assert "less the work of forces" in str(run.report())


@pytest.mark.parametrize(("method", "order"), [("rk4", 4), ("gauss2", 4), ("cf4", 4), ("variational", 2)])
def test_a_drive_leaves_the_order_of_a_method(method, order, exact):
    m = shaken()
    errors = []
    for h in (0.04, 0.02):
        run = ps.simulate(m, start_of(m), method, step=h, until=UNTIL)
        errors.append(abs(run.joint("rod")[-1, 0] - exact(UNTIL)[0]))
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.5)


@pytest.mark.parametrize("method", ["rk4", "gauss3", "variational"])
def test_the_work_is_that_of_the_force(method):
    """The work that a run carries against a quadrature of force and velocity over its samples."""
    m = shaken()
    run = ps.simulate(m, start_of(m), method, step=0.0025, until=UNTIL)
    power = run.input("support")[:, 0] * run.rate("support")[:, 0]
    h = run.step
    simpson = h / 3 * (power[0] + power[-1] + 4 * power[1:-1:2].sum() + 2 * power[2:-1:2].sum())
    assert run.work[-1] == pytest.approx(simpson, abs=1e-6 if method != "variational" else 5e-5)


@pytest.mark.parametrize("method", ["rk4", "gauss3", "dop853", "variational", "newmark"])
def test_splitting_a_run_changes_no_bit(method):
    m = shaken()
    whole = ps.simulate(m, start_of(m), method, step=0.01, steps=40, every=4)
    state = start_of(m)
    for steps in (1, 12, 27):
        state = ps.simulate(m, state, method, step=0.01, steps=steps).final
    last = whole.final
    assert state.time == last.time
    assert (state.q == last.q).all()
    assert (state.v == last.v).all()
    chunks = ps.simulate(m, start_of(m), method, step=0.01, steps=40, every=1)
    assert (chunks.trajectory.q[::4] == whole.trajectory.q).all()
    assert (chunks.input("support")[::4] == whole.input("support")).all()


def test_given_derivatives_are_those_of_dual_numbers():
    m = bare().apply(ps.Drive("support", shake, shake1, shake2))
    one, two = (ps.simulate(x, start_of(x), "rk4", step=0.01, steps=50) for x in (m, shaken()))
    assert one.trajectory.q == pytest.approx(two.trajectory.q, abs=1e-14)
    assert one.input("support") == pytest.approx(two.input("support"), abs=1e-12)


def test_an_archive_holds_the_force_and_knows_the_function(tmp_path):
    m, file = shaken(), tmp_path / "shaken.poinsot"
    run = ps.simulate(m, start_of(m), "rk4", step=0.01, until=0.2, archive=file)
    loaded = ps.load(file)
    assert (loaded.input("support") == run.input("support")).all()
    assert ps.replay(file, mechanism=m).identical
    other = bare().apply(ps.Drive("support", lambda t: 0.2 * t))
    with pytest.raises(ps.ArchiveError):
        ps.replay(file, mechanism=other)
    with pytest.raises(ps.ModelError, match="Drive 'shake' at 'support'"):
        ps.simulate(loaded.mechanism, loaded.final, "rk4", step=0.01, steps=1)
    more = ps.resume(file, until=0.3, mechanism=m)
    whole = ps.simulate(m, start_of(m), "rk4", step=0.01, until=0.3)
    assert (more.trajectory.q == whole.trajectory.q).all()
    assert (more.work == whole.work).all()


def test_a_start_beside_the_drive_is_put_onto_it():
    m = shaken()
    here = m.state({"support": dict(displacement=0.3, speed=9.0), "rod": dict(angle=ANGLE)}, time=0.5)
    run = ps.simulate(m, here, "rk4", step=0.01, steps=1)
    assert run.joint("support")[0, 0] == shake(0.5)
    assert run.rate("support")[0, 0] == pytest.approx(shake1(0.5), abs=1e-15)
    assert run.joint("rod")[0, 0] == ANGLE


def test_an_impulse_does_not_move_a_driven_joint():
    """The rod turns as if its pivot were fixed: J dq. = -(arm of the impulse)."""
    m = shaken().apply(ps.Impulse("rod", 0.1, force=(0.2, 0.0, 0.0)))
    run = ps.simulate(m, m.state(), "rk4", step=0.01, steps=20)
    still = ps.simulate(shaken(), shaken().state(), "rk4", step=0.01, steps=20)
    assert run.rate("support")[:, 0] == pytest.approx([shake1(t) for t in run.time], abs=1e-15)
    assert (still.rate("rod") == 0).all()
    jump = -0.2 * ARM / (INERTIA + MASS * ARM**2)  # at t = 0.1, where the rod still hangs
    assert run.rate("rod")[11, 0] == pytest.approx(jump, rel=0.05)
    after = run.rate("rod")[11, 0] + 0.01 * MASS * ARM * (G + shake2(0.105)) * math.sin(
        run.joint("rod")[11, 0] / 2
    ) / (INERTIA + MASS * ARM**2)
    assert after == pytest.approx(jump, rel=1e-3)


def test_a_controller_acts_beside_a_drive():
    """A motor that holds a constant torque is a constant force; the drive feels it."""
    m = shaken()
    motor = ps.Controller(lambda t, state, memory: ([0.3], memory), 0.02, ["rod"])
    one = ps.simulate(m, start_of(m), "rk4", step=0.01, steps=20, controller=motor)
    pushed = shaken().apply(ps.JointTorque("rod", lambda t, q, v: 0.3))
    two = ps.simulate(pushed, start_of(pushed), "rk4", step=0.01, steps=20)
    assert one.trajectory.q == pytest.approx(two.trajectory.q, abs=1e-14)
    assert one.input("support") == pytest.approx(two.input("support"), abs=1e-12)
    assert (one.input("rod") == 0.3).all()
    assert one.reaction("rod") == pytest.approx(two.reaction("rod"), abs=1e-11)
    with pytest.raises(ps.ModelError, match="joint 'arm' is not driven: one of rod, support"):
        one.input("arm")


def test_the_force_of_a_drive_follows_the_ticks_of_a_controller():
    """Newton's law with the torque u of each tick, at the samples and between them."""
    m = shaken()
    motor = ps.Controller(lambda t, state, memory: ([3.0 * math.sin(40.0 * t)], memory), 0.02, ["rod"])
    run = ps.simulate(m, start_of(m), "rk4", step=0.01, steps=20, controller=motor)

    def felt(one):
        t, (q, v) = one.time, (one.trajectory.q[:, 1], one.trajectory.v[:, 1])
        u, lift = one.input("rod")[:, 0], G + np.array([shake2(x) for x in t])
        a = (u - MASS * ARM * lift * np.sin(q)) / (INERTIA + MASS * ARM**2)
        return M * lift + MASS * (lift + ARM * (a * np.sin(q) + v**2 * np.cos(q)))

    assert np.ptp(run.input("rod")) > 4
    assert run.input("support")[:, 0] == pytest.approx(felt(run), abs=1e-11)
    fine = run.resample(np.linspace(0.001, 0.199, 34))
    assert fine.input("support")[:, 0] == pytest.approx(felt(fine), abs=1e-11)


def test_a_driven_body_needs_no_mass():
    """The support without mass: the rod moves as before, and the force lacks its weight."""
    m = ps.Mechanism(gravity=(0.0, 0.0, -G)).add("support", None, ps.Prismatic((0.0, 0.0, 1.0)))
    m.add(
        "rod",
        ps.Body(MASS, (INERTIA, INERTIA, 0.001)),
        ps.Revolute((0.0, 1.0, 0.0)),
        "support",
        body_at=(0.0, 0.0, -ARM),
    )
    light = m.apply(ps.Drive("support", shake))
    one, two = (ps.simulate(x, start_of(x), "rk4", step=0.01, steps=20) for x in (light, shaken()))
    assert one.trajectory.q == pytest.approx(two.trajectory.q, abs=1e-14)
    weight = [M * (G + shake2(t)) for t in one.time]
    assert two.input("support")[:, 0] - one.input("support")[:, 0] == pytest.approx(weight, abs=1e-12)


def test_the_acceleration_of_a_drive_may_jump():
    """A support that starts to accelerate at t = 0.5, which lies on a step: the order stays."""

    def kick(t):
        return 0.0 if t < 0.5 else 2.0 * (t - 0.5) ** 2

    m = bare().apply(ps.Drive("support", kick, switches=(0.5,)))
    one, two = (ps.simulate(m, start_of(m), "rk4", step=h, until=1.0) for h in (0.02, 0.01))

    def field(t, y, push):
        return y[1], -MASS * ARM * (G + push) * math.sin(y[0]) / (INERTIA + MASS * ARM**2)

    y = (ANGLE, 0.0)
    for span, push in (((0.0, 0.5), 0.0), ((0.5, 1.0), 4.0)):
        y = solve_ivp(field, span, y, "DOP853", rtol=1e-13, atol=1e-14, args=(push,)).y[:, -1]
    errors = [abs(run.joint("rod")[-1, 0] - y[0]) for run in (one, two)]
    assert errors[1] < 1e-6
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.5)


@pytest.mark.parametrize("method", ["gauss3", "variational"])
def test_a_drive_works_against_what_else_acts_at_its_joint(method):
    """A damper and a spring at the driven joint: the drive carries them, and no work is counted twice."""
    m = shaken().apply(ps.JointDamper("support", 3.0), ps.JointSpring("support", 40.0))
    free, held = (ps.simulate(x, start_of(x), method, step=0.005, until=UNTIL) for x in (shaken(), m))
    assert held.trajectory.q == pytest.approx(free.trajectory.q, abs=1e-13)
    more = 3.0 * free.rate("support") + 40.0 * free.joint("support")
    assert held.input("support") == pytest.approx(free.input("support") + more, abs=1e-11)
    bound = 1e-9 if method == "gauss3" else 2e-3
    assert np.ptp(held.energy - held.work) < bound * held.kinetic.max()


def swirl(t):
    return 0.5 * math.sin(3.0 * t), 0.4 * t


def sway(t):
    return 0.1 * math.sin(4.0 * t), 0.2 * t * t, 0.5 * t


def test_joints_with_several_coordinates_are_driven_by_all_methods():
    """Universal and planar joints, which are chains of simple ones to variational methods."""
    m = ps.Mechanism(gravity=(0.0, 1.0, -G))
    rod = ps.Body(MASS, (INERTIA, 0.05, 0.02))
    m.add("cross", rod, ps.Universal((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), body_at=(0.1, 0.0, -ARM))
    m.add("arm", rod, ps.Spherical(), "cross", at=(0.0, 0.0, -ARM), body_at=(0.2, 0.0, -0.1))
    m.add("plate", rod, ps.Planar((0.0, 0.0, 1.0)), "cross", at=(0.3, 0.0, 0.0))
    m.add("tip", rod, ps.Revolute((1.0, 0.0, 0.0)), "plate", at=(0.0, 0.2, 0.0), body_at=(0.0, 0.1, -0.2))
    m.apply(ps.Drive("cross", swirl), ps.Drive("plate", sway))
    exact = ps.simulate(m, m.state(), "gauss3", step=0.005, until=0.5).final
    errors = []
    for h in (0.01, 0.005):
        run = ps.simulate(m, m.state(), "variational", step=h, until=0.5)
        errors.append(np.abs(run.final.q - exact.q).max())
    assert errors[1] < 1e-3
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.3)
    assert run.input("plate").shape == (101, 3)
    assert np.ptp(run.energy - run.work) < 1e-3 * run.kinetic.max()


def test_between_samples_a_driven_joint_is_on_its_drive(exact):
    """`run.at` and `run.resample` by own steps; the force is that at the time, not that of a sample."""
    m = shaken()
    run = ps.simulate(m, start_of(m), "gauss3", step=0.01, until=UNTIL, every=10)
    times = np.array([0.123, 0.4567, 0.777])
    fine = run.resample(times)
    assert fine.joint("support")[:, 0] == pytest.approx([shake(t) for t in times], abs=1e-15)
    q, v = fine.joint("rod")[:, 0], fine.rate("rod")[:, 0]
    assert q == pytest.approx(exact(times)[0], abs=1e-8)
    assert fine.input("support")[:, 0] == pytest.approx(
        [force(*row) for row in zip(times, q, v, strict=True)], abs=1e-12
    )
    assert run.at(0.4567).q == pytest.approx(fine.trajectory.q[1], abs=1e-14)


def test_events_are_found_on_driven_motions(exact):
    """The rod passes the vertical; a reset that moves the driven joint is put back onto the drive."""
    m = shaken()
    low = ps.Event(
        lambda t, state: state.q[1], name="low", reset=lambda t, s: ps.State(t, [9.0, s.q[1]], s.v)
    )
    run = ps.simulate(m, start_of(m), "gauss3", step=0.01, until=UNTIL, events=[low])
    found = run.events["low"].times
    assert len(found) == 1
    assert np.abs(exact(found)[0]).max() < 1e-9
    assert run.joint("support")[:, 0] == pytest.approx([shake(t) for t in run.time], abs=1e-15)
    assert run.joint("rod")[:, 0] == pytest.approx(exact(run.time)[0], abs=1e-8)
    assert np.ptp(run.energy - run.work) < 1e-9 * run.kinetic.max()


def leap(t):
    return 0.1 if t < 0.123 else 0.4


def test_a_drive_that_jumps_is_named():
    m = bare().apply(ps.Drive("support", leap))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        ps.simulate(m, start_of(m), "rk4", step=0.01, until=UNTIL)
    said = [str(one.message) for one in found if one.category is ps.PhysicsWarning]
    assert said[0].startswith("Drive 'leap' at 'support': its coordinates jump by 0.3 at t = 0.123,")


def test_what_is_steep_does_not_jump():
    """Between two neighbouring floats: a kink jumps in its rate, what is steep for 1e-5 s does not."""
    kink = steepest(lambda t: np.array([math.copysign(0.3, t - 0.4567)]), 0.4, 0.5)
    assert kink == pytest.approx((0.4567, 0.6), abs=1e-15)
    assert steepest(lambda t: np.array([0.3 * math.atan(1e5 * (t - 0.123))]), 0.1, 0.2)[1] < 1e-11


def test_an_accuracy_may_be_asked_for(exact):
    m = shaken()
    run = ps.simulate(m, start_of(m), until=UNTIL, accuracy=1e-6)
    assert abs(run.joint("rod")[-1, 0] - exact(UNTIL)[0]) < 1e-6


def test_a_drive_without_a_value_at_the_start_is_named():
    """It has one at t = 0, where `apply` asks; the start of a run asks again."""

    def ends(t):
        return 0.2 * t if t < 5 else float("nan")

    m = bare().apply(ps.Drive("support", ends))
    with pytest.raises(
        ps.ModelError, match="Drive 'ends' at 'support': f must return finite numbers, got nan at t = 5"
    ):
        ps.simulate(m, m.state(time=5.0), "rk4", step=0.01, steps=1)
