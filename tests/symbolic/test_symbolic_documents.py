"""The documents' own equations, typed in from them: simplify(ours - theirs) == 0."""

import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

import poinsot as ps

t = dynamicsymbols._t
cos, sin = sp.cos, sp.sin


def vanishes(matrix: object) -> bool:
    return all(sp.simplify(one) == 0 for one in matrix)  # type: ignore[attr-defined]


def beckman() -> tuple[ps.symbolic.System, tuple[sp.Expr, ...]]:
    """His inverted spherical pendulum in pitch and cone angle, with his center of mass Out[299]."""
    d, n = dynamicsymbols("delta eta")
    m, c, g = sp.symbols("m c_z g")
    place = sp.Matrix([sin(d) * c, cos(d) * sin(n) * c, cos(d) * cos(n) * c])
    v = place.diff(t)
    theirs = sp.Matrix(
        [
            cos(d) * c * d.diff(t),
            c * (-sin(d) * sin(n) * d.diff(t) + cos(d) * cos(n) * n.diff(t)),
            -c * (cos(n) * sin(d) * d.diff(t) + cos(d) * sin(n) * n.diff(t)),
        ]
    )
    assert vanishes(v - theirs)  # Out[311]
    T, V = m * v.dot(v) / 2, m * g * cos(d) * cos(n) * c
    assert sp.simplify(T - m * c**2 * (d.diff(t) ** 2 + cos(d) ** 2 * n.diff(t) ** 2) / 2) == 0  # Out[314]
    system = ps.symbolic.System([d, n], T - V, time=t, parameters={m: 1.0, c: 1.2, g: 9.81})
    return system, (d, n, m, c, g)


def test_beckman_equations() -> None:
    S, (d, n, m, c, g) = beckman()
    dd, dn = d.diff(t), n.diff(t)
    theirs = sp.Matrix(  # Out[323]
        [
            m * c * (-g * cos(n) * sin(d) + c * (cos(d) * sin(d) * dn**2 + d.diff(t, 2))),
            m * cos(d) * c * (-g * sin(n) + c * (-2 * sin(d) * dd * dn + cos(d) * n.diff(t, 2))),
        ]
    )
    assert vanishes(S.equations - theirs)
    acceleration = -S.mass_matrix.LUsolve(S.bias)  # Out[325]; at his c_z = 1.2 the first term is 9.81/1.2
    assert sp.simplify(acceleration[1] - (g / c / cos(d) * sin(n) + 2 * sp.tan(d) * dd * dn)) == 0
    assert sp.simplify(acceleration[0] - (g / c * cos(n) * sin(d) - cos(d) * sin(d) * dn**2)) == 0


def test_beckman_lagrangian() -> None:
    """Out[318], Out[320] and Out[322]: the Lagrangian as he prints it gives the same equations."""
    S, (d, n, m, c, g) = beckman()
    dd, dn = d.diff(t), n.diff(t)
    printed = m * c / 4 * (-4 * g * cos(d) * cos(n) + c * (2 * dd**2 + (1 + cos(2 * d)) * dn**2))  # Out[320]
    again = ps.symbolic.System([d, n], printed, time=t, parameters=[m, c, g])
    assert vanishes(again.equations - S.equations)
    Dd, Dn, x, y = sp.symbols("Dd Dn x y")
    numbers = {m: 1, c: sp.Rational(6, 5), g: sp.Rational(981, 100), dd: Dd, dn: Dn}
    found = printed.subs(numbers).subs({d: x, n: y})
    R = sp.Rational
    kinetic = R(18, 25) * Dd**2 + R(9, 25) * Dn**2 + R(9, 25) * Dn**2 * cos(2 * x)  # Out[318]
    assert sp.simplify(found - (kinetic - R(11772, 1000) * cos(x) * cos(y))) == 0  # Out[322]


def konz_symbols() -> tuple[sp.Expr, ...]:
    return (*dynamicsymbols("alpha beta varphi"), *sp.symbols("Theta_x Theta_y Theta_z tau_x tau_y tau_z"))


