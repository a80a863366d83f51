"""Analytical mechanics in plain NumPy: the formulations of two theses, written to be read.

The compiled core computes; this package explains and cross-checks it.  A user's own system is written in
redundant coordinates (`Coordinates`, `spaces`) and turned into equations of motion (`levi_civita`,
`lagrange`, `gibbs_appell`, `hamilton`, `gauss`); trees of rigid bodies come in two more (`RigidBodies`,
`MovingFrame`).  Twists are (w, v), angular part first, here as everywhere.
"""

from poinsot.analytical import attitude, body, derivatives, operators, spaces, torsion
from poinsot.analytical.attitude import closest_rotation, critical_points, wahba
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.equations import gibbs_appell, hamilton, lagrange, legendre, levi_civita
from poinsot.analytical.inputs import InputForce
from poinsot.analytical.least_constraint import gauss, with_loop_constraints
from poinsot.analytical.moving_frame import Link, MovingFrame
from poinsot.analytical.operators import left_product, right_product
from poinsot.analytical.particles import Particles, constrained_particles, moving_particles
from poinsot.analytical.rigid_bodies import RigidBodies
from poinsot.analytical.system import System
from poinsot.model.forces.constitutive import from_moments, prime, reduce_springs, special_polar, vee_prime

__all__ = ["Coordinates", "InputForce", "Link", "MovingFrame", "Particles", "RigidBodies", "System"]
__all__ += ["attitude", "body", "closest_rotation", "constrained_particles", "critical_points", "derivatives"]
__all__ += ["from_moments", "gauss", "gibbs_appell", "hamilton", "lagrange", "left_product", "legendre"]
__all__ += ["levi_civita", "moving_particles", "operators", "prime", "reduce_springs", "right_product"]
__all__ += ["spaces", "special_polar", "torsion", "vee_prime", "wahba", "with_loop_constraints"]


def __dir__() -> list[str]:
    return __all__
