"""NEWMARK: the explicit Newmark method on Lie groups (Krysl & Endres 2005) lifted to any tree.

    q1 = q0 exp(h v0 + h^2/2 a0)                   for each joint, a = forward dynamics         (1)
    v1 = v0 + h/2 (a0 + a1),   a1 = a(q1, v1)                                                   (2)

gamma = 1/2, beta = 0: explicit in the configuration; (2) is solved for v1 by fixed-point iteration from
v0 + h a0.  On one body it is the method `nmb`.  The work follows the trapezoidal rule.
"""

from poinsot.core.jit import jit
from poinsot.core.methods.method import Kernels
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import some, where
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import Shape, TreeKernel, TreeStepped
from poinsot.core.tree.problem import Problem, combine, copy, evaluate, move, scale, slot, unit

MAX_SWEEPS = 40
NEGLIGIBLE = 1e-16  # relative error of v1 at which the iteration ends
ROUNDING = 1e-11  # a relative change that stops shrinking above this is divergence, not rounding


@jit
def remember(p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    """Set memory = (a0, power) at the start."""
    f = slot(workspace, 0, p.nq + p.nv + 1)
    evaluate(p, ALL, t, y, f)
    copy(segment(f, p.nq, p.nv + 1), memory, p.nv + 1)


@jit
def step(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    n, m = p.nq + p.nv + 1, p.nv + 1
    f, u, half = slot(workspace, 0, n), slot(workspace, 1, n), slot(workspace, 2, n)
    v = segment(y, p.nq, m)
    scale(u, h, v, p.nv)
    combine(u, 0.5 * h * h, memory, p.nv)
    move(p, y, u)  # (1)
    unit(p, y)
    copy(v, half, m)
    combine(half, 0.5 * h, memory, m)
    combine(v, h, memory, m)
    sweeps = 0
    zero = zero_in(y)
    last, busy = zero + 1e300, zero == zero
    for _ in range(MAX_SWEEPS):
        evaluate(p, ALL, t + h, y, f)
        sweeps += 1
        change, size = zero, zero
        for j in range(m):
            new = half[j] + 0.5 * h * f[p.nq + j]  # (2)
            d = new - v[j]
            if j < p.nv:
                change, size = change + d * d, size + new * new
            v[j] = where(busy, new, v[j])
            memory[j] = where(busy, f[p.nq + j], memory[j])
        rate = change / last if sweeps > 1 else zero + 1.0
        inaccurate = change * rate > NEGLIGIBLE * NEGLIGIBLE * size
        shrinks = change < last
        busy = busy & inaccurate & (shrinks | (change > ROUNDING * ROUNDING * size))
        if not some(busy & (shrinks | (zero + sweeps < 4.0))):
            break
        last = change
    return sweeps, sweeps, busy


def memory(shape: Shape) -> int:
    return shape.n - shape.nq


def workspace(shape: Shape) -> int:
    return 3 * shape.n


KERNELS = {
    "newmark": Kernels(
        tree=TreeKernel(
            name="newmark", step=step, remember=remember, memory=memory, workspace=workspace, groups=True
        )
    )
}
