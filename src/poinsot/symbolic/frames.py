"""The moving-frame matrices of a chain or tree of hinges, as SymPy objects.

    X = (dx_1/dt, W_1, dx_2/dt, W_2, ...) = B dq/dt                                               (1)
    M* = Bᵀ M B,    N* = Bᵀ (M dB/dt + D M B),    D = diag(0, hat(W_1), 0, hat(W_2), ...)            (2)
    M* d²q/dt² + N* dq/dt = F*                                                                    (3)

x_k are centers of mass in space, W_k angular velocities in the frames of the bodies; M has masses and
inertias on its diagonal.  Source: the moving-frame thesis [movingframe], (A.2.1) and section 2.3.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sympy
from sympy import Matrix, eye, zeros

from poinsot.errors import ModelError
from poinsot.model.checks import items, show
from poinsot.symbolic.groups import hat, turn
from poinsot.symbolic.variables import expression, expressions, functions_of, matrix_of, time_symbol


class Frames(NamedTuple):
    """The matrices of (1) to (3), and where the bodies are."""

    B: Matrix
    dB: Matrix  # noqa: N815 - the letters of the thesis
    M: Matrix  # M*
    N: Matrix  # N*
    positions: list[Matrix]
    rotations: list[Matrix]


KEYS = ("parent", "mass", "inertia", "inboard", "outboard", "axis")


def moving_frame(coordinates: Sequence[Any], links: Sequence[Mapping[str, Any]], *, time: Any) -> Frames:
    """Return B, dB/dt, M* and N* of a tree of bodies on hinges (1)-(3), with positions and rotations.

    `coordinates`: angles of the hinges as functions of time; `links`: a dictionary for each body, with the
    words of `ps.analytical.Link` and symbols as values: parent (-1: the world), mass, inertia (3, 3),
    inboard, outboard, axis (of length 1); `time`: symbol of the time.

    >>> import sympy
    >>> t, m, l, J = sympy.symbols("t m l J")
    >>> q = sympy.Function("q")(t)
    >>> rod = dict(parent=-1, mass=m, inertia=sympy.diag(J, J, J), inboard=(0, l, 0), axis=(1, 0, 0))
    >>> ps.symbolic.moving_frame([q], [rod], time=t).M
    Matrix([[J + l**2*m]])
    """
    q = functions_of("coordinates", coordinates, time_symbol(time))
    links = items("symbolic", "links", links, "a list of dictionaries")
    if len(links) != len(q):
        raise ModelError(f"symbolic: {len(q)} coordinates need as many links, got {len(links)}")
    rates = [one.diff(time) for one in q]
    rows: list[Matrix] = []
    masses: list[Any] = []
    gyro: list[Any] = []
    R: list[Matrix] = []
    x: list[Matrix] = []
    W: list[Matrix] = []
    for k, link in enumerate(links):
        parent, mass, inertia, inboard, outboard, axis = _link(k, link)
        own = turn(axis, q[k])
        R.append(own if parent < 0 else (R[parent] * own).applyfunc(sympy.trigsimp))
        W.append(axis * rates[k] + (zeros(3, 1) if parent < 0 else own.T * W[parent]))
        joint = outboard if parent < 0 else x[parent] + R[parent] * outboard
        x.append(joint + R[k] * inboard)
        rows += [x[k].diff(time), W[k]]
        masses += [mass * eye(3), inertia]
        gyro += [zeros(3, 3), hat(list(W[k]))]
    B = Matrix.vstack(*rows).jacobian(rates).applyfunc(sympy.trigsimp)
    dB, M, D = B.diff(time), sympy.diag(*masses), sympy.diag(*gyro)
    N = B.T * (M * dB + D * M * B)
    return Frames(B, dB, (B.T * M * B).applyfunc(sympy.simplify), N.applyfunc(sympy.simplify), x, R)


def _link(k: int, link: Any) -> tuple[Any, ...]:
    """Return the parts of a link as SymPy objects."""
    if not isinstance(link, Mapping) or not {*KEYS[:4], "axis"} <= set(link) <= set(KEYS):
        raise ModelError(f"symbolic: link {k} must be a dictionary with {', '.join(KEYS)}, got {show(link)}")
    parent = link["parent"]
    if not isinstance(parent, int) or not -1 <= parent < k:
        raise ModelError(f"symbolic: link {k}: the parent must come before it, got {show(parent)}")
    vectors = []
    for name in ("inboard", "outboard", "axis"):
        one = Matrix(expressions(f"link {k}: {name}", link.get(name, (0, 0, 0))))
        if len(one) != 3:
            raise ModelError(f"symbolic: link {k}: {name} must have 3 components, got {len(one)}")
        vectors.append(one)
    inertia = matrix_of(f"link {k}: inertia", link["inertia"])
    if inertia.shape != (3, 3):
        raise ModelError(f"symbolic: link {k}: inertia must be a matrix (3, 3)")
    return parent, expression(f"link {k}: mass", link["mass"]), inertia, *vectors
