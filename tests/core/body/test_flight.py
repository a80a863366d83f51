"""Free flight against multiprecision and closed forms: every kind of body and orbit."""

import mpmath as mp
import numpy as np
import pytest

from poinsot.core.body.euler import motion
from poinsot.core.body.flight import flight, series
from poinsot.core.body.records import BODY, STATE
from poinsot.core.lie import quaternion

ZERO = (0.0, 0.0, 0.0)
TURN = (0.5, 0.1, -0.7, 0.5)  # unit
RNG = np.random.default_rng(7)


def body(I):
    return BODY._replace(I=tuple(I), a=tuple(1 / x for x in I), m=1.0)


def state(P):
    return STATE._replace(q=TURN, P=tuple(P))


def taylor(a, P, q, t, order=22, h=0.15):
    """P and q by Taylor series in 30 digits: the equations and nothing else."""
    with mp.workdps(30):
        steps = max(1, int(np.ceil(abs(t) * max(1.0, float(np.max(np.abs(np.multiply(P, a))))) / h)))
        dt = mp.mpf(t) / steps
        a, P, q = ([mp.mpf(x) for x in y] for y in (a, P, q))
        for _ in range(steps):
            Ps, qs = [P], [q]
            for n in range(order):
                w = [[a[i] * Pk[i] for i in range(3)] for Pk in Ps]

                def conv(x, y, i, j, n=n):
                    return mp.fsum(x[k][i] * y[n - k][j] for k in range(n + 1))

                dP = [
                    conv(Ps, w, 1, 2) - conv(Ps, w, 2, 1),
                    conv(Ps, w, 2, 0) - conv(Ps, w, 0, 2),
                    conv(Ps, w, 0, 1) - conv(Ps, w, 1, 0),
                ]
                dq = [
                    -(conv(qs, w, 1, 0) + conv(qs, w, 2, 1) + conv(qs, w, 3, 2)) / 2,
                    (conv(qs, w, 0, 0) + conv(qs, w, 2, 2) - conv(qs, w, 3, 1)) / 2,
                    (conv(qs, w, 0, 1) + conv(qs, w, 3, 0) - conv(qs, w, 1, 2)) / 2,
                    (conv(qs, w, 0, 2) + conv(qs, w, 1, 1) - conv(qs, w, 2, 0)) / 2,
                ]
                Ps.append([x / (n + 1) for x in dP])
                qs.append([x / (n + 1) for x in dq])
            P = [mp.polyval([Pk[i] for Pk in reversed(Ps)], dt) for i in range(3)]
            q = [mp.polyval([qk[i] for qk in reversed(qs)], dt) for i in range(4)]
        length = mp.sqrt(mp.fsum(x * x for x in q))
        return np.array([float(x) for x in P]), np.array([float(x / length) for x in q])


ORBITS = {
    "about the first axis": ((1.0, 1.7, 2.9), (2.0, 0.3, 0.4)),
    "about the third axis": ((1.0, 1.7, 2.9), (0.3, 0.4, -2.0)),
    "moments descending": ((2.9, 1.7, 1.0), (0.5, 1.0, 1.1)),
    "near the separatrix, at its slow place": ((1.0, 1.7, 2.9), (1e-4, 2.0, 2e-4)),
    "near the separatrix, in the middle of a flip": ((1.0, 1.7, 2.9), (1.2, 0.01, -1.43)),
    "almost symmetric": ((1.0, 1.0 + 1e-9, 2.9), (0.5, 1.0, 1.1)),
    "symmetric": ((1.3, 1.3, 0.4), (0.5, 1.0, 1.1)),
    "all moments equal": ((1.3, 1.3, 1.3), (0.5, 1.0, 1.1)),
    "about a stable axis": ((1.0, 1.7, 2.9), (0.0, 0.0, 2.0)),
    "about the unstable axis": ((1.0, 1.7, 2.9), (0.0, 2.0, 0.0)),
    "needle": ((2.0, 2.05, 0.01), (0.3, 0.2, 0.05)),
}


@pytest.mark.parametrize("time", [0.01, -0.3, 1.5])
@pytest.mark.parametrize("orbit", ORBITS)
def test_flight_is_exact_to_rounding(orbit, time):
    I, P = ORBITS[orbit]
    b = body(I)
    exact_P, exact_q = taylor(b.a, P, TURN, time)
    x = flight(b, state(P), time)
    scale = np.linalg.norm(P)
    assert np.abs(np.array(x.P) - exact_P).max() < 2e-14 * scale
    assert np.abs(np.array(x.q) * np.sign(exact_q @ x.q) - exact_q).max() < 2e-14
    momentum = quaternion.apply(x.q, x.P)
    assert np.abs(np.array(momentum) - quaternion.apply(TURN, tuple(P))).max() < 2e-14 * scale


