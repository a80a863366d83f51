"""Time to accuracy: how long each engine needs until the final coordinates have an error of 1e-3, 1e-6, 1e-9.

    python bench/time_to_accuracy.py [--tiny]      ours and SciPy
    make bench-peers                               also MuJoCo and pinocchio, in the same process

A 6R arm, a chain of 16 spherical joints and a heavy top swing freely.  The error is the largest difference of
a coordinate (radians, quaternions) from a reference on which gauss4 and dop853, and SciPy on the equations of
pinocchio if it is there, agree.  Every contender runs with more and more steps; the time is the CPU time of
its fastest run below the error, the smallest of several repeats.  No run is extrapolated.

    MuJoCo RK4          mujoco.rollout: the loop over steps is compiled
    pinocchio RK4       aba, called from a loop in Python
    pinocchio DOP853    aba, called by scipy.integrate.solve_ivp
    SciPy DOP853        the same on ps.dynamics.acceleration
"""

import sys
import time
import warnings
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from peer_page.rows import record, row
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.formats.data import from_data

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
TARGETS = (1e-3, 1e-6, 1e-9)
REPEATS = 1 if TINY else 3
MOST = 0.02 if TINY else 2.0  # seconds after which no run with more steps is tried
GROWTH = 4.0 if TINY else 1.5  # of the number of steps
METHODS = ("rk4", "gauss2", "gauss3", "gauss4", "sgauss3", "dop853")
ONE_BODY = ("srkn4", "cf4", "exk6")


def body(name, parent, joint, mass, inertia, com, at):
    """One body as data, which peers/peers.py reads too."""
    return {
        "name": name,
        "mass": mass,
        "inertia": np.diag(inertia).tolist(),
        "center_of_mass": list(com),
        "physical": True,
        "shape": None,
        "joint": joint,
        "parent": parent,
        "at": list(at),
        "rotation": [1.0, 0.0, 0.0, 0.0],
        "body_at": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
    }


def arm():
    """Six revolute joints; the state, and the time that it swings."""
    axes = ((0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1))
    bodies = [
        body(
            f"l{i}",
            f"l{i - 1}" if i else "world",
            {"kind": "revolute", "axis": [float(x) for x in axis]},
            2.0 - 0.2 * i,
            (0.02, 0.015, 0.01),
            (0.05, 0.02, 0.15),
            (0.1, 0.05, 0.3) if i else (0.0, 0.0, 0.0),
        )
        for i, axis in enumerate(axes)
    ]
    q, v = np.array([0.3, 1.0, -0.7, 0.5, 0.9, 0.2]), np.array([0.5, -0.3, 0.4, 1.0, -0.6, 0.8])
    return {"gravity": [0, 0, -9.81], "bodies": bodies, "forces": []}, q, v, 1.5


def chain(n=16):
    """Links of one metre on spherical joints, started with a bend."""
    bodies = [
        body(
            f"l{i}",
            f"l{i - 1}" if i else "world",
            {"kind": "spherical"},
            1.0,
            (0.09, 0.09, 0.005),
            (0.0, 0.0, -0.5),
            (0.0, 0.0, -1.0) if i else (0.0, 0.0, 0.0),
        )
        for i in range(n)
    ]
    half = 0.5 * np.array([0.1, 0.05, 0.0])
    q = np.concatenate([[np.sqrt(1.0 - half @ half), *half]] * n)
    return {"gravity": [0, 0, -9.81], "bodies": bodies, "forces": []}, q, np.zeros(3 * n), 2.0


def top():
    """A heavy top without symmetry about a fixed point."""
    one = body("top", "world", {"kind": "spherical"}, 1.0, (0.02, 0.025, 0.01), (0.0, 0.01, 0.2), (0, 0, 0))
    q = np.array([np.cos(0.25), np.sin(0.25), 0.0, 0.0])
    return {"gravity": [0, 0, -9.81], "bodies": [one], "forces": []}, q, np.array([0.5, 0.2, 25.0]), 2.0


