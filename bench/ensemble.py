"""Ensembles: members alone, four in the lanes of a register, on two threads, and beside mujoco.rollout (RK4).

python bench/ensemble.py

Million member-steps a second of CPU time, the best of some repeats, all in one run.  The last tables compare
at equal order (RK4) and at equal accuracy where mujoco is installed; they are left out where it is not.
At equal accuracy forty members must end within 1e-6 of a reference (gauss4 with a small step, or the exact
solution); the number of steps grows until they do, and ten times as many members as above are timed with it
(as many as above with mujoco.rollout, whose time is proportional to their number).
"""

import os
import sys
import time
import warnings
from functools import partial

import numpy as np
from peer_page.rows import has_file, record, row

import poinsot as ps

TINY = "--tiny" in sys.argv
MEMBERS, STEPS, REPEATS = (8, 10, 1) if TINY else (400, 1000, 3 if has_file() else 5)
MANY = 8 if TINY else 4000  # free bodies beside mujoco.rollout, whose speed does not depend on their number
H = 0.002
TARGET = 1e-6
BEST = {"free body": ("rk4", "cf4", "srkn4", "exact"), "four balls": ("rk4", "gauss2", "gauss3", "gauss4")}
BODY = ("rk4", "cf4", "srkn4")
CHAIN = ("rk4", "cf4", "gauss1", "gauss2", "gauss3", "gauss4", "sgauss2", "variational")
XML = """<mujoco><option timestep="{h}" integrator="RK4" gravity="0 0 -9.81"><flag contact="disable"
constraint="disable"/></option><worldbody>{bodies}</worldbody></mujoco>"""
LINK = """<body pos="0 0 {z}"><{joint}/><inertial pos="0 0 {c}" mass="1"
diaginertia="{moments}"/>{rest}</body>"""


def free_body():
    """A free body."""
    return ps.Mechanism().add("nut", ps.Box((0.15, 0.16, 1.0)).body(mass=1.0), ps.Free())


def chain():
    """Four links on ball joints."""
    m, parent = ps.Mechanism(), "world"
    for k in range(4):
        place = (0, 0, 0) if k == 0 else (0, 0, -0.5)
        box = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
        m.add(f"link{k}", box, ps.Spherical(), parent=parent, at=place, body_at=(0, 0, -0.5))
        parent = f"link{k}"
    return m


def starts(m, count):
    """States with unit quaternions and moderate velocities."""
    rng = np.random.default_rng(3)
    q, v = rng.normal(size=(count, m.lengths[0])), rng.normal(size=(count, m.lengths[1]))
    for link in m.links:
        at = m.slices(link.name)[0].start + link.joint.quaternion
        q[:, at : at + 4] = rng.normal(0, 0.3, (count, 4)) + np.eye(4)[0]
        q[:, at : at + 4] /= np.sqrt((q[:, at : at + 4] ** 2).sum(axis=1))[:, None]
    return q, v


def speed(f, clock=time.process_time, members=MEMBERS):
    """Million member-steps a second of the best repeat."""
    f()
    found = []
    for _ in range(REPEATS):
        begin = clock()
        f()
        found.append(clock() - begin)
    return members * STEPS / min(found) / 1e6


def ours(m, method, members=MEMBERS, **options):
    """Return a function that runs the ensemble."""
    given = {"workers": 1, **options}
    given |= dict(method=method, step=H, until=STEPS * H, progress=False)
    found = starts(m, members)
    return lambda: ps.ensemble(m, starts=found, **given)


def model_of(kind):
    """The same in MuJoCo; None if it is not installed."""
    try:
        import mujoco
    except ImportError:
        return None
    joint = "freejoint" if kind == "free body" else 'joint type="ball"'
    mechanism = free_body() if kind == "free body" else chain()
    moments = " ".join(repr(float(x)) for x in mechanism.links[0].body.inertia.diagonal())
    bodies = ""
    for k in range(1 if kind == "free body" else 4):
        z = 0 if k == (0 if kind == "free body" else 3) else -1.0
        center = 0 if kind == "free body" else -0.5
        bodies = LINK.format(z=z, c=center, joint=joint, moments=moments, rest=bodies)
    return mujoco.MjModel.from_xml_string(XML.format(h=H, bodies=bodies))


def rolled(kind, steps=STEPS, first=None):
    """Return a function that runs the same with mujoco.rollout; None if it is not installed."""
    model = model_of(kind)
    if model is None:
        return None
    import mujoco
    from mujoco import rollout

    mujoco.set_mju_user_warning(lambda text: None)  # of steps that are too large, otherwise in a file here
    model.opt.timestep = STEPS * H / steps
    data, size = mujoco.MjData(model), model.nq + model.nv
    if first is None:
        first = np.tile(np.concatenate([model.qpos0, np.zeros(model.nv)]), (MEMBERS, 1))
        first[:, model.nq :] = np.random.default_rng(1).normal(size=(MEMBERS, model.nv))
    first = np.column_stack([np.zeros(len(first)), first])
    out = np.empty((len(first), steps, 1 + size))
    return lambda: rollout.rollout(model, data, first, nstep=steps, state=out)[0][:, -1, 1 : 1 + model.nq]


