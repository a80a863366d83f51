"""Pendulums and tops with many digits, from formulas that know nothing of trees and quaternions.

    python bench/peers/pendulums.py write    makes tests/data/pendulums.json (ten minutes)

Bars hang along −z and turn about x: at the angle φ (from the vertical, absolute) a bar points to
(0, sin φ, −cos φ).  A chain of n bars in the plane with lengths l, masses m, centres of mass at d from the
upper joint and moments I about the centre of mass has

    T = ½ Σ_ij A_ij cos(φ_i − φ_j) φ̇_i φ̇_j,   V = −g Σ_i B_i cos φ_i
    A_ii = I_i + m_i d_i² + l_i² Σ_{k>i} m_k,   A_ij = l_i (m_j d_j + l_j Σ_{k>j} m_k)  (i < j)
    B_i = m_i d_i + l_i Σ_{k>i} m_k
    Σ_j A_ij (cos(φ_i − φ_j) φ̈_j + sin(φ_i − φ_j) φ̇_j²) + g B_i sin φ_i = 0                       (1)

The period of one bar that swings to the amplitude φ0, and the steady precession of a symmetric top with the
tilt θ, the spin w3 (body component, constant), moments I1 and I3 about the fixed point:

    period = 4 √((I + m d²) / (m g d)) K(sin²(φ0/2))                                               (2)
    I1 cos θ Ω² − I3 w3 Ω + m g d = 0                                                              (3)
    R(t) = Rz(Ω t) Rx(θ) Rz(ψ̇ t),  ψ̇ = w3 − Ω cos θ,  w = (Ω sin θ sin ψ, Ω sin θ cos ψ, w3)        (4)

Integration: Gragg's midpoint rule, extrapolated in h² over 2, 4, 6, ..., 2k substeps (order 2k), with
constant steps, twice with different k and steps; the difference is in the file as `two_integrations`.
"""

import sys

import mpmath
import numpy as np
from bent_chain import GRAVITY, LENGTH, MASS, prism
from mpmath import mp
from peers import oracle, write

mp.dps = 40
BARS = ((2.0, 1.0), (1.5, 0.8))  # mass, length of the double pendulum; width below
THICK = 0.05


def gragg(f, y, t, steps, k):
    """y(t) of y' = f(y): `steps` steps of order 2k."""
    H = mp.mpf(t) / steps
    for _ in range(steps):
        table, first = [], f(y)
        for j in range(1, k + 1):
            n = 2 * j
            h = H / n
            a, b = y, y + h * first
            for _ in range(n - 1):
                a, b = b, a + 2 * h * f(b)
            row = [(a + b + h * f(b)) / 2]
            for i, previous in enumerate(table[-1] if table else []):
                ratio = (mp.mpf(j) / (j - i - 1)) ** 2
                row.append(row[i] + (row[i] - previous) / (ratio - 1))
            table.append(row)
        y = table[-1][-1]
    return y


def integrate(f, y, times, h, k):
    """States at the times, and the difference to an integration with other steps and another order."""
    runs = []
    for step, order in ((h, k), (h * 0.6, k - 3)):
        x, t, states = y, mp.mpf(0), []
        for time in times:
            x = gragg(f, x, time - t, max(1, int(mp.ceil((time - t) / step))), order)
            t = mp.mpf(time)
            states.append(x)
        runs.append(states)
    worst = max(abs(a - b) for x, y in zip(*runs, strict=True) for a, b in zip(x, y, strict=True))
    return runs[0], worst


def planar(bars, g):
    """y' of y = (φ, φ̇) by (1); bars are (m, l, d, I)."""
    n = len(bars)
    m, l, d, inertia = (oracle.array(mp, column) for column in zip(*bars, strict=True))
    below = [sum(m[k + 1 :], mp.mpf(0)) for k in range(n)]
    B = np.array([m[i] * d[i] + l[i] * below[i] for i in range(n)])
    A = np.array([[l[min(i, j)] * B[max(i, j)] for j in range(n)] for i in range(n)])
    for i in range(n):
        A[i, i] = inertia[i] + m[i] * d[i] ** 2 + l[i] ** 2 * below[i]

    def f(y):
        phi, rate = y[:n], y[n:]
        c, s = [mp.cos(x) for x in phi], np.array([mp.sin(x) for x in phi])
        cos = np.array([[c[i] * c[j] + s[i] * s[j] for j in range(n)] for i in range(n)])
        sin = np.array([[s[i] * c[j] - c[i] * s[j] for j in range(n)] for i in range(n)])
        right = -(A * sin) @ (rate * rate) - mp.mpf(g) * B * s
        return np.concatenate([rate, oracle.solve(A * cos, right)])

    return f


