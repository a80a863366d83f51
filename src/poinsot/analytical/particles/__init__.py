"""Systems of particles: all formulations from the positions of the particles alone.

Particles of masses m at positions r(x) (N x 3, or N x 2) in coordinates x with velocities ξ:

    dr/dt = ∂ᵢr ξⁱ,    d²r/dt² = ∂ᵢr dξⁱ/dt + ∂ₖ∂ⱼr ξᵏξʲ                                        (1)
    T = ½ Σ m |dr/dt|²,    S = ½ Σ m |d²r/dt²|²,    Mᵢⱼ = Σ m ∂ᵢr·∂ⱼr,    Γᵢⱼₖ = Σ m ∂ᵢr·∂ₖ∂ⱼr       (2)

and, without any coordinates, Gauss' principle: of all accelerations that the constraints c(r) = 0 allow,
the actual ones are nearest to the free ones,

    least ½ Σ m |a - F/m|²   with   d²c/dt² = Cᵣ a + Σ ∂²c/∂r∂r ṙ ṙ = 0.                         (3)

Source: Konz, section 3.2 [konz2024energy].
"""

from poinsot.analytical.particles.least_constraint import constrained_particles as constrained_particles
from poinsot.analytical.particles.particles import Particles as Particles
from poinsot.analytical.particles.rheonomic import moving_particles as moving_particles
