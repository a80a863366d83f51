"""Motions of which the answer is known, in mpmath with 40 digits.

tumble       a free body: Jacobi's elliptic functions, and for the attitude one integral (3)
pendulum     the angle of a pendulum: Jacobi's elliptic functions
bounce       a ball that falls on a floor: parabolas
chain        rods on hinges in a plane: no closed form; Lagrange's equations extrapolated to 25 digits
"""

from mpmath import mp, mpf

mp.dps = 40


def tumble(inertia, rates, times):
    """Return (R, w) at the times; R turns body axes into space axes, and is the unit matrix at t = 0.

    With J1 < J2 < J3 or J1 > J2 > J3, so that the body circles about axis 3 [Landau, Lifshitz, §37]:

        w1 = s1 a1 cn u,  w2 = s2 a2 sn u,  w3 = s3 a3 dn u,  u = p t + u0,  s1 s2 s3 = sign(J3 - J2)   (1)
        a1² = (2 E J3 - L²) / (J1 (J3 - J1)),  a2² = (2 E J3 - L²) / (J2 (J3 - J2)),
        a3² = (L² - 2 E J1) / (J3 (J3 - J1)),  p² = (J3 - J2) (L² - 2 E J1) / (J1 J2 J3),
        m   = (J2 - J1) (2 E J3 - L²) / ((J3 - J2) (L² - 2 E J1))                                        (2)
        φ'  = L (J1 w1² + J2 w2²) / (J1² w1² + J2² w2²)     the angle about the momentum                 (3)
    """
    P = circling(inertia, rates)
    J = [row_sum(P[i, :], inertia) for i in range(3)]
    w = P * mp.matrix([mpf(x) for x in rates])
    (J1, J2, J3), energy2 = J, sum(J[i] * w[i] ** 2 for i in range(3))
    L = mp.sqrt(sum((J[i] * w[i]) ** 2 for i in range(3)))
    low, high = energy2 * J3 - L**2, L**2 - energy2 * J1
    a1, a2, a3 = (
        mp.sqrt(x) for x in (low / (J1 * (J3 - J1)), low / (J2 * (J3 - J2)), high / (J3 * (J3 - J1)))
    )
    p, m = mp.sqrt((J3 - J2) * high / (J1 * J2 * J3)), (J2 - J1) * low / ((J3 - J2) * high)
    s3 = mp.sign(w[2])
    s1 = s3 * mp.sign(J3 - J2)
    u0 = mp.ellipf(mp.atan2(w[1] / a2, w[0] / (s1 * a1)), m)

    def body_rates(u):
        sn, cn, dn = (mp.ellipfun(name, u, m=m) for name in ("sn", "cn", "dn"))
        return mp.matrix([s1 * a1 * cn, a2 * sn, s3 * a3 * dn])

    def turning(u):
        x, y, _ = body_rates(u)
        return L * (J1 * x**2 + J2 * y**2) / (J1**2 * x**2 + J2**2 * y**2) / p

    quarter = mp.ellipk(m)
    whole = mp.quad(turning, [0, quarter, 2 * quarter])  # the integrand has the period 2 K

    def angle(u):
        turns = mp.floor(u / (2 * quarter))
        rest = u - 2 * quarter * turns
        return turns * whole + mp.quad(turning, [0, rest / 2, rest])

    def upright(x):
        """The rotation Rx(θ) Rz(χ) that turns the momentum in the body onto the axis z."""
        n = mp.matrix([J[i] * x[i] / L for i in range(3)])
        return about(0, mp.acos(n[2])) * about(2, mp.atan2(n[0], n[1]))

    first, begin = upright(w).T, angle(u0)
    found = []
    for t in times:
        u = u0 + p * mpf(t)
        x = body_rates(u)
        R = first * about(2, angle(u) - begin) * upright(x)
        found.append((P.T * R * P, P.T * x))
    return found


def circling(inertia, rates):
    """The proper rotation onto axes of which the third is the one that the body circles about."""
    order = sorted(range(3), key=lambda i: inertia[i])
    momentum2 = sum((mpf(inertia[i]) * rates[i]) ** 2 for i in range(3))
    energy2 = sum(mpf(inertia[i]) * mpf(rates[i]) ** 2 for i in range(3))
    if momentum2 < energy2 * inertia[order[1]]:
        order.reverse()
    P = mp.matrix(3, 3)
    for row, column in enumerate(order):
        P[row, column] = mpf(1)
    return P * mp.det(P)


def row_sum(row, numbers):
    """The number that a row of a permutation, with any signs, picks."""
    return sum(abs(row[i]) * mpf(numbers[i]) for i in range(3))


