"""Rigid motions on NumPy arrays: poses (..., 4, 4), twists (..., 6) with the angular part first.

`hat vee exp log cay dexp dexpinv Ad ad coAd coad compose inverse apply`.  `dexp(x)`, `dexpinv(x)`, `Ad(T)`
and `ad(x)` give 6x6 matrices; with a second argument, the matrix times that twist.  `coAd(T)` and `coad(x)`
are the transposes of `Ad(T)` and `ad(x)`, which act on wrenches (torque, force).

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

from poinsot.lie.se3.algebra import ad as ad
from poinsot.lie.se3.algebra import coad as coad
from poinsot.lie.se3.algebra import hat as hat
from poinsot.lie.se3.algebra import vee as vee
from poinsot.lie.se3.exponential import cay as cay
from poinsot.lie.se3.exponential import dexp as dexp
from poinsot.lie.se3.exponential import dexpinv as dexpinv
from poinsot.lie.se3.exponential import exp as exp
from poinsot.lie.se3.exponential import log as log
from poinsot.lie.se3.group import Ad as Ad
from poinsot.lie.se3.group import apply as apply
from poinsot.lie.se3.group import coAd as coAd
from poinsot.lie.se3.group import compose as compose
from poinsot.lie.se3.group import inverse as inverse

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
    "hat",
    "inverse",
    "log",
    "vee",
]
