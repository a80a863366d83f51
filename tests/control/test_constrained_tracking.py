"""Tracking with loops and driven joints: against the accelerations themselves, and in runs."""

import math

import numpy as np
import pytest

import poinsot as ps

CRANK, COUPLER, ROCKER, GROUND = 0.4, 1.2, 0.9, 1.0
NO_POINT = (0, 0, 0)
WEIGHTS = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])
STEP = 1e-2  # of these differences of order 8


def angles(a):
    """The joints of the four-bar of the gallery, by the triangle of coupler and rocker."""
    x, z = CRANK * math.sin(a), CRANK * math.cos(a)
    d = math.hypot(GROUND - x, z)
    at = math.acos((COUPLER**2 + d * d - ROCKER**2) / (2 * COUPLER * d))
    b = math.atan2(GROUND - x, -z) - at
    tip = x + COUPLER * math.sin(b), z + COUPLER * math.cos(b)
    return np.array([a, b - a, math.atan2(tip[0] - GROUND, tip[1])])


def crank(t):
    return 0.3 + 1.5 * t + 0.5 * math.sin(2.0 * t)


def wanted(t):
    """The whole linkage, for a crank that turns as given."""
    q = np.array([angles(crank(t + k * STEP)) for k in range(-4, 5)])
    return ps.State(t, q[4], WEIGHTS @ q / STEP), SECOND @ q / STEP**2


def turning(body, kind="body"):
    def about(x):
        return 0.0, NO_POINT, (x, x, x)

    pair = ps.control.Pair(body, inertia=about(1.0), damping=about(8.0), stiffness=about(16.0))
    return ps.control.Template(kind, [pair])


def four_bar():
    return ps.scenario("four-bar").mechanism


def test_a_four_bar_follows_its_crank():
    m = four_bar()
    law = ps.control.track(m, turning("crank"), wanted, ["crank"], horizon=1.0)
    run = ps.simulate(m, wanted(0.0)[0], "variational", step=1e-3, until=1.0, controller=law)
    error = run.joint("crank")[:, 0] - [crank(t) for t in run.time]
    assert np.abs(error).max() < 1e-6
    assert run.final.q == pytest.approx(angles(crank(1.0)), abs=1e-6)
    assert ps.control.poles(law) == pytest.approx([-4.0, -4.0], abs=1e-3)  # double: the root of rounding
    found = ps.control.performance(run, law)
    assert found.residual.max() < 1e-20  # one input for one freedom: nothing is left
    assert np.abs(found.inputs).max() > 1.0


def carried():
    """A pole on a cart that is driven."""
    m = ps.Mechanism(gravity=(0, 0, -9.81))
    m.add("cart", ps.Body(2.0, (0.1, 0.1, 0.1)), ps.Prismatic((1, 0, 0)))
    m.add("pole", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Revolute((0, 1, 0)), "cart", body_at=(0, 0, -0.5))
    return m.apply(ps.Drive("cart", lambda t: 0.3 * math.sin(3.0 * t)))


def swung(t):
    """A pole that swings on the cart."""
    q, v, a = (
        [0.3 * f * math.sin(3.0 * t + k), g * math.sin(2.0 * t + k)]
        for f, g, k in ((1, 0.4, 0.0), (3, 0.8, math.pi / 2), (9, 1.6, math.pi))
    )
    return ps.State(t, q, v), a


@pytest.mark.parametrize("horizon", [None, 2.0])
def test_a_pole_on_a_driven_cart_follows(horizon):
    """Continuous, in Python and compiled with a table, in which the motion of the cart is, too."""
    m = carried()
    law = ps.control.track(m, turning("pole"), swung, ["pole"], horizon=horizon)
    until = 2.0 if horizon else 0.1
    run = ps.simulate(m, swung(0.0)[0], "rk4", step=2e-3, until=until, controller=law)
    assert run.final.q == pytest.approx(swung(until)[0].q, abs=1e-8)


def platform():
    """A plate on three rods, one of them on a driven carriage, with forces at its three corners."""
    m = ps.Mechanism(gravity=(0.2, 0.1, -9.81))
    m.add("carriage", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Prismatic((0, 1, 0)), at=(1.0, 0, 1.0))
    m.add("plate", ps.Body(2.0, (0.3, 0.4, 0.5), (0.05, 0, 0.1)), ps.Free())
    ends = {
        "one": ("carriage", (0, 0, 0), (0.5, 0, 0)),
        "two": ("world", (-0.5, 0.8, 1.1), (-0.3, 0.4, 0)),
        "three": ("world", (-0.5, -0.8, 0.9), (-0.3, -0.4, 0)),
    }
    for name, (base, a, b) in ends.items():
        m.close(ps.Loop(base, "plate", ps.Distance(1.2), at_a=a, at_b=b, name=name))
    m.apply(ps.Drive("carriage", lambda t: 0.1 * math.sin(2.0 * t)))
    plate = dict(
        position=(0.1, 0.05, 0.0),
        rotation=ps.quaternion.exp((0.1, -0.2, 0.15)),
        angular_velocity=(0.4, -0.3, 0.8),
        velocity=(0.2, 0.1, -0.1),
    )
    with pytest.warns(ps.LoopWarning):
        at = ps.dynamics.linearize(m, m.state({"plate": plate}, time=0.3)).state
    return m, at


