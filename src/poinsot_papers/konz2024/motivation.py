"""The motivating example: a rotating body in Euler angles, singular at 90 degrees, and in R and w."""

import numpy as np

from poinsot.analytical import System, levi_civita, spaces
from poinsot.analytical.derivatives import complex_step
from poinsot.analytical.torsion import angles as angles_of
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import COLORS, OUTSIDE, Curve, Panel
from poinsot_papers.konz2024._numbers import largest

CLAIM = Claim(
    paper="konz2024energy",
    where="section 1.2, (1.6)-(1.8)",
    title="A rotating body near gimbal lock: error of the attitude",
    words="Lagrange's equations in Euler angles are singular at beta = 90 degrees, det M = Ix Iy Iz "
    "cos^2(beta); Euler's equations describe the same body and are not",
)
MOMENTS = np.array([1.0, 2.0, 2.5])
UNTIL, STEP = 2.0, 0.01
DISTANCES = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001)  # closest distances of the motion from the gimbal lock [rad]


def printed_mass(q: Array) -> Array:
    """Return M of (1.7)."""
    (a, b, c), (ca, cb, _), (sa, sb, _) = MOMENTS, np.cos(q), np.sin(q)
    side = (b - c) * ca * sa * cb
    return np.array(
        [
            [a, 0, -a * sb],
            [0, b * ca**2 + c * sa**2, side],
            [-a * sb, side, a * sb**2 + (b * sa**2 + c * ca**2) * cb**2],
        ]
    )


def mass(q: Array) -> Array:
    """Return the mass matrix Yᵀ Θ Y for velocities dq/dt."""
    Y = spaces.euler_rates(q)
    return np.asarray(Y.T @ np.diag(MOMENTS) @ Y)


ANGLES = levi_civita(spaces.minimal(3), mass)  # ξ = dq/dt: Lagrange's equations (1.7)
MATRIX = levi_civita(spaces.rotation_matrix(), lambda x: np.diag(MOMENTS) + 0 * x[0])  # (1.8)


def start(distance: float) -> Array:
    """Return (R, w) at the start of a motion that comes as close as `distance` in the middle of the run."""
    from scipy.integrate import solve_ivp

    roll = 0.3
    R = spaces.euler_rotation(np.array([roll, np.pi / 2 - distance, 0.1]))
    w = np.array([0.4, 1.1 * np.sin(roll), 1.1 * np.cos(roll)])  # the rate of the pitch is zero there
    y = np.concatenate([spaces.columns(R), w])
    return np.asarray(
        solve_ivp(MATRIX.field, (UNTIL / 2, 0), y, rtol=1e-12, atol=1e-12, method="DOP853").y[:, -1]
    )


def rk4(system: System, y: Array) -> list[Array]:
    """Run the classical Runge-Kutta method with a fixed step."""
    path, f = [y], system.field
    for _ in range(round(UNTIL / STEP)):
        a = f(0.0, y)
        b = f(0.0, y + STEP / 2 * a)
        c = f(0.0, y + STEP / 2 * b)
        y = y + STEP / 6 * (a + 2 * b + 2 * c + f(0.0, y + STEP * c))
        path.append(y)
    return path


def runs(distance: float) -> Measured:
    """Compare both formulations, with fixed steps and with an adaptive method, with a fine run of (1.8)."""
    from scipy.integrate import solve_ivp

    y = start(distance)
    q, w = angles_of(spaces.matrix(y[:9])), y[9:]
    z = np.concatenate([q, np.linalg.solve(spaces.euler_rates(q), w)])
    grid = STEP * np.arange(round(UNTIL / STEP) + 1)
    fine: Measured = {"rtol": 1e-12, "atol": 1e-12, "method": "DOP853", "t_eval": grid}
    reference = [spaces.matrix(x[:9]) for x in solve_ivp(MATRIX.field, (0, grid[-1]), y, **fine).y.T]
    rotations = {
        "R and w": [spaces.matrix(x[:9]) for x in rk4(MATRIX, y)],
        "Euler angles": [spaces.euler_rotation(x[:3]) for x in rk4(ANGLES, z)],
    }
    adaptive: Measured = {"rtol": 1e-8, "atol": 1e-8, "method": "DOP853"}
    counts = {
        "R and w": solve_ivp(MATRIX.field, (0, grid[-1]), y, **adaptive),
        "Euler angles": solve_ivp(ANGLES.field, (0, grid[-1]), z, **adaptive),
    }
    return {
        "error": {
            name: short([np.abs(a - b).max() for a, b in zip(reference, R, strict=True)][::4], 3)
            for name, R in rotations.items()
        },
        "evaluations": {name: int(found.nfev) for name, found in counts.items()},
        "closest": short(
            min(abs(np.pi / 2 - abs(np.arcsin(np.clip(-a[2, 0], -1, 1)))) for a in reference), 3
        ),
        "fastest angle": short(np.abs(counts["Euler angles"].y[3:]).max(), 3),
    }


