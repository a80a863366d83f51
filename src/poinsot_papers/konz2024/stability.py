"""Where the tracking laws converge: energies that fall for six inputs, and measured regions for fewer."""

from typing import Any

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import OUTSIDE, Curve, Panel
from poinsot_papers.konz2024._quadcopter import quadcopter

CLAIM = Claim(
    paper="konz2024energy",
    where="abstract; introduction",
    title="Stability: falling energies with full actuation, measured regions without",
    words="three templates give laws with their own inertia, damping and stiffness; with fewer inputs than "
    "freedoms there is no proof of stability",
)
C = ps.control
KINDS = ("particle", "body", "energy")
LOOP = 1.5, 0.5  # radius in m and frequency in Hz
ANGLES = (30, 60, 90, 120, 150, 170, 179)  # degrees off, at rest in hover
J = (17.9e-3, 18e-3, 30.7e-3)
ORIGIN = (0.0, 0.0, 0.0)


def attitude(kind: str) -> Measured:
    """Return the energy of a body from 150 degrees off on a tumbling reference, and how well it balances."""
    m = ps.Mechanism(gravity=ORIGIN).add("body", ps.Body(1.0, J), ps.Spherical())
    gains = (0.02, 0.026, 0.034), (0.24, 0.32, 0.40), (0.70, 0.95, 1.20)
    pair = C.Pair("body", "world", *((0.0, ORIGIN, gain) for gain in gains))

    def angles(t: float) -> Any:
        return np.array(
            [[0.8 * np.sin(t), 1.6 * t, 0.4 * t], [0.8 * np.cos(t), 1.6, 0.4], [-0.8 * np.sin(t), 0, 0]]
        )

    turning = C.references.euler_attitude(angles)

    def reference(t: float) -> Any:
        R, w, wd = turning(t)
        return ps.State(t, ps.quaternion.from_matrix(R), w), wd

    law = C.track(m, C.Template(kind, [pair]), reference, ["body"])
    axis = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
    q = ps.quaternion.compose(reference(0.0)[0].q, ps.quaternion.exp(np.deg2rad(150) * axis))
    run = ps.simulate(m, ps.State(0.0, q, np.zeros(3)), "rk4", step=0.01, until=2.0, controller=law)
    seen = C.performance(run, law)
    lost = seen.dissipation[:-2:2] + 4 * seen.dissipation[1::2] + seen.dissipation[2::2]  # Simpson
    balance = np.abs(seen.energy[2::2] - seen.energy[0] + np.cumsum(lost) * 0.01 / 3).max() / seen.energy[0]
    return {"energy": short(seen.energy[::4], 3), "balance": short(balance, 2)}


def on_the_loop(kind: str) -> list[float]:
    """Return the distance from a loop that is flown for ever, from 2.6 cm off, at whole seconds."""
    c = quadcopter((2.5, 0.9), (10.0, 0.8))
    reference = C.references.flat_quadcopter(c.mechanism, "copter", C.references.circle(*LOOP))
    begin = reference(0.0)[0]
    q = ps.quaternion.compose(begin.q[3:], ps.quaternion.exp((0.02, 0.02, 0.01)))
    r = begin.q[:3] + np.array([0.015, -0.015, 0.015])
    start = ps.State(0.0, np.concatenate([r, q]), begin.v)
    law = C.track(c.mechanism, C.Template(kind, [c.pair]), reference, c.inputs)
    run = ps.simulate(c.mechanism, start, "rk4", step=0.02, until=10.0, every=25, controller=law)
    far = [
        np.linalg.norm(q[:3] - reference(float(t))[0].q[:3])
        for t, q in zip(run.time, run.trajectory.q, strict=True)
    ]
    return [float(x) for x in short(far, 3)]


def recovered(degrees: float, limit: tuple[float, float] | None, metric: Any) -> bool:
    """Return whether a quadcopter comes back to hover from this angle about x, with limits of its motors."""
    c = quadcopter((2.5, 0.9), (10.0, 0.8), limit)
    goal = c.mechanism.state()
    law = C.track(
        c.mechanism,
        C.Template("particle", [c.pair]),
        C.references.constant(goal),
        c.inputs,
        metric=metric,
        period=0.01,
    )
    start = c.mechanism.state({"copter": {"rotation": ps.quaternion.exp((np.deg2rad(degrees), 0, 0))}})
    run = ps.simulate(c.mechanism, start, "rk4", step=0.01, until=8.0, every=100, controller=law)
    return bool(np.linalg.norm(run.final.q[:3]) < 0.1)


