"""Rotations on NumPy arrays: matrices (..., 3, 3) and rotation vectors (..., 3).

`hat vee exp log cay dexp dexpinv Ad ad coAd coad compose inverse apply`, and `from_euler`, `to_euler`.
`dexp(x)`, `dexpinv(x)`, `Ad(R)` and `ad(x)` give matrices; with a second argument, the matrix times that
vector.  `dexp` is the space form, d exp(x) = hat(dexp(x) dx) exp(x); the body form is `dexp(-x)`.  `coAd` and
`coad` are the transposes of `Ad` and `ad`.

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

from poinsot.lie.so3.algebra import ad as ad
from poinsot.lie.so3.algebra import coad as coad
from poinsot.lie.so3.algebra import hat as hat
from poinsot.lie.so3.algebra import vee as vee
from poinsot.lie.so3.euler import from_euler as from_euler
from poinsot.lie.so3.euler import to_euler as to_euler
from poinsot.lie.so3.exponential import cay as cay
from poinsot.lie.so3.exponential import dexp as dexp
from poinsot.lie.so3.exponential import dexpinv as dexpinv
from poinsot.lie.so3.exponential import exp as exp
from poinsot.lie.so3.exponential import log as log
from poinsot.lie.so3.group import Ad as Ad
from poinsot.lie.so3.group import apply as apply
from poinsot.lie.so3.group import coAd as coAd
from poinsot.lie.so3.group import compose as compose
from poinsot.lie.so3.group import inverse as inverse

__all__ = [
    "Ad",
    "ad",
    "apply",
    "cay",
    "coAd",
    "coad",
    "compose",
    "dexp",
    "dexpinv",
    "exp",
    "from_euler",
    "hat",
    "inverse",
    "log",
    "to_euler",
    "vee",
]
