"""Trees: forward dynamics against pinocchio (where there is one), growth with n, table 3.3 of the thesis.

    make bench            ours alone: growth, table 3.3
    make bench-peers      in an environment with the peers: also the ratios and errors against pinocchio
    python bench/trees.py --tiny    small sizes, for the tests

Thread CPU time, the smallest of several repeats, both sides in turns in one process.  Ours runs inside a
compiled loop, as in every simulation; pinocchio's `aba` is called from Python, as its users do.
"""

import json
import sys
import time
from functools import cache
from pathlib import Path

import numpy as np
from numba import float64, int64, void
from peer_page.rows import record, row

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.core.jit import foreign
from poinsot.core.tree.field import ALL, field, field_type
from poinsot.core.tree.forces.table import force_type, no_forces, no_functions, user_type
from poinsot.core.tree.records import MODEL
from poinsot.formats.data import from_data

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
REPEATS = 1 if TINY else 15
SIZES, EVALUATIONS = ((2, 4), 40) if TINY else ((16, 64, 256, 1024), 20_000)
THESIS = {4: 0.719, 16: 10.7, 64: 204.0}  # seconds, table 3.3 of the moving-frame thesis
UNTIL = 0.05 if TINY else 10.0
ANGLE = {4: 0.1, 16: 0.1, 64: 0.02}  # first angle of each joint: a calm start, as PATTERN.md says
X = float64[::1]


def link(name, parent, kind):
    """A prism of the moving-frame thesis: one metre to the joint, one to the next; 50 kg."""
    axes = {"revolute": {"axis": [1.0, 0.0, 0.0] if name % 2 else [0.0, 1.0, 0.0]}}.get(kind, {})
    return {
        "name": f"link{name}",
        "mass": 50.0,
        "inertia": np.diag([16.8333, 16.8333, 0.3333]).tolist(),
        "center_of_mass": [0, 0, 0],
        "physical": True,
        "shape": None,
        "joint": {"kind": kind, **axes},
        "parent": parent,
        "at": [0.0, 0.0, 0.0 if parent == "world" else -1.0],
        "rotation": [1.0, 0, 0, 0],
        "body_at": [[0.0, 0.0, -1.0], [1.0, 0, 0, 0]],
    }


def chain(n, kind):
    bodies = [link(k, f"link{k - 1}" if k else "world", kind) for k in range(n)]
    return {"gravity": [0, 0, -9.81], "bodies": bodies, "forces": []}


def state(n, kind):
    rng = np.random.default_rng(7)
    v = rng.normal(size=3 * n if kind == "spherical" else n) * 0.1
    if kind == "revolute":
        return rng.normal(size=n) * 0.3, v
    q = rng.normal(size=(n, 4)) * 0.2 + [1, 0, 0, 0]
    return (q / np.linalg.norm(q, axis=1)[:, None]).ravel(), v


def repeat(field, force, user, count, y, f, model):
    for _ in range(count):
        field(ALL, 0.0, y, f, force, user, model)


@cache
def compiled():
    types = field_type(float64), force_type(float64), user_type(float64)
    return foreign(repeat, void(*types, int64, X, X, MODEL))


def ours(data, q, v):
    """A function that makes `count` evaluations."""
    tree = compile_tree(from_data(data))
    args = (field(), no_forces(), no_functions())
    y, f = np.concatenate([q, v, [0.0]]), np.zeros(len(q) + len(v) + 1)
    model = tree.model(float64)
    return lambda count: compiled()(*args, count, y, f, model)


def thread_time(run, count):
    begin = time.thread_time()
    run(count)
    return (time.thread_time() - begin) / count


def smallest(*pairs):
    """Microseconds of each (run, count), in turns."""
    best = [np.inf] * len(pairs)
    for _ in range(REPEATS):
        best = [min(old, thread_time(*pair)) for old, pair in zip(best, pairs, strict=True)]
    return [1e6 * x for x in best]


