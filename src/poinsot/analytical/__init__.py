"""Analytical mechanics in plain NumPy: the formulations of two theses, written to be read.

The compiled core computes; this package explains and cross-checks it.  A user's own system is written in
redundant coordinates (`Coordinates`, `spaces`) and turned into equations of motion (`levi_civita`,
`lagrange`, `gibbs_appell`, `hamilton`, `gauss`); trees of rigid bodies come in two more (`RigidBodies`,
`MovingFrame`).  Twists are (w, v), angular part first, here as everywhere.
"""

from poinsot.analytical import attitude as attitude
from poinsot.analytical import body as body
from poinsot.analytical import derivatives as derivatives
from poinsot.analytical import operators as operators
from poinsot.analytical import spaces as spaces
from poinsot.analytical import torsion as torsion
from poinsot.analytical.attitude import closest_rotation as closest_rotation
from poinsot.analytical.attitude import critical_points as critical_points
from poinsot.analytical.attitude import wahba as wahba
from poinsot.analytical.coordinates import Coordinates as Coordinates
from poinsot.analytical.equations import System as System
from poinsot.analytical.equations import closed as closed
from poinsot.analytical.equations import gauss as gauss
from poinsot.analytical.equations import gibbs_appell as gibbs_appell
from poinsot.analytical.equations import hamilton as hamilton
from poinsot.analytical.equations import lagrange as lagrange
from poinsot.analytical.equations import legendre as legendre
from poinsot.analytical.equations import levi_civita as levi_civita
from poinsot.analytical.equations import with_loop_constraints as with_loop_constraints
from poinsot.analytical.inputs import InputForce as InputForce
from poinsot.analytical.moving_frame import Link as Link
from poinsot.analytical.moving_frame import MovingFrame as MovingFrame
from poinsot.analytical.particles import Particles as Particles
from poinsot.analytical.particles import constrained_particles as constrained_particles
from poinsot.analytical.particles import moving_particles as moving_particles
from poinsot.analytical.quaternion_matrices import left_product as left_product
from poinsot.analytical.quaternion_matrices import right_product as right_product
from poinsot.analytical.rigid_bodies import RigidBodies as RigidBodies
from poinsot.model.forces.constitutive import from_moments as from_moments
from poinsot.model.forces.constitutive import prime as prime
from poinsot.model.forces.constitutive import reduce_springs as reduce_springs
from poinsot.model.forces.constitutive import vee_prime as vee_prime
from poinsot.model.forces.polar import special_polar as special_polar