PROBLEMS = {"6R arm, 1.5 s": arm, "chain of 16, 2 s": chain, "heavy top, 2 s": top}


def rates(q, v):
    """dq/dt of joints that are all revolute or all spherical."""
    if len(q) == len(v):
        return v
    w, x, y, z = q.reshape(-1, 4).T
    a, b, c = v.reshape(-1, 3).T
    parts = -x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a
    return 0.5 * np.stack(parts, axis=1).reshape(-1)


def cpu_time(run):
    """Smallest CPU time of some repeats, and the result."""
    best, result = np.inf, None
    for _ in range(REPEATS):
        begin = time.process_time()
        result = run()
        best = min(best, time.process_time() - begin)
    return best, result


def ours(method, data, q, v, until):
    """A function of the number of steps that returns the final q."""
    m = from_data(data)
    start = ps.State(0.0, q, v)

    def run(n):
        return ps.simulate(m, start, method, step=until / n, steps=n, every=n).final.q

    ps.simulate(m, start, method, step=1e-4, steps=1)  # nothing is compiled later
    return run


def dynamics(m, t, q, v):
    """Our acceleration; the quaternions of SciPy's stages are not quite of unit length."""
    if len(q) > len(v):
        rows = q.reshape(-1, 4)
        q = (rows / np.linalg.norm(rows, axis=1)[:, None]).reshape(-1)
    return ps.dynamics.acceleration(m, ps.State(t, q, v))


def by_scipy(acceleration, q, v, until):
    """DOP853 of SciPy; its tolerance falls as the "number of steps" grows."""
    nq = len(q)

    def slope(t, y):
        return np.concatenate([rates(y[:nq], y[nq:]), acceleration(t, y[:nq], y[nq:])])

    def run(n):
        options = {"method": "DOP853", "rtol": max(1e-13, 1.0 / n**4), "atol": max(1e-14, 0.1 / n**4)}
        return solve_ivp(slope, (0.0, until), np.concatenate([q, v]), **options).y[:nq, -1]

    return run


def by_hand(acceleration, q, v, until):
    """The classical Runge-Kutta method in Python."""
    nq = len(q)

    def slope(y):
        return np.concatenate([rates(y[:nq], y[nq:]), acceleration(0.0, y[:nq], y[nq:])])

    def run(n):
        y, h = np.concatenate([q, v]), until / n
        for _ in range(n):
            a = slope(y)
            b = slope(y + 0.5 * h * a)
            c = slope(y + 0.5 * h * b)
            y = y + h / 6.0 * (a + 2.0 * (b + c) + slope(y + h * c))
        return y[:nq]

    return run


def peers_are_there():
    """Return whether pinocchio and MuJoCo are installed; make bench/peers importable."""
    sys.path.insert(0, str(Path(__file__).parent / "peers"))
    return all(find_spec(name) for name in ("pinocchio", "mujoco"))


def peers(data, q, v, until):
    """The contenders that are installed beside us, by name, and aba of pinocchio."""
    if not peers_are_there():
        return {}, None
    import mujoco
    import pinocchio as pin
    from mujoco import rollout
    from peers import MuJoCo, Pinocchio

    other = Pinocchio(data)
    order = other.q(np.arange(len(q))).astype(int)  # quaternions are xyzw there
    zero, memory = np.zeros(len(v)), other.model.createData()

    def aba(t, q, v):
        return pin.aba(other.model, memory, q[order], v, zero)

    mujoco.set_mju_user_warning(lambda text: None)  # of steps that are too large, otherwise in a file here
    engine = MuJoCo(data)
    engine.model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    engine.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    engine.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    engine.model.opt.enableflags = 0

    def rolled(n):
        engine.model.opt.timestep = until / n
        states, _ = rollout.rollout(engine.model, engine.data, np.concatenate([[0.0], q, v])[None], nstep=n)
        return states[0, -1, 1 : 1 + len(q)]

    return {
        "MuJoCo RK4": rolled,
        "pinocchio RK4": by_hand(aba, q, v, until),
        "pinocchio DOP853": by_scipy(aba, q, v, until),
    }, aba


