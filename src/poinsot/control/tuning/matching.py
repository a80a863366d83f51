"""Whether the inputs can make a mechanism behave as its template, to first order about a reference at rest.

    plant      M0 e'' + D0 e' + K0 e = B du,      K0 = d(f - B u_R)/dx,  D0 = df/dv                    (1)
    template   M_ e'' + D_ e' + K_ e = 0,         each a sum of J^T Vee(.) J                            (2)
    Lambda_D = B_perp^T (M0 M_^-1 D_ - D0),       Lambda_K = B_perp^T (M0 M_^-1 K_ - K0)                (3)

Both zero: the loop has the roots of det(M_ s^2 + D_ s + K_).
"""

from typing import NamedTuple

import numpy as np

from poinsot.control.laws.least_constraint import _perpendicular
from poinsot.control.laws.track import law_of
from poinsot.control.templates.motion_error import errors
from poinsot.mechanics.linearization import moved
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback

STEP = 1e-4  # of the differences, in rad, m, rad/s, m/s


class Matching(NamedTuple):
    """How far a template is from one that the inputs can reach, to first order.

    Attributes
    ----------
    damping, stiffness : ndarray, shape (nv - rank, nv)
        Matrices Lambda_D and Lambda_K; zero where the template is matched.
    directions : ndarray, shape (nv, nv - rank)
        The directions that no input reaches.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.control.Matching(np.zeros((1, 2)), np.zeros((1, 2)), np.eye(2)[:, 1:]).damping.shape
    (1, 2)
    """

    damping: Array
    stiffness: Array
    directions: Array


def matching(controller: Controller | Feedback, time: float = 0.0) -> Matching:
    """Return how far the template of a tracking controller is from one that its inputs can reach.

    Parameters
    ----------
    controller : Controller or Feedback
        Controller of `ps.control.track`.
    time : float, default 0.0
        Time at which the reference is taken; it is to be at rest there.

    Returns
    -------
    Matching
        The matrices of the matching conditions.

    Raises
    ------
    ModelError
        If the controller is not a tracking controller.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("drone", ps.Body(1.0, (0.02, 0.02, 0.03)), ps.Free())
    >>> rotors = [ps.Thrust("drone", at, (0, 0, 1), 0.02 * s) for at, s in
    ...           (((0.2, 0, 0), 1), ((0, 0.2, 0), -1), ((-0.2, 0, 0), 1), ((0, -0.2, 0), -1))]
    >>> pair = ps.control.matched_pair("drone", 1.0, (4, 0.8), (20, 0.8), (6, 1), 0.03)
    >>> law = ps.control.track(m, ps.control.Template("body", [pair]), ps.control.constant(m.state()), rotors)
    >>> bool(np.abs(ps.control.matching(law).stiffness).max() < 1e-6)
    True
    """
    law = law_of("matching", controller)
    centre, acceleration = law.reference_at(checks.number("matching", "time", time))
    plant, n = law.plant, law.plant.nv
    B, M = law.matrix(centre), plant.mass(centre)
    u = np.linalg.lstsq(B, M @ acceleration + plant.bias(centre), rcond=None)[0]

    def rest(x: Array) -> Array:
        there = moved(plant.mechanism, centre, x)
        return plant.bias(there) - law.matrix(there) @ u

    eye = STEP * np.eye(2 * n)
    slopes = np.array([(rest(e) - rest(-e)) / (2 * STEP) for e in eye]).T
    K0, D0 = slopes[:, :n], slopes[:, n:]  # (1)
    found = errors(plant, law.template.pairs, centre, centre, acceleration)
    M_, D_, K_ = (
        np.asarray(sum(x.J.T @ P @ x.J for x, P in zip(found, parts, strict=True)))
        for parts in ([getattr(x.pair, w) for x in found] for w in "MDK")
    )  # (2)
    away = _perpendicular(B)
    return Matching(
        away.T @ (M @ np.linalg.solve(M_, D_) - D0),  # (3)
        away.T @ (M @ np.linalg.solve(M_, K_) - K0),
        away,
    )
