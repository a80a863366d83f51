"""What users wait for in Python: calls of `ps.dynamics`, a step of `simulate`, a tick, the samples of a run.

    make bench            ours alone
    make bench-peers      also against `pin.aba`, `pin.crba` and `pin.rnea` called from Python
    python bench/calls.py --tiny    small sizes, for the tests

CPU time, the smallest of several repeats, both sides in turns in one process.
"""

import sys
import time

import numpy as np
from peer_page.rows import record, row

import poinsot as ps
from poinsot.simulation.engine import Engine

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
REPEATS, CALLS, STATES = (1, 2, 8) if TINY else (9, 2000, 1000)
LINKS, UNTIL, TICKED = (3, 0.05, 0.1) if TINY else (64, 10.0, 20.0)
AXES = [(0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
CENTER, INERTIA, OFFSET = (0.05, 0.02, 0.15), (0.02, 0.015, 0.01), (0.1, 0.05, 0.3)


def arm():
    """Six revolute joints, and a state in general position."""
    m = ps.Mechanism()
    for i, axis in enumerate(AXES):
        body = ps.Body(2.0 - 0.2 * i, INERTIA, CENTER)
        m.add(f"l{i}", body, ps.Revolute(axis), f"l{i - 1}" if i else "world", at=OFFSET if i else (0, 0, 0))
    angles, rates = (0.3, 1.0, -0.7, 0.5, 0.9, 0.2), (0.5, -0.3, 0.4, 1.0, -0.6, 0.8)
    values = zip(angles, rates, strict=True)
    return m, m.state({f"l{i}": {"angle": q, "rate": v} for i, (q, v) in enumerate(values)})


def peer(state):
    """The same arm in pinocchio: its three algorithms, called from Python."""
    import pinocchio as pin

    model, parent = pin.Model(), 0
    for i, axis in enumerate(AXES):
        joint = pin.JointModelRZ() if axis == (0, 0, 1) else pin.JointModelRY()
        place = pin.SE3(np.eye(3), np.array(OFFSET if i else (0.0, 0.0, 0.0)))
        parent = model.addJoint(parent, joint, place, f"l{i}")
        inertia = pin.Inertia(2.0 - 0.2 * i, np.array(CENTER), np.diag(INERTIA))
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    data, q, v, zero = model.createData(), np.array(state.q), np.array(state.v), np.zeros(6)
    return {
        "pin.aba": lambda: pin.aba(model, data, q, v, zero),
        "pin.crba": lambda: pin.crba(model, data, q),
        "pin.rnea": lambda: pin.rnea(model, data, q, v, v),
    }


def smallest(functions, calls):
    """CPU seconds of a call of each function, in turns."""
    best = dict.fromkeys(functions, np.inf)
    for _ in range(REPEATS):
        for name, function in functions.items():
            function()
            begin = time.process_time()
            for _ in range(calls):
                function()
            best[name] = min(best[name], (time.process_time() - begin) / calls)
    return best


def dynamics():
    m, state = arm()
    d, q, v, a, out = (
        ps.dynamics.bind(m),
        np.array(state.q),
        np.array(state.v),
        np.array(state.v),
        np.zeros(6),
    )
    functions = {
        "acceleration": lambda: ps.dynamics.acceleration(m, state),
        "mass_matrix": lambda: ps.dynamics.mass_matrix(m, state),
        "inverse_dynamics": lambda: ps.dynamics.inverse_dynamics(m, state, a),
        "jacobian": lambda: ps.dynamics.jacobian(m, state, "l5"),
        "energy": lambda: ps.dynamics.energy(m, state),
        "bound acceleration": lambda: d.acceleration(q, v, out=out),
        "bound mass_matrix": lambda: d.mass_matrix(q),
        "bound inverse_dynamics": lambda: d.inverse_dynamics(q, v, a, out=out),
        **(peer(state) if "peers" in sys.argv else {}),
    }
    found = smallest(functions, CALLS)
    found["linearize"] = smallest({"": lambda: ps.dynamics.linearize(m, state)}, max(1, CALLS // 100))[""]
    many, rng = np.zeros((STATES, 6)), np.random.default_rng(1)
    Q, V = rng.normal(size=(2, STATES, 6))
    all_states = smallest({"": lambda: d.acceleration(Q, V, out=many)}, max(1, CALLS // 200))[""]
    found[f"acceleration, {STATES} states, each"] = all_states / STATES
    print("arm of six revolute joints, us a call from Python")
    unit = found.get("pin.aba")
    for name, seconds in found.items():
        ratio = f"   {seconds / unit:6.2f} of pin.aba" if unit else ""
        print(f"  {name:34}{1e6 * seconds:9.2f}{ratio}")
    pairs = {"acceleration": "aba", "mass_matrix": "crba", "inverse_dynamics": "rnea"}
    if unit:
        each = found[f"acceleration, {STATES} states, each"]
        rows = [
            row(f"bound {a}", found[f"bound {a}"], {"pinocchio": found[f"pin.{b}"]}) for a, b in pairs.items()
        ]
        rows.append(row(f"acceleration, {STATES} states in a call, each", each, {"pinocchio": unit}))
        record("bound calls", rows)


def one_step():
    m, state = arm()
    found = smallest({n: lambda n=n: ps.simulate(m, state, "rk4", step=1e-3, steps=n) for n in (1, 11)}, 20)
    each = (found[11] - found[1]) / 10
    print(
        f"simulate, rk4, the same arm: {1e3 * found[1]:.3f} ms for one step, {1e6 * each:.1f} us a step more"
    )


def ticks():
    bar = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
    m = ps.Mechanism().add("a", bar, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
    m.add("b", bar, ps.Revolute((1, 0, 0)), parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5))
    start = m.state({"a": {"angle": 0.5}})
    controller = ps.Controller(lambda t, state, memory: ([0.0], memory), period=0.01, inputs=["a"])
    print("double pendulum, a controller in Python at 100 Hz")
    for method, h in (("rk4", 0.005), ("gauss2", 0.005), ("variational", 0.005), ("rk4", 0.001)):
        runs = {
            "free": lambda method=method, h=h: ps.simulate(m, start, method, step=h, until=TICKED),
            "controlled": lambda method=method, h=h: ps.simulate(
                m, start, method, step=h, until=TICKED, controller=controller
            ),
        }
        found = smallest(runs, 1)
        tick = 1e6 * (found["controlled"] - found["free"]) / (TICKED / 0.01)
        ratio = found["controlled"] / found["free"]
        print(f"  {method:12} h = {h:g}   {tick:7.1f} us a tick, {ratio:5.2f} times the free run")


def samples():
    m = ps.Mechanism()
    for i in range(LINKS):
        body = ps.Body(50.0, (16.8333, 16.8333, 0.3333))
        below = f"b{i - 1}" if i else "world"
        m.add(f"b{i}", body, ps.Spherical(), below, at=(0, 0, -1.0 if i else 0.0), body_at=(0, 0, -1.0))
    start = m.state({name: {"rotation": ps.quaternion.exp((0.02, 0, 0))} for name in m.names})
    step, spent = Engine.go, []

    def timed(engine, *arguments):
        begin = time.process_time()
        rows = step(engine, *arguments)
        spent.append(time.process_time() - begin)
        return rows

    ask = {
        "energy": lambda run: run.energy,
        "report": lambda run: run.report(),
        "position": lambda run: run.position("b0"),
        "reaction": lambda run: run.reaction("b0"),
    }
    names, best = list(ask), np.full(5, np.inf)
    Engine.go = timed
    for _ in range(min(REPEATS, 4) + 1):
        spent.clear()
        clock = [time.process_time()]
        run = ps.simulate(m, start, "gauss3", step=0.01, until=UNTIL)
        for question in names:
            clock.append(time.process_time())
            ask[question](run)
        clock.append(time.process_time())
        best = np.minimum(best, np.diff(clock))
        ratio = best[0] / sum(spent)
    Engine.go = step
    head = f"chain of {LINKS}, gauss3, {len(run.time)} samples"
    print(f"{head}: simulate {best[0]:.4f} s, {ratio:.3f} times its steps;")
    print("  " + ", ".join(f"{name} {1e3 * x:.2f} ms" for name, x in zip(names, best[1:], strict=True)))


if __name__ == "__main__":
    dynamics()
    if "--json" not in sys.argv:
        one_step()
        ticks()
        samples()
