"""Ensembles: members alone, four in the lanes of a register, on two threads, and beside mujoco.rollout (RK4).

python bench/ensemble.py

Million member-steps a second of CPU time, the best of some repeats, all in one run.  The last table compares
at equal order (RK4) where mujoco is installed; it is left out where it is not.
"""

import os
import sys
import time

import numpy as np

import poinsot as ps

TINY = "--tiny" in sys.argv
MEMBERS, STEPS, REPEATS = (8, 10, 1) if TINY else (400, 1000, 5)
MANY = 8 if TINY else 4000  # free bodies beside mujoco.rollout, whose speed does not depend on their number
H = 0.002
BODY = ("rk4", "cf4", "srkn4")
CHAIN = ("rk4", "cf4", "gauss1", "gauss2", "gauss3", "gauss4", "sgauss2", "variational")
XML = """<mujoco><option timestep="{h}" integrator="RK4" gravity="0 0 -9.81"><flag contact="disable"
constraint="disable"/></option><worldbody>{bodies}</worldbody></mujoco>"""
LINK = """<body pos="0 0 {z}"><{joint}/><inertial pos="0 0 {c}" mass="1"
diaginertia="0.0854166666666667 0.0854166666666667 0.00416666666666667"/>{rest}</body>"""


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


def rolled(kind):
    """Return a function that runs the same with mujoco.rollout; None if it is not installed."""
    try:
        import mujoco
        from mujoco import rollout
    except ImportError:
        return None
    joint = "freejoint" if kind == "free body" else 'joint type="ball"'
    bodies = ""
    for k in range(1 if kind == "free body" else 4):
        z = 0 if k == (0 if kind == "free body" else 3) else -1.0
        bodies = LINK.format(z=z, c=0 if kind == "free body" else -0.5, joint=joint, rest=bodies)
    model = mujoco.MjModel.from_xml_string(XML.format(h=H, bodies=bodies))
    data, size = mujoco.MjData(model), model.nq + model.nv
    first = np.tile(np.concatenate([[0.0], model.qpos0, np.zeros(model.nv)]), (MEMBERS, 1))
    first[:, 1 + model.nq :] = np.random.default_rng(1).normal(size=(MEMBERS, model.nv))
    out = np.empty((MEMBERS, STEPS, 1 + size))
    return lambda: rollout.rollout(model, data, first, nstep=STEPS, state=out)


def main():
    """Print the tables."""
    best = {}
    print(f"million member-steps a second, one thread, {MEMBERS} members of {STEPS} steps")
    for kind, make, methods in (("free body", free_body, BODY), ("four balls", chain, CHAIN)):
        m = make()
        for method in methods:
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


if __name__ == "__main__":
    main()
