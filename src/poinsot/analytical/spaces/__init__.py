"""Coordinates of common spaces; each can be checked by `.checked(x)`.

    rotation_matrix()    x = (R₁, R₂, R₃), the columns of R;  ξ = w, dR/dt = R wed(w)                  (1)
    unit_quaternion()    x = (w, x, y, z);                    ξ = w, du/dt = ½ u (0, w)                (2)
    rigid_body()         x = (r, R₁, R₂, R₃);                 ξ = (w, v), dr/dt = R v                  (3)
    circle(radius)       x in the plane;                      ξ the angular rate                      (4)
    euler_angles()       x = (roll α, pitch β, yaw φ);        ξ = w, R = Rz(φ) Ry(β) Rx(α)            (5)
    minimal(n)           x = q, ξ = dq/dt                                                           (6)
    pitch_cone()         x = (pitch, cone), a direction;      see `spaces.directions`

(5) is the motivating example of Konz (2024): it has no A at β = ±90°.  The printed (2.6) lists x row by row
and its A column by column; here, as in (2.7), R is stored column by column.
"""

from poinsot.analytical.spaces.directions import pitch_cone as pitch_cone
from poinsot.analytical.spaces.directions import pitch_cone_angles as pitch_cone_angles
from poinsot.analytical.spaces.directions import pitch_cone_direction as pitch_cone_direction
from poinsot.analytical.spaces.euler import euler_angles as euler_angles
from poinsot.analytical.spaces.euler import euler_rates as euler_rates
from poinsot.analytical.spaces.euler import euler_rotation as euler_rotation
from poinsot.analytical.spaces.plain import circle as circle
from poinsot.analytical.spaces.plain import minimal as minimal
from poinsot.analytical.spaces.rotations import columns as columns
from poinsot.analytical.spaces.rotations import matrix as matrix
from poinsot.analytical.spaces.rotations import rigid_body as rigid_body
from poinsot.analytical.spaces.rotations import rotation_matrix as rotation_matrix
from poinsot.analytical.spaces.rotations import unit_quaternion as unit_quaternion

__all__ = [
    "circle",
    "columns",
    "euler_angles",
    "euler_rates",
    "euler_rotation",
    "matrix",
    "minimal",
    "pitch_cone",
    "pitch_cone_angles",
    "pitch_cone_direction",
    "rigid_body",
    "rotation_matrix",
    "unit_quaternion",
]
