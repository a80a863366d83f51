"""DOP853: Dormand & Prince's explicit Runge-Kutta method of order 8 with step control (Hairer et al. 1993).

    k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y1 = y + h sum_i b_i k_i                         (1)
    error = |h| e5^2 / sqrt(e5^2 + e3^2/100),   e5, e3 the embedded errors over those allowed     (2)
    h <- h 0.9 error^(-1/8), at most tenfold, at least a fifth                                  (3)
    y(t + x h) by the continuous extension of order 7                                           (4)

For reference solutions, and for motions that alternate between slow and fast.  The intervals of the method
are as long as the tolerance allows (`size`), and end where a force jumps; at each step of the run (4) is
evaluated.  The memory holds the present interval.  Its end is counted from the beginning of the next step,
without rounding, so that a motion is the same whenever it begins.  Quaternions are normalised after each
interval.
"""

import numpy as np

from poinsot.core.jit import called, jit
from poinsot.core.methods.dop853 import tableau
from poinsot.core.methods.dop853.size import (
    ANGULAR,
    EPS,
    GROUPS,
    LIVE,
    Notes,
    allowed,
    enlarge,
    excess,
    find_drift,
    find_noise,
    groups,
)
from poinsot.core.methods.method import Kernels
from poinsot.core.numbers.arrays import Floats, Numbers, segment, views
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import ProblemSize, TreeKernel, TreeStepped
from poinsot.core.tree.problem import TreeProblem, combine, copy, evaluate, slot, unit
from poinsot.elementary.linear import product

SAFETY, SMALLEST, LARGEST = 0.9, 0.2, 10.0
SAMPLES = 8  # of the noise after a rejection, at most
MAX_ATTEMPTS = 60  # in one interval: a smooth field needs a few, a jump thirty, noise has no end
MAX_INTERVALS = 100_000  # in one step of the run
REJECTED = 50  # attempts in one step of the run, and half as many as there are intervals: more are noise
TINY = 16 * EPS  # shortest interval, relative to a step of the run
STAGES, POWER = 12, 7
END, LOW, LENGTH, NEXT = range(4)  # in the memory: end of the interval in two parts, its length, the next
SIZE = 4  # sizes of the motion, see `size`
DRIFT = SIZE + GROUPS  # what noise made of the velocities
HEAD = DRIFT + GROUPS  # then y and dy/dt at the end, y at the beginning, and seven coefficients of (4)


def _padded(rows: list[list[float]], width: int) -> Floats:
    return np.array([[*row, *[0.0] * (width - len(row))] for row in rows])


A = _padded(tableau.A + tableau.A_EXTRA, 16)  # rows 0..11, then those of the three extra stages
A = np.vstack([A[:STAGES], [[*tableau.B, *[0.0] * 4]], A[STAGES:]])  # row 12: the solution itself
C = np.array([*tableau.C, 1.0, *tableau.C_EXTRA])
E3, E5, D = np.array(tableau.E3), np.array(tableau.E5), np.array(tableau.D)
SUMS3, SUMS5 = ((float(np.abs(e).sum()), float(np.abs(product(e, A[: STAGES + 1])).sum())) for e in (E3, E5))


@called
def stage(p: TreeProblem, i: int, t: float, h: float, y: Numbers, Y: Numbers, K: Numbers) -> None:
    """Compute Y = y + h sum_j a_ij k_j of (1) and its slope k_i."""
    n = p.nq + p.nv + 1
    copy(y, Y, n)
    for j in range(i):
        if A[i, j] != 0.0:
            combine(Y, h * A[i, j], slot(K, j, n), n)
    if i == STAGES:
        unit(p, Y)
    evaluate(p, ALL, t + C[i] * h, Y, slot(K, i, n))


@called
def error_of(
    p: TreeProblem, h: float, y: Numbers, Y: Numbers, K: Numbers, notes: Notes, rtol: float
) -> float:
    """Error (2), without that of the work."""
    n, m, size, noise = p.nq + p.nv + 1, p.nq + p.nv, notes.size, notes.noise
    five, three = 0.0, 0.0
    for i in range(m):
        a, b, g = 0.0, 0.0, int(notes.group[i])
        moving = g if i >= p.nq else g + ANGULAR
        if notes.drift[moving] != LIVE and size[moving] > 0.0:
            continue
        for j in range(STAGES + 1):
            a += E5[j] * K[j * n + i]
            b += E3[j] * K[j * n + i]
        a, b = excess(a, p, i, g, h, noise, SUMS5), excess(b, p, i, g, h, noise, SUMS3)
        if not (a == 0.0 and b == 0.0):  # an error, or NaN where the step left the numbers
            scale = allowed(p, i, g, h, max(abs(y[i]), abs(Y[i])), size, rtol)
            five, three = five + (a / scale) * (a / scale), three + (b / scale) * (b / scale)
    if five == 0.0 and three == 0.0:
        return 0.0
    return h * five / np.sqrt((five + 0.01 * three) * m)


@jit
def continuous(n: int, h: float, y: Numbers, Y: Numbers, K: Numbers, F: Numbers) -> None:
    """Compute the coefficients F of (4), from y to Y."""
    last = slot(K, STAGES, n)
    for i in range(n):
        d = Y[i] - y[i]
        F[i], F[n + i], F[2 * n + i] = d, h * K[i] - d, 2.0 * d - h * (last[i] + K[i])
        for k in range(4):
            total = 0.0
            for j in range(16):
                total += D[k, j] * K[j * n + i]
            F[(3 + k) * n + i] = h * total


@jit
def array_in(memory: Numbers, i: int, n: int) -> Numbers:
    """i-th array in the memory."""
    return segment(memory, HEAD + i * n, memory.size - HEAD - i * n)


