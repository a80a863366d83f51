"""A body on a ball joint, given by its moments of inertia about the joint and its weight times its lever.

Some of these moments belong to no body with this centre of mass: the rig of the notebook takes those about
the centre of mass, and its pendulum is a point.  A lever 1/100 as long in a gravity 100 times as strong gives
the same motion, because only the product of the two enters the equations of motion.
"""

from numpy.typing import ArrayLike

import poinsot as ps

LEVER = 0.012


def on_a_ball_joint(
    moments: tuple[float, float, float], weight: float, rotation: ArrayLike
) -> tuple[ps.Mechanism, ps.State]:
    """Return the mechanism and its state at rest; the potential energy is weight R33."""
    inertia = (moments[0] - LEVER**2, moments[1] - LEVER**2, moments[2])
    m = ps.Mechanism(gravity=(0.0, 0.0, -weight / LEVER))
    m.add("baton", ps.Body(1.0, inertia, center_of_mass=(0.0, 0.0, LEVER)), ps.Spherical())
    return m, m.state({"baton": {"rotation": rotation}})
