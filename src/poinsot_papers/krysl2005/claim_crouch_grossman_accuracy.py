"""Newmark against Crouch-Grossman with the classical Runge-Kutta tableau, on the Lagrange top.

This tableau violates the third-order condition of Crouch and Grossman (1993),
sum b_i^2 c_i + 2 sum_{i<j} b_i c_i b_j = 1/3 (it gives 13/36), so that the method has order 2 only.  The
paper states neither how the momentum moves in a stage nor the start of the top: we try both ways of moving
the momentum, and three starts.
"""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Measured, Verdict, filled, relative_change, short
from poinsot_papers.figures import Panel, curves
from poinsot_papers.krysl2005 import _convergence as convergence
from poinsot_papers.krysl2005 import _printed as printed
from poinsot_papers.krysl2005._convergence import Problem, inertia

CLAIM = Claim(
    paper="krysl2005explicit",
    where="section 3.3",
    title="Lagrange top: Newmark and Crouch-Grossman with the RK4 tableau",
    words="NMB is about as accurate both in the preservation of the invariants and in the global error "
    "(convergence curve constant as well as slope) as the Crouch-Grossman method with the Runge-Kutta RK4 "
    "tableau",
)
STEPS = (0.05, 0.025, 0.0125, 0.00625)
SPINS = (5.0, 10.0, 20.0)
UNTIL, LONG, MIDDLE = 10.0, 100.0, 0.0125
WEIGHT = np.sqrt(3) / 2 * 9.81
WAYS = {"cg, coadjoint": True, "cg, added": False}
R0 = printed.rotation(np.array([0.3, 0.0, 0.0]))


def invariants(I: Array, R: Array, P: Array) -> Measured:
    """Return the largest relative errors of the invariants, and the error of the energy at the end."""
    energy = np.einsum("ni,ij,nj->n", P, np.linalg.inv(I), P) / 2 + WEIGHT * R[:, 2, 2]
    gravity = np.einsum("ni,ni->n", R[:, 2], P)
    found = {"energy": energy, "axis": P[:, 2], "gravity": gravity}
    errors: Measured = {name: short(np.abs(x / x[0] - 1).max(), 7) for name, x in found.items()}
    return {**errors, "energy at the end": short(relative_change(energy)[-1])}


def constant(spin: float) -> float:
    """Return the ratio of the attitude errors of nmb and Crouch-Grossman at one step, for this spin."""
    s = ps.scenario("lagrange-top", **{"start.top.angular_velocity": (0.0, 0.0, spin)})
    problem, n = Problem(s.mechanism, s.start), round(UNTIL / MIDDLE)
    reference, nmb = (
        convergence.reference_end(problem, UNTIL, 0.001, 1e-3)[0],
        convergence.end(problem, "nmb", MIDDLE, n),
    )
    assert nmb is not None
    cg, _ = printed.crouch_grossman(inertia(s.mechanism), R0, s.start.v, WEIGHT, MIDDLE, n, coadjoint=True)
    return float(np.linalg.norm(nmb.R - reference.R, 2) / np.linalg.norm(cg[-1] - reference.R, 2))


def run() -> Measured:
    s = ps.scenario("lagrange-top")
    problem, I = Problem(s.mechanism, s.start), inertia(s.mechanism)
    reference, agreement = convergence.reference_end(problem, UNTIL, 0.001, 1e-4)
    table = convergence.errors(problem, ("nmb",), STEPS, UNTIL, reference)
    run = ps.simulate(s.mechanism, s.start, "nmb", step=s.step, until=LONG)
    kept = {"nmb": invariants(I, run.rotation("top"), run.angular_velocity("top") @ I)}
    for name, coadjoint in WAYS.items():
        ends = [
            printed.crouch_grossman(I, R0, s.start.v, WEIGHT, h, round(UNTIL / h), coadjoint=coadjoint)
            for h in STEPS
        ]
        table["attitude"][name] = [short(np.linalg.norm(R[-1] - reference.R, 2)) for R, _ in ends]
        table["momentum"][name] = [short(np.linalg.norm(P[-1] - reference.P)) for _, P in ends]
        n = round(LONG / s.step)
        kept[name] = invariants(
            I, *printed.crouch_grossman(I, R0, s.start.v, WEIGHT, s.step, n, coadjoint=coadjoint)
        )
    return {
        "errors": table,
        "srkn4 and rkmk4 agree to": short(agreement, 2),
        "local orders": {
            method: short(np.log2(np.divide(values[:-1], values[1:])), 6)
            for method, values in table["attitude"].items()
        },
        "nmb over cg, by spin": {f"{spin:g}": short(constant(spin)) for spin in SPINS},
        "invariants until 100, h=0.05": kept,
    }


def verdict(result: Measured) -> Verdict:
    orders, kept = result["local orders"], result["invariants until 100, h=0.05"]
    nmb, cg, added = (kept[name] for name in ("nmb", *WAYS))
    factors = result["nmb over cg, by spin"].values()
    alike = [1 / 2 < factor < 2 for factor in factors]
    because = (
        "the paper prints no start, and the result depends on it.  Both methods have order 2 "
        f"({orders['nmb'][-1]:.2f} and {orders['cg, coadjoint'][-1]:.2f}), but at the same step the attitude "
        f"error of nmb is {', '.join(f'{factor:.1f}' for factor in factors)} times that of Crouch-Grossman "
        "for spins of 5, 10, 20 (nmb evaluates one torque per step, Crouch-Grossman four).  Until t = 100 at "
        f"h=0.05 the error of the energy is at most {100 * nmb['energy']:.2g} % with nmb and drifts to "
        f"{100 * cg['energy at the end']:+.2g} % or {100 * added['energy at the end']:+.2g} % with "
        "Crouch-Grossman, depending on whether the momentum is moved coadjointly or added"
    )
    return Verdict("reproduced" if all(alike) else "not reproducible" if any(alike) else "differs", because)


def plot(result: Measured) -> list[Panel]:
    panels = []
    for kind, title in (("momentum", "body momentum"), ("attitude", "attitude")):
        rows = {method: filled(values) for method, values in result["errors"][kind].items()}
        found = curves(rows, STEPS, style=".-")
        panels.append(Panel(found, "step", "error", "xy", title, "lower right", ticks=STEPS))
    return panels
