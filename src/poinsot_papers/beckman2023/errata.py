"""Errors of the formulas of the notebook as printed and as corrected; slips without a number are listed."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import poinsot as ps
from poinsot_papers.beckman2023 import _variational as variational
from poinsot_papers.beckman2023 import adjoint, log, tkstar
from poinsot_papers.beckman2023._ball import on_a_ball_joint
from poinsot_papers.beckman2023._cart import MOMENTS, baton_on_cart
from poinsot_papers.beckman2023._dlog import loop
from poinsot_papers.beckman2023._inspection import INSPECTION
from poinsot_papers.beckman2023._printed import DLOGS
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import Bars, slip_bars

MASS, RADIUS, LENGTH = 5.0, 0.02, 2.4  # of the scenario forced-rod
ACROSS = MASS * (3.0 * RADIUS**2 + LENGTH**2) / 12.0
CLAIM = Claim(
    paper="beckman2023geometric",
    where="dlog6R6, cheat sheet 1.1 and 4.1, logSo3, tkStarR6, DREPE, rod1, PrigR, rig",
    title="Errata: residuals as printed and corrected",
    words="the formulas as printed in the copy at hand",
)
Pair = tuple[float, float]  # as printed, corrected
AXIS = np.array([0.36, -0.48, 0.8])


def off(found: ArrayLike, exact: ArrayLike) -> float:
    """Return the largest difference of two arrays."""
    return float(np.abs(np.asarray(found) - np.asarray(exact)).max())


def dlog() -> Pair:
    """dlog of the first printed twist: by the loop of the notebook, and with the right powers."""
    V = np.array(DLOGS[0].twist)
    exact = ps.se3.dexpinv(V)
    return off(loop(V).matrix, exact), off(loop(V, repaired=True).matrix, exact)


def logarithm() -> Pair:
    """log of a rotation by pi - 1e-6; the first error is amplified rounding, given as a power of ten."""
    x = (np.pi - 1e-6) * AXIS
    R = ps.so3.exp(x)
    return 10.0 ** round(np.log10(off(log.by_acos(R), x))), off(ps.so3.log(R), x)


def force_term() -> Pair:
    """The force term of DREPE: as guessed, and as a gradient."""
    T = tkstar.pose()
    exact = tkstar.numeric(T)
    return off(tkstar.guess(T), exact), off(tkstar.gradient(T), exact)


def impulse(rng: np.random.Generator) -> Pair:
    """Gain of the momentum in one step under a torque that is constant in the body, which must be h R tau.

    With F = h tau at the node, mu1 - Ad^T mu0 -+ F = 0, and the gain is +-h tau.
    """
    J, h, tau, x0 = np.diag([0.5, 0.7, 0.9]), 0.01, rng.normal(size=3), 0.01 * rng.normal(size=3)
    p = variational.exp(x0).T @ variational.momentum(variational.EXACT, J, x0) / h
    found = []
    for sign in (-1.0, 1.0):  # D2 Ld + D1 Ld + F = 0, and with the minus of d'Alembert
        x1 = variational.increment(variational.EXACT, J, h * (p + sign * h * tau), x0)
        gained = variational.momentum(variational.EXACT, J, x1) / h - p
        found.append(float(np.abs(gained - h * tau).max() / h))
    return found[0], found[1]


def rod() -> Pair:
    """Moment of inertia across the rod, against m (3 r^2 + l^2)/12."""
    slip, right = (ps.Cylinder(*size).inertia(MASS)[0, 0] for size in ((0.5, 0.5), (RADIUS, LENGTH)))
    return float(abs(slip - ACROSS)), float(abs(right - ACROSS))


def sign_of_gravity() -> Pair:
    """Torque of the potential m g l R33 with g = -9.81 and 9.81, against the acceleration of a baton."""
    R = ps.so3.exp([0.0, np.radians(10.0), 0.0])
    T = np.eye(4)
    T[:3, :3] = R
    moment = 1.44 * ps.dynamics.acceleration(*on_a_ball_joint((1.44, 1.44, 0.5), tkstar.WEIGHT, R))
    return off(tkstar.gradient(T)[:3], moment), off(-tkstar.gradient(T)[:3], moment)


def rig_energy() -> Pair:
    """Change of w.Jw/2 + m g z, and of the whole energy, in half a second on a cart without mass."""
    one = ps.simulate(*baton_on_cart(0.0), "gauss4", step=0.01, until=0.5)
    rotational = (one.angular_velocity("baton") ** 2) @ MOMENTS / 2 + one.potential
    return off(rotational[-1], rotational[0]), off(one.energy[-1], one.energy[0])


def run() -> Measured:
    rng = np.random.default_rng(16)
    sheet = adjoint.cheat_sheet(rng)
    found: dict[str, Pair] = {
        "dlog: powers of ad": dlog(),
        "1.1: sign in ad": sheet["1.1 ad"],
        "4.1: Ad*": sheet["4.1 Ad*"],
        "log near half a turn": logarithm(),
        "tkStar: a gradient": force_term(),
        "DREPE: sign of F": impulse(rng),
        "rod1: inertia": rod(),
        "PrigR: sign of g": sign_of_gravity(),
        "rig: translational energy": rig_energy(),
    }
    return {
        "as printed": {name: digits(a) for name, (a, _) in found.items()},
        "corrected": {name: digits(b) for name, (_, b) in found.items()},
        "by inspection": list(INSPECTION),
    }


def digits(x: float) -> Any:
    """Round an error to three digits, or to one where it is below 1e-3 and thus rounding."""
    return short(x, 3 if x > 1e-3 else 1)


def verdict(result: Measured) -> Verdict:
    bad, good = result["as printed"], result["corrected"]
    because = (
        f"the errors of {len(bad)} formulas are {min(bad.values()):.1g} to {max(bad.values()):.2g} as "
        f"printed and at most {max(good.values()):.0e} as corrected; {len(result['by inspection'])} more "
        "slips have no number of their own (see the record); the other slips have experiments: tqdl-step, "
        "rig, dele, drepe, dzhanibekov-step"
    )
    return Verdict("differs", because)


def plot(result: Measured) -> Bars:
    return slip_bars(result, 1e3)
