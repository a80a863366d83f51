"""Order of CG4 on the free body with the exact coefficients and with the fractions of the repository."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Measured, Verdict
from poinsot_papers.crouch1993 import _repository as repository
from poinsot_papers.figures import COLORS, GRAY, Curve, Panel

CLAIM = Claim(
    paper="crouch1993numerical",
    where="repository geometric_rigid_body_dynamics, Algorithm for CG4 on SE(3)",
    title="Attitude error of CG4 on the free body",
    words="CG4 is a modified 4th-order Runge-Kutta scheme; its coefficients are those of Park et al. (2004)",
)
END = 100.0
COUNTS = (250, 500, 1000, 2000, 4000, 8000)
PLAIN = 4000  # largest count in NumPy: the error of the fractions falls no further
POINTS = 3  # number of finest runs from which the order is fitted
SETS = {
    "exact coefficients, NumPy": repository.EXACT,
    "fractions of the repository": repository.RATIONAL,
    "the fractions, weights scaled to the sum 1": repository.NORMED,
}


def run() -> Measured:
    s = ps.scenario("free-body")
    J = s.mechanism.link("body").body.inertia.diagonal()
    spin = (*s.start.v, 0.0, 0.0, 0.0)
    reference = ps.simulate(s.mechanism, s.start, "exact", step=1.0, until=END).rotation("body")[-1]

    def error(R: Array) -> float:
        return float(np.linalg.norm(ps.so3.log(reference.T @ R)))

    result: Measured = {"cg4": {"steps": [], "error": []}}
    result |= {name: {"steps": [], "error": []} for name in SETS}
    for n in COUNTS:
        fine = ps.simulate(s.mechanism, s.start, "cg4", step=END / n, steps=n, every=n)
        rows = {"cg4": fine.rotation("body")[-1]}
        if n <= PLAIN:
            poses, _ = repository.twist_cg4(J, spin, END / n, n, list(SETS.values()), gravity=(0.0, 0.0, 0.0))
            rows |= {name: poses[-1, k, :3, :3] for k, name in enumerate(SETS)}
        for name, R in rows.items():
            result[name]["steps"].append(n)
            result[name]["error"].append(error(R))
    for one in result.values():
        n, e = (np.log(one[key][-POINTS:]) for key in ("steps", "error"))
        one["order"] = -float(np.polyfit(n, e, 1)[0])
    weight, angle = float(repository.RATIONAL.b.sum() - 1.0), END * float(np.linalg.norm(s.start.v))
    result["clock"] = {"sum of weights - 1": weight, "predicted floor": weight * angle}
    return result


def verdict(result: Measured) -> Verdict:
    mine, _, theirs, scaled, clock = (result[name] for name in ("cg4", *SETS, "clock"))
    because = (
        f"with the coefficients of Jackiewicz, Marthinsen & Owren the order is {mine['order']:.2f} down to "
        f"{mine['error'][-1]:.0e} rad; with the fractions it is {theirs['order']:.2f}, and the error falls "
        f"no further than {theirs['error'][-1]:.1e} rad: their weights sum to 1 + "
        f"{clock['sum of weights - 1']:.2e}, which puts the rotation ahead by {clock['predicted floor']:.1e} "
        f"rad after {END:g} s (scaled to the sum 1 the weights leave {scaled['error'][-1]:.1e} rad and order "
        f"{scaled['order']:.1f})"
    )
    return Verdict("reproduced" if abs(theirs["order"] - 4.0) < 0.1 else "differs", because)


def plot(result: Measured) -> Panel:
    found = []
    for k, name in zip((1, 5, 0, 3), ("cg4", *SETS), strict=True):
        style, size = ("+", 9.0) if name.endswith("NumPy") else ("o-", 4.0)
        h = END / np.array(result[name]["steps"])
        found.append(Curve(h, result[name]["error"], name, COLORS[k], style, size=size))
    h = END / np.array(result["cg4"]["steps"])
    slope = 0.3 * result["cg4"]["error"][-1] * (h[1:] / h[-1]) ** 4
    found.append(Curve(h[1:], slope, "slope 4", GRAY, ":"))
    return Panel(found, "step [s]", f"attitude error after {END:g} s [rad]", log="xy", ticks=h.tolist())
