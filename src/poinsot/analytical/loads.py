"""What acts on a system besides its potential, and functions that may depend on the time.

f = force + Σ forces - ∂R/∂ξ            R(t, x, ξ) is Rayleigh's function (`dissipation`)            (1)
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from poinsot.analytical.arguments import Guarded, function
from poinsot.analytical.derivatives import Derivative
from poinsot.analytical.operators import Array
from poinsot.errors import ModelError
from poinsot.model.checks import items

Rate = Callable[[float, Array, Array], Array]
Forces = Sequence[Rate] | Rate


def load(who: str, force: Rate | None, forces: Forces, dissipation: Any, size: int) -> Rate | None:
    """Return the sum (1) as a function of (t, x, ξ); `size` coordinates; None: nothing acts."""
    given = (
        [forces] if callable(forces) else items(who, "forces", forces, "a list of functions of (t, x, xi)")
    )
    parts = [*([] if force is None else [force]), *(function(who, "forces", one, None) for one in given)]
    if dissipation is None and len(parts) < 2:
        return parts[0] if parts else None
    loss = Derivative(lambda y: dissipation(y[0], y[1 : 1 + size], y[1 + size :]))  # y = (t, x, ξ)

    def total(t: float, x: Array, xi: Array) -> Array:
        f = np.zeros(len(xi))
        for one in parts:
            f = f + np.asarray(one(t, x, xi))
        if dissipation is not None:
            f = f - loss.along(np.concatenate([[t], x, xi]), np.eye(1 + size + len(xi))[:, 1 + size :])
        return f

    return total


def takes_time(f: Any) -> bool:
    """Return whether a function takes (t, x), not x alone."""
    try:
        found = inspect.signature(f.f if isinstance(f, Guarded) else f).parameters.values()
    except (TypeError, ValueError):  # of a builtin
        return False
    free = [
        one
        for one in found
        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    return len(free) == 2


def with_time(f: Any) -> Callable[[float, Array], Any]:
    """Return a function of x, or of (t, x), as one of (t, x)."""
    return f if takes_time(f) else lambda t, x: f(x)


def require_holonomic(who: str, coordinates: Any) -> None:
    """Raise a ModelError where there are fewer velocities than freedoms: these equations do not hold then."""
    for k in range(3):
        x = 0.6 + 0.37 * np.sin(1.0 + k + np.arange(coordinates.size))
        try:
            with np.errstate(all="ignore"):
                A, Phi = coordinates.A(x), coordinates.Phi(x)
                n, held = A.shape[1], int(np.linalg.matrix_rank(Phi, tol=1e-8)) if len(Phi) else 0
        except Exception:  # not defined there
            continue
        if n + held < coordinates.size:
            raise ModelError(
                f"{who}: {n} velocities for {coordinates.size - held} freedoms are non-holonomic, and these "
                "equations do not hold for them: use ps.analytical.gibbs_appell, or ps.symbolic"
            )
