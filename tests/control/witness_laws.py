"""Laws in NumPy and LAPACK: an independent witness of the compiled ones (`poinsot.core.control`)."""

import numpy as np

from control.witness_quadratic import minimise
from control.witness_templates import coriolis, coriolis_matrix, template_at
from poinsot.control.constraint import LeastConstraint
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model.inputs.feedback import input_matrix

RANK = 1e-11  # relative: smaller singular values of W and B are zero
SINGULAR = 1e-7  # relative: the smallest pivot of M_, at about the root of the rounding
DEFINITE = 1e-9  # relative: the term that makes H definite where the inputs are redundant
REGULAR = 1e12  # largest condition of the input matrix


def solved(
    M: np.ndarray,
    f: np.ndarray,
    B: np.ndarray,
    M_bar: np.ndarray,
    f_bar: np.ndarray,
    Z: np.ndarray | None = None,
    b: np.ndarray | None = None,
    metric: np.ndarray | None = None,
) -> LeastConstraint:
    """Return the input of the least constraint; `metric` replaces M_bar in (1) where the limits act."""
    try:
        L = np.linalg.cholesky(M_bar)
        pivots = np.diag(L)
        if not pivots.min() > SINGULAR * pivots.max():
            raise np.linalg.LinAlgError
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh((M_bar + M_bar.T) / 2)[0])
        raise ModelError(
            "the mass matrix of the template is not positive definite, its smallest eigenvalue is "
            f"{least:.3g}: it leaves a velocity free, or stands at a singular position"
        ) from None
    try:
        MB, Mf = np.split(np.linalg.solve(M, np.column_stack([B, f])), [B.shape[1]], axis=1)
    except np.linalg.LinAlgError:
        raise ModelError("least_constraint: the mass matrix M of the plant is singular") from None
    if not (np.isfinite(MB).all() and np.isfinite(Mf).all()):
        raise ModelError("least_constraint: the numbers are too large")
    Mf, wanted = Mf[:, 0], -np.linalg.solve(M_bar, f_bar)
    W, y = L.T @ MB, L.T @ (Mf + wanted)  # (2)
    u, _, rank, _ = np.linalg.lstsq(W, y, rcond=RANK)
    active: tuple[int, ...] = ()
    if Z is not None and b is not None and len(b) and (Z @ u > b).any():
        if metric is not None:
            root = np.linalg.cholesky(metric).T
            W, y = root @ MB, root @ (Mf + wanted)
            u = np.linalg.lstsq(W, y, rcond=RANK)[0]
        H = W.T @ W
        if rank < len(u):
            H = H + DEFINITE * np.trace(H) / len(u) * np.eye(len(u))
        best = minimise(H, u, Z, b)
        u, active = best.u, best.active
    a = MB @ u - Mf
    miss = L.T @ (a - wanted)
    away = _perpendicular(B)
    return LeastConstraint(u, 0.5 * float(miss @ miss), away.T @ (-M @ wanted - f), a, away, active)


def _perpendicular(B: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of the directions that no input reaches."""
    U, s, _ = np.linalg.svd(B)
    rank = int((s > RANK * s[0]).sum()) if len(s) and s[0] > 0 else 0
    return U[:, rank:]


def track(law, t, state, expected=None):
    """The input of a `TrackingLaw` at a state, with what led to it."""
    there, acceleration = law.reference_at(t)
    wanted = template_at(law.template, law.plant, state, there, acceleration)
    M, f = law.plant.mass(state), law.plant.bias(state)
    if expected is not None:
        f = f - expected
    M_bar, f_bar = wanted.M, wanted.f
    if law.completion:
        M_bar = M_bar + law.completion * M
        f_bar = f_bar + law.completion * (coriolis(law.plant, state) + law.rate * M @ state.v)
    metric = None
    if law.metric is not None:
        root = np.sqrt(law.metric)
        metric = root[:, None] * M_bar * root
    return solved(M, f, law.matrix(state), M_bar, f_bar, law.Z, law.b, metric)


def joint_law(law, t, state):
    """The input of a `JointLaw` at a state, without its limits."""
    plant, (there, a) = law.plant, law.reference_at(t)
    e, ed = state.q - there.q, state.v - there.v
    M, f, (first, second) = plant.mass(state), plant.bias(state), law.gains
    if law.__name__ == "computed_torque":
        tau = M @ (a - second @ ed - first @ e) + f
    else:
        C = coriolis_matrix(plant, state)
        tau = M @ a + C @ there.v + f - C @ state.v - second @ ed - first @ e
    B = input_matrix(plant.mechanism, law.inputs, state.q)
    singular = np.linalg.svd(B, compute_uv=False)
    if B.shape[0] != B.shape[1] or singular[0] > REGULAR * singular[-1]:
        raise ModelError("the input matrix must be square and regular")
    return np.linalg.solve(B, tau)


def in_python(law):
    """The function of time and state that a law is, in NumPy."""
    if hasattr(law, "template"):
        return lambda t, state: track(law, t, state).u
    return lambda t, state: joint_law(law, t, state)


def regulate(regulator, state):
    """The input of a `Regulator`."""
    return regulator.u - product(regulator.gain, regulator.deviation(state))


def count_calls(monkeypatch, law):
    """Times at which Python asks a law from now on: few, if the time loop does the rest."""
    found, call = [], type(law).call_at

    def counted(self, sample, state):
        found.append(state.time)
        return call(self, sample, state)

    monkeypatch.setattr(type(law), "call_at", counted)
    return found
