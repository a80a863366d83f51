"""Euler's method on trees: q, v and the work move along the vector field.

    y1 = y + h f(t, y)                                                                          (1)

Explicit, of order 1.
"""

from typing import Any

from poinsot.core.jit import jit
from poinsot.core.methods.method import Kernels
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import ProblemSize, TreeKernel, forget, nothing
from poinsot.core.tree.problem import TreeProblem, combine, evaluate, slot, unit


@jit
def step(
    p: TreeProblem, t: float, h: float, y: Any, memory: Any, workspace: Any, coefficients: Any
) -> tuple[int, int, bool]:
    n = p.nq + p.nv + 1
    f = slot(workspace, 0, n)
    evaluate(p, ALL, t, y, f)
    combine(y, h, f, n)  # (1)
    unit(p, y)
    return 1, 0, False


def workspace(shape: ProblemSize) -> int:
    return shape.n


KERNELS = {
    "tree_euler": Kernels(
        tree=TreeKernel(name="tree_euler", step=step, remember=forget, memory=nothing, workspace=workspace)
    )
}
