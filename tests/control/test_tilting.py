"""Limits of tilting rotors: the compiled laws move them as the inputs themselves do."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.laws import LawCall
from poinsot.core.control.records import DECIDED

C = ps.control
LIMITS = [(None, None), (3.0, 0.4), ((0.5, 3.0), 0.4), ((0.5, 3.0), None), (3.0, None), (None, 0.4)]


def bicopter(limit, tilt_limit):
    m = ps.Mechanism().add("d", ps.Body(1.0, (0.02, 0.02, 0.03)), ps.Free())
    rotors = [
        ps.TiltRotor("d", (0, y, 0), (0, 0, 1), (0, 1, 0), 0.01, limit, tilt_limit) for y in (0.2, -0.2)
    ]
    return m, rotors


@pytest.mark.parametrize(("limit", "tilt_limit"), LIMITS)
def test_a_number_is_moved_to_the_nearest_admissible_tilt_and_thrust(limit, tilt_limit):
    """Nothing inside moves at all; everything outside comes to the border."""
    m, (rotor, _) = bicopter(limit, tilt_limit)
    low, high = (-np.inf, np.inf) if limit is None else limit if isinstance(limit, tuple) else (-limit, limit)
    for u in np.random.default_rng(1).normal(size=(200, 2)) * 3:
        c, s = rotor.saturate(m, u)
        tilt, thrust = np.arctan2(u[1], u[0]), np.hypot(*u)
        inside = thrust <= high and u[0] >= low and (tilt_limit is None or abs(tilt) <= tilt_limit)
        assert ((c, s) == tuple(u)) == inside
        assert np.hypot(c, s) <= high * (1 + 1e-15)
        assert c >= low
        assert tilt_limit is None or abs(np.arctan2(s, c)) <= tilt_limit + 1e-15
        if not inside and low == -high and tilt_limit is None:
            assert np.abs(np.array([c, s]) - u * min(1, high / thrust)).max() < 1e-15 * high  # radially


@pytest.mark.parametrize(("limit", "tilt_limit"), LIMITS)
def test_a_regulator_on_tilting_rotors_is_compiled_within_their_limits(limit, tilt_limit):
    m, rotors = bicopter(limit, tilt_limit)
    rng = np.random.default_rng(2)
    regulator = C.Regulator(m, rng.normal(size=(4, 12)), m.state(), u=[4.9, 0, 4.9, 0])
    call = LawCall(regulator._compiled_law(m, tuple(rotors)))
    for _ in range(50):
        v = rng.normal(size=6)
        state = ps.State(0.0, [*rng.normal(size=3), *ps.quaternion.exp(rng.normal(size=3))], v)
        assert call(np.zeros(1), state.q, state.v) == DECIDED
        parts = np.split(regulator.force(state), 2)
        wanted = np.concatenate([one.saturate(m, part) for one, part in zip(rotors, parts, strict=True)])
        assert np.abs(call.u - wanted).max() < 1e-12


def test_a_joint_law_keeps_the_thrust_of_a_tilting_rotor():
    """Two slides carry it: its two numbers are the joint forces, and the bounds of each are a square."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("x", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    m.add("z", ps.Box(1.0).body(mass=1.0), ps.Prismatic((0, 0, 1)), parent="x")
    rotor = ps.TiltRotor("z", (0, 0, 0), (0, 0, 1), (0, 1, 0), limit=3.0)
    law = C.joint_pd(m, C.references.constant(m.state()), [rotor], 10.0, 1.0).function
    u = law(0.0, ps.State(0.0, [0.6, 0.8], [0.0, 0.0]))
    assert np.abs(u - [-2.4, -1.8]).max() < 1e-14  # along (0.8, 0.6), not (-3, -3)
