"""Exponential, logarithm and adjoint maps of SO(3) and SE(3) as SymPy matrices.

Vectors of three numbers are elements of so(3), those of six twists (w, v), angular part first; matrices 3x3
are rotations, those 4x4 poses.

    exp(w) = 1 + sin(a)/a hat(w) + (1 - cos a)/a² hat(w)²,    a = |w|                               (1)
    log(R) = a/(2 sin a) vee(R - Rᵀ),    cos a = (tr R - 1)/2                                       (2)
    exp(w, v) = (exp(w), V v; 0, 1),    V = 1 + (1 - cos a)/a² hat(w) + (a - sin a)/a³ hat(w)²       (3)
"""

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Matrix, eye, zeros

from poinsot.errors import ModelError
from poinsot.model.checks import show
from poinsot.symbolic.variables import expressions, matrix_of


def _column(name: str, x: Any) -> Matrix:
    found = Matrix(expressions(f"{name}: its argument", x))
    if len(found) not in (3, 6):
        raise ModelError(f"symbolic: {name} takes 3 numbers of so(3) or 6 of se(3), got {len(found)}")
    return found


def _matrix(name: str, g: Any) -> Matrix:
    found = matrix_of(name, g)
    if found.shape not in ((3, 3), (4, 4)):
        raise ModelError(f"symbolic: {name} takes a matrix 3x3 of SO(3) or 4x4 of SE(3), got {show(g)}")
    return found


def hat(x: Sequence[Any]) -> Matrix:
    """Return hat(w) (3, 3) of so(3), or hat(w, v) (4, 4) of se(3), of the vector `x`.

    >>> ps.symbolic.hat([1, 2, 3])
    Matrix([
    [ 0, -3,  2],
    [ 3,  0, -1],
    [-2,  1,  0]])
    """
    x = _column("hat", x)
    H = Matrix([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])
    return H if len(x) == 3 else Matrix.vstack(H.row_join(Matrix(x[3:])), zeros(1, 4))


def vee(X: Any) -> Matrix:
    """Return the vector of an element `X` of so(3) (3, 3) or se(3) (4, 4): the inverse of `hat`."""
    X = _matrix("vee", X)
    w = Matrix([X[2, 1], X[0, 2], X[1, 0]])
    return w if X.rows == 3 else Matrix([*w, *X[:3, 3]])


def turn(axis: Any, angle: Any) -> Matrix:
    """Return the rotation by an angle about an axis of length 1."""
    W = hat(list(axis))
    return eye(3) + sympy.sin(angle) * W + (1 - sympy.cos(angle)) * W * W


def exp(x: Sequence[Any]) -> Matrix:
    """Return the rotation (1) of a rotation vector `x`, or the pose (3) of a twist `x`.

    >>> import sympy
    >>> a = sympy.Symbol("a", positive=True)
    >>> ps.symbolic.exp([0, 0, a])
    Matrix([
    [cos(a), -sin(a), 0],
    [sin(a),  cos(a), 0],
    [     0,       0, 1]])
    """
    x = list(_column("exp", x))
    w = Matrix(x[:3])
    parts = [one for one in w if one != 0]
    a = parts[0] if len(parts) == 1 else sympy.sqrt(sum(one**2 for one in w))  # both signs are right
    W, one = hat(list(w)), eye(3)
    if a == 0:
        R, V = one, one
    else:
        R = (one + sympy.sin(a) / a * W + (1 - sympy.cos(a)) / a**2 * W * W).applyfunc(sympy.simplify)
        V = one + (1 - sympy.cos(a)) / a**2 * W + (a - sympy.sin(a)) / a**3 * W * W
    if len(x) == 3:
        return R
    place = (V * Matrix(x[3:])).applyfunc(sympy.simplify)
    return Matrix.vstack(R.row_join(place), Matrix([[0, 0, 0, 1]]))


def log(g: Any) -> Matrix:
    """Return the rotation vector (2) of a rotation `g`, or the twist of a pose `g`; angles below 180°."""
    g = _matrix("log", g)
    R = g[:3, :3]
    a = sympy.acos(sympy.simplify((R.trace() - 1) / 2))
    if a == 0:
        return zeros(3, 1) if g.rows == 3 else Matrix([0, 0, 0, *g[:3, 3]])
    w = (a / (2 * sympy.sin(a)) * vee(R - R.T)).applyfunc(sympy.simplify)
    if g.rows == 3:
        return w
    W = hat(list(w))
    inverse = eye(3) - W / 2 + (1 / a**2 - (1 + sympy.cos(a)) / (2 * a * sympy.sin(a))) * W * W
    return Matrix([*w, *(inverse * g[:3, 3]).applyfunc(sympy.simplify)])


def Ad(g: Any) -> Matrix:
    """Return the matrix of the adjoint map of `g`: R on so(3), (R, 0; hat(r) R, R) on twists (w, v)."""
    g = _matrix("Ad", g)
    R = g[:3, :3]
    if g.rows == 3:
        return R
    below = (hat(list(g[:3, 3])) * R).row_join(R)
    return Matrix.vstack(R.row_join(zeros(3, 3)), below)


def ad(x: Sequence[Any]) -> Matrix:
    """Return the matrix of the bracket with `x`: hat(w) on so(3), (hat(w), 0; hat(v), hat(w)) on se(3)."""
    x = _column("ad", x)
    W = hat(x[:3])
    if len(x) == 3:
        return W
    return Matrix.vstack(W.row_join(zeros(3, 3)), hat(x[3:]).row_join(W))
