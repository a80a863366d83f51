"""The function V(R) = -tr(P R) on the rotations: its critical points, and problems that its minimum solves.

With P = X diag(s) Yᵀ, X and Y rotations and s₁ ≥ s₂ ≥ |s₃| (special polar decomposition), and R = Y S Xᵀ,

    V = -tr(diag(s) S),    gradient vee2(P R),    Hessian Vee(P R)ᵀ   (body frame)              (1)
    λ = (s₂ + s₃, s₃ + s₁, s₁ + s₂),    0 ≤ λ₁ ≤ λ₂ ≤ λ₃.                                       (2)

The critical points by the constellation of λ, as S, with the eigenvalues of the Hessian:

    always, if alone   D₀ = 1             {λ₃, λ₂, λ₁}              V = -(λ₁ + λ₂ + λ₃)/2        (3)
                       D₁ = (1, -1, -1)   {λ₃-λ₁, λ₂-λ₁, -λ₁}      V = (3λ₁ - λ₂ - λ₃)/2
                       D₂ = (-1, 1, -1)   {λ₃-λ₂, λ₁-λ₂, -λ₂}      V = (3λ₂ - λ₁ - λ₃)/2
                       D₃ = (-1, -1, 1)   {λ₂-λ₃, λ₁-λ₃, -λ₃}      V = (3λ₃ - λ₁ - λ₂)/2
    λ₁ = λ₂            half turns about axes in the plane of 1 and 2 (a circle through D₁ and D₂)
    λ₂ = λ₃            half turns about axes in the plane of 2 and 3 (a circle through D₂ and D₃)
    λ₁ = λ₂ = λ₃       all half turns (a projective plane through D₁, D₂ and D₃)
    λ₁ = 0             rotations about axis 1 (a circle through D₀ and D₁)
    λ₁ = λ₂ = 0        rotations about axes in the plane of 1 and 2 (a 3-sphere's equator through D₀, D₁, D₂)
    λ = 0              every rotation

D₀ is the minimum, D₃ the maximum, the others are saddles.  Values and eigenvalues on a set are those of the
points it goes through.  Source: Konz, section 2.4, with one entry of (2.67i) corrected [konz2024energy].
"""

from poinsot.analytical.attitude.critical_sets import CriticalSet as CriticalSet
from poinsot.analytical.attitude.critical_sets import critical_points as critical_points
from poinsot.analytical.attitude.nearest import closest_rotation as closest_rotation
from poinsot.analytical.attitude.nearest import wahba as wahba
from poinsot.analytical.attitude.trace_function import gradient as gradient
from poinsot.analytical.attitude.trace_function import hessian as hessian
from poinsot.analytical.attitude.trace_function import potential as potential

__all__ = [
    "CriticalSet",
    "closest_rotation",
    "critical_points",
    "gradient",
    "hessian",
    "potential",
    "wahba",
]