def peer(data, q, v):
    """pin.aba from Python, for as many calls as wanted."""
    import pinocchio as pin

    sys.path.insert(0, str(Path(__file__).parent / "peers"))
    from peers import Pinocchio

    other = Pinocchio(data)
    model, memory, Q, tau = other.model, other.model.createData(), other.q(q), np.zeros(len(v))

    def run(count):
        for _ in range(count):
            pin.aba(model, memory, Q, v, tau)

    return run


def forward(data, q, v):
    """mj_forward of MuJoCo, for as many calls as wanted."""
    import mujoco

    sys.path.insert(0, str(Path(__file__).parent / "peers"))
    from peers import MuJoCo

    other = MuJoCo(data)
    other.set(q, v, np.zeros(len(v)))

    def run(count):
        for _ in range(count):
            mujoco.mj_forward(other.model, other.data)

    return run


def against_peers():
    print("forward dynamics of a chain, us (pin.aba and mj_forward called from Python)")
    rows = []
    for kind in ("spherical", "revolute"):
        for n in (16, 32, 64, 128, 256):
            data, (q, v) = chain(n, kind), state(n, kind)
            pairs = {"ours": (ours(data, q, v), 40_000 // n)}
            if n <= 128:  # the memory of pinocchio's data grows like the cube of n
                pairs["pinocchio"] = peer(data, q, v), 4000 // n
            pairs["MuJoCo"] = forward(data, q, v), 1000 // n
            found = dict(zip(pairs, smallest(*pairs.values()), strict=True))
            mine = found.pop("ours")
            words = "  ".join(f"{name} {x:8.2f}  ratio {x / mine:6.2f}" for name, x in found.items())
            print(f"  {kind:10}{n:4}  ours {mine:7.2f}  {words}")
            theirs = {name: 1e-6 * x for name, x in found.items()}
            rows.append(row(f"chain of {n}, {kind}", 1e-6 * mine, theirs))
    record("forward dynamics", rows)


def growth():
    print("growth with n, us an evaluation")
    for kind in ("spherical", "revolute"):
        runs = [(ours(chain(n, kind), *state(n, kind)), max(4, EVALUATIONS // n)) for n in SIZES]
        found = [smallest(run)[0] for run in runs]
        slope = np.polyfit(np.log(SIZES), np.log(found), 1)[0]
        numbers = "  ".join(f"{n}: {x:.2f}" for n, x in zip(SIZES, found, strict=True))
        print(f"  {kind:10}{numbers}   exponent {slope:.3f}")


def table_3_3():
    print(f"table 3.3 of the moving-frame thesis: chain, three Gauss stages, h = 0.01, {UNTIL:g} s")
    for n, thesis in list(THESIS.items())[: 1 if TINY else None]:
        m = from_data(chain(n, "spherical"))
        angle = {link.name: {"rotation": ps.quaternion.exp((ANGLE[n], 0, 0))} for link in m.links}
        start, best = m.state(angle), np.inf
        for _ in range(min(REPEATS, 5)):
            begin = time.process_time()
            run = ps.simulate(m, start, "gauss3", step=0.01, until=UNTIL, every=1000)
            best = min(best, time.process_time() - begin)
        drift = run.report().energy.relative_band
        speed = f"of it {run.seconds:.4f} s stepping; thesis {thesis} s ({thesis / best:.0f}x)"
        print(f"  n = {n:3}: {best:.4f} s CPU, {speed}, energy within {drift:.0e}")


def bent_chains():
    """Errors against forty digits: tests/data/bent_chain.json has pinocchio's."""
    file = Path(__file__).parents[1] / "tests" / "data" / "bent_chain.json"
    print("bent chains of spherical joints, relative error of the accelerations")
    for one in json.loads(file.read_text())["chains"]:
        m = from_data({**one["mechanism"], "forces": []})
        found = ps.dynamics.acceleration(m, ps.State(0.0, np.array(one["q"]), np.array(one["v"])))
        exact = np.array(one["acceleration"], dtype=float)
        off = np.abs(found - exact).max() / np.abs(exact).max()
        print(f"  n = {len(m.links):3}: ours {off:.1e}, others {one['errors']}")


if __name__ == "__main__":
    if "peers" in sys.argv:
        against_peers()
    if "--json" not in sys.argv:
        growth()
        table_3_3()
        bent_chains()
