"""Transport of the reference velocity to the state, for the energy template.

A transport map Q satisfies d_R V = -Q^T dV, so that the power of the stiffness is that of e = xi - Q xi_R.
With the map A of a pair, of which the stiffness sees what its weight W shows,

    Q = (W J)^+ W A J_R,       Q' = (W J)^+ W (A' J_R + A J_R' - J' Q)                              (1)
    map 1:   A = Ad(G^-1 G_R),   A' = -ad(v - A v_R) A                                             (2)
    map 2:   A = [[E, 0], [wed(h) E - E wed(h), E]],   E = R^T R_R,   E' = -wed(w - E w_R) E         (3)

over all pairs with stiffness; h is the centre of stiffness.  (1) needs W A J_R to lie in the range of W J.
With W = 1 it does for whole poses and for the joints of the mechanism.  Otherwise, as for the point of a
tool, W^T W = K and map 2 is taken: then the error coordinates are those that the potential depends on.
"""

from collections.abc import Sequence

import numpy as np

from poinsot.control.matrices import Ad, ad, wed3
from poinsot.control.templates.motion_error import PairError
from poinsot.control.templates.pair import Pair
from poinsot.errors import ModelError
from poinsot.model.checks import Array

RANGE = 1e-9  # relative: what of W A J_R may lie outside the range of W J
RANK = 1e-9  # relative: singular values below are zero


def adjoint(x: PairError) -> tuple[Array, Array]:
    """Return A and A' of map 1, equation (2)."""
    A = Ad(x.back)
    return A, -ad(x.v - A @ x.V_R) @ A


def centred(x: PairError) -> tuple[Array, Array]:
    """Return A and A' of map 2, equation (3)."""
    E, h = x.G[:3, :3].T @ x.G_R[:3, :3], wed3(x.pair.centre)
    Ed = -wed3(x.v[:3] - E @ x.V_R[:3]) @ E
    return _map2(E, h), _map2(Ed, h)


def _map2(E: Array, h: Array) -> Array:
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = E
    A[3:, :3] = h @ E - E @ h
    return A


MAPS = {"energy": adjoint, "energy2": centred}


def transport(kind: str, errors: Sequence[PairError]) -> tuple[Array, Array]:
    """Return Q and Q' of equation (1)."""
    seen = [x for x in errors if x.pair.stiffness.any()] or list(errors)
    whole = [(np.eye(6), MAPS[kind](x)) for x in seen]
    for choice in (whole, [(weight(x.pair), centred(x)) for x in seen]):
        weights, maps = [one[0] for one in choice], [one[1] for one in choice]
        WJ = np.vstack([W @ x.J for W, x in zip(weights, seen, strict=True)])
        WA = np.vstack([W @ A @ x.J_R for W, (A, _), x in zip(weights, maps, seen, strict=True)])
        inverse = np.linalg.pinv(WJ, rcond=RANK)
        Q = inverse @ WA
        if np.abs(WJ @ Q - WA).max() <= RANGE * max(1.0, float(np.abs(WA).max())):
            break
    else:
        raise ModelError(
            f"template '{kind}': no transport map is known for these pairs, whose errors depend on each "
            "other; take 'particle' or 'body'"
        )
    if np.linalg.matrix_rank(WJ, tol=RANK * float(np.abs(WJ).max())) < WJ.shape[1]:
        raise ModelError(
            f"template '{kind}': the pairs with stiffness leave a velocity of the mechanism free, or stand "
            "at a singular position; take 'particle' or 'body', or add stiffness"
        )
    rates = [
        W @ (Ad_ @ x.J_R + A @ x.Jd_R - x.Jd @ Q) for W, (A, Ad_), x in zip(weights, maps, seen, strict=True)
    ]
    return Q, np.asarray(inverse @ np.vstack(rates), dtype=np.float64)


def weight(pair: Pair) -> Array:
    """Return W with W^T W = K, without rows that are zero."""
    values, vectors = np.linalg.eigh(pair.K)
    seen = values > RANK * max(float(np.abs(values).max()), 1e-300)
    return np.asarray(np.sqrt(values[seen])[:, None] * vectors[:, seen].T)
