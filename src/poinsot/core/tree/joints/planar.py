"""Planar joint: a displacement in the xy-plane of the joint frame, then a rotation about z.

    q = (x, y, angle),   r = (x, y, 0),   R = exp(angle z)
    S = ((0, R^T x), (0, R^T y), (z, 0)) in the child frame                                     (1)

The algebra uses the displacement rotated to the child frame, where the three columns are (0, x), (0, y),
(z, 0):  D = S^T I S consists of M_xy, H_z and J_zz,                                             (2)
    I' = I - U^T D^-1 U                                                                        (3)
and only torque about x, y and force along z are transmitted; the other parts are set to zero.
    q.. = u - D^-1 U (alpha, a), rotated back                                                  (4)
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, sym3, vec3
from poinsot.core.lie.vec3 import ZERO
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.numbers.trigonometry import sincos
from poinsot.core.tree.inertia import Articulated, accelerated, shift
from poinsot.core.tree.joints.joint import Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 3, 3


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    s, c = sincos(q[at.q + 2])
    own[12], own[13] = s, c
    R = (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    u = (c * v[at.v] + s * v[at.v + 1], c * v[at.v + 1] - s * v[at.v], 0.0)  # (1)
    return R, (q[at.q], q[at.q + 1], 0.0), (0.0, 0.0, v[at.v + 2]), u, ZERO, ZERO


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    s, c = sincos(q[at.q + 2])
    x, y = 1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0
    return (0.0, 0.0, 1.0 - x - y), (c * x + s * y, c * y - s * x, 0.0)  # (1)


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    J, H, M, n, f = A
    s, c = own[12], own[13]
    tx, ty, t = c * tau[at.v] + s * tau[at.v + 1], c * tau[at.v + 1] - s * tau[at.v], tau[at.v + 2]
    D = sym3.inverse((M[0], M[1], H[6], M[3], H[7], J[5]))  # (2), inverted; order x, y, rotation
    u = sym3.apply(D, (tx - f[0], ty - f[1], t - n[2]))
    # columns of U of the transmitted directions alpha_x, alpha_y, a_z
    Ux, Uy, Uz = (H[0], H[1], J[2]), (H[3], H[4], J[4]), (M[2], M[4], H[8])
    Gx, Gy, Gz = sym3.apply(D, Ux), sym3.apply(D, Uy), sym3.apply(D, Uz)
    put3(own, 0, Gx)
    put3(own, 3, Gy)
    put3(own, 6, Gz)
    put3(own, 9, u)
    Jxx, Jxy, Jyy = J[0] - vec3.dot(Ux, Gx), J[1] - vec3.dot(Ux, Gy), J[3] - vec3.dot(Uy, Gy)  # (3)
    Hx, Hy, Mz = H[2] - vec3.dot(Ux, Gz), H[5] - vec3.dot(Uy, Gz), M[5] - vec3.dot(Uz, Gz)
    J1 = (Jxx, Jxy, 0.0, Jyy, 0.0, 0.0)
    H1 = (0.0, 0.0, Hx, 0.0, 0.0, Hy, 0.0, 0.0, 0.0)
    M1 = (0.0, 0.0, 0.0, 0.0, 0.0, Mz)
    n1 = (n[0] + vec3.dot(Ux, u), n[1] + vec3.dot(Uy, u), t)
    f1 = (tx, ty, f[2] + vec3.dot(Uz, u))
    B = alike(A, Articulated(J1, H1, M1, n1, f1))
    return shift(link.R, link.r, accelerated(B, link.zeta, link.beta))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha, a = x
    s, c = own[12], own[13]
    transmitted = (alpha[0], alpha[1], a[2])
    G = mat3.columns(get3(own, 0), get3(own, 3), get3(own, 6))
    total = vec3.sub(get3(own, 9), mat3.apply(G, transmitted))  # of the child along x, y and about z
    dx, dy, rotation = total[0] - a[0], total[1] - a[1], total[2] - alpha[2]
    out[at.v], out[at.v + 1], out[at.v + 2] = c * dx - s * dy, s * dx + c * dy, rotation  # (4)
    return Acceleration((alpha[0], alpha[1], total[2]), (total[0], total[1], a[2]))
