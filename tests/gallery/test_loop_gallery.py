"""The closed mechanisms of the gallery against planar mechanics done by hand, and published numbers."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.gallery import n_four_bar
from poinsot.mechanics.assembly import assemble
from support.kkt import motion
from support.published import ANDREWS_ANGLES, ANDREWS_LAST

G = 9.81
CLOSED = {  # scenario, parameters: rows, redundant ones, degrees of freedom
    ("four-bar", ""): (5, 3, 1),
    ("n-four-bar", "N=2"): (4, 0, 1),
    ("n-four-bar", "N=40"): (80, 0, 1),
    ("andrews", ""): (15, 9, 1),
    ("bricard", ""): (5, 1, 1),
    ("governor", "couplers=rigid"): (2, 0, 2),
    ("necklace", ""): (3, 0, 189),
    ("slider-crank", ""): (5, 3, 0),  # its one freedom is driven
}


def made(name, text):
    word, _, value = text.partition("=")
    return ps.scenario(name, **({word: int(value) if value.isdigit() else value} if text else {}))


@pytest.mark.parametrize(("name", "text"), CLOSED)
def test_a_start_is_closed_and_has_its_degrees_of_freedom(name, text):
    s = made(name, text)
    found, (rows, redundant, freedom) = ps.dynamics.loop_constraints(s.mechanism, s.start), CLOSED[name, text]
    assert (found.rank + found.redundant, found.redundant, found.freedom) == (rows, redundant, freedom)
    assert max(np.abs(x).max() for x in found.residuals.values()) < 1e-14
    assert max(np.abs(x).max() for x in found.rates.values()) < 1e-12  # 8 rad/s through 64 links
    assert f"{freedom} degrees of freedom" in str(found)


# N-four-bar: (1) of its file


def law(N):
    """f.. = -(B/2A) g cos f."""
    return ((N + 1) / 2 + N) / (2 * ((N + 1) / 6 + N / 2)) * G


@pytest.mark.parametrize("N", [1, 2, 40])
@pytest.mark.parametrize("angle", [0.0, 0.4, -1.3, 1.57, 2.5])
def test_all_rods_of_the_four_bars_turn_as_one(N, angle):
    """At 1.57 all rods lie almost on a line: the loops are singular to 8e-4."""
    s = ps.scenario("n-four-bar", N=N)
    rods, bars = {"angle": angle, "rate": 1.7}, {"angle": -angle, "rate": -1.7}
    state = s.mechanism.state({name: rods if "rod" in name else bars for name in s.mechanism.names})
    a = ps.dynamics.acceleration(s.mechanism, state)
    want = law(N) * np.sin(angle)  # the angle is pi/2 - f
    lost = 1e-13 / max(np.abs(np.cos(angle)), 1e-3) * N
    assert a[: N + 1] == pytest.approx(np.full(N + 1, want), abs=1e2 * lost)
    assert a[N + 1 :] == pytest.approx(np.full(N, -want), abs=1e2 * lost)


def test_the_law_of_the_four_bars_gives_the_published_point():
    def slope(t, y):
        return y[1], -law(2) * np.cos(y[0])

    f = solve_ivp(slope, (0, 10), (np.pi / 2, -1.0), "DOP853", rtol=1e-13, atol=1e-13).y[0, -1]
    assert (np.cos(f), np.sin(f)) == pytest.approx(n_four_bar.B0, abs=2e-11)  # eleven digits are published


def test_the_four_bars_move_by_their_law_until_they_lie_down():
    s = ps.scenario("n-four-bar")
    end, _, _ = motion(s.mechanism, s.start, 0.6)
    found = ps.dynamics.loop_constraints(s.mechanism, end)
    assert max(np.abs(x).max() for x in found.residuals.values()) < 1e-10
    e = ps.dynamics.energy(s.mechanism, end)
    angle, rate, first = end.q[0], end.v[0], ps.dynamics.energy(s.mechanism, s.start)
    assert 0.8 < angle < 1.5
    assert sum(e) == pytest.approx(sum(first), abs=1e-9)
    assert rate**2 == pytest.approx(1 + 2 * law(2) * (1 - np.cos(angle)), rel=1e-10)


# Andrews: published accelerations, multipliers and angles


def published(m, q):
    """The seven numbers in the order of the publication."""
    return np.array([q[m.slices(f"K{k}")[1]][0] for k in range(1, 8)])


def test_the_squeezer_starts_with_the_published_accelerations_and_forces():
    s = ps.scenario("andrews")
    a = published(s.mechanism, ps.dynamics.acceleration(s.mechanism, s.start))
    want = [14222.443919954114, -10666.832939965585, 0, 0, 0, 0, 0]  # IVP test set
    assert a == pytest.approx(want, rel=1e-12, abs=1e-8)
    force = np.array([98.56687039624109, -6.122688344255662, 0.0])  # of the node on K3, in space
    c, z = np.cos(ANDREWS_ANGLES[2]), np.sin(ANDREWS_ANGLES[2])
    R = np.array([[c, -z, 0], [z, c, 0], [0, 0, 1]])
    found = ps.dynamics.reactions(s.mechanism, s.start)
    assert found["node-K3"] == pytest.approx([0, 0, 0, *(R.T @ force)], rel=1e-11, abs=1e-11)
    for name in ("node-K4", "node-K6"):
        assert found[name] == pytest.approx(np.zeros(6), abs=1e-9)
    for name, lam in ps.dynamics.multipliers(s.mechanism, s.start).items():
        assert (np.abs(lam).max() > 90) == (name == "node-K3")


def test_the_squeezer_reaches_the_published_angles():
    """After two and a half turns of the crank; the published numbers have fourteen digits."""
    s = ps.scenario("andrews")
    end, _, _ = motion(s.mechanism, s.start, 0.03)
    assert published(s.mechanism, end.q) == pytest.approx(ANDREWS_LAST, abs=1e-7)
    found = ps.dynamics.loop_constraints(s.mechanism, end)
    assert max(np.abs(x).max() for x in found.residuals.values()) < 1e-9


# one degree of freedom by hand


def closed_four_bar(angle, rate, ground=1.0, crank=0.4, coupler=1.2, rocker=0.9):
    """Angles of coupler and rocker for that of the crank, and their rates: |P + c e(t) - Q - r e(s)| = 0."""
    x, z = ground - crank * np.sin(angle), -crank * np.cos(angle)  # from the crank pin to the rocker's pivot
    far = np.hypot(x, z)
    t = np.arctan2(x, z) - np.arccos((far**2 + coupler**2 - rocker**2) / (2 * far * coupler))
    s = np.arctan2(coupler * np.sin(t) - x, coupler * np.cos(t) - z)
    pin = -rate * crank / np.sin(t - s)  # the velocity of the crank pin, seen along rocker and coupler
    return t, s, pin * np.sin(angle - s) / coupler, pin * np.sin(angle - t) / rocker


def test_the_four_bar_linkage_against_its_one_equation():
    """m(a) a.. + m'(a) a.^2/2 + V'(a) = 0 with the angles of the file as functions of that of the crank."""
    s = ps.scenario("four-bar")
    m = s.mechanism
    coupler, rocker, coupler_rate, rocker_rate = closed_four_bar(0.3, 4.0)
    assert s.start.q == pytest.approx([0.3, coupler - 0.3, rocker], abs=1e-15)
    assert s.start.v == pytest.approx([4.0, coupler_rate - 4.0, rocker_rate], abs=1e-14)

    def energies(angle):
        """m(a) and V(a)."""
        t, u, rate_t, rate_u = closed_four_bar(angle, 1.0)
        state = m.state(
            {
                "crank": dict(angle=angle, rate=1.0),
                "coupler": dict(angle=t - angle, rate=rate_t - 1.0),
                "rocker": dict(angle=u, rate=rate_u),
            }
        )
        kinetic, potential = ps.dynamics.energy(m, state)
        return np.array([2 * kinetic, potential])

    h, a, w = 1e-3, 0.3, 4.0
    one, two = ((energies(a + k * h) - energies(a - k * h)) / (2 * k * h) for k in (1, 2))
    slope = (4 * one - two) / 3
    want = -(slope[0] * w**2 / 2 + slope[1]) / energies(a)[0]
    assert ps.dynamics.acceleration(m, s.start)[0] == pytest.approx(want, rel=1e-8)


def test_the_rigid_governor_against_its_one_equation():
    """With couplers of 0.5 m the slider is at s = 1 - sin(a), a the slope of the rods; w turns the shaft.

    m(a) a.. = I'(a) w^2/2 - V'(a) at rest, I the inertia about the shaft.
    """
    s = ps.scenario("governor", couplers="rigid")
    rod, ball, slider, w = 0.3, 5.0, 3.0, 2 * np.pi
    thin, long = rod * 2e-4 / 12, rod * (1 + 1e-4) / 12

    def inertia(a):
        arm = np.array([0.05 + np.cos(a) / 2, 0.05 + np.cos(a)])
        return 2 * (rod * arm[0] ** 2 + ball * arm[1] ** 2 + thin * np.sin(a) ** 2 + long * np.cos(a) ** 2)

    def potential(a):
        return G * (-2 * np.sin(a) * (rod / 2 + ball) + slider * (1 - np.sin(a)))

    a, h = np.pi / 6, 1e-5
    effective = 2 * (ball + rod / 4 + long) + slider * np.cos(a) ** 2
    push = (inertia(a + h) - inertia(a - h)) * w**2 / 2 - (potential(a + h) - potential(a - h))
    want = push / (2 * h) / effective
    found = ps.dynamics.acceleration(s.mechanism, s.start)
    assert found[2:] == pytest.approx([want, want], rel=1e-8)
    assert found[1] == pytest.approx(-np.cos(a) * want, rel=1e-8)
    assert found[0] == pytest.approx(0, abs=1e-12)


def test_the_stiff_governor_moves_like_the_rigid_one():
    """Springs give way by some 100 N/(8e5 N/m) = 1e-4 m."""
    stiff, rigid = (ps.scenario("governor", couplers=word) for word in ("springs", "rigid"))
    end, _, _ = motion(rigid.mechanism, rigid.start, 1.0, rtol=1e-9)
    run = ps.simulate(stiff.mechanism, stiff.start, step=stiff.step, until=1.0)
    assert run.final.q == pytest.approx(end.q, abs=2e-3)
    assert run.final.q != pytest.approx(end.q, abs=1e-6)
    assert np.ptp(run.joint("slider")) > 0.2


def test_the_bricard_linkage_moves_although_counting_says_no():
    s = ps.scenario("bricard")
    end, q, _ = motion(s.mechanism, s.start, 1.0, projected=True)
    end = assemble(compile_tree(s.mechanism), end).state
    found = ps.dynamics.loop_constraints(s.mechanism, end)
    assert np.ptp(q[:, 0]) > 0.5
    assert (found.rank, found.freedom) == (4, 1)
    assert np.abs(found.residuals["last hinge"]).max() < 1e-9
    assert sum(ps.dynamics.energy(s.mechanism, end)) == pytest.approx(
        sum(ps.dynamics.energy(s.mechanism, s.start)), abs=1e-8
    )


def test_a_family_of_scenarios_refuses_what_it_does_not_have():
    for name, word, value in (("n-four-bar", "N", 0), ("necklace", "n", 2), ("governor", "couplers", "soft")):
        with pytest.raises(ps.ScenarioError, match=f"{name}: {word} must be"):
            ps.scenario(name, **{word: value})
