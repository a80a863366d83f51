"""Effect of the formulas as printed, where it can be measured.

Equation 42 also mixes body and space symbols (I_n and T_n for i_n and t_n), which cannot be measured.
"""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Figure, Measured, Verdict, relative_change, short
from poinsot_papers.figures import COLORS, style_axes
from poinsot_papers.krysl2005 import _printed as printed
from poinsot_papers.krysl2005._convergence import Problem, end, inertia
from poinsot_papers.krysl2005._printed import derivative, equation_43, no_torque, rotation
from poinsot_papers.krysl2005._soft_wall import as_printed, contacts, corrected

CLAIM = Claim(
    paper="krysl2005explicit",
    where="equations 17, 33 and 43, section 3.6, appendices A and B",
    title="Errata: Newton iterations with the tangent of equation 43",
    words="the formulas as printed in the copy at hand",
)
STEPS = (5.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.1)
WEIGHT = np.sqrt(3) / 2 * 9.81
GENERIC = np.array([0.3, 0.4, 0.5])  # a start that is not rotated about the axis of the torque


def newton() -> Measured:
    """Equation 43: it has h^2/2 in place of h^2/4, and I hat(w) in place of hat(I w)."""
    s = ps.scenario("free-body")
    I, found = inertia(s.mechanism), {}
    for name, tangent in (("as printed", equation_43), ("corrected", derivative)):
        walks = [printed.nmb(I, np.eye(3), s.start.v, no_torque, h, 100, tangent=tangent) for h in STEPS]
        found[name] = [None if walk.unsolved else short(np.mean(walk.iterations)) for walk in walks]
    return {"steps": list(STEPS), **found}


def pushed_forward() -> Measured:
    """Equation 33: R exp(x + e y) = R exp(x) exp(e S y) needs S = dexp(-x), but dexp(x) is printed."""
    x, y, e = np.array([0.5, -0.8, 0.6]), np.array([0.3, 0.7, -0.4]), 1e-6
    left, right = (ps.so3.log(ps.so3.exp(x).T @ ps.so3.exp(x + sign * e * y)) for sign in (1, -1))
    z = (left - right) / (2 * e)
    sizes = {
        name: np.linalg.norm(ps.so3.dexp(sign * x, y) - z)
        for name, sign in (("as printed", 1), ("corrected", -1))
    }
    return {name: short(size, 2) for name, size in sizes.items()}


def torque_frame() -> Measured:
    """Equation 17: it makes T a body vector, which R^T T in the algorithms then rotates a second time."""
    s = ps.scenario("lagrange-top")
    I, R0, right = inertia(s.mechanism), rotation(np.array([0.3, 0.0, 0.0])), printed.top(WEIGHT)
    found = {}
    for name, torque in (("as printed", lambda R: R.T @ right(R)), ("corrected", right)):
        walk = printed.nmb(I, R0, s.start.v, torque, 0.01, 500)
        energy = np.einsum("ni,ij,nj->n", walk.w, I, walk.w) / 2 + WEIGHT * walk.R[:, 2, 2]
        found[name] = short(np.abs(relative_change(energy)).max())
    return found


def hstagm_start() -> Measured:
    """Appendix A: the first acceleration of HSTAGM lacks R0^T."""
    found = {}
    for name, x in (("start of the scenario", np.array([0.3, 0.0, 0.0])), ("generic start", GENERIC)):
        s = ps.scenario("lagrange-top", **{"start.top.rotation": ps.quaternion.exp(x)})
        reference = end(Problem(s.mechanism, s.start), "srkn4", 0.001, 1000)
        assert reference is not None
        start = (inertia(s.mechanism), rotation(x), s.start.v, printed.top(WEIGHT), 0.01, 100)
        ends = {
            word: printed.hstagm(*start, as_printed=word == "as printed")[0]
            for word in ("as printed", "corrected")
        }
        found[name] = {word: short(np.linalg.norm(R - reference.R, 2)) for word, R in ends.items()}
    return found


