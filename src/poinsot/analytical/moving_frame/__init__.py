"""The moving-frame formulation of trees of rigid bodies with rotating joints, to check the compiled tree.

Frames sit at the centres of mass.  R_k is the relative, R^k the absolute rotation of body k with parent p,
w_k its relative and W_k its absolute angular velocity (child frame), s_k the vector from its joint to its
centre (own frame), o_k from the parent's centre to its joint (parent's frame).  For j on the path to k

    C_kk = 1,    C_kj = R_kᵀ C_pj,        w^kk = 0,    w^kj = R_kᵀ w^pj + w_k                     (1)
    X = (dx_1/dt, W_1, dx_2/dt, W_2, ...) = B w                                                 (2)
    B_t[k,j] = B_t[p,j] - R^p hat(o_k) C_pj - R^k hat(s_k) C_kj,    B_r[k,j] = C_kj              (3)
    dB_t[k,j] = dB_t[p,j] - R^p (hat(W_p) hat(o_k) - hat(o_k) hat(w^pj)) C_pj
                          - R^k (hat(W_k) hat(s_k) - hat(s_k) hat(w^kj)) C_kj,
    dB_r[k,j] = -hat(w^kj) C_kj                                                                 (4)
    M* = Bᵀ M B,    N* w = Bᵀ (M dB w + diag(0, hat(W)) M B w),    F* = Bᵀ F                     (5)
    M* dw/dt = F* - N* w,  by Cholesky                                                         (6)

with forces F at the centres of mass in space and moments in body frames.  Spherical joints have the
quaternion u as coordinate and half the angular velocity ξ = w/2 in the state: du/dt = u ξ, 7 numbers a body.
Joints with one or two axes, the thesis' further work, restrict w_k to the columns of a 3 x m matrix,

    R_k = rot(a, q₁) [rot(b, q₂)],    w_k = E dq/dt,    E = (a) or (rot(b, q₂)ᵀ a, b)            (7)
    dE/dt = (0) or (-dq₂/dt b × rot(b, q₂)ᵀ a, 0),    B ← B E,    dB ← dB E + B dE/dt             (8)

and a joint may also slide by z along the columns of D (3 x m, joint frame), before it rotates.  Then
o_k = o_k(0) + P_k D z in the frame of the parent, with the placement P_k, and there are columns

    B_t[k,z_j] = R^p P_j D_j  for all k beyond joint j,  p its parent,    B_r[k,z_j] = 0          (9)
    dB_t[k,z_j] = R^p hat(W_p) P_j D_j,    and (4) gets  -R^p hat(P_k D_k dz/dt) C_pj             (10)

Source: the moving-frame thesis [movingframe], sections 2.3 to 3.1, with its errata; trees and (7) to (10) are
ours.  The cost is O(n³), and the digits lost grow with cond(M*), some 10⁶ for 16 links.
"""

from poinsot.analytical.moving_frame.link import Link as Link
from poinsot.analytical.moving_frame.moving_frame import MovingFrame as MovingFrame
from poinsot.analytical.moving_frame.moving_frame import joint_moments as joint_moments
