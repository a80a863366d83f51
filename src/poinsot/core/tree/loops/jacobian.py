"""The Jacobian of the loop constraints: dphi/dt = Phi v.

    Phi_j = sum over the joints k from a link of constraint j to the world: S_k^T (its wrench in frame k)  (1)

Dual numbers give derivatives: if the tangents of q are dq/dt, those of Phi are dPhi/dt.
"""

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import cross, dot
from poinsot.core.numbers.arrays import Floats, Numbers, Records, alike, typed, zero_in
from poinsot.core.tree.dynamics.kinematics import WRENCH, Frame, Wrench, frames
from poinsot.core.tree.joints import table
from poinsot.core.tree.loops.table import links, residual, wrenches
from poinsot.core.tree.records import Part, Tree, joint_at
from poinsot.core.tree.workspace import frames_in, joints_in


@jit
def below(P: Frame, F: Frame, x: Wrench) -> Wrench:
    """Wrench x on the link F, about the origin and in the axes of the link P."""
    force = mat3.apply_t(P.R, mat3.apply(F.R, x.force))
    arm = mat3.apply_t(P.R, vec3.sub(F.r, P.r))
    torque = vec3.add(mat3.apply_t(P.R, mat3.apply(F.R, x.torque)), cross(arm, force))
    return Wrench(torque, force)


@jit
def gather(tree: Tree, q: Numbers, link: int, x: Wrench, frame: Records, row: Numbers, start: int) -> None:
    """Add the joint forces of the wrench x on a link to row[start:]."""
    k = link
    while k > 0:
        for j in range(tree.count[k]):
            w, u = table.column(joint_at(tree, k), q, j)
            at = start + tree.v[k] + j
            row[at] = row[at] + (dot(w, x.torque) + dot(u, x.force))  # (1)
        p = tree.parent[k]
        x = alike(x, below(frame[p], frame[k], x))
        k = p


@fused
def constraints(
    tree: Tree, loops: Part, q: Numbers, v: Numbers, phi: Numbers, Phi: Numbers, workspace: Floats
) -> None:
    """Residuals phi (m numbers) and their Jacobian Phi (m * nv numbers, by rows) at the coordinates q."""
    o, m = zero_in(q), loops.ints[0]
    frame = frames_in(workspace, tree.n, o)
    frames(tree, q, v, frame, joints_in(workspace, tree.n, o))
    for i in range(m * tree.nv):
        Phi[i] = o
    for j in range(m):
        phi[j] = o + residual(loops, j, frame)
        torque_a, force_a, torque_b, force_b = wrenches(loops, j, frame)
        a, b = links(loops, j)
        like = typed(WRENCH, o)
        gather(tree, q, a, alike(like, Wrench(torque_a, force_a)), frame, Phi, j * tree.nv)
        gather(tree, q, b, alike(like, Wrench(torque_b, force_b)), frame, Phi, j * tree.nv)