def soft_wall() -> Measured:
    """Section 3.6: with the printed sign the charge is repelled, and the body never touches the wall."""
    found = {}
    for name, problem in (("as printed", as_printed()), ("corrected", corrected())):
        R = ps.simulate(*problem, "srkn4", step=0.005, until=200.0).rotation("body")
        found[name] = {
            "contacts until 20": contacts(R[:4001]),
            "contacts until 200": contacts(R),
            "nearest": short(1.1 + R[:, 2, 2].min()),
        }
    return found


def tolerance() -> Measured:
    """Appendix B: the residual must fall below 100 eps, whatever the size of its terms."""
    I, w = np.diag([5.0, 10.0, 1.0]), np.array([3.0, 4.0, 5.0])  # the book, tumbling
    found = {}
    for factor in (1, 10, 100):
        start = (I, np.eye(3), factor * w, no_torque, 0.01 / factor, 400)  # the same motion, faster
        walk = printed.nmb(*start, tolerance=100 * float(np.finfo(float).eps))
        found[f"{factor} times as fast"] = round(walk.unsolved / 400, 1)
    return {"unsolved": found, "with a relative tolerance": printed.nmb(*start).unsolved / 400}


def run() -> Measured:
    return {
        "equation 43": newton(),
        "equation 33": pushed_forward(),
        "equation 17": torque_frame(),
        "appendix A": hstagm_start(),
        "section 3.6": soft_wall(),
        "appendix B": tolerance(),
    }


def verdict(result: Measured) -> Verdict:
    eq43, wall, start = result["equation 43"], result["section 3.6"], result["appendix A"]
    bad, good = eq43["as printed"], eq43["corrected"]
    lost = [f"{h:g}" for h, count in zip(STEPS, bad, strict=True) if count is None]
    half = STEPS.index(0.5)
    generic, unsolved = start["generic start"], result["appendix B"]["unsolved"]
    because = (
        f"eq. 43: {bad[half]:.1f} iterations instead of {good[half]:.1f} at h=0.5 on the free body, and no "
        f"convergence at h={', '.join(lost)} (corrected: at most {max(good):.1f} iterations); eq. 33: the "
        f"error is {result['equation 33']['as printed']:.1g} with dexp(x) and "
        f"{result['equation 33']['corrected']:.0e} with dexp(-x); eq. 17: with T in the body frame the "
        f"energy of the Lagrange top has an error of {100 * result['equation 17']['as printed']:.0f} % until "
        f"t = 5 instead of {100 * result['equation 17']['corrected']:.1g} %; section 3.6: "
        f"{wall['as printed']['contacts until 20']} contacts until t = 20 instead of "
        f"{wall['corrected']['contacts until 20']}; appendix A: an error of {generic['as printed']:.2e} "
        f"instead of {generic['corrected']:.2e} from a generic start, and no difference from the starts of "
        "the paper, which are rotated about the axis of the torque; appendix B: "
        f"{100 * unsolved['1 times as fast']:.0f} % of the steps of a tumbling book never reach the absolute "
        f"tolerance, {100 * unsolved['100 times as fast']:.0f} % when it rotates 100 times as fast"
    )
    return Verdict("differs", because)


def plot(result: Measured, figure: Figure) -> None:
    axes, eq43 = figure.subplots(), result["equation 43"]
    places = np.arange(len(eq43["steps"]))
    for shift, color, name in ((-0.2, COLORS[0], "as printed"), (0.2, COLORS[1], "corrected")):
        counts = [0 if count is None else count for count in eq43[name]]
        axes.bar(places + shift, counts, width=0.38, color=color, label=name)
        for place, count in zip(places, eq43[name], strict=True):
            if count is None:
                axes.text(place + shift, 0.3, "never", color=color, ha="center", fontsize=9)
    axes.set_xticks(places, [f"{h:g}" for h in eq43["steps"]])
    axes.set_xlabel("step, free body")
    axes.set_ylabel("iterations per step")
    axes.legend(frameon=False, fontsize=9, loc="upper left")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    style_axes(axes)
