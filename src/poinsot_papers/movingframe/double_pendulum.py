"""Section 3.2.2: two links with GL3 against the equations of the plane motion in angles."""

import numpy as np

from poinsot_papers.claims import Claim, Measured, Verdict, short, thinned
from poinsot_papers.figures import COLORS, OUTSIDE, Curve, Panel
from poinsot_papers.movingframe._chain import ANGLE, STEP, UNTIL, angle_of, chain, double_pendulum, start
from poinsot_papers.movingframe._gauss import integrate

CLAIM = Claim(
    paper="movingframe",
    where="section 3.2.2, figure 3.5",
    title="Double pendulum: error of the two angles, GL3 with h = 0.01",
    words="the solutions of the two models stay within 1e-12 of each other over 10 s",
)


def run() -> Measured:
    from scipy.integrate import solve_ivp

    count = round(UNTIL / STEP)
    time = STEP * np.arange(count + 1)
    path = integrate(chain(2).field, start(2), "GL3", STEP, count)
    options: Measured = {"rtol": 1e-13, "atol": 1e-14, "t_eval": time}
    references = {
        method: solve_ivp(double_pendulum, (0, UNTIL), [ANGLE, ANGLE, 0.0, 0.0], method=method, **options).y
        for method in ("DOP853", "RK45")
    }
    first = angle_of(path.y[:, :4])
    angles = np.stack([first, first + angle_of(path.y[:, 4:8])])
    i = thinned(len(time), 200)
    off = {method: np.abs(angles - y[:2]) for method, y in references.items()}
    rng = np.random.default_rng(1)
    differences = []
    for _ in range(20):  # accelerations alone
        a, w = rng.uniform(-3, 3, 2), rng.uniform(-2, 2, 2)
        exact = double_pendulum(0.0, np.concatenate([a, w]))[2:]
        u = np.array(
            [
                np.cos(a[0] / 2),
                np.sin(a[0] / 2),
                0,
                0,
                np.cos((a[1] - a[0]) / 2),
                np.sin((a[1] - a[0]) / 2),
                0,
                0,
            ]
        )
        found = chain(2).acceleration(u, np.array([w[0], 0, 0, w[1] - w[0], 0, 0]))
        differences.append(
            np.abs([found[0] - exact[0], found[0] + found[3] - exact[1]]).max() / max(1, np.abs(exact).max())
        )
    return {
        "time": short(time[i], 4),
        "error": short((angles - references["DOP853"][:2])[:, i], 2),
        "largest": {method: short(values.max(axis=1), 2) for method, values in off.items()},
        "length": short(np.abs(np.linalg.norm(path.y[:, :8].reshape(-1, 2, 4), axis=2) - 1).max(), 2),
        "accelerations": short(max(differences), 2),
    }


def verdict(result: Measured) -> Verdict:
    fine, rk = max(result["largest"]["DOP853"]), max(result["largest"]["RK45"])
    because = (
        f"the accelerations in 20 random states agree to {result['accelerations']:.0e}; over 10 s the angles "
        f"differ by at most {fine:.0e} from DOP853 and {rk:.0e} from RK45, both at tolerance 1e-13, and the "
        f"error of |u| is {result['length']:.0e}"
    )
    return Verdict(
        "reproduced" if max(fine, rk) < 2e-12 and result["accelerations"] < 1e-12 else "differs", because
    )


def plot(result: Measured) -> Panel:
    names = ("first link", "second link")
    found = [
        Curve(result["time"], np.array(values) * 1e13, name, color)
        for color, values, name in zip(COLORS[1::-1], result["error"], names, strict=True)
    ]
    return Panel(found, "time", "error of the angle, 1e-13 rad", legend=OUTSIDE)