def pole_falls_from() -> float:
    """Return the smallest angle in degrees from which the pole on the cart falls, by bisection."""
    s = ps.scenario("cart-pole")
    pole = s.mechanism.links[1].body
    length = pole.center_of_mass[2]
    x = C.match_poles(1.0, (1.5, 0.9), (5.0, 0.8), length + pole.inertia[0, 0] / (pole.mass * length))
    top, center = (0.0, 0.0, x.height), (0.0, 0.0, x.inertia_height)
    pair = C.Pair(
        "pole",
        inertia=(x.mass, center, (0.0, x.moment, 0.0)),
        damping=(x.damping, top, ORIGIN),
        stiffness=(x.stiffness, top, (0.0, x.rotational_stiffness, 0.0)),
    )
    law = C.track(
        s.mechanism, C.Template("particle", [pair]), C.references.constant(s.mechanism.state()), ["cart"]
    )
    stands, falls = 40.0, 60.0
    while falls - stands > 0.5:
        middle = (stands + falls) / 2
        start = s.mechanism.state({"pole": {"angle": np.deg2rad(middle)}})
        run = ps.simulate(s.mechanism, start, "rk4", step=0.04, until=4.0, controller=law)
        fine = abs(run.final.q[1]) < 0.1
        stands, falls = (middle, falls) if fine else (stands, middle)
    return falls


def run() -> Measured:
    turn_first = (300.0, 300.0, 300.0, 1.0, 1.0, 1.0)
    cases: dict[str, tuple[Any, Any]] = {
        "no limits": (None, None),
        "0.2 to 9 N": ((0.2, 9.0), None),
        "0.2 to 9 N, turning first": ((0.2, 9.0), turn_first),
    }
    return {
        "tumbling": {kind: attitude(kind) for kind in KINDS},
        "loop": {kind: on_the_loop(kind) for kind in KINDS},
        "recovered from": {
            name: [angle for angle in ANGLES if recovered(angle, *case)] for name, case in cases.items()
        },
        "pole falls from": short(pole_falls_from(), 3),
    }


def verdict(result: Measured) -> Verdict:
    turned, loop, back = result["tumbling"], result["loop"], result["recovered from"]
    falls = max(turned[kind]["balance"] for kind in ("body", "energy"))
    proof = falls < 1e-6 < turned["particle"]["balance"]
    gap = loop["particle"][-1] < 1e-3 and min(loop["body"][-1], loop["energy"][-1]) > 0.1
    last = {name: max(angles, default=0) for name, angles in back.items()}
    because = (
        f"with as many inputs as freedoms dW/dt = -2R for body and energy ({falls:.0e}) and not for particle "
        f"({turned['particle']['balance']:.0e}); with four rotors the laws need not converge: on a loop of "
        f"{LOOP[0]:g} m at {LOOP[1]:g} Hz, from 2.6 cm off, particle ends {loop['particle'][-1]:.0e} m, body "
        f"{loop['body'][-1]:.1g} m and energy {loop['energy'][-1]:.1g} m away. Measured regions: from hover "
        f"at rest back from {last['no limits']} degrees without limits, {last['0.2 to 9 N']} with motors of "
        f"0.2 to 9 N, {last['0.2 to 9 N, turning first']} if the metric turns first; a pole on a cart from "
        "below "
        f"{result['pole falls from']:g} degrees"
    )
    return Verdict("reproduced" if proof and gap else "differs", because)


def plot(result: Measured) -> list[Panel]:
    energies = {kind: result["tumbling"][kind]["energy"] for kind in KINDS}
    falls = [Curve(0.04 * np.arange(len(one)), one, kind) for kind, one in energies.items()]
    distances = [Curve(0.5 * np.arange(len(result["loop"][kind])), result["loop"][kind]) for kind in KINDS]
    left, right = "time on a tumbling reference, s", "time on a loop with four rotors, s"
    return [
        Panel(falls, left, "energy of the error, J", log="y", legend=OUTSIDE),
        Panel(distances, right, "distance from the reference, m", log="y", floor=1e-9),
    ]
