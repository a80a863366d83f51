"""The five printed matrices of dlog, which are those of a loop with wrong powers of ad."""

from typing import Any

import numpy as np

import poinsot as ps
from poinsot_papers.beckman2023._dlog import loop
from poinsot_papers.beckman2023._printed import DIGITS, DLOGS
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import COLORS, Curve, Panel

CLAIM = Claim(
    paper="beckman2023geometric",
    where="dlog6R6, Out[472]",
    title="dlog on se(3): five printed matrices",
    words="five test cases of dlog, verified by the first author of the source; maximum accuracy",
)


def rounding(x: Array) -> Array:
    """Return half a unit of the last printed digit."""
    size = np.floor(np.log10(np.abs(np.where(x == 0, 1.0, x))))
    return np.asarray(np.where(x == 0, 0.0, 0.5 * 10.0 ** (size + 1 - DIGITS)))


def explained(printed: Array, twist: Array) -> float:
    """Return the difference of the printed matrix and the loop relative to the rounding of both."""
    room = rounding(printed)
    for i, unit in enumerate(rounding(twist)):
        e = np.zeros(6)
        e[i] = 1e-6
        room = room + unit * np.abs(loop(twist + e).matrix - loop(twist - e).matrix) / 2e-6
    off = np.abs(loop(twist).matrix - printed)
    return float(np.max(off[room > 0] / room[room > 0]))


def run() -> Measured:
    rows: dict[str, list[Any]] = {
        key: []
        for key in (
            "angle",
            "printed - loop, in parts of the rounding",
            "printed - exact",
            "repaired - exact",
            "printed stop",
            "loop stop",
            "repaired stop",
        )
    }
    for one in DLOGS:
        V = np.array(one.twist)
        exact, literal, repaired = ps.se3.dexpinv(V), loop(V), loop(V, repaired=True)
        values = (
            np.linalg.norm(V[:3]),
            explained(one.matrix, V),
            np.abs(one.matrix - exact).max(),
            np.abs(repaired.matrix - exact).max(),
            one.stop,
            literal.stop,
            repaired.stop,
        )
        for key, value in zip(rows, values, strict=True):
            rows[key].append(short(value, 4))
    return rows


def verdict(result: Measured) -> Verdict:
    parts, off = result["printed - loop, in parts of the rounding"], result["printed - exact"]
    because = (
        f"the loop of the notebook gives all five matrices (the differences are at most {max(parts):.2f} of "
        "the rounding to six digits), but they are not dlog: the errors are "
        f"{', '.join(f'{x:.2f}' for x in off)}.  The loop multiplies by ad once while its index grows by "
        "two, so that ad^3 gets B4/4! and ad^4 gets B6/6!; with the right powers it agrees with the closed "
        f"form to {max(result['repaired - exact']):.0e}"
    )
    return Verdict("reproduced" if max(parts) <= 1 and max(off) < 1e-3 else "differs", because)


def plot(result: Measured) -> Panel:
    colors = (COLORS[0], COLORS[2])
    found = [
        Curve(result["angle"], result[key], key, color, "o")
        for color, key in zip(colors, ("printed - exact", "repaired - exact"), strict=True)
    ]
    return Panel(
        found, "angle of the twist [rad]", "largest entry of the difference", log="y", legend="center right"
    )