def about(axis, angle):
    """The rotation about a coordinate axis."""
    R, (i, j) = mp.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
    R[i, i] = R[j, j] = mp.cos(angle)
    R[j, i] = mp.sin(angle)
    R[i, j] = -R[j, i]
    return R


def quaternion(R):
    """(w, x, y, z) of a rotation matrix, by its largest component."""
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    four = [1 + trace, *(1 + 2 * R[i, i] - trace for i in range(3))]  # four times the squares
    k = max(range(4), key=lambda i: four[i])
    big = mp.sqrt(four[k]) / 2
    off = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    if k == 0:
        return [big, *(x / (4 * big) for x in off)]
    i = k - 1
    return [off[i] / (4 * big), *((R[i, j] + R[j, i]) / (4 * big) if j != i else big for j in range(3))]


def period(amplitude, frequency):
    """Of a pendulum with the frequency [rad/s] for small amplitudes: T = 4 K(sin²(a/2)) / ω."""
    return 4 * mp.ellipk(mp.sin(mpf(amplitude) / 2) ** 2) / frequency


def pendulum(amplitude, frequency, times):
    """(angle, rate) of a pendulum that is released at rest: sin(θ/2) = k cd(ω t), k = sin(a/2)."""
    k = mp.sin(mpf(amplitude) / 2)
    found = []
    for t in times:
        sn, cn, dn = (mp.ellipfun(name, frequency * t, m=k**2) for name in ("sn", "cn", "dn"))
        half = mp.asin(k * cn / dn)
        found.append((2 * half, -2 * frequency * k * (1 - k**2) * sn / dn**2 / mp.cos(half)))
    return found


def bounces(height, gravity, restitution, count):
    """(time, height) of the tops after each bounce, with the height above the floor."""
    fall, rows = mp.sqrt(2 * mpf(height) / gravity), []
    time = fall
    for k in range(1, count + 1):
        up = fall * mpf(restitution) ** k
        rows.append((time + up, gravity * up**2 / 2))
        time += 2 * up
    return rows


def chain(angles, length, gravity, times, step, columns=14):
    """(angles, rates) of uniform rods on hinges, each angle from the downward vertical, released at rest.

    With the lever c_i = Σ over the rods below of their masses, Lagrange's equations in units of the mass are

        Σ_j A_ij cos(θ_i - θ_j) θ_j'' = -Σ_j A_ij sin(θ_i - θ_j) θ_j'² - b_i g sin θ_i                    (4)
        A_ij = l² (n - max(i, j) - 1/2) for i ≠ j,  A_ii = l² (n - i - 2/3),  b_i = l (n - i - 1/2)

    for i = 0 .. n - 1, and are extrapolated with the midpoint rule of Gragg over steps of a given size.
    """
    n, l = len(angles), mpf(length)
    A = [
        [l**2 * (n - max(i, j) - (mpf(2) / 3 if i == j else mpf(1) / 2)) for j in range(n)] for i in range(n)
    ]
    b = [l * (n - i - mpf(1) / 2) for i in range(n)]

    def field(y):
        M, f = mp.matrix(n, n), mp.matrix(n, 1)
        for i in range(n):
            f[i] = -b[i] * gravity * mp.sin(y[i])
            for j in range(n):
                c, s = mp.cos_sin(y[i] - y[j])
                M[i, j] = A[i][j] * c
                f[i] -= A[i][j] * s * y[n + j] ** 2
        return [*y[n:], *mp.lu_solve(M, f)]

    def stretch(y, size):
        """One step: polynomial extrapolation in h² of 2, 4, ... substeps."""
        rows, first = [], field(y)
        for k in range(1, columns + 1):
            h = size / (2 * k)
            old, new = y, [a + h * d for a, d in zip(y, first, strict=True)]
            for _ in range(2 * k - 1):
                old, new = new, [a + 2 * h * d for a, d in zip(old, field(new), strict=True)]
            row = [[(a + c + h * d) / 2 for a, c, d in zip(new, old, field(new), strict=True)]]
            for j in range(1, k):
                ratio = (mpf(k) / (k - j)) ** 2 - 1
                row.append([a + (a - c) / ratio for a, c in zip(row[-1], rows[-1][j - 1], strict=True)])
            rows.append(row)
        return rows[-1][-1]

    y, now, found = [mpf(x) for x in angles] + [mpf(0)] * n, mpf(0), []
    for t in times:
        count = int(mp.ceil((mpf(t) - now) / step))
        for _ in range(count):
            y = stretch(y, (mpf(t) - now) / count)
        now = mpf(t)
        found.append((y[:n], y[n:]))
    return found