def test_konz_euler_angles() -> None:
    """(1.6) and (1.7): the mass matrix, the terms of b that are printed, and Y^T tau."""
    al, be, ph, Tx, Ty, Tz, tx, ty, tz = konz_symbols()
    R = ps.symbolic.exp([0, 0, ph]) * ps.symbolic.exp([0, be, 0]) * ps.symbolic.exp([al, 0, 0])
    (ca, cb, cf), (sa, sb, sf) = ([f(one) for one in (al, be, ph)] for f in (cos, sin))
    printed = sp.Matrix(  # (1.6a)
        [
            [cf * cb, -sf * ca + cf * sb * sa, sf * sa + cf * sb * ca],
            [sf * cb, cf * ca + sf * sb * sa, -cf * sa + sf * sb * ca],
            [-sb, cb * sa, cb * ca],
        ]
    )
    assert vanishes(R - printed)
    w = ps.symbolic.vee(R.T * R.diff(t))
    Y = sp.Matrix([[1, 0, -sin(be)], [0, cos(al), cos(be) * sin(al)], [0, -sin(al), cos(be) * cos(al)]])
    assert vanishes(w - Y * sp.Matrix([al, be, ph]).diff(t))  # (1.6b)
    torque = Y.T * sp.Matrix([tx, ty, tz])
    T = (w.T * sp.diag(Tx, Ty, Tz) * w)[0] / 2
    S = ps.symbolic.System([al, be, ph], T, time=t, forces=list(torque), parameters=[Tx, Ty, Tz, tx, ty, tz])
    M = sp.Matrix(
        [
            [Tx, 0, -Tx * sb],
            [0, Ty * ca**2 + Tz * sa**2, (Ty - Tz) * ca * sa * cb],
            [-Tx * sb, (Ty - Tz) * ca * sa * cb, Tx * sb**2 + (Ty * sa**2 + Tz * ca**2) * cb**2],
        ]
    )
    assert vanishes(S.mass_matrix - M)
    assert sp.simplify(M.det() - Tx * Ty * Tz * cb**2) == 0
    b = S.bias + torque
    da, db = al.diff(t), be.diff(t)
    second = lambda k, p, q: sp.simplify(b[k].expand().diff(p, q) / (2 if p == q else 1))  # noqa: E731
    assert sp.simplify(second(0, db, db) - (Ty - Tz) * ca * sa) == 0
    assert sp.simplify(second(1, db, da) - 2 * (Tz - Ty) * sa * ca) == 0
    assert sp.simplify(second(2, db, da) - (2 * (Ty - Tz) * ca**2 - Tx - Ty + Tz) * cb) == 0


def test_konz_rotation_matrix() -> None:
    """(1.8): nine coordinates R, three velocities, six constraints; Euler's equations come out."""
    R = sp.Matrix(3, 3, dynamicsymbols("R_xx R_xy R_xz R_yx R_yy R_yz R_zx R_zy R_zz"))
    w = sp.Matrix(dynamicsymbols("omega_x omega_y omega_z"))
    Tx, Ty, Tz, *tau = konz_symbols()[3:]
    wed = sp.Matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    A = sp.Matrix(list(R * wed)).jacobian(w)  # (1.8a)
    held = R.T * R - sp.eye(3)
    unit = [held[i, j] for i in range(3) for j in range(i + 1)]
    inertia = sp.diag(Tx, Ty, Tz)
    S = ps.symbolic.System(
        list(R), (w.T * inertia * w)[0] / 2, velocities=(list(w), A), constraints=unit,
        forces=tau, parameters=[Tx, Ty, Tz, *tau], time=t,
    )  # fmt: skip
    theirs = inertia * w.diff(t) + wed * inertia * w - sp.Matrix(tau)  # (1.8b)
    assert vanishes(S.equations - theirs)
    assert S.multipliers.shape == (0, 1)
    epsilon = [[[sp.LeviCivita(i, j, k) for k in range(3)] for j in range(3)] for i in range(3)]
    assert S.commutation_coefficients == sp.Array(epsilon)


def test_moving_frame_thesis() -> None:
    """(A.2.1): B of the double pendulum about the x-axis, in the thesis' own entries."""
    q1, q2 = dynamicsymbols("theta_1 theta_2")
    l, m, J = sp.symbols("l m J")
    rod = dict(mass=m, inertia=sp.diag(J, J, J), inboard=(0, l / 2, 0), axis=(1, 0, 0))
    found = ps.symbolic.moving_frame(
        [q1, q2], [{**rod, "parent": -1}, {**rod, "parent": 0, "outboard": (0, l / 2, 0)}], time=t
    )
    half, two = l / 2, q1 + q2
    B = sp.Matrix(
        [
            [0, 0], [-half * sin(q1), 0], [half * cos(q1), 0], [1, 0], [0, 0], [0, 0],
            [0, 0], [-half * sin(two) - l * sin(q1), -half * sin(two)],
            [half * cos(two) + l * cos(q1), half * cos(two)], [1, 1], [0, 0], [0, 0],
        ]
    )  # fmt: skip
    assert vanishes(found.B - B)
    assert vanishes(found.dB - B.diff(t))
    M = sp.diag(m, m, m, J, J, J, m, m, m, J, J, J)
    assert vanishes(found.M - B.T * M * B)
    assert vanishes(found.N - B.T * M * B.diff(t))  # about one axis, hat(W) J W is zero
