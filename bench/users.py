"""What users wait for: imports, commands, first runs; and calls beside pinocchio and MuJoCo (more: calls.py).

    python bench/users.py [--tiny]      ours alone
    make bench-peers                    also pinocchio and MuJoCo, in turns in the same process, with ratios

CPU time, the smallest of several repeats.  Waiting times are those of new processes; the first runs have an
empty cache, and compile nothing if the package was installed from a platform wheel.
"""

import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from peer_page.rows import has_file, record, row
from time_to_accuracy import arm, peers_are_there
from trees import ANGLE
from trees import chain as prisms

import poinsot as ps
from poinsot.formats.data import from_data

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
REPEATS = 1 if TINY else 7
SECONDS = 1e-4 if TINY else 0.02  # of one repeat
LONG = 4 if TINY else 64
CALLS = []  # rows of the page of peers
FIRST = (
    "import resource, time; import poinsot as ps; from poinsot.core.kernel_cache import compiled\n"
    "s = ps.scenario('double-pendulum')\n"
    "ps.simulate(s.mechanism, s.start, '{method}', step=0.01, steps=10); n = len(compiled)\n"
    "{then}\n"
    "print(n, len(compiled))"
)
LINEARIZED = "ps.dynamics.linearize(s.mechanism, s.start, method='{method}', step=0.01)"
PEERS = {  # the same double pendulum and ten steps
    "MuJoCo": "import mujoco\n"
    'link = \'<body pos="0 0 {z}"><joint axis="1 0 0"/><geom size="0.1" pos="0 0 -1"/>{rest}</body>\'\n'
    "links = link.format(z=0, rest=link.format(z=-1, rest=''))\n"
    "m = mujoco.MjModel.from_xml_string(f'<mujoco><worldbody>{links}</worldbody></mujoco>')\n"
    "mujoco.mj_step(m, mujoco.MjData(m), 10)",
    "pinocchio": "import numpy as np, pinocchio as pin\n"
    "m, at = pin.Model(), pin.SE3.Identity()\n"
    "for k in range(2):\n"
    "    j = m.addJoint(k, pin.JointModelRX(), at, f'j{k}')\n"
    "    m.appendBodyToJoint(j, pin.Inertia.Random(), at)\n"
    "d, z = m.createData(), np.zeros(2)\n"
    "for _ in range(40): pin.aba(m, d, z, z, z)",
}
MODEL = "import poinsot as ps; ps.Mechanism().add('a', ps.Body(1.0, (1.0, 2.0, 2.5)), ps.Revolute((0, 1, 0)))"
IMPORTS = {
    "import numpy": "import numpy",
    "import poinsot": "import numpy, poinsot",
    "a first model": MODEL,
    "import numba": "import numba",
    "import pinocchio": "import pinocchio",
    "import mujoco": "import mujoco",
}


def cpu_seconds(code, cache=None):
    """CPU time of a new process, and what it printed; None if it failed."""
    before = os.times()
    environment = {**os.environ, **({"POINSOT_CACHE_DIR": cache} if cache else {})}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return (seconds, done.stdout.split()) if done.returncode == 0 else (None, [])


def waiting():
    print("waiting, s of CPU time of a new process")
    empty = min(cpu_seconds("pass")[0] for _ in range(REPEATS))
    found = {
        name: [x for x in (cpu_seconds(code)[0] for _ in range(min(REPEATS, 3))) if x]
        for name, code in IMPORTS.items()
    }
    best = {name: min(times) - empty for name, times in found.items() if times}
    for name, seconds in best.items():
        more = max(seconds - best["import numpy"], 0.0)
        beyond = f"   {more:.3f} beyond numpy" if name != "import numpy" else ""
        print(f"  {name:19}{seconds:7.3f}{beyond}")
    commands = (["methods"], ["gallery"], ["cite", "nmb"], ["doctor"])
    for command in commands[: 1 if TINY else None]:
        code = f"from poinsot.cli import main; main({command!r})"
        seconds = min(cpu_seconds(code)[0] for _ in range(min(REPEATS, 3)))
        print(f"  poinsot {' '.join(command):11}{seconds:7.3f}")


def first_runs():
    print("first runs of a new installation (double pendulum), s of CPU time and kernels compiled")
    rows, theirs = [], {name: cpu_seconds(code)[0] for name, code in PEERS.items()}
    others = {name: seconds for name, seconds in theirs.items() if seconds}
    for method in () if TINY else ("rk4", "gauss3", "variational"):
        for then in ("pass", LINEARIZED.format(method=method))[: 1 if has_file() else None]:
            with tempfile.TemporaryDirectory() as cache:
                code = FIRST.format(method=method, then=then)
                seconds, counts = cpu_seconds(code, cache)
                words = f"{method} and its linearize" if then != "pass" else method
                again = min(cpu_seconds(code, cache)[0] for _ in range(min(REPEATS, 3)))
                print(f"  {words:28}{seconds:7.2f}   {counts[-1]} kernels; again {again:.2f}")
                rows.append(row("first run, pure wheel: compiles", seconds, others, method))
                rows.append(row("run, kernels on disk or in the wheel", again, others, method))
    record("start", rows)


