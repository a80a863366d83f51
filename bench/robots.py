"""Forward dynamics of five robots from their files: ours, pinocchio's `aba` and MuJoCo's `mj_forward`.

    make bench-peers      with both peers: ratios above 1 say that ours is faster
    python bench/robots.py          ours alone
    python bench/robots.py --tiny   small sizes, for the tests

Files are those of the packages example-robot-data and gymnasium; nothing is copied.  Couplings, springs and
dampers are taken out on all sides, and MuJoCo computes neither contacts nor constraints.  CPU time, the
smallest of several repeats, all sides in turns in one process.
"""

import importlib.metadata
import importlib.util
import re
import sys
import time
from pathlib import Path

import numpy as np
from peer_page import rows as page

import poinsot as ps

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
REPEATS, CALLS, STATES = (1, 2, 8) if TINY else (9, 1000, 1000)
FOLDER = "cmeel.prefix/share/example-robot-data/robots"
ROBOTS = {  # package, file, base
    "UR5": ("example-robot-data", f"{FOLDER}/ur_description/urdf/ur5_robot.urdf", "fixed"),
    "Panda": ("example-robot-data", f"{FOLDER}/panda_description/urdf/panda.urdf", "fixed"),
    "ANYmal": (
        "example-robot-data",
        f"{FOLDER}/anymal_c_simple_description/urdf/anymal.urdf",
        "free",
    ),
    "Talos": ("example-robot-data", f"{FOLDER}/talos_data/robots/talos_full_v2.urdf", "free"),
    "humanoid": ("gymnasium", "gymnasium/envs/mujoco/assets/humanoid.xml", ""),
}


def located(package, path):
    """The file, or None if the package is not installed."""
    try:
        found = Path(str(importlib.metadata.distribution(package).locate_file(path)))
    except importlib.metadata.PackageNotFoundError:
        return None
    return found if found.is_file() else None


def ours(path, base):
    """The mechanism without forces and couplings."""
    m = ps.read(path, **({"base": base} if base else {}))
    m.forces, m.loops = [], []
    return m


def pinocchio(path, base, nv):
    """A call of `aba` in general position; None without pinocchio, or if it reads another model."""
    if importlib.util.find_spec("pinocchio") is None:
        return None
    import pinocchio as pin

    if base == "free":
        model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    elif base:
        model = pin.buildModelFromUrdf(str(path))
    else:
        model = pin.buildModelFromMJCF(str(path))
    if model.nv != nv:
        return None
    data, rng = model.createData(), np.random.default_rng(1)
    q = pin.integrate(model, pin.neutral(model), rng.uniform(-1, 1, nv))
    v, zero = rng.uniform(-1, 1, nv), np.zeros(nv)
    return lambda: pin.aba(model, data, q, v, zero)


def mujoco_model(path, base):
    """MuJoCo's model of a file; of a URDF with links that are one body joined, which is faster for it."""
    import mujoco

    if not base:
        return mujoco.MjModel.from_xml_path(str(path))
    text = re.sub(r"<visual>.*?</visual>", "", ours(path, base).to_urdf())
    own = '<mujoco><compiler balanceinertia="true" boundmass="1e-9"/></mujoco></robot>'
    return mujoco.MjSpec.from_string(text.replace("</robot>", own)).compile()


def mujoco_call(path, base, nv):
    """A call of `mj_forward` in general position; None without MuJoCo, or if it reads another model."""
    if importlib.util.find_spec("mujoco") is None:
        return None
    import mujoco

    try:
        model = mujoco_model(path, base)
    except ValueError as error:
        print(f"  {path.name}: MuJoCo refuses it: {str(error).splitlines()[0]}")
        return None
    if model.nv != nv:
        print(f"  {path.name}: MuJoCo has {model.nv} velocities in place of {nv}")
        return None
    bits, rng = mujoco.mjtDisableBit, np.random.default_rng(1)
    model.opt.disableflags |= int(bits.mjDSBL_CONTACT | bits.mjDSBL_CONSTRAINT)
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, rng.uniform(-1, 1, nv), 1.0)
    data.qvel[:] = rng.uniform(-1, 1, nv)
    return lambda: mujoco.mj_forward(model, data)


def smallest(functions):
    """CPU seconds of a call of each function, in turns."""
    best = dict.fromkeys(functions, np.inf)
    for _ in range(REPEATS):
        for name, (function, calls) in functions.items():
            function()
            begin = time.process_time()
            for _ in range(calls):
                function()
            best[name] = min(best[name], (time.process_time() - begin) / calls)
    return best


def measure(name, path, base):
    """Print a line of the table; return its rows of the page."""
    m = ours(path, base)
    d, nv, rng = ps.dynamics.bind(m), m.lengths[1], np.random.default_rng(1)
    states = [ps.dynamics.move(m, m.state(), rng.uniform(-1, 1, 2 * nv)) for _ in range(STATES)]
    Q, V = (np.array([getattr(one, word) for one in states]) for word in ("q", "v"))
    one, many, out = states[0], np.zeros((STATES, nv)), np.zeros(nv)
    q, v = np.array(one.q), np.array(one.v)
    functions = {
        "many": (lambda: d.acceleration(Q, V, out=many), max(1, CALLS // 100)),
        "one": (lambda: ps.dynamics.acceleration(m, one), CALLS),
        "bound": (lambda: d.acceleration(q, v, out=out), CALLS),
    }
    for word, call in (("pin", pinocchio(path, base, nv)), ("mujoco", mujoco_call(path, base, nv))):
        if call is not None and ("peers" in sys.argv or TINY):
            functions[word] = call, CALLS
    found = {word: 1e6 * seconds for word, seconds in smallest(functions).items()}
    found["many"] /= STATES
    line = f"  {name:9} nv {nv:3}" + "".join(f"  {word} {us:.2f}" for word, us in found.items())
    for word in ("pin", "mujoco"):
        if word in found:
            line += f"   {word}/many {found[word] / found['many']:.1f}x"
    if "pin" in found:
        line += (
            f"   one/pin {found['one'] / found['pin']:.2f}   bound/pin {found['bound'] / found['pin']:.2f}"
        )
    print(line)
    peers = {"pin": "pinocchio", "mujoco": "MuJoCo"}
    others = {peers[word]: 1e-6 * found[word] for word in peers if word in found}
    cases = {"many": f"{STATES} states in a call, each", "bound": "one state, bound"}
    return [page.row(f"{name}, {words}", 1e-6 * found[word], others) for word, words in cases.items()]


if __name__ == "__main__":
    print(f"forward dynamics, us a state: {STATES} states in one call, one state, bound; peers from Python")
    lines = []
    for name, (package, path, base) in ROBOTS.items():
        place = located(package, path)
        if place is None:
            print(f"  {name}: {package} is not installed")
        else:
            lines += measure(name, place, base)
    page.record("robots", lines)
