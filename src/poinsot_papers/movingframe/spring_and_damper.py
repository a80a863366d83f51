"""Section 3.3.3: sixteen links on a spring and a damper, with and without dampers in the joints."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import COLORS, OUTSIDE, Curve, Panel
from poinsot_papers.movingframe._compiled import off_unit

CLAIM = Claim(
    paper="movingframe",
    where="section 3.3.3, table 3.6, figures 3.17 and 3.18",
    title="Sixteen links on a spring: energy, and energy taken by dampers",
    words="the unit length of the quaternions is well maintained (3e-13) with GL3 and h = 0.01; without "
    "dampers in the joints high oscillations arise and the solver is unable to converge",
)
SCENARIO = "pendulum-16-damped"


def undamped(m: ps.Mechanism) -> ps.Mechanism:
    """Return the same mechanism without dampers in the joints."""
    bare = ps.Mechanism(gravity=m.gravity)
    for link in m.links:
        bare.add(
            link.name,
            link.body,
            link.joint,
            link.parent,
            at=link.at,
            rotation=link.rotation,
            body_at=link.body_at,
        )
    return bare.apply(*(force for force in m.forces if not isinstance(force, ps.JointDamper)))


def run() -> Measured:
    s = ps.scenario(SCENARIO)
    path, fine = (
        ps.simulate(s.mechanism, s.start, "gauss3", step=h, until=s.until, every=round(s.step / h))
        for h in (s.step, s.step / 4)
    )
    other = ps.simulate(s.mechanism, s.start, "dop853", step=s.step, until=s.until)
    balance = path.energy - path.work
    found = {
        "length": off_unit(path),
        "energy at the start and the end": short(path.energy[[0, -1]], 8),
        "largest rise of the energy in a step": short(np.diff(path.energy).max(), 2),
        "energy - work": short(np.abs(balance / balance[0] - 1).max(), 2),
        "end off a finer run": short(np.abs(path.final.q - fine.final.q).max(), 2),
        "end off dop853": short(np.abs(path.final.q - other.final.q).max(), 2),
        "evaluations": int(path.evaluations),
        "time": short(path.time[::10], 4),
        "energy": short(path.energy[::10], 5),
        "taken": short(-path.work[::10], 5),
    }
    try:
        bare = ps.simulate(undamped(s.mechanism), s.start, "gauss3", step=s.step, until=s.until)
    except ps.StepError as error:
        if error.run is None:
            raise
        bare = error.run
    fastest = max(float(np.abs(bare.angular_velocity(name)).max()) for name in s.mechanism.names)
    calm = max(float(np.abs(path.angular_velocity(name)).max()) for name in s.mechanism.names)
    drift = bare.energy - bare.work
    return {
        **found,
        "without joint dampers": {
            "until": short(bare.final.time, 4),
            "length": off_unit(bare),
            "energy - work": short(np.abs(drift / drift[0] - 1).max(), 1),
            "Newton": bare.final.memory is not None and bare.final.memory.changed,
            "fastest, rad/s": short(fastest, 2),
        },
        "fastest, rad/s": short(calm, 3),
    }


def verdict(result: Measured) -> Verdict:
    bare = result["without joint dampers"]
    fine = result["length"] < 3e-13 and result["largest rise of the energy in a step"] < 0
    begin, end = result["energy at the start and the end"]
    fixed = "fails at some step, as described; with Newton's method" if bare["Newton"] else "converges:"
    because = (
        f"the error of |u| is {result['length']:.0e}; the energy falls in every step, from {begin:.0f} to "
        f"{end:.0f} J, and energy minus work is constant to {result['energy - work']:.0e}; the end differs "
        f"by {result['end off a finer run']:.0e} from that with a quarter of the step and by "
        f"{result['end off dop853']:.0e} from dop853 (point and length of the spring and the first angle are "
        f"our choice).  Without dampers in the joints the links reach {bare['fastest, rad/s']:.0f} rad/s "
        f"instead of {result['fastest, rad/s']:.1f}, and the fixed-point iteration {fixed} our run reaches "
        f"{bare['until']:g} s, energy minus work constant to {bare['energy - work']:.0e}"
    )
    return Verdict("reproduced" if fine else "differs", because)


def plot(result: Measured) -> Panel:
    energy = np.array(result["energy"]) - result["energy"][0]
    found = [
        Curve(result["time"], energy, "energy", COLORS[1]),
        Curve(result["time"], result["taken"], "taken by dampers", COLORS[0]),
    ]
    return Panel(found, "time", "J since the start", legend=OUTSIDE)