def one_call(function, *arguments):
    """A function that makes so many calls."""

    def run(count):
        for _ in range(count):
            function(*arguments)

    return run


def microseconds(**runs):
    """Microseconds a call of each, in turns."""
    counts, best = {}, dict.fromkeys(runs, np.inf)
    for name, run in runs.items():
        begin = time.perf_counter()
        run(3)
        counts[name] = max(1, int(3 * SECONDS / max(time.perf_counter() - begin, 1e-7)))
    for _ in range(REPEATS):
        for name, run in runs.items():
            begin = time.process_time()
            run(counts[name])
            best[name] = min(best[name], 1e6 * (time.process_time() - begin) / counts[name])
    return best


def table(title, rows):
    """Print (name, ours, (peer, theirs)) with ratios."""
    print(title)
    for name, run, *others in rows:
        found = microseconds(ours=run, **dict(others))
        mine = found.pop("ours")
        ratios = "".join(f"   {peer} {x:.2f} (ratio {mine / x:.2f})" for peer, x in found.items())
        print(f"  {name:30}{mine:10.2f}{ratios}")
        theirs = {peer: 1e-6 * x for peer, x in found.items()}
        CALLS.append(row(f"{title.split(',')[0]}: {name}", 1e-6 * mine, theirs))


def dynamics():
    data, q, v, _ = arm()
    m, state = from_data(data), ps.State(0.0, q, v)
    a = np.ones(len(v))
    others = peer_calls(data, q, v)
    rows = [
        ("acceleration", one_call(ps.dynamics.acceleration, m, state), *others("aba", "mj_forward")),
        ("mass_matrix", one_call(ps.dynamics.mass_matrix, m, state), *others("crba")),
        ("inverse_dynamics", one_call(ps.dynamics.inverse_dynamics, m, state, a), *others("rnea")),
        ("jacobian", one_call(ps.dynamics.jacobian, m, state, "l5"), *others("jacobian")),
        ("energy", one_call(ps.dynamics.energy, m, state), *others("energy")),
        ("linearize", one_call(ps.dynamics.linearize, m, state), *others("derivatives")),
        ("simulate, one step", one_call(stepped, m, state), *others("mj_step")),
    ]
    table("6R arm, one state, us a call", rows)
    data, q, v = chain_state(LONG)
    m, state = from_data(data), ps.State(0.0, q, v)
    others = peer_calls(data, q, v)
    rows = [("acceleration", one_call(ps.dynamics.acceleration, m, state), *others("aba", "mj_forward"))]
    table(f"chain of {LONG} spherical joints, one state, us a call", rows)


def stepped(m, state):
    return ps.simulate(m, state, "rk4", step=1e-3, steps=1)


def chain_state(n):
    data = prisms(n, "spherical")
    half = ANGLE.get(n, 0.1) / 2
    return data, np.tile([np.cos(half), np.sin(half), 0.0, 0.0], n), np.zeros(3 * n)


def peer_calls(data, q, v):
    """A function of names that gives the calls of the peers that are installed."""
    if not peers_are_there():
        return lambda *names: []
    import mujoco
    import pinocchio as pin
    from peers import MuJoCo, Pinocchio

    other, engine = Pinocchio(data), MuJoCo(data)
    model, memory, Q, zero = other.model, other.model.createData(), other.q(q), np.zeros(len(v))
    engine.set(q, v, zero)
    engine.model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    last = model.njoints - 1
    calls = {
        "aba": ("pinocchio", one_call(pin.aba, model, memory, Q, v, zero)),
        "crba": ("pinocchio", one_call(pin.crba, model, memory, Q)),
        "rnea": ("pinocchio", one_call(pin.rnea, model, memory, Q, v, zero)),
        "jacobian": ("pinocchio", one_call(pin.computeJointJacobian, model, memory, Q, last)),
        "energy": ("pinocchio", one_call(pin.computeMechanicalEnergy, model, memory, Q, v)),
        "derivatives": ("pinocchio", one_call(pin.computeABADerivatives, model, memory, Q, v, zero)),
        "mj_forward": ("MuJoCo", one_call(mujoco.mj_forward, engine.model, engine.data)),
        "mj_step": ("MuJoCo", one_call(mujoco.mj_step, engine.model, engine.data)),
    }
    return lambda *names: [calls[name] for name in names]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if not has_file():
        waiting()
    first_runs()
    dynamics()
    record("calls", CALLS)
