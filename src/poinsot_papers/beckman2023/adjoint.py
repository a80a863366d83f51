"""Ad on SE(3): the printed example, and the four formulas of the cheat sheet against their definitions.

    Ad_T V = (R w, R v + p x R w),                ad_V1 V2 = (w1 x w2, w1 x v2 + v1 x w2)            (1)
    Ad_T^T F = (R^T (m - p x f), R^T f),          ad_V^T F = (m x w + f x v, f x w)                  (2)

The definitions are matrix products: T [V] T^-1, [V1][V2] - [V2][V1], and the pairing F.(Ad V) of a force
and a twist.
"""

import numpy as np

import poinsot as ps
from poinsot_papers.beckman2023._printed import units
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import Bars, slip_bars

CLAIM = Claim(
    paper="beckman2023geometric",
    where="Adj6R6, In[493]; Adjoints Cheat Sheet, 1.1 to 4.1",
    title="Ad and ad, and their transposes: as printed and corrected",
    words="Ad_T V of a printed T and V; ad, ad*, Ad, Ad* as vector products (unfinished)",
)
TWIST = (-6.29826, -6.1757, 2.64711, 7.66837, -6.76245, -0.385756)
POSE = (
    (0.0904754, -0.767949, 0.634089, -7.33609),
    (0.350569, -0.57139, -0.742034, 6.57273),
    (0.932156, 0.289428, 0.217523, -0.123235),
    (0.0, 0.0, 0.0, 1.0),
)
PRINTED = (5.85129, -0.643492, -7.08258, -40.9888, -45.841, -28.6313)
BOUND = 1e-13


def cheat_sheet(rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Return the errors of the four formulas as printed and corrected, on random arguments."""
    V1, V2, F = rng.uniform(-1, 1, (3, 6))
    T = ps.se3.exp(rng.uniform(-1, 1, 6))
    R, p = T[:3, :3], T[:3, 3]
    (w1, v1), (w2, v2), (m, f) = V1.reshape(2, 3), V2.reshape(2, 3), F.reshape(2, 3)
    bracket = ps.se3.vee(ps.se3.hat(V1) @ ps.se3.hat(V2) - ps.se3.hat(V2) @ ps.se3.hat(V1))
    carried = ps.se3.vee(T @ ps.se3.hat(V1) @ np.linalg.inv(T))
    basis = np.eye(6)
    ad_T = np.array(
        [F @ ps.se3.vee(ps.se3.hat(V1) @ ps.se3.hat(e) - ps.se3.hat(e) @ ps.se3.hat(V1)) for e in basis]
    )
    Ad_T = np.array([F @ ps.se3.vee(T @ ps.se3.hat(e) @ np.linalg.inv(T)) for e in basis])
    x = np.cross

    def off(exact: Array, *parts: Array) -> float:
        return float(np.abs(exact - np.concatenate(parts)).max())

    ad_star = off(ad_T, x(m, w1) + x(f, v1), x(f, w1))
    Ad = off(carried, R @ w1, R @ v1 + x(p, R @ w1))
    return {
        "1.1 ad": (
            off(bracket, x(w1, w2), x(v1, w2) - x(w1, v2)),
            off(bracket, x(w1, w2), x(v1, w2) + x(w1, v2)),
        ),
        "2.1 ad*": (ad_star, ad_star),
        "3.1 Ad": (Ad, Ad),
        "4.1 Ad*": (
            off(Ad_T, R.T @ m - x(R.T @ p, f), R.T @ f),
            off(Ad_T, R.T @ (m - x(p, f)), R.T @ f),
        ),
    }


def run() -> Measured:
    T, V = np.array(POSE), np.array(TWIST)
    R, p = T[:3, :3], T[:3, 3]
    found = np.concatenate([R @ V[:3], R @ V[3:] + np.cross(p, R @ V[:3])])
    size = 5e-7 * (np.abs(ps.se3.Ad(T)) @ np.abs(V)).max() + 5e-6 * np.abs(V).max()
    sheet = cheat_sheet(np.random.default_rng(24))
    return {
        "Ad V": short(found),
        "units of the last printed digit": short(units(PRINTED, found), 3),
        "largest difference": short(np.abs(found - PRINTED).max(), 3),
        "what rounding leaves": short(size, 2),
        "as printed": {name: short(a, 3) for name, (a, _) in sheet.items()},
        "corrected": {name: short(b, 3) for name, (_, b) in sheet.items()},
    }


def verdict(result: Measured) -> Verdict:
    bad = {name: x for name, x in result["as printed"].items() if x > BOUND}
    because = (
        f"the printed Ad V agrees to {result['largest difference']:.0e} (T and V have six digits).  In the "
        f"cheat sheet {' and '.join(bad)} are wrong as printed (errors of "
        f"{' and '.join(f'{x:.2f}' for x in bad.values())} on arguments of size one): ad needs v1 x w2 + w1 "
        "x v2, and Ad* needs R^T(m - p x f); the corrected formulas have errors of at most "
        f"{max(result['corrected'].values()):.0e}"
    )
    return Verdict("differs" if bad else "reproduced", because)


def plot(result: Measured) -> Bars:
    return slip_bars(result, 1e2, "residual on random arguments")