def run() -> Measured:
    rng = np.random.default_rng(7)
    q = rng.uniform(-1.4, 1.4, (50, 3))
    forms, dets = [], []
    for x in q:
        rate = rng.normal(size=3)
        Y = spaces.euler_rates(x)
        w = Y @ rate
        rate_of_w = np.linalg.solve(np.diag(MOMENTS), -np.cross(w, MOMENTS * w))
        d = complex_step(spaces.euler_rates, x, rate)
        euler = np.linalg.solve(Y, rate_of_w - d @ rate)
        forms.append((ANGLES.acceleration(0.0, x, rate) - euler) / np.abs(euler).max())
        dets.append(np.linalg.det(mass(x)) - MOMENTS.prod() * np.cos(x[1]) ** 2)
    lock = np.array([0.3, np.pi / 2, 0.2])
    return {
        "M of (1.7)": largest([mass(x) - printed_mass(x) for x in q]),
        "det M = IxIyIz cos^2": largest(dets),
        "det Y = cos": largest([np.linalg.det(spaces.euler_rates(x)) - np.cos(x[1]) for x in q]),
        "(1.7) is (1.8)": largest(forms),
        "1/cond M at 90 degrees": short(1 / np.linalg.cond(mass(lock)), 1),
        "passes": {f"{d:g}": runs(d) for d in DISTANCES},
    }


def verdict(result: Measured) -> Verdict:
    same = max(
        result["M of (1.7)"], result["det M = IxIyIz cos^2"], result["det Y = cos"], result["(1.7) is (1.8)"]
    )
    far, near = result["passes"][f"{DISTANCES[0]:g}"], result["passes"][f"{DISTANCES[-1]:g}"]
    end = {name: near["error"][name][-1] for name in near["error"]}
    because = (
        f"(1.7) and (1.8) are equivalent where both are regular ({same:.0e}); RK4 with h={STEP:g} on a "
        f"motion that passes {near['closest']:.1g} rad from the gimbal lock ends with an error of "
        f"{end['Euler angles']:.1e} in angles and {end['R and w']:.0e} in R and w; at {far['closest']:.1g} "
        f"rad the errors are {far['error']['Euler angles'][-1]:.0e} and {far['error']['R and w'][-1]:.0e}; "
        f"the rates of the angles grow to {near['fastest angle']:.0f}/s, an adaptive method needs "
        f"{near['evaluations']['Euler angles']} evaluations instead of {near['evaluations']['R and w']}, and "
        f"at 90 degrees 1/cond M = {result['1/cond M at 90 degrees']:.0e}"
    )
    lost = end["Euler angles"] is None or end["Euler angles"] > 1000 * end["R and w"]
    return Verdict("reproduced" if same < 1e-12 and lost else "differs", because)


def plot(result: Measured) -> list[Panel]:
    passes = list(result["passes"].values())
    near, distances = passes[-1], [one["closest"] for one in passes]
    errors, counts = [], []
    for color, (name, values) in zip(COLORS[1::-1], near["error"].items(), strict=True):
        errors.append(Curve(4 * STEP * np.arange(len(values)), values, name, color))
    for color, name in zip(COLORS[1::-1], ("R and w", "Euler angles"), strict=True):
        counts.append(Curve(distances, [one["evaluations"][name] for one in passes], "", color, ".-"))
    time = f"time, passing {near['closest']:.1g} rad from gimbal lock"
    return [
        Panel(errors, time, f"error of R, RK4 with h={STEP:g}", log="y", legend=OUTSIDE, floor=1e-16),
        Panel(counts, "closest distance from 90 degrees, rad", "evaluations of an adaptive method", log="xy"),
    ]
