"""Unit quaternions on NumPy arrays: (..., 4), scalar first; tangent vectors (..., 3).

`hat vee exp log cay dexp dexpinv Ad ad compose inverse apply`, and `matrix`, `from_matrix`, `from_euler`,
`to_euler`.
`exp` takes the rotation vector (not half of it); `log` gives it, |u| <= pi; `hat(u) = (0, u/2)` is
the element whose quaternion exponential is `exp(u)`.  q and -q are the same rotation.

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

from poinsot.lie.quaternion.algebra import hat as hat
from poinsot.lie.quaternion.algebra import vee as vee
from poinsot.lie.quaternion.exponential import cay as cay
from poinsot.lie.quaternion.exponential import exp as exp
from poinsot.lie.quaternion.exponential import log as log
from poinsot.lie.quaternion.group import Ad as Ad
from poinsot.lie.quaternion.group import apply as apply
from poinsot.lie.quaternion.group import compose as compose
from poinsot.lie.quaternion.group import inverse as inverse
from poinsot.lie.quaternion.rotations import from_euler as from_euler
from poinsot.lie.quaternion.rotations import from_matrix as from_matrix
from poinsot.lie.quaternion.rotations import matrix as matrix
from poinsot.lie.quaternion.rotations import to_euler as to_euler
from poinsot.lie.so3 import ad as ad
from poinsot.lie.so3 import dexp as dexp
from poinsot.lie.so3 import dexpinv as dexpinv

__all__ = [
    "Ad",
    "ad",
    "apply",
    "cay",
    "compose",
    "dexp",
    "dexpinv",
    "exp",
    "from_euler",
    "from_matrix",
    "hat",
    "inverse",
    "log",
    "matrix",
    "to_euler",
    "vee",
]