def reference(data, q, v, until, aba):
    """The final q, and the largest difference between those who computed it."""
    found = [ours("gauss4", data, q, v, until)(round(until / (1e-2 if TINY else 2e-4)))]
    found.append(ours("dop853", data, q, v, until)(round(until / 1e-2)))
    if aba is not None:
        options = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14}
        y = np.concatenate([q, v])
        nq = len(q)
        slope = lambda t, y: np.concatenate([rates(y[:nq], y[nq:]), aba(t, y[:nq], y[nq:])])  # noqa: E731
        found.append(solve_ivp(slope, (0.0, until), y, **options).y[:nq, -1])
    return found[0], max(np.abs(other - found[0]).max() for other in found[1:])


def times_to_accuracy(run, exact):
    """Seconds until the error is below each target; None where it never was."""
    n, best = 8.0, dict.fromkeys(TARGETS)
    while best[TARGETS[-1]] is None:
        seconds, q = cpu_time(partial(run, round(n)))
        error = np.abs(q - exact).max()
        for target in TARGETS:
            if error <= target and (best[target] is None or seconds < best[target]):
                best[target] = seconds
        if seconds > MOST or n > 1e6:
            break
        n *= GROWTH
    return list(best.values())


def attempt(run):
    """The same, with NaN in the place of a step that failed."""

    def guarded(n):
        try:
            return run(n)
        except ps.StepError:
            return np.nan

    return guarded


def cell(seconds, best):
    """A time in ms, and its ratio to the best of ours; a dash if the error was never reached."""
    return f"{'-':>9}{'':11}" if seconds is None else f"{1e3 * seconds:9.2f} ({seconds / best:7.1f}x)"


def to_targets(title, names, found):
    """Rows of the page: for each error the best method of ours and every other contender."""
    rows = []
    for k, target in enumerate(TARGETS):
        reached = {name: found[name][k] for name in names if found[name][k] is not None}
        best = min(reached, key=reached.get, default="")
        others = {name: seconds[k] for name, seconds in found.items() if name not in names}
        rows.append(row(f"{title}, error {target:g}", reached.get(best), others, best))
    return rows


def step_costs(title, runs, n):
    """A row of the page: the time of a step of rk4."""
    cost = {
        name: cpu_time(partial(run, n))[0] / n for name, run in runs.items() if name.endswith(("rk4", "RK4"))
    }
    return row(title.split(",")[0], cost.pop("rk4"), cost, "rk4")


def main():
    warnings.simplefilter("ignore")  # steps that are too large are part of the measurement
    rows, costs = [], []
    print("ms of CPU time until the final coordinates have an error of 1e-3, 1e-6, 1e-9")
    for title, problem in list(PROBLEMS.items())[: 1 if TINY else None]:
        data, q, v, until = problem()
        others, aba = peers(data, q, v, until)
        exact, agreed = reference(data, q, v, until, aba)
        print(f"{title}   (references agree to {agreed:.0e})")
        m = from_data(data)
        names = (*METHODS, *(ONE_BODY if len(m.links) == 1 else ()))[: 2 if TINY else None]
        runs = {name: attempt(ours(name, data, q, v, until)) for name in names}
        runs["SciPy DOP853"] = by_scipy(partial(dynamics, m), q, v, until)
        found = {name: times_to_accuracy(run, exact) for name, run in {**runs, **others}.items()}
        ahead = [min(found[name][k] or np.inf for name in names) for k in range(len(TARGETS))]
        for name, seconds in found.items():
            cells = "".join(cell(*pair) for pair in zip(seconds, ahead, strict=True))
            print(f"  {name:18}{cells}".rstrip())
        rows += to_targets(title, names, found)
        costs.append(step_costs(title, {**runs, **others}, 20 if TINY else 2000))
    record("time to accuracy", rows)
    record("step", costs)


if __name__ == "__main__":
    main()
