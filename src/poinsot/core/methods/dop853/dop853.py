"""DOP853: Dormand & Prince's explicit Runge-Kutta method of order 8 with step control (Hairer et al. 1993).

    k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y1 = y + h sum_i b_i k_i                         (1)
    error = |h| e5^2 / sqrt(e5^2 + e3^2/100),   e5, e3 the embedded errors over atol + rtol |y|  (2)
    h <- h 0.9 error^(-1/8), at most tenfold, at least a fifth                                  (3)
    y(t + x h) by the continuous extension of order 7                                           (4)

For references and for motions with quiet and wild times.  Its own steps are as long as the tolerance
allows; what the run calls a step is only where (4) is asked.  The memory holds the present interval.
Quaternions are made unit after each of its steps.
"""

from typing import Any

import numpy as np

from poinsot.core.jit import called, jit
from poinsot.core.methods.dop853 import tableau as tableau
from poinsot.core.methods.method import Method
from poinsot.core.numbers.arrays import stretch
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import Shape, TreeKernel
from poinsot.core.tree.problem import Problem, combine, copy, evaluate, slot, unit

RTOL, ATOL = 1e-12, 1e-12
SAFETY, SMALLEST, LARGEST = 0.9, 0.2, 10.0
MAX_ATTEMPTS = 1000  # for one interval
MAX_INTERVALS = 100_000  # in one step of the run
TINY = 16 * 2.0**-52  # shortest interval, relative to the time
STAGES, POWER = 12, 7
BEGIN, END, NEXT = 0, 1, 2  # places in memory: the interval, and the length of the next one
HEAD = 3  # then y and dy/dt at the end, y at the begin, and seven coefficients of (4)


def _padded(rows: list[list[float]], width: int) -> Any:
    return np.array([[*row, *[0.0] * (width - len(row))] for row in rows])


A = _padded(tableau.A + tableau.A_EXTRA, 16)  # rows 0..11, and those of the three extra stages
A = np.vstack([A[:STAGES], [[*tableau.B, *[0.0] * 4]], A[STAGES:]])  # row 12: the solution itself
C = np.array([*tableau.C, 1.0, *tableau.C_EXTRA])
E3, E5, D = np.array(tableau.E3), np.array(tableau.E5), np.array(tableau.D)


@called
def stage(p: Problem, i: int, t: float, h: float, y: Any, Y: Any, K: Any) -> None:
    """y + h sum_j a_ij k_j and, except for the solution, its slope: (1)."""
    n = p.nq + p.nv + 1
    copy(y, Y, n)
    for j in range(i):
        if A[i, j] != 0.0:
            combine(Y, h * A[i, j], slot(K, j, n), n)
    if i == STAGES:
        unit(p, Y)
    evaluate(p, ALL, t + C[i] * h, Y, slot(K, i, n))


@called
def error_of(p: Problem, h: float, y: Any, Y: Any, K: Any) -> float:
    """(2); the work is not controlled."""
    n, m = p.nq + p.nv + 1, p.nq + p.nv
    five, three = 0.0, 0.0
    for i in range(m):
        a, b = 0.0, 0.0
        for j in range(STAGES + 1):
            a += E5[j] * K[j * n + i]
            b += E3[j] * K[j * n + i]
        scale = ATOL + RTOL * max(abs(y[i]), abs(Y[i]))
        five, three = five + (a / scale) * (a / scale), three + (b / scale) * (b / scale)
    if five == 0.0 and three == 0.0:
        return 0.0
    return abs(h) * five / np.sqrt((five + 0.01 * three) * m)


@jit
def continuous(n: int, h: float, y: Any, Y: Any, K: Any, F: Any) -> None:
    """The coefficients of (4), from y to Y."""
    last = slot(K, STAGES, n)
    for i in range(n):
        rise = Y[i] - y[i]
        F[i], F[n + i], F[2 * n + i] = rise, h * K[i] - rise, 2.0 * rise - h * (last[i] + K[i])
        for k in range(4):
            total = 0.0
            for j in range(16):
                total += D[k, j] * K[j * n + i]
            F[(3 + k) * n + i] = h * total