@pytest.mark.parametrize("orbit", ORBITS)
def test_the_closed_form_agrees_with_the_flight(orbit):
    """Two evaluations of the same solution: series by legs, and Jacobi's functions of the whole time."""
    I, P = ORBITS[orbit]
    x = flight(body(I), state(P), 3.1)
    q, P1 = motion(body(I), tuple(P), TURN, tuple(P), 0.0, 3.1)
    tolerance = 1e-8 if "separatrix" in orbit else 1e-13  # legs feel the instability, see `euler`
    assert np.abs(np.array(x.P) - P1).max() < tolerance * np.linalg.norm(P)
    assert np.abs(np.array(x.q) - q).max() < tolerance


def test_the_separatrix_in_closed_form():
    """a2 L^2 = 2 H: P1 and P3 are hyperbolic secants, P2 a hyperbolic tangent."""
    I = (1.0, 1.7, 2.9)
    a1, a2, a3 = (1 / x for x in I)
    L, rate = 2.0, 2.0 * np.sqrt((a1 - a2) * (a2 - a3))
    P0 = (L * np.sqrt((a2 - a3) / (a1 - a3)), 0.0, -L * np.sqrt((a1 - a2) / (a1 - a3)))
    for t in (0.5, 2.0, 4.0):
        _, P = motion(body(I), P0, TURN, P0, 0.0, t)
        s = 1 / np.cosh(rate * t)
        tanh = -np.tanh(rate * t)  # P2. = (a1 - a3) P3 P1 < 0 at the start
        assert pytest.approx((P0[0] * s, L * tanh, P0[2] * s), abs=1e-13) == P


def test_a_body_at_rest_stays():
    x = flight(body((1.0, 1.7, 2.9)), state(ZERO), 5.0)
    assert x.P == ZERO
    assert x.q == pytest.approx(TURN, abs=1e-15)


def test_flights_add_up():
    b = body((1.0, 1.7, 2.9))
    for _ in range(20):
        P, s, t = RNG.normal(size=3), *RNG.uniform(-2, 2, 2)
        two, one = flight(b, flight(b, state(P), s), t), flight(b, state(P), s + t)
        assert np.abs(np.subtract(two.P, one.P)).max() < 2e-13
        assert np.abs(np.subtract(two.q, one.q)).max() < 2e-13


def test_the_free_point_moves_straight_on():
    b = body((1.0, 1.7, 2.9))._replace(free=1.0, mobility=0.25)
    x = flight(b, STATE._replace(P=(1.0, 2.0, 3.0), r=(1.0, 1.0, 1.0), p=(4.0, 0.0, -8.0)), 0.5)
    assert x.r == (1.5, 1.0, 0.0)
    assert x.p == (4.0, 0.0, -8.0)


def test_the_series_solves_its_equation():
    """S'' = -(A + B) S + 2 A B S^3, by exact comparison of coefficients with mpmath's sn."""
    A, B = 0.7, 0.45
    with mp.workdps(40):
        m, rate = mp.mpf(B) / mp.mpf(A), mp.sqrt(mp.mpf(A))
        exact = mp.taylor(lambda t: mp.ellipfun("sn", rate * t, m=m) / rate, 0, 13)
    assert [float(x) for x in exact[3::2]] == pytest.approx(list(series(A, B)), rel=1e-13)


@pytest.mark.parametrize("steps", [1, 10, 1000])
@pytest.mark.parametrize(("name", "time"), [("free_body", "100.0"), ("dzhanibekov", "10.0")])
def test_exact_meets_the_reference(name, time, steps, reference):
    """Within 1e-12 of 32-digit solutions, however many steps it takes."""
    import poinsot as ps

    data = reference[name]
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("body", ps.Body(1.0, [float(x) for x in data["I"]]), ps.Spherical())
    R0, w0 = (np.array(data[key], dtype=float) for key in ("R0", "Omega0_body"))
    start = m.state({"body": dict(rotation=R0, angular_velocity=w0)})
    run = ps.simulate(m, start, "exact", step=float(time) / steps, steps=steps)
    end = data["at"][time]
    assert run.rotation("body")[-1] == pytest.approx(np.array(end["R"], dtype=float), abs=1e-12)
    assert run.angular_velocity("body")[-1] == pytest.approx(
        np.array(end["Omega_body"], dtype=float), abs=1e-12 * 8
    )