def bar(name, mass, length, width, parent, drop, joint):
    """A bar as data, its frame at the upper joint."""
    side, thin = mass * (length**2 + width**2) / 12, mass * width**2 / 6
    one = prism(1)
    one.update(
        name=name,
        mass=mass,
        inertia=np.diag([side, side, thin]).tolist(),
        parent=parent,
        joint=joint,
        center_of_mass=[0.0, 0.0, -length / 2],
        at=[0.0, 0.0, -drop],
    )
    return one


def mechanism(*bodies):
    return {"gravity": [0.0, 0.0, -GRAVITY], "bodies": list(bodies), "forces": []}


def floats(x):
    return [float(c) for c in x]


def relative(phi):
    return [phi[0], *(phi[i] - phi[i - 1] for i in range(1, len(phi)))]


def double_pendulum():
    """Two bars, by (1); joint coordinates, so the second angle is relative."""
    turn = {"kind": "revolute", "axis": [1.0, 0.0, 0.0]}
    (m1, l1), (m2, l2) = BARS
    data = mechanism(
        bar("upper", m1, l1, THICK, "world", 0.0, turn), bar("lower", m2, l2, THICK, "upper", l1, turn)
    )
    bars = [(m, l, l / 2, one["inertia"][0][0]) for (m, l), one in zip(BARS, data["bodies"], strict=True)]
    f, out = planar(bars, GRAVITY), {"mechanism": data}
    for name, q, times, h in (
        ("regular", [0.5, 0.25], (1, 2, 5, 10), 0.1),
        ("large", [2.0, 0.5], (1, 2, 3), 0.01),
    ):
        y = oracle.array(mp, [q[0], 0, 0, 0])
        y[1] = mp.mpf(q[0]) + mp.mpf(q[1])
        states, worst = integrate(f, y, times, h, 16)
        out[name] = {
            "q": q,
            "v": [0.0, 0.0],
            "time": list(times),
            "at": [{"q": floats(relative(x[:2])), "v": floats(relative(x[2:]))} for x in states],
            "two_integrations": float(worst),
        }
        print("double pendulum", name, mpmath.nstr(worst, 3))
    return out


def compound():
    """One bar, by (2)."""
    mass, d, side = 3.0, 0.4, 0.25
    one = bar("bar", mass, 1.0, THICK, "world", 0.0, {"kind": "revolute", "axis": [1.0, 0.0, 0.0]})
    one.update(center_of_mass=[0.0, 0.0, -d], inertia=np.diag([side, 0.2, 0.1]).tolist())
    rows = []
    for degrees in (0.1, 10, 45, 90, 135, 170, 179):
        phi = float(mp.radians(degrees))
        m, a, g = mp.mpf(mass), mp.mpf(d), mp.mpf(GRAVITY)
        period = (
            4 * mp.sqrt((mp.mpf(side) + m * a**2) / (m * g * a)) * mp.ellipk(mp.sin(mp.mpf(phi) / 2) ** 2)
        )
        rows.append({"degrees": degrees, "amplitude": phi, "period": float(period)})
    return {"mechanism": mechanism(one), "about": "released at rest at q = amplitude", "periods": rows}


def top():
    """A symmetric top on its point, by (3) and (4); both roots."""
    mass, d, about_center, I3 = 1.2, 0.3, 0.05, 0.04
    one = bar("top", mass, 1.0, THICK, "world", 0.0, {"kind": "spherical"})
    one.update(center_of_mass=[0.0, 0.0, d], inertia=np.diag([about_center, about_center, I3]).tolist())
    data, rows = mechanism(one), []
    for tilt, spin in ((0.5, 60.0), (1.2, 40.0), (2.2, 30.0)):
        m, a, g, w3, C = (mp.mpf(x) for x in (mass, d, GRAVITY, spin, I3))
        I1, theta = mp.mpf(about_center) + m * a**2, mp.mpf(tilt)
        s, c = mp.sin(theta), mp.cos(theta)
        root = mp.sqrt((C * w3) ** 2 - 4 * I1 * c * m * g * a)
        for name, W in (("slow", (C * w3 - root) / (2 * I1 * c)), ("fast", (C * w3 + root) / (2 * I1 * c))):
            q = [mp.cos(theta / 2), mp.sin(theta / 2), mp.mpf(0), mp.mpf(0)]
            v, psi = [mp.mpf(0), W * s, w3], w3 - W * c
            expected = [W * s * psi, mp.mpf(0), mp.mpf(0)]
            wrong = max(abs(oracle.acceleration(data, q, v, numbers=mp) - expected)) / abs(expected[0])
            assert wrong < 1e-30, wrong
            rows.append(
                {
                    "tilt": tilt,
                    "spin": spin,
                    "root": name,
                    "precession": float(W),
                    "own_rotation": float(psi),
                    "q": floats(q),
                    "v": floats(v),
                    "acceleration": floats(expected),
                }
            )
    about = "R(t) = Rz(precession t) Rx(tilt) Rz(own_rotation t); the tilt is constant, spin = v[2] too"
    return {"mechanism": data, "about": about, "motions": rows}