@jit
def part(memory: Any, i: int, n: int) -> Any:
    """Number i of the arrays in the memory."""
    return stretch(memory, HEAD + i * n, memory.size - HEAD - i * n)


@called
def forward(p: Problem, memory: Any, workspace: Any):  # type: ignore[no-untyped-def]
    """One interval more: (evaluations, done)."""
    n = p.nq + p.nv + 1
    y, f, y0, F = part(memory, 0, n), part(memory, 1, n), part(memory, 2, n), part(memory, 3, n)
    K, Y, last = workspace, slot(workspace, 16, n), slot(workspace, 17, n)
    copy(f, K, n)
    copy(y, y0, n)
    t, evaluations, most = memory[END], 0, LARGEST
    least = TINY * max(1e-3, abs(t))
    for _ in range(MAX_ATTEMPTS):
        h = memory[NEXT]
        for i in range(1, STAGES + 1):
            stage(p, i, t, h, y0, Y, K)
        evaluations += STAGES
        error = error_of(p, h, y0, Y, K)
        if error < 1.0:
            memory[NEXT] = h * factor(error, most)
            copy(Y, last, n)
            for i in range(STAGES + 1, 16):
                stage(p, i, t, h, y0, Y, K)
            continuous(n, h, y0, last, K, F)
            copy(last, y, n)
            copy(slot(K, STAGES, n), f, n)
            memory[BEGIN], memory[END] = t, t + h
            return evaluations + 3, True
        if not h > least:
            break
        most = 1.0  # no growth after a refusal
        memory[NEXT] = h * factor(error, most)
    return evaluations, False


@jit
def factor(error: float, most: float) -> float:
    """(3)."""
    if error == 0.0:
        return most
    if not error < np.inf:
        return SMALLEST
    return min(most, max(SMALLEST, SAFETY / np.sqrt(np.sqrt(np.sqrt(error)))))


@jit
def step(p: Problem, t: float, h: float, y: Any, memory: Any, workspace: Any, coefficients: Any):  # type: ignore[no-untyped-def]
    n, evaluations, intervals = p.nq + p.nv + 1, 0, 0
    while memory[END] < t + h:
        more, done = forward(p, memory, workspace)
        evaluations += more
        intervals += 1
        if not done or intervals > MAX_INTERVALS:
            return evaluations, intervals, True
    y0, F = part(memory, 2, n), part(memory, 3, n)
    x = (t + h - memory[BEGIN]) / (memory[END] - memory[BEGIN])
    for i in range(n):  # (4)
        value = 0.0
        for k in range(POWER - 1, -1, -1):
            value = (value + F[k * n + i]) * (x if k % 2 == 0 else 1.0 - x)
        y[i] = y0[i] + value
    unit(p, y)
    return evaluations, 0, False


@jit
def remember(p: Problem, t: float, h: float, y: Any, memory: Any, workspace: Any) -> None:
    n = p.nq + p.nv + 1
    memory[BEGIN], memory[END], memory[NEXT] = t, t, h
    copy(y, part(memory, 0, n), n)
    evaluate(p, ALL, t, y, part(memory, 1, n))


def memory(shape: Shape) -> int:
    return HEAD + (3 + POWER) * shape.n


def workspace(shape: Shape) -> int:
    return 18 * shape.n


METHOD = Method(
    name="dop853",
    title="Dormand-Prince 8(5,3), adaptive",
    order=8,
    scope="tree",
    symplectic=False,
    reversible=False,
    keeps=(),
    implicit=False,
    velocity_forces=True,
    evaluations=None,
    reference="hairer1993solving",
    turn=None,
    lanes=False,
    duals=False,
    tree=TreeKernel(name="dop853", step=step, remember=remember, memory=memory, workspace=workspace),
)
