"""Logarithm of a rotation: by the arc cosine of the trace, and by quaternions."""

from typing import Any

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Figure, Measured, Verdict
from poinsot_papers.figures import COLORS, style_axes

CLAIM = Claim(
    paper="beckman2023geometric",
    where="logSo3, In[414] to In[416]",
    title="log on SO(3): relative error of the two forms, in decades",
    words="log and exp round trip to a part in 1e6 almost all the time; they fail occasionally at one in 1e7",
)
AXIS = np.array([0.36, -0.48, 0.8])
THRESHOLD = 0.01  # angle below which the notebook uses a series
TRIALS, BIG = 10_000, 10.0
FROM_PI = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)


def by_acos(R: Array) -> Array:
    """Return (R - R^T) theta/(2 sin theta), theta = acos((tr R - 1)/2), of rotations (..., 3, 3)."""
    trace = np.trace(R, axis1=-2, axis2=-1)
    angle = np.arccos(np.clip((trace - 1) / 2, -1, 1))
    s = np.where(angle < THRESHOLD, angle, 0.0) ** 2
    series = 1 / 2 + s / 12 + 7 * s**2 / 720 + 31 * s**3 / 30240 + 127 * s**4 / 1209600
    with np.errstate(all="ignore"):
        ratio = np.where(angle < THRESHOLD, series, angle / (2 * np.sin(angle)))
    skew = R - np.swapaxes(R, -1, -2)
    axial = np.stack([skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0]], axis=-1)
    return np.asarray(axial * ratio[..., None])


LOGS = {"acos": by_acos, "ours": ps.so3.log}


def decade(error: Any) -> Any:
    """Return log10 of an error in whole decades; finer differences are rounding and depend on the machine."""
    return np.round(np.log10(np.maximum(error, 1e-17))).astype(int).tolist()


def run() -> Measured:
    x = (np.pi - np.array(FROM_PI))[:, None] * AXIS
    R = ps.so3.exp(x)
    size = np.linalg.norm(x, axis=1)
    error = {name: np.linalg.norm(log(R) - x, axis=1) / size for name, log in LOGS.items()}
    random = ps.so3.exp(np.random.default_rng(414).uniform(-BIG, BIG, (TRIALS, 3)))
    back = {name: ps.so3.exp(log(random)) for name, log in LOGS.items()}
    return {
        "from pi": list(FROM_PI),
        "decade of the error": {name: decade(one) for name, one in error.items()},
        "trials": TRIALS,
        "rounded differently": {
            name: {f"{unit:.0e}": failures(one, random, unit) for unit in (1e-6, 1e-7, 1e-9)}
            for name, one in back.items()
        },
        "decade of the worst round trip": {
            name: decade(np.abs(one - random).max()) for name, one in back.items()
        },
    }


def failures(a: Array, b: Array, unit: float) -> int:
    """Count matrices that differ after rounding to the unit, as the notebook does."""
    return int((np.round(a / unit) != np.round(b / unit)).any(axis=(1, 2)).sum())


def verdict(result: Measured) -> Verdict:
    off, error = result["rounded differently"], result["decade of the error"]
    worst, at = result["decade of the worst round trip"], result["from pi"].index
    because = (
        f"of {result['trials']} random round trips {off['acos']['1e-06']} differ when rounded to 1e-6, "
        f"{off['acos']['1e-07']} at 1e-7 and {off['acos']['1e-09']} at 1e-9 (by quaternions and atan2: "
        f"{off['ours']['1e-06']}, {off['ours']['1e-07']}, {off['ours']['1e-09']}).  Accuracy is lost near "
        f"half a turn: the relative error with acos is 1e{error['acos'][at(1e-3)]} at pi - 1e-3, "
        f"1e{error['acos'][at(1e-6)]} at pi - 1e-6 and 1e+{error['acos'][at(1e-8)]} at pi - 1e-8; ours is at "
        f"most 1e{max(error['ours'])}.  The worst round trip has an error of 1e{worst['acos']} with acos and "
        f"1e{worst['ours']} with ours"
    )
    fine = off["acos"]["1e-06"] <= result["trials"] // 1000
    return Verdict("reproduced" if fine else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    labels = {"acos": "acos of the trace", "ours": "quaternion and atan2"}
    for color, (name, label) in zip((COLORS[0], COLORS[2]), labels.items(), strict=True):
        error = 10.0 ** np.array(result["decade of the error"][name])
        axes.loglog(result["from pi"], error, "o-", color=color, label=label)
    axes.invert_xaxis()
    axes.set_xlabel("distance of the angle from half a turn [rad]")
    axes.set_ylabel("relative error of the rotation vector")
    axes.legend(frameon=False, fontsize=9, loc="upper left")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    style_axes(axes)