def seed002():
    """Four prisms with their frames at the centres of mass, as in the seed, by the oracle and by (1)."""
    bodies = [prism(k) for k in range(1, 5)]
    for k, one in enumerate(bodies):
        one.update(
            center_of_mass=[0.0, 0.0, 0.0],
            at=[0.0, 0.0, -LENGTH / 2 if k else 0.0],
            body_at=[[0.0, 0.0, -LENGTH / 2], [1.0, 0.0, 0.0, 0.0]],
        )
    data, still = mechanism(*bodies), [0.0] * 12

    def f(y):
        q, v = y[:16], y[16:]
        return np.concatenate([oracle.rates(data, q, v, mp), oracle.acceleration(data, q, v, numbers=mp)])

    def spatial(name, q, v, h, k):
        y = oracle.array(mp, [*q, *v])
        for i in range(0, 16, 4):
            y[i : i + 4] = oracle.unit(mp, y[i : i + 4])
        (end,), worst = integrate(f, y, (1,), h, k)
        before, after = (oracle.totals(data, x[:16], x[16:], mp) for x in (y, end))
        energy = abs((after.kinetic + after.potential) / (before.kinetic + before.potential) - 1)
        print("four bodies", name, mpmath.nstr(worst, 3), mpmath.nstr(energy, 3))
        result = {
            "q": floats(y[:16]),
            "v": list(v),
            "time": 1.0,
            "at": {"q": floats(end[:16]), "v": floats(end[16:])},
            "energy": float(before.kinetic + before.potential),
            "energy_error": float(energy),
            "two_integrations": float(worst),
        }
        return result, end

    theta = 0.1
    straight = [1.0, 0.0, 0.0, 0.0]
    first = [float(mp.cos(mp.mpf(theta) / 2)), float(mp.sin(mp.mpf(theta) / 2)), 0.0, 0.0]
    seed, end = spatial("moving frame", [*first, *straight * 3], still, 0.1, 12)
    phi0 = 2 * mp.atan2(mp.mpf(first[1]), mp.mpf(first[0]))
    bars = [(MASS, LENGTH, LENGTH / 2, bodies[0]["inertia"][0][0])] * 4
    (flat,), worst = integrate(planar(bars, GRAVITY), oracle.array(mp, [phi0] * 4 + [0] * 4), (1,), 0.05, 16)
    angles, rates = relative(flat[:4]), relative(flat[4:])
    found = [2 * mp.atan2(end[4 * i + 1], end[4 * i]) for i in range(4)]
    apart = max(abs(a - b) for a, b in zip([*found, *end[16::3]], [*angles, *rates], strict=True))
    seed["planar"] = {
        "angles": floats(angles),
        "rates": floats(rates),
        "two_integrations": float(worst),
        "against_spatial": float(apart),
    }
    print("four bodies, planar", mpmath.nstr(worst, 3), "against spatial", mpmath.nstr(apart, 3))
    bent = [[1.0, 0.3, 0.1, 0.2], [1.0, -0.2, 0.3, 0.1], [1.0, 0.1, -0.3, 0.2], [1.0, 0.2, 0.2, -0.3]]
    v = [0.5, -0.3, 0.8, 0.2, 0.6, -0.4, -0.7, 0.1, 0.5, 0.3, -0.5, 0.9]
    q = [c for u in bent for c in floats(oracle.unit(mp, oracle.array(mp, u)))]
    return {"mechanism": data, "seed": seed, "spatial": spatial("spatial", q, v, 0.02, 14)[0]}


def main():
    about = (
        "Made by bench/peers/pendulums.py with 40 digits, rounded; its docstring has the formulas (1) to (4)."
    )
    parts = {part.__name__: part() for part in (compound, top, double_pendulum, seed002)}
    write("pendulums.json", {"about": about, **parts})


if __name__ == "__main__":
    if "write" not in sys.argv[1:]:
        raise SystemExit("say: write")
    main()
