"""Trees of rigid bodies in redundant coordinates, with relative or absolute velocities, written to be read.

Frames: G_b = G_p (pre · Gⱼ(x)) from the parent's frame p to the body's frame b, anywhere on the body.
Twists of bodies are (w, v), body frame; J_b maps the velocities ξ of the system to them:

    joint            x              ξ (relative)     Gⱼ                                dx/dt               (1)
    free             r, R (12)      w, v             (R, r)                            Rv, R wed(w)
    spherical        R (9)          w                (R, 0)                            R wed(w)
    quaternion       u (4)          w                (R(u), 0)                         ½ u (0, w)
    revolute         θ              dθ/dt            rotation about the axis by θ      dθ/dt
    circle           c, s           dθ/dt            the same, with cos and sin        -s ξ, c ξ
    prismatic        q              dq/dt            shift along the axis by q         dq/dt

A joint with velocity "absolute" has as ξ the absolute angular velocity (spherical, quaternion), its
component along the axis (revolute, circle) or the absolute twist (free).  With P = Ad(Gₑ⁻¹), Gₑ = pre · Gⱼ
and η the rows that give the joint's relative velocity, in tree order

    J_b = P J_p + S η,    dJ_b/dt = P dJ_p/dt - ad(S η ξ) P J_p + S dη/dt                         (2)
    relative η = E_b,     absolute η = E_b - Sᵀ P J_p,  dη/dt = Sᵀ(ad(Sηξ) P J_p - P dJ_p/dt)       (3)
    M = Σ Jᵀ Vee(M′) J                                                                            (4)
    c = Σ Jᵀ vee2((wed(dJ/dt ξ) + wed(Jξ)²) M′)                                                    (5)
    D = Σ J_abᵀ Vee(D′) J_ab,    J_ab = J_b - Ad(G_ab⁻¹) J_a,    G_ab = G_a⁻¹ G_b                  (6)
    f_K = Σ J_abᵀ vee2((1 - G_ab⁻¹ G_rest) K′),    f_G = -Σ Jᵀ Vee(M′) Ad(G⁻¹) (0, g)              (7)
    dx/dt = A ξ,    M dξ/dt = f - c - D ξ - f_K - f_G                                             (8)
    Γᵢⱼₖ = Σ Jᵢᵖ (M_pq ∂ₖJⱼ^q + Γᵇ_pqr Jⱼ^q Jₖ^r),    C = Σ Jᵀ (M_b dJ/dt + C_b(Jξ) J),   c = C ξ     (9)
    S = Σ ½ tr(X M′ Xᵀ),    X = wed(J dξ/dt + dJ/dt ξ) + wed(Jξ)²                                 (10)

Every model force stands on the left side with + its energy's derivative; only f is on the right.  Joints
with more axes are chains of these with bodies of M′ = 0 in between.  Source: Konz, section 3.4
[konz2024energy]; signs of (7) and the bracket of (9) corrected.  This costs O(n³) and is for reading.
"""

from poinsot.analytical.rigid_bodies.rigid_bodies import RigidBodies as RigidBodies
