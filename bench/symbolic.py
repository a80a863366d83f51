"""Compiled symbolic equations against SymPy's own `lambdify`, and a function written by hand for Numba.

python bench/symbolic.py
"""

import math
import sys
import time

import numba
import numpy as np
import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

import poinsot as ps
from poinsot.compile.functions.program import ALL, helper
from poinsot.core.jit import foreign
from poinsot.core.numbers.arrays import segment

COUNT, REPEATS = (2000, 1) if "--tiny" in sys.argv else (1_000_000, 7)
t = dynamicsymbols._t
M1, M2, L1, L2, G = 1.2, 0.8, 1.0, 0.7, 9.81


def double_pendulum():
    """The plane double pendulum."""
    a, b = dynamicsymbols("a b")
    m1, m2, l1, l2, g = sp.symbols("m1 m2 l1 l2 g")
    x = sp.Matrix([l1 * sp.sin(a), -l1 * sp.cos(a)])
    y = x + sp.Matrix([l2 * sp.sin(b), -l2 * sp.cos(b)])
    T = m1 * x.diff(t).dot(x.diff(t)) / 2 + m2 * y.diff(t).dot(y.diff(t)) / 2
    values = {m1: M1, m2: M2, l1: L1, l2: L2, g: G}
    return ps.symbolic.System([a, b], T - m1 * g * x[1] - m2 * g * y[1], time=t, parameters=values)


def spherical_pendulum():
    """The double inverted spherical pendulum in pitch and cone angles: four freedoms (4DISP)."""
    q = dynamicsymbols("d1 n1 d2 n2")
    m, c, g = sp.symbols("m c g")
    one, two = (
        sp.Matrix([sp.sin(d), sp.cos(d) * sp.sin(n), sp.cos(d) * sp.cos(n)]) * c for d, n in (q[:2], q[2:])
    )
    places = one, one + two
    L = sum(m * x.diff(t).dot(x.diff(t)) / 2 - m * g * x[2] for x in places)
    return ps.symbolic.System(q, L, time=t, parameters={m: 1.0, c: 1.2, g: G})


@numba.njit
def by_hand(t, y, f):
    """The double pendulum as one would write it."""
    a, b, u, v = y[0], y[1], y[2], y[3]
    c, s = math.cos(a - b), math.sin(a - b)
    m11, m12, m22 = (M1 + M2) * L1 * L1, M2 * L1 * L2 * c, M2 * L2 * L2
    r1 = -M2 * L1 * L2 * s * v * v - (M1 + M2) * G * L1 * math.sin(a)
    r2 = M2 * L1 * L2 * s * u * u - M2 * G * L2 * math.sin(b)
    d = m11 * m22 - m12 * m12
    f[0], f[1] = u, v
    f[2], f[3] = (m22 * r1 - m12 * r2) / d, (m11 * r2 - m12 * r1) / d


@numba.njit
def loop_by_hand(n, y):
    """Evaluate it n times, each at another state."""
    f = np.zeros(5)
    for _ in range(n):
        by_hand(0.0, y, f)
        for i in range(4):
            y[i] += 1e-9 * f[i]
    return f[2]


def compiled_loop(system):
    """The same loop with the compiled program."""
    program = system.program
    write, size, constants = helper(program, ALL), program.sizes["x"], np.array(program.constant_values)
    loads, inputs = np.zeros(size), np.zeros(0)

    def loop(n, y, c, load, u):
        f = np.zeros(2 * size + 1)
        for _ in range(n):
            write(0.0, segment(y, 0, size), segment(y, size, size), load, u, c, 0.0, f)
            for i in range(2 * size):
                y[i] += 1e-9 * f[i]
        return f[2]

    X = numba.float64[::1]
    made = foreign(loop, numba.float64(numba.int64, X, X, X, X))
    return lambda n, y: made(n, y, constants, loads, inputs)


def lambdify_loop(system):
    """The same loop with SymPy's own function for NumPy."""
    x, v = list(system.coordinates), list(system.velocities)
    M, b = system.mass_matrix.subs(system.parameters), system.bias.subs(system.parameters)
    f = sp.lambdify([x, v], [M, b], "numpy", cse=True)

    def loop(n, y):
        size = len(x)
        for _ in range(n):
            mass, bias = f(y[:size], y[size:])
            a = np.linalg.solve(mass, -bias)[:, 0]
            y += 1e-9 * np.concatenate([y[size:], a])
        return a[0]

    return loop


def nanoseconds(loop, n, y):
    """The smallest CPU time of an evaluation."""
    found = []
    for _ in range(REPEATS):
        state = y.copy()
        begin = time.process_time()
        loop(n, state)
        found.append(time.process_time() - begin)
    return min(found) / n * 1e9


def main():
    """Print the table."""
    y = np.array([1.0, 2.0, 0.3, -0.1])
    plane, sphere = double_pendulum(), spherical_pendulum()
    ours, hand = compiled_loop(plane), loop_by_hand
    assert abs(ours(1, y.copy()) - hand(1, y.copy())) < 1e-12
    slow = lambdify_loop(plane)
    fast, written = nanoseconds(ours, COUNT, y), nanoseconds(hand, COUNT, y)
    named = nanoseconds(slow, max(COUNT // 1000, 10), y)
    print("equations of a double pendulum, ns an evaluation")
    print(f"  compiled program   {fast:8.0f}")
    print(f"  by hand, Numba     {written:8.0f}   ratio {fast / written:.2f}")
    print(f"  lambdify, NumPy    {named:8.0f}   ratio {named / fast:.0f}")
    four = nanoseconds(compiled_loop(sphere), COUNT, np.array([0.1, 0.2, 0.3, 0.1, 0.5, 0.1, -0.2, 0.3]))
    print(f"double spherical pendulum, four freedoms: {four:.0f} ns an evaluation")


if __name__ == "__main__":
    main()
