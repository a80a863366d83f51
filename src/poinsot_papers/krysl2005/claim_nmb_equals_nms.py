"""Equivalence of the Newmark methods in the body frame and in the space frame."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short, thinned
from poinsot_papers.figures import Panel, curves

CLAIM = Claim(
    paper="krysl2005explicit",
    where="section 2.5",
    title="NMB and NMS: difference of the attitudes",
    words="the spatial form makes geometric sense and is completely equivalent to the body-frame version",
)
CASES = {"free-body": 0.5, "lagrange-top": 0.05, "fast-top": 0.01, "slow-top": 0.01, "soft-wall": 0.01}
STEPS = 2000
EPS = float(np.finfo(float).eps)


def run() -> Measured:
    result = {}
    for name, h in CASES.items():
        s = ps.scenario(name)
        body = s.mechanism.names[0]
        a, b, c = (
            ps.simulate(s.mechanism, s.start, method, step=h, steps=STEPS) for method in ("nmb", "nms", "sw")
        )
        apart = np.abs(a.rotation(body) - b.rotation(body)).max(axis=(1, 2))
        i = thinned(len(apart), 150)
        result[f"{name}, h={h:g}"] = {
            "step number": i.tolist(),
            "difference": short(apart[i], 3),
            "after one step": short(apart[1], 3),
            "largest difference": short(apart.max(), 3),
            "nmb and sw": short(np.abs(a.rotation(body) - c.rotation(body)).max()),
            "same bits": bool((a.trajectory.q == b.trajectory.q).all()),
        }
    return result


def verdict(result: Measured) -> Verdict:
    one = max(case["after one step"] for case in result.values())
    largest = ", ".join(f"{case['largest difference']:.0e} on {name}" for name, case in result.items())
    other = min(case["nmb and sw"] for case in result.values())
    because = (
        f"after one step the attitudes differ by at most {one:.0e}, after {STEPS} steps by {largest}: this "
        "is rounding, which these motions amplify; nmb and sw, which also has order 2, differ by at least "
        f"{other:.0e}"
    )
    grown = max(case["largest difference"] for case in result.values())
    return Verdict("reproduced" if one < 4 * EPS and grown < 1e-5 * other else "differs", because)


def plot(result: Measured) -> Panel:
    return Panel(
        curves(result, "step number", "difference"),
        "steps",
        "largest element of the difference",
        log="y",
        legend="upper left",
        limits=(1e-16, 1e-8),
        floor=EPS / 2,
        columns=2,
    )
