"""The operators of Konz (2024) on 3x3 and 4x4 matrices; twists are (w, v), angular part first.

    wed x                 the matrix of x × (3), or of a twist (w, v): ((hat w, v), (0, 0))          (1)
    vee                   its inverse                                                               (2)
    vee2                  tr(A wed(x)ᵀ) = xᵀ vee2(A):  vee(A - Aᵀ) for 3x3, (vee2 A, b) for 4x4        (3)
    Vee                   tr(wed(x) A wed(y)ᵀ) = yᵀ Vee(A) x:  tr(A) 1 - A for 3x3, and             (4)
                          ((Vee A, hat c), (hat(b)ᵀ, d 1)) for the 4x4 matrix ((A, b), (cᵀ, d))
    Wed                   its inverse; vee2(wed(x) A) = Vee(A) x                                    (5)
    Ad G, ad x            d/dt Ad_G = Ad_G ad_x for dG/dt = G wed(x)                                 (6)
    inner(A, B, K)        tr(Aᵀ K B), with its norm and its metric                                  (7)

The thesis [konz2024energy] writes twists (v, w); `swapped` converts one order into the other.  Nothing here
takes a conjugate or an absolute value: complex arguments, and with them the complex step, are allowed.
"""

from poinsot.analytical.operators.matrices import Array as Array
from poinsot.analytical.operators.matrices import Vee as Vee
from poinsot.analytical.operators.matrices import Wed as Wed
from poinsot.analytical.operators.matrices import swapped as swapped
from poinsot.analytical.operators.matrices import vee as vee
from poinsot.analytical.operators.matrices import vee2 as vee2
from poinsot.analytical.operators.matrices import wed as wed
from poinsot.analytical.operators.metrics import inner as inner
from poinsot.analytical.operators.metrics import metric as metric
from poinsot.analytical.operators.metrics import norm as norm
from poinsot.analytical.operators.poses import Ad as Ad
from poinsot.analytical.operators.poses import ad as ad
from poinsot.analytical.operators.poses import inverse as inverse
from poinsot.analytical.operators.poses import pose as pose

__all__ = [
    "Ad",
    "Vee",
    "Wed",
    "ad",
    "inner",
    "inverse",
    "metric",
    "norm",
    "pose",
    "swapped",
    "vee",
    "vee2",
    "wed",
]