def theirs(kind, q, v):
    """Starts in the coordinates of MuJoCo: a free body has its velocity in space and in the first place."""
    if kind == "free body":
        v = np.column_stack([ps.quaternion.apply(q[:, 3:], v[:, 3:]), v[:, :3]])
    return np.column_stack([q, v])


def off(found, exact):
    """The largest difference of a coordinate; quaternions up to their sign."""
    rows = np.asarray(found).reshape(len(exact), -1)
    at = rows.shape[1] % 4  # the position of a free body stands in front of its quaternion
    a, b = (x[:, at:].reshape(-1, 4) for x in (rows, exact))
    turned = np.abs(a * np.sign((a * b).sum(axis=1))[:, None] - b).max()
    return max(turned, np.abs(rows[:, :at] - exact[:, :at]).max(initial=0.0))


def seconds_to(make, exact, members):
    """CPU seconds a member with so few steps that the first members are within the error; the steps."""
    steps = 1 if TINY else 16
    while not off(make(steps, len(exact))(), exact) <= (1.0 if TINY else TARGET):  # NaN where one failed
        steps = int(1.3 * steps) + 1
    return STEPS / speed(make(steps, members), members=members) / 1e6, steps


def equal_accuracy(kind, m):
    """A row of the page: our best method and mujoco.rollout, until members are within the error."""
    few, many = min(MEMBERS, 40), MEMBERS if TINY else 10 * MEMBERS
    (q, v), until = starts(m, many), STEPS * H

    def ensemble(method, steps, count):
        given = dict(method=method, step=until / steps, until=until, workers=1, progress=False)
        return lambda: ps.ensemble(m, starts=(q[:count], v[:count]), **given).final_q

    reference = ("exact", 1) if kind == "free body" else ("gauss4", 10 if TINY else 1000)
    exact = ensemble(*reference, few)()
    names = BEST[kind][: 1 if TINY else None]
    found = {name: seconds_to(partial(ensemble, name), exact, many) for name in names}
    best = min(found, key=lambda name: found[name][0])
    words = "   ".join(f"{name} {1e6 * x:.1f} us, {n} steps" for name, (x, n) in found.items())
    print(f"error {TARGET:g} in {until:g} s, {kind}, each of {many} members: {words}")
    mine, others = found[best][0], {}
    if model_of(kind) is not None:
        first = theirs(kind, q, v)
        peer, steps = seconds_to(lambda steps, count: rolled(kind, steps, first[:count]), exact, MEMBERS)
        ratio = f"ours ({best}) {peer / mine:.0f}x   (wanted: 50x)"
        print(f"  mujoco.rollout RK4 {1e6 * peer:.1f} us, {steps} steps; {ratio}")
        others = {"MuJoCo": peer}
    return row(f"{kind}, error {TARGET:g}", mine, others, best)


def main():
    """Print the tables."""
    warnings.simplefilter("ignore")  # steps that are too large are part of the measurement
    best, rows = {}, []
    print(f"million member-steps a second, one thread, {MEMBERS} members of {STEPS} steps")
    for kind, make, methods in (("free body", free_body, BODY), ("four balls", chain, CHAIN)):
        m = make()
        for method in methods[: 1 if has_file() else None]:
            alone, together = (speed(ours(m, method, lanes=lanes)) for lanes in (False, True))
            best[kind, method] = max(alone, together)
            both = f"alone {alone:7.3f}   lanes {together:7.3f}   {together / alone:5.2f}x"
            print(f"  {kind:11} {method:12} {both}")
    m, wall = chain(), time.perf_counter
    for method in ("rk4", "gauss3"):
        one, two = (speed(ours(m, method, workers=n), wall) for n in (1, 2))
        print(f"two threads / one, four balls, {method} ({os.cpu_count()} processors): {two / one:.2f}")
    many = speed(ours(free_body(), "rk4", MANY), members=MANY)
    for kind, wanted in (("free body", 150), ("four balls", 15)):
        f = rolled(kind)
        if f is not None:
            peer = speed(f)
            ratio = f"{best[kind, 'rk4'] / peer:.0f}x"
            more = f", {many / peer:.0f}x with {MANY} members" if kind == "free body" else ""
            print(f"mujoco.rollout RK4, {kind}: {peer:.3f}, ours (rk4) {ratio}{more}   (wanted: {wanted}x)")
            own = many if kind == "free body" else best[kind, "rk4"]
            rows.append(row(f"{kind}, a step of RK4", 1e-6 / own, {"MuJoCo": 1e-6 / peer}, "rk4"))
    rows += [equal_accuracy(kind, make()) for kind, make in (("free body", free_body), ("four balls", chain))]
    record("ensembles", rows)


if __name__ == "__main__":
    main()