@called
def next_interval(
    p: TreeProblem, t: float, step: float, memory: Numbers, workspace: Numbers, rtol: float
) -> tuple[int, int, bool]:
    """Integrate the next interval, in a step of the run that begins at t.
    Return (evaluations, attempts that were rejected, accepted)."""
    n = p.nq + p.nv + 1
    y, f = array_in(memory, 0, n), array_in(memory, 1, n)
    y0, F = array_in(memory, 2, n), array_in(memory, 3, n)
    K, Y, last = workspace, slot(workspace, 16, n), slot(workspace, 17, n)
    x = views(workspace, 18 * n, Notes(0.0, 0.0, 0.0, 0.0, 0.0), Notes(n, GROUPS, GROUPS, GROUPS, GROUPS))
    sizes, drift, near = segment(memory, SIZE, GROUPS), segment(memory, DRIFT, GROUPS), (slot(K, 1, n), last)
    copy(f, K, n)
    copy(y, y0, n)
    begin, evaluations, max_growth = t + memory[END], 1, LARGEST
    groups(p, x.group)
    for g in range(GROUPS):
        x.noise[g] = 0.0
    find_noise(p, x.group, begin, y0, f, near, x.noise, 0)
    copy(x.noise, x.rough, GROUPS)
    room = (p.last - begin) + 64.0 * EPS * abs(begin)  # no interval reaches beyond a jump
    for attempt in range(MAX_ATTEMPTS):
        h = min(memory[NEXT], room) if room > 0.0 else memory[NEXT]
        for i in range(1, STAGES + 1):
            stage(p, i, begin, h, y0, Y, K)
        evaluations += STAGES
        copy(sizes, x.size, GROUPS)
        enlarge(p, x.group, y0, f, x.size)
        enlarge(p, x.group, Y, slot(K, STAGES, n), x.size)
        find_drift(p, h, Y, x, drift, last)
        error = error_of(p, h, y0, Y, K, x, rtol)
        if error < 1.0:
            memory[NEXT] = h * factor(error, max_growth)
            copy(x.size, sizes, GROUPS)
            copy(x.drift, drift, GROUPS)
            copy(Y, last, n)
            for i in range(STAGES + 1, 16):
                stage(p, i, begin, h, y0, Y, K)
            continuous(n, h, y0, last, K, F)
            copy(last, y, n)
            copy(slot(K, STAGES, n), f, n)
            put_off(memory, h)
            memory[LENGTH] = h
            return evaluations + 3, attempt, True
        if not h > TINY * step:
            break
        for i in range(1, 1 + (min(attempt, SAMPLES) if error < np.inf else 0)):
            find_noise(p, x.group, begin, y0, f, near, x.rough, attempt + i)
            find_noise(p, x.group, begin + h, Y, slot(K, STAGES, n), near, x.rough, attempt + i)
            evaluations += 2
        max_growth = 1.0  # no growth after a rejection
        memory[NEXT] = h * factor(error, max_growth)
    return evaluations, MAX_ATTEMPTS, False


@jit
def put_off(memory: Numbers, s: float) -> None:
    """Add s to the end of the interval without rounding: its two parts are the sum and what that lacks."""
    end = memory[END]
    total = end + s
    part = total - end
    low = memory[LOW] + ((end - (total - part)) + (s - part))
    memory[END] = total + low
    memory[LOW] = low - (memory[END] - total)


@jit
def factor(error: float, max_growth: float) -> float:
    """Factor (3) of the length of the interval."""
    if error == 0.0:
        return max_growth
    if not error < np.inf:
        return SMALLEST
    return min(max_growth, max(SMALLEST, SAFETY / np.sqrt(np.sqrt(np.sqrt(error)))))


@jit
def step(
    p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    n, evaluations, intervals, rejected = p.nq + p.nv + 1, 0, 0, 0
    while memory[END] < h:
        more, attempts, accepted = next_interval(p, t, h, memory, workspace, coefficients[0])
        evaluations += more
        intervals += 1
        rejected += attempts
        if not accepted or intervals > MAX_INTERVALS or 2 * (rejected - REJECTED) > intervals:
            return evaluations, intervals, True
    put_off(memory, -h)
    y0, F = array_in(memory, 2, n), array_in(memory, 3, n)
    x = 1.0 - memory[END] / memory[LENGTH]
    for i in range(n):  # (4)
        value = 0.0
        for k in range(POWER - 1, -1, -1):
            value = (value + F[k * n + i]) * (x if k % 2 == 0 else 1.0 - x)
        y[i] = y0[i] + value
    unit(p, y)
    return evaluations, 0, False


@jit
def remember(p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    n = p.nq + p.nv + 1
    memory[END], memory[LOW], memory[LENGTH], memory[NEXT] = 0.0, 0.0, 0.0, h
    for i in range(SIZE, HEAD):
        memory[i] = 0.0
    copy(y, array_in(memory, 0, n), n)
    evaluate(p, ALL, t, y, array_in(memory, 1, n))


def memory(shape: ProblemSize) -> int:
    return HEAD + (3 + POWER) * shape.n


def workspace(shape: ProblemSize) -> int:
    return 19 * shape.n + 4 * GROUPS


def with_options(name: str, tolerance: float = 1e-12) -> Kernels:
    """Kernels with this relative tolerance, rtol of `size`."""
    return Kernels(
        tree=TreeKernel(
            name="dop853",
            step=step,
            remember=remember,
            memory=memory,
            workspace=workspace,
            coefficients=np.array([tolerance]),
        )
    )


KERNELS = {"dop853": with_options("dop853")}
