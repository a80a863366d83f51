"""Redundant coordinates x with constraints φ(x) = 0 and minimal velocities ξ: dx/dt = A(x) ξ.

A user gives A (ν x n) and, if the coordinates are redundant, φ with ∂φ/∂x A = 0.  With any left inverse
Y A = 1 (the pseudoinverse, if none is given) and Φ = ∂φ/∂x,

    n = ν - rank Φ,    A A⁺ + Φ⁺ Φ = 1,    Y₊ Φᵀ = 0 for Y₊ = A⁺                                (1)
    ∂ᵢ = Aᵢᵃ ∂/∂xᵃ                                             directional derivatives            (2)
    γᵢⱼᵏ = Yᵏₐ (∂ᵢ Aⱼᵃ - ∂ⱼ Aᵢᵃ),    ∂ᵢ∂ⱼ - ∂ⱼ∂ᵢ = γᵢⱼᵏ ∂ₖ           commutation coefficients         (3)
    Γᵢⱼₖ = ½ (∂ₖMᵢⱼ + ∂ⱼMᵢₖ - ∂ᵢMⱼₖ + γᵢⱼˢMₛₖ + γᵢₖˢMₛⱼ - γⱼₖˢMₛᵢ)     connection of a metric M(x)      (4)
    (∇²V)ᵢⱼ = ∂ᵢ∂ⱼV - Γᵏⱼᵢ ∂ₖV                                   Hessian on the manifold          (5)
    ε = Y (x - x̄),    ξ ≈ ξ̄ + dε/dt + γₖⱼ ξ̄ᵏ εʲ                   linearisation about x̄(t)           (6)

γ is the same for every left inverse and in every chart.  In (5) the order of the lower indices matters: the
printed (2.16) has Γᵏᵢⱼ, whose contraction with ξⁱξʲ is the same but which is not symmetric.

Arrays: gamma[i, j, k] = γᵢⱼᵏ, Gamma[i, j, k] = Γᵢⱼₖ.  Source: Konz, chapter 2 and (3.35) [konz2024energy].
"""

from poinsot.analytical.coordinates.constrained import Map as Map
from poinsot.analytical.coordinates.coordinates import Coordinates as Coordinates
from poinsot.analytical.coordinates.coordinates import connection as connection