def expected(m, template, at, reference, columns):
    """The shortest input whose acceleration, that of `ps.dynamics`, is nearest to the template."""
    move = ps.dynamics.bind(m).acceleration
    still = move(at.q, at.v, time=at.time)
    G = np.array([move(at.q, at.v, column, time=at.time) - still for column in columns.T]).T
    there = template.at(m, at, *reference)
    values, vectors = np.linalg.eigh(there.M)
    root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T  # M = root^T root
    back = np.where(values > 1e-12 * values[-1], 1 / np.maximum(values, 1e-300), 0.0)[:, None] * vectors.T
    target = vectors @ (back @ there.f)  # of the template, where it has inertia
    return np.linalg.lstsq(root @ G, -root @ (still + target), rcond=1e-9)[0]


@pytest.mark.parametrize("kind", ["particle", "body"])
def test_inputs_are_those_of_the_accelerations(kind):
    """Three freedoms, six inputs: the law knows the bias of the loops and the drive that carries one."""
    m, at = platform()
    stiff = (30.0, (0, 0, 0.1), (4.0, 5.0, 6.0))
    pair = ps.control.Pair("plate", inertia=(2.0, (0.1, 0, 0), (0.3, 0.4, 0.5)), stiffness=stiff)
    template, moved = ps.control.Template(kind, [pair]), ps.dynamics.move(m, at, 0.02 * np.arange(14.0))
    reference = moved, 0.3 * np.arange(7.0)
    law = ps.control.track(m, template, lambda t: reference, ["plate"], period=0.01, check=False)
    found = law.function.decide(at.time, at)
    columns = np.eye(7)[:, 1:]
    assert found.law.u == pytest.approx(expected(m, template, at, reference, columns), abs=1e-9)
    assert np.abs(found.law.u).max() > 1.0
    a = ps.dynamics.bind(m).acceleration(at.q, at.v, columns @ found.law.u, time=at.time)
    assert found.law.acceleration == pytest.approx(a, abs=1e-9)


def test_a_crank_within_its_limits():
    m = four_bar()
    at, (there, a) = wanted(0.0)[0], wanted(0.1)
    free, bound = (
        ps.control.track(
            m, turning("crank"), lambda t: (there, a), ["crank"], limits=limits, period=0.01, check=False
        )
        for limits in (None, ([[1.0], [-1.0]], [1.0, 1.0]))
    )
    u = free.function(0.0, at, None)[0]
    assert u == pytest.approx(expected(m, turning("crank"), at, (there, a), np.eye(3)[:, :1]), rel=1e-10)
    assert abs(u[0]) > 1.0
    assert bound.function(0.0, at, None)[0] == pytest.approx(np.sign(u))


def test_what_cannot_be_tracked_is_named():
    m = four_bar()
    with pytest.raises(ps.ModelError, match="'pin' closes a loop, which the transport map of template"):
        ps.control.track(m, turning("crank", "energy"), wanted, ["crank"])
    with pytest.raises(ps.ModelError, match="metric has factors of are not independent"):
        ps.control.track(m, turning("crank"), wanted, ["crank"], metric=[1, 1, 1])

    def open_loop(t):
        state, a = wanted(t)
        return ps.State(t, state.q + np.array([0, 0, 0.01]), state.v), a

    with pytest.raises(ps.ModelError, match="reference at t = 0: its coordinates open loop 'pin'"):
        ps.control.track(m, turning("crank"), open_loop, ["crank"])
    with pytest.raises(ps.ModelError, match="its accelerations open loop 'pin'"):
        ps.control.track(m, turning("crank"), lambda t: (wanted(t)[0], [0, 0, 0]), ["crank"])
    law = ps.control.track(m, turning("crank"), wanted, ["crank"])
    with pytest.raises(ps.ModelError, match="with loops or driven joints some are not free"):
        ps.control.matching(law)
    m = carried().apply(ps.Drive("pole", lambda t: 0.1 * t))
    with pytest.raises(ps.ModelError, match="leave no degree of freedom"):
        ps.control.track(m, turning("pole"), swung, [ps.Thrust("pole", (0, 0, 0), (1, 0, 0))])
    still = ps.State(0.0, [0, 0], [0, 0])
    with pytest.raises(ps.ModelError, match="its velocities are not those of the drives"):
        ps.control.track(carried(), turning("pole"), lambda t: (still, [0, 0]), ["pole"])


@pytest.mark.parametrize("law", [ps.control.computed_torque, ps.control.joint_pd])
def test_laws_of_independent_joints_refuse_loops_and_drives_by_name(law):
    """They took the joints for free, and the motion was another one."""
    m = carried()
    still = ps.control.references.constant(m.state())
    with pytest.raises(ps.ModelError, match=r"there is Drive .* at 'cart': use ps.control.track"):
        law(m, still, ["cart", "pole"], 9.0, 6.0)
    s = ps.scenario("four-bar")
    still = ps.control.references.constant(s.start)
    with pytest.raises(ps.ModelError, match=r"there is loop .*: use ps.control.track"):
        law(s.mechanism, still, [link.name for link in s.mechanism.links], 9.0, 6.0)
