"""The mass matrix of a tree: the composite-rigid-body algorithm (Featherstone 2008, section 6.2).

inwards    I_p += I_i, the inertia of the subtree of i, in the frame of the parent             (1)
M_ii = S_i^T I_i S_i + a,   M_pi = S_p^T (I_i S_i in the frame of p), for all ancestors p     (2)
"""

from poinsot.core.jit import fused
from poinsot.core.lie import mat3, sym3, vec3
from poinsot.core.lie.vec3 import ZERO, dot
from poinsot.core.numbers.arrays import Floats, Numbers, alike, zero_in
from poinsot.core.tree.dynamics.kinematics import BodyWrench, placed, received
from poinsot.core.tree.inertia import add, rigid, shift
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import ARMATURE, LinkMotion
from poinsot.core.tree.records import TreeRecord, joint_at, own_of
from poinsot.core.tree.workspace import workspace_in


@fused
def crba(tree: TreeRecord, q: Numbers, v: Numbers, M: Numbers, workspace: Floats) -> None:
    """Mass matrix M (nv * nv numbers, by rows) at the coordinates q; v is overwritten with zeros."""
    o = zero_in(q)
    link, inertia, _, joints, _, _, _ = workspace_in(workspace, tree.n, o)
    for j in range(tree.nv):
        v[j] = o
    for j in range(tree.nv * tree.nv):
        M[j] = o
    for i in range(1, tree.n + 1):
        R, r = placed(tree.placement[i], table.motion(joint_at(tree, i), q, v, own_of(joints, i)))
        link[i] = LinkMotion(R, r, ZERO, ZERO, ZERO)
        inertia[i] = rigid(tree.mass[i], ZERO)
    for i in range(tree.n, 0, -1):
        p = tree.parent[i]
        if p > 0:
            inertia[p] = add(inertia[p], shift(link[i].R, link[i].r, inertia[i]))  # (1)
    for i in range(1, tree.n + 1):
        A = inertia[i]
        for j in range(tree.count[i]):
            w, u = table.column(joint_at(tree, i), q, j)
            torque = vec3.add(sym3.apply(A.J, w), mat3.apply(A.H, u))
            force = vec3.add(mat3.apply_t(A.H, w), sym3.apply(A.M, u))
            wrench, k, column = BodyWrench(torque, force), i, tree.v[i] + j
            while k > 0:
                for l in range(tree.count[k]):
                    w, u = table.column(joint_at(tree, k), q, l)
                    entry = dot(w, wrench.torque) + dot(u, wrench.force)  # (2)
                    row = tree.v[k] + l
                    M[row * tree.nv + column] = entry
                    M[column * tree.nv + row] = entry
                wrench = alike(wrench, received(link[k].R, link[k].r, BodyWrench(ZERO, ZERO), wrench))
                k = tree.parent[k]
        for j in range(tree.count[i]):
            own = (tree.v[i] + j) * (tree.nv + 1)
            M[own] = M[own] + tree.parameters[i][ARMATURE]
