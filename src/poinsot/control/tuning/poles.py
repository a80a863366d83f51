"""Poles of a tracking loop, linearised about its reference.

    x = (deviation, its rate),    x' = A x,    A = [[-bracket(v_R), 1], [da/de, da/de']]              (1)

The lower rows are differences of order four of the acceleration that the law gives the plant.
"""

import numpy as np
from numpy.typing import NDArray

from poinsot.control.laws.track import law_of
from poinsot.mechanics.linearization import moved
from poinsot.mechanics.linearization.tangent import bracket
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback

STEP = 1e-3  # of the differences, in rad, m, rad/s, m/s


def poles(controller: Controller | Feedback, time: float = 0.0) -> NDArray[np.complex128]:
    """Return the poles of the loop of a tracking controller, linearised about a reference at rest.

    Parameters
    ----------
    controller : Controller or Feedback
        Controller of `ps.control.track`; it is taken to act continuously.
    time : float, default 0.0
        Time at which the reference is taken.

    Returns
    -------
    ndarray of complex, shape (2 nv,)
        Poles in 1/s, sorted by their real and imaginary parts.

    Raises
    ------
    ModelError
        If the controller is not a tracking controller.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> point = lambda x: (x, (0, 0, 0), (0, 0, 0))
    >>> pair = ps.control.Pair("cart", inertia=point(1.0), damping=point(5.0), stiffness=point(4.0))
    >>> wanted = ps.control.Template("body", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.constant(m.state()), ["cart"])
    >>> ps.control.poles(law).real.round(6)
    array([-4., -1.])
    """
    law = law_of("poles", controller)
    t = checks.number("poles", "time", time)
    centre, _ = law.reference_at(t)
    m, n = law.plant.mechanism, law.plant.nv

    def rate(x: Array) -> Array:
        return law.decide(t, moved(m, centre, x)).law.acceleration

    A = np.zeros((2 * n, 2 * n))
    A[:n, :n], A[:n, n:] = -bracket(m, centre.v), np.eye(n)
    for j in range(2 * n):
        e = STEP * np.eye(2 * n)[j]
        near, far = rate(e) - rate(-e), rate(2 * e) - rate(-2 * e)
        A[n:, j] = (8 * near - far) / (12 * STEP)  # of order four
    found = np.linalg.eigvals(A).astype(complex)
    return found[np.lexsort([found.imag.round(6), found.real.round(6)])]
