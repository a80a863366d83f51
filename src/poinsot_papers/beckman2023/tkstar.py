"""The term T^k* P(T^k), which the source leaves undefined: the guess of the notebook, and the gradient.

g . n = d/de P(T exp(e n)) at e = 0;   P = m g l R33:   g = m g l (e3 x R^T e3, 0)      (1)
guess: P(T) times the last column and the skew entries (3, 2), -(3, 1), (2, 1) of T^T   (2)
"""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Figure, Measured, Verdict, short
from poinsot_papers.figures import COLORS, style_axes

CLAIM = Claim(
    paper="beckman2023geometric",
    where="tkStarR6, In[512]; (16b) and (16c) of its reference 2",
    title="The force term of DREPE: guess and gradient",
    words="T^k* is taken as un-hat of the transpose of T, times the potential; verified on Dzhanibekov (and: "
    "almost certainly wrong)",
)
WEIGHT = 1.0 * 9.81 * 1.2  # m g l of the rig [N m]
ANGLES = np.array([0.3, -0.2, 0.5])  # about x, y, z: a generic pose


def potential(T: Array) -> float:
    """Return the potential P of (1)."""
    return float(WEIGHT * T[2, 2])


def guess(T: Array) -> Array:
    """Return the guess (2)."""
    S = T.T
    return potential(T) * np.array([S[2, 1], -S[2, 0], S[1, 0], *S[:3, 3]])


def gradient(T: Array) -> Array:
    """Return the gradient (1)."""
    return WEIGHT * np.array([-T[2, 1], T[2, 0], 0.0, 0.0, 0.0, 0.0])


def numeric(T: Array, e: float = 1e-4) -> Array:
    """Return (1) by differences of fourth order."""
    return np.array(
        [
            sum(c * potential(T @ ps.se3.exp(k * e * n)) for k, c in ((-2, 1), (-1, -8), (1, 8), (2, -1)))
            / (12 * e)
            for n in np.eye(6)
        ]
    )


def pose() -> Array:
    """Return a pose with roll, pitch and yaw as in the notebook's R[psi, theta, phi]."""
    x, y, z = (ps.se3.exp(np.concatenate([ANGLES[i] * np.eye(3)[i], np.zeros(3)])) for i in range(3))
    return np.asarray(x @ y @ z)


def run() -> Measured:
    T = pose()
    return {
        "guess": short(guess(T), 8),
        "gradient": short(gradient(T), 8),
        "numeric": short(numeric(T), 8),
        "guess off by": short(np.abs(guess(T) - numeric(T)).max(), 4),
        "gradient off by": short(np.abs(gradient(T) - numeric(T)).max(), 1),
        "upright": short(np.abs(guess(np.eye(4))).max(), 2),
        "P of Dzhanibekov": 0.0,
    }


def verdict(result: Measured) -> Verdict:
    because = (
        f"at a tilted pose the guess has an error of {result['guess off by']:.2f} N m (it even rotates the "
        "baton about its own axis, which gravity cannot do); the left-trivialised gradient of P agrees with "
        f"differences of P to {result['gradient off by']:.0e}.  The check on Dzhanibekov has P = 0 and "
        "cannot reveal the error; the notebook doubts its guess, with good reason"
    )
    good = result["guess off by"] < 1e-6
    return Verdict("reproduced" if good else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    axes, places = figure.subplots(), np.arange(3)
    for color, shift, key in zip(COLORS, (-0.25, 0.0, 0.25), ("guess", "gradient", "numeric"), strict=False):
        axes.bar(places + shift, result[key][:3], width=0.22, color=color, label=key)
    axes.axhline(0.0, color="black", linewidth=0.6)
    axes.set_xticks(places, ["about body x", "about body y", "about body z"])
    axes.set_ylabel("torque [N m]")
    axes.legend(frameon=False, fontsize=9, loc="upper right")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    style_axes(axes)
