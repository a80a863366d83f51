"""Equations of motion of a user's own system, in the five classical forms, over redundant coordinates.

    Lagrange        d/dt ∂L/∂ξⁱ + γᵢⱼᵏ ξʲ ∂L/∂ξᵏ - ∂ᵢL = fᵢ                     L(t, x, ξ)            (1)
    Levi-Civita     Mᵢⱼ dξʲ/dt + Γᵢⱼₖ ξʲξᵏ + ∂ᵢV = fᵢ                           M(x), V(x)           (2)
    Gibbs-Appell    ∂S/∂(dξ/dt)ⁱ + ∂ᵢV = fᵢ                                    S(t, x, ξ, dξ/dt)    (3)
    Hamilton        dx/dt = A ∂H/∂p,  dpᵢ/dt = -γᵢⱼᵏ ∂H/∂pⱼ pₖ - ∂ᵢH + fᵢ       H(t, x, p)           (4)
    Gauss           least ½ |M^½ (a - a_free)|²  with  Ω a = b                                      (5)

Forces fᵢ(t, x, ξ) do work on ξ: power fᵢ ξⁱ.  (2), (3) and (4) need first derivatives only and are exact to
rounding; (1) needs second derivatives of L and is good to some 10⁻¹³ (see `derivatives`).  Potentials may
be left out.  Each function gives a `System`, whose `field(t, y)` is a right-hand side for any integrator.

Source: Konz, sections 2.2 and 3.2 [konz2024energy], with the signs of its errata.
"""

from poinsot.analytical.equations.hamiltonian import hamilton as hamilton
from poinsot.analytical.equations.hamiltonian import legendre as legendre
from poinsot.analytical.equations.lagrangian import gibbs_appell as gibbs_appell
from poinsot.analytical.equations.lagrangian import lagrange as lagrange
from poinsot.analytical.equations.lagrangian import levi_civita as levi_civita
from poinsot.analytical.equations.least_constraint import closed as closed
from poinsot.analytical.equations.least_constraint import gauss as gauss
from poinsot.analytical.equations.least_constraint import with_loop_constraints as with_loop_constraints
from poinsot.analytical.equations.system import Rate as Rate
from poinsot.analytical.equations.system import System as System
from poinsot.analytical.equations.system import power_of as power_of
