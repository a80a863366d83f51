"""The matrices of rigid bodies for twists (w, v): cross products, adjoints, and 4x4 matrices of moments.

    wed(x) = [[wed w, v], [0, 0]]                 Ad_G = [[R, 0], [wed(r) R, R]]
    ad_x = [[wed w, 0], [wed v, wed w]]           vee2([[A, b], [., .]]) = (vee(A - A^T), b)
    Vee([[A, b], [b^T, m]]) = [[tr(A) 1 - A, wed b], [(wed b)^T, m 1]]                           (1)

A 4x4 matrix of moments is P = sum m_p (h_p, 1)(h_p, 1)^T; of a total m, a centre c and the moments T about
it,

    P = [[tr(T0)/2 1 - T0, m c], [m c^T, m]],     T0 = T + m (c.c 1 - c c^T)                      (2)
"""

import numpy as np

from poinsot.model.checks import Array


def wed3(w: Array) -> Array:
    """Return the matrix of the cross product w x."""
    x, y, z = w
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def wed(x: Array) -> Array:
    """Return a twist as a 4x4 matrix."""
    out = np.zeros((4, 4))
    out[:3, :3], out[:3, 3] = wed3(x[:3]), x[3:]
    return out


def vee2(X: Array) -> Array:
    """Return the wrench of a 4x4 matrix: tr(X wed(x)^T) = x . vee2(X)."""
    return np.array([X[2, 1] - X[1, 2], X[0, 2] - X[2, 0], X[1, 0] - X[0, 1], X[0, 3], X[1, 3], X[2, 3]])


def Vee(P: Array) -> Array:
    """Return the 6x6 matrix (1) of a 4x4 matrix of moments."""
    A, b = P[:3, :3], wed3(P[:3, 3])
    out = np.empty((6, 6))
    out[:3, :3], out[:3, 3:] = np.trace(A) * np.eye(3) - A, b
    out[3:, :3], out[3:, 3:] = b.T, P[3, 3] * np.eye(3)
    return out


def Ad(G: Array) -> Array:
    """Return the adjoint of a pose (4, 4)."""
    R = G[:3, :3]
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = R
    out[3:, :3] = wed3(G[:3, 3]) @ R
    return out


def ad(x: Array) -> Array:
    """Return the matrix of the bracket of twists: ad(x) y = [x, y]."""
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = wed3(x[:3])
    out[3:, :3] = wed3(x[3:])
    return out


def inverse(G: Array) -> Array:
    """Return the inverse of a pose (4, 4)."""
    out = np.eye(4)
    out[:3, :3] = G[:3, :3].T
    out[:3, 3] = -(G[:3, :3].T @ G[:3, 3])
    return out


def moments(total: float, centre: Array, about_centre: Array) -> Array:
    """Return (2) from the 3x3 moments about the centre."""
    about_origin = about_centre + total * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    P = np.empty((4, 4))
    P[:3, :3] = np.trace(about_origin) / 2 * np.eye(3) - about_origin
    P[:3, 3] = P[3, :3] = total * centre
    P[3, 3] = total
    return P


def connection(M: Array, x: Array) -> Array:
    """Return the Levi-Civita matrix of a constant 6x6 inertia on SE(3): C(x) x = -ad_x^T M x, C skew.

    2 C(x) y = M ad_x y - ad_x^T M y - ad_y^T M x                                                  (3)
    """
    a, p = ad(x), M @ x
    turned = np.zeros((6, 6))  # ad_y^T p = turned y
    turned[:3, :3], turned[:3, 3:], turned[3:, :3] = wed3(p[:3]), wed3(p[3:]), wed3(p[3:])
    return (M @ a - a.T @ M - turned) / 2
