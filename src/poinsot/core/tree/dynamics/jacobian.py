"""The Jacobian of a point of a body: its twist (w, v) in body axes is J times the velocities.

    column of joint k, column j:   w = R^T w_kj,   v = R^T (v_kj + w_kj x (x - x_k))             (1)

R rotates the axes of the body to those of body k, x - x_k is the arm from the origin of body k to the point.
Dual numbers give derivatives: if the tangents of q are dq/dt, those of J are dJ/dt.
"""

from poinsot.core.jit import fused
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import ZERO, Vec3, cross
from poinsot.core.numbers.arrays import Floats, Numbers, alike, zero_in
from poinsot.core.tree.dynamics.kinematics import placed
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import LinkMotion
from poinsot.core.tree.records import TreeRecord, joint_at, own_of
from poinsot.core.tree.workspace import workspace_in


@fused
def jacobian(
    tree: TreeRecord, q: Numbers, v: Numbers, body: int, B: Mat3, at: Vec3, J: Numbers, workspace: Floats
) -> None:
    """Jacobian J (6 * nv numbers, by rows) of the point `at` of a body, in axes B of its frame.
    v is overwritten with zeros."""
    o = zero_in(q)
    link, _, _, joints, _, _, _ = workspace_in(workspace, tree.n, o)
    for j in range(tree.nv):
        v[j] = o
    for j in range(6 * tree.nv):
        J[j] = o
    for i in range(1, tree.n + 1):
        R, r = placed(tree.placement[i], table.motion(joint_at(tree, i), q, v, own_of(joints, i)))
        link[i] = LinkMotion(R, r, ZERO, ZERO, ZERO)
    k = body
    Q, arm = alike(link[k].R, B), alike(link[k].r, at)
    while k > 0:
        for j in range(tree.count[k]):
            w, u = table.column(joint_at(tree, k), q, j)
            angular, linear = mat3.apply_t(Q, w), mat3.apply_t(Q, vec3.add(u, cross(w, arm)))  # (1)
            column = tree.v[k] + j
            for i in range(3):
                J[i * tree.nv + column] = angular[i]
                J[(i + 3) * tree.nv + column] = linear[i]
        Q, arm = mat3.mul(link[k].R, Q), vec3.add(link[k].r, mat3.apply(link[k].R, arm))
        k = tree.parent[k]
