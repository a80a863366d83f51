"""Laws do not depend on the units of length, mass and time in which a problem is written."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.laws import ContinuousCall
from poinsot.core.control.records import DECIDED

C = ps.control
UNITS = [(1e-3, 1e-6, 1e-2), (1e-5, 1e-10, 1e-2), (1e-6, 1e-12, 1e-3), (1e6, 1e12, 1e3)]  # length, mass, time
ARMS = ((1, 0, 0), 1), ((0, 1, 0), -1), ((-1, 0, 0), 1), ((0, -1, 0), -1)


def problem(L, M, T, frequency=0.0):
    """Return a quadcopter, its template, its rotors, and the reference of a circle or at rest."""
    m = ps.Mechanism(gravity=(0, 0, -9.81 * L / T**2))
    m.add("d", ps.Body(M, np.array([0.018, 0.018, 0.03]) * M * L * L), ps.Free())
    force = M * L / T**2
    rotors = [
        ps.Thrust("d", 0.24 * L * np.array(at), (0, 0, 1), s * 0.017 * L, (0, 9 * force), name="r")
        for at, s in ARMS
    ]
    pair = C.matched_pair(
        "d", M, (4 / T, 0.8), (20 / T, 0.8), (6 / T, 1), 0.03 * M * L * L, gravity=9.81 * L / T**2
    )
    curve = C.references.circle(L, frequency / T, up=(0, 1, 0))
    reference = C.references.flat_quadcopter(m, "d", curve) if frequency else C.references.constant(m.state())
    return m, C.Template("particle", [pair]), reference, rotors


def state(m, L):
    return m.state({"d": dict(position=np.array([0.1, 0, 0.05]) * L)})


@pytest.mark.parametrize("units", UNITS)
def test_the_input_of_a_law_and_its_poles(units):
    found = []
    for L, M, T in ((1.0, 1.0, 1.0), units):
        m, template, reference, rotors = problem(L, M, T)
        law = C.track(m, template, reference, rotors, period=0.01 * T)
        u = law.function.decide(0.0, state(m, L)).law.u / (M * L / T**2)
        miss = C.matching(law).stiffness * [1, 1, 1, L, L, L] / (M * L / T**2)  # forces that no input reaches
        found.append((u, T * C.poles(law), np.abs(miss).max()))
    (u, poles, _), (v, others, miss) = found
    assert np.abs(u - v).max() < 1e-12 * np.abs(u).max()
    assert np.abs(np.sort(poles.real) - np.sort(others.real)).max() < 1e-5  # -6 is double: a root of rounding
    assert miss < 1e-5


@pytest.mark.parametrize("units", UNITS)
def test_what_cannot_be_flown_is_refused_in_any_unit(units):
    """Sideways without a tilt, at rest and later; and what can be flown is not refused."""
    L, M, T = units
    m, template, circle, rotors = problem(L, M, T, frequency=0.4)
    C.track(m, template, circle, rotors, period=0.01 * T)
    tilted = C.references.constant(m.state({"d": dict(rotation=ps.quaternion.exp((0.3, 0, 0)))}))
    with pytest.raises(ps.ModelError, match="reference at t = 0: the inputs cannot give its forces"):
        C.track(m, template, tilted, rotors)
    aside = C.references.rest_to_rest([0.0] * 3, [(0.5 * T, T, [L, 0, 0])])
    with pytest.raises(ps.ModelError, match="the inputs cannot give its forces"):
        C.track(m, template, C.references.free_motion(m, "d", aside), rotors)
    weak = [ps.Thrust("d", one.at, (0, 0, 1), one.drag, (0, 2 * M * L / T**2), name="r") for one in rotors]
    with pytest.raises(ps.ModelError, match="the limits of the inputs do not allow it"):
        C.track(m, template, circle, weak)


@pytest.mark.parametrize("T", [1.0, 1e-3])
def test_the_table_of_a_continuous_law_follows_the_motion(T):
    """Against the law in Python, at a rate of 0.4 turns in the unit of time and at one ten times as fast."""
    for frequency in (0.4, 4.0):
        m, template, circle, rotors = problem(1.0, 1.0, T, frequency)
        if frequency > 1:
            curve = C.references.circle(1e-3, frequency / T, up=(0, 1, 0))
            circle = C.references.flat_quadcopter(m, "d", curve)
        law = C.track(m, template, circle, rotors, horizon=1.0 * T)
        call = ContinuousCall(law.continuous)
        for t in np.linspace(0.01, 0.99, 23) * T:
            at = circle(t)[0]
            assert call(t, at.q, at.v) == DECIDED
            wanted = law.function(t, at)
            assert np.abs(call.u - wanted).max() < 1e-6 * np.abs(wanted).max()
