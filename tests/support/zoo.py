"""Mechanisms with every joint and with every force, in general position."""

import math

import numpy as np

import poinsot as ps
from poinsot.core.methods import ALL
from poinsot.model.forces.constitutive import prime
from support.random_trees import inertia, quaternion

METHODS = [method for method in ALL if method.tree is not None]
PARENTS = {
    "hinge": "world",
    "ball": "hinge",
    "cardan": "ball",
    "weld": "ball",
    "screw": "weld",
    "puck": "world",
    "slide": "puck",
    "skew": "slide",
    "boat": "puck",
    "thread": "skew",
}


def joints(random):
    """Every joint, with random axes."""
    a, b, c, d, e, f, g = random.normal(size=(7, 3))
    return {
        "hinge": ps.Revolute(a),
        "ball": ps.Spherical(),
        "cardan": ps.Universal(b, np.cross(b, c)),
        "weld": ps.Fixed(),
        "screw": ps.Cylindrical(d),
        "puck": ps.Planar(e),
        "slide": ps.Prismatic(f),
        "skew": ps.Universal(g, a),
        "boat": ps.Free(),
        "thread": ps.Helical((0.4, -0.7, 0.5), 2.0),
    }


def bodies(names=tuple(PARENTS), gravity=(0.3, -0.5, -9.81)):
    """A tree with two branches and all joints, or with those of these names."""
    random = np.random.default_rng(4)
    m = ps.Mechanism(gravity=gravity)
    for name, joint in joints(random).items():
        mass = random.uniform(0.5, 2.0)
        body = ps.Body(mass, inertia(random, 2 * mass), center_of_mass=0.2 * random.normal(size=3))
        at, turn = 0.3 * random.normal(size=3), quaternion(random)
        place = (0.2 * random.normal(size=3), quaternion(random))
        free = {} if isinstance(joint, ps.Free) else {"body_at": place}
        if name in names:
            parent = PARENTS[name] if PARENTS[name] in names else "world"
            m.add(name, body, joint, parent, at=at, rotation=turn, **free)
    return m


def start(m, seed=0, time=0.0):
    """A state in general position, with moderate velocities."""
    random = np.random.default_rng(seed)
    q, v = [], []
    for link in m.links:
        plain = 0.5 * random.normal(size=link.joint.nq - (4 if link.joint.quaternion is not None else 0))
        turn = quaternion(random) if link.joint.quaternion is not None else []
        q += [*plain, *turn]
        v += [*0.5 * random.normal(size=link.joint.nv)]
    return ps.State(time, np.array(q), np.array(v))


def swirl(t, R, w, p, v):
    return 0.3 * math.sin(t) - 0.2 * w[0], 0.1 * R[0][2] - 0.1 * w[1], 0.2 * p[0]


def gust(t, R, w, p, v):
    return 0.1 * R[1][0], 0.0, 0.2 * w[2], math.cos(2.0 * t) - 0.3 * v[0], -0.3 * v[1], 0.5 - 0.3 * v[2]


def tilt(t, R, w, p, v):
    return 0.7 * R[1][2], -0.7 * R[0][2], 0.0


def tilt_potential(R, p):
    return -0.7 * R[2][2]


def drive(t, q, v):
    return 0.4 * math.sin(3.0 * t) - 0.1 * v[0] * v[0] * v[0], -2.0 * q[1] - 0.2 * v[0]


POINTS = np.array([(0.3, 0.1, 0.0), (-0.2, 0.4, 0.1), (0.1, -0.3, 0.5), (-0.1, -0.1, -0.4)])
D6 = np.diag([0.02, 0.03, 0.04, 0.2, 0.3, 0.1]) + 0.005


def forces():
    """One or more of every kind."""
    return [
        ps.Spring("hinge", "puck", 20.0, 0.4, at_a=(0.1, 0.2, 0.3), at_b=(0.2, -0.1, 0.1)),
        ps.Spring("world", "screw", 15.0, at_a=(0.5, 0.0, 1.0), at_b=(0.1, 0.1, 0.1)),
        ps.Damper("ball", "boat", 0.6, at_a=(0.1, 0.0, 0.2), at_b=(0.0, 0.3, 0.0)),
        ps.Stiffness("world", "boat", prime([5.0, 3.0, 4.0, 2.0], POINTS)),
        ps.Damping("slide", "boat", D6),
        ps.Drag("screw", D6, velocity=(0.5, 0.0, 0.2), rotation=(0.1, 0.3, -0.2)),
        ps.JointSpring("hinge", 8.0, rest=0.3),
        ps.JointSpring("cardan", (4.0, 5.0), rest=(0.1, -0.2)),
        ps.JointSpring("ball", 3.0, rest=(0.8, 0.0, 0.6, 0.0)),
        ps.JointSpring("ball", np.diag([2.0, 1.0, 1.5]) + 0.2, form="trace"),
        ps.JointSpring("ball", 0.5, form="euler"),
        ps.JointDamper("ball", np.diag([0.1, 0.2, 0.15]) + 0.02),
        ps.JointDamper("puck", (0.2, 0.3, 0.1)),
        ps.JointSpring("thread", 6.0, rest=0.2),
        ps.JointDamper("thread", 0.3),
        ps.Spring("hinge", "thread", 7.0, 0.3, at_b=(0.2, 0.1, -0.3)),
        ps.JointTorque("screw", drive),
        ps.Torque("cardan", swirl, frame="body"),
        ps.Wrench("weld", gust, at=(0.1, 0.2, -0.1)),
        ps.Torque("boat", tilt, potential=tilt_potential),
    ]


def everything():
    return bodies().apply(*forces())


def conservative():
    """Forces that depend on the configuration only (that of Euler angles has no potential)."""
    m = bodies()
    return m.apply(*(x for x in forces() if x.conservative or isinstance(x, ps.JointSpring)))
