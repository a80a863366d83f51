"""Random mechanisms as data (`poinsot.formats.data`), with states: joints, branches, welds, massless bodies.

Nothing about them is special: axes, frames, offsets and inertias are random.  A massless body is kept
only where every joint can still be accelerated, which is the rule of `mechanics.pivots`.
"""

import numpy as np

from poinsot.errors import ModelError
from poinsot.formats.data import JOINTS, from_data
from poinsot.mechanics import pivots
from support.oracle import SIZE

KINDS = [kind for kind in SIZE if kind != "fixed"]


def quaternion(random):
    x = random.normal(size=4)
    return x / np.sqrt(x @ x)


def inertia(random, mass):
    """Of a few points, so that it is one of a body."""
    x = random.normal(size=(6, 3)) * 0.3
    return mass * np.sum([(p @ p) * np.eye(3) - np.outer(p, p) for p in x], axis=0) / len(x)


def joint(random, kind):
    """With random axes; those of a universal joint are perpendicular in half of the cases.

    A screw advances by about half a metre in a radian, to the left or to the right.
    """
    fields = JOINTS[kind].declared
    axes = {word: random.normal(size=3) for word, one in fields.items() if one.shapes == ((3,),)}
    if kind == "universal" and random.random() < 0.5:
        axes["axis2"] = np.cross(axes["axis1"], axes["axis2"])
    words = [word for word in fields if word not in axes and kind not in ("spherical", "free")]
    numbers = {word: float(random.normal(scale=3.0)) for word in words}
    if "armature" in numbers:  # in half of the cases
        numbers["armature"] = max(numbers["armature"], 0.0)
    return {"kind": kind, **{word: axis.tolist() for word, axis in axes.items()}, **numbers}


def body(random, number, kind, parent, massless):
    mass = 0.0 if massless else float(np.exp(random.normal()))
    place = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]
    if kind != "free":
        place = [(0.4 * random.normal(size=3)).tolist(), quaternion(random).tolist()]
    return {
        "name": f"b{number}",
        "mass": mass,
        "inertia": inertia(random, mass).tolist(),
        "center_of_mass": [0.0, 0.0, 0.0] if massless else (0.3 * random.normal(size=3)).tolist(),
        "physical": True,
        "shape": None,
        "joint": joint(random, kind),
        "parent": parent,
        "at": (0.5 * random.normal(size=3)).tolist(),
        "rotation": quaternion(random).tolist(),
        "body_at": place,
    }


def state(random, data):
    """q and v; quaternions are unit."""
    q, v = [], []
    for one in data["bodies"]:
        nq, nv = SIZE[one["joint"]["kind"]]
        q += [*random.normal(size=nq - 4), *quaternion(random)] if nq != nv else [*random.normal(size=nq)]
        v += [*random.normal(size=nv)]
    return np.array(q), np.array(v)


def accelerable(data, q, v):
    try:
        pivots.check(from_data(data), q, v)
    except ModelError:
        return False
    return True


def tree(seed, kinds=None):
    """(data, q, v, tau) of a tree of 1 to 10 bodies, or of a chain of these kinds."""
    random = np.random.default_rng(seed)
    while True:
        n = int(random.integers(1, 11)) if kinds is None else len(kinds)
        bodies = []
        for i in range(n):
            kind = str(random.choice([*KINDS, "fixed"])) if kinds is None else kinds[i]
            above = int(random.integers(max(-1, i - 3), i)) if kinds is None else i - 1
            parent = "world" if above < 0 else f"b{above}"
            massless = kinds is None and random.random() < 0.15
            bodies.append(body(random, i, kind, parent, massless))
        data = {"gravity": random.normal(scale=5.0, size=3).tolist(), "bodies": bodies, "forces": []}
        q, v = state(random, data)
        if len(v) and accelerable(data, q, v):
            return data, q, v, random.normal(scale=5.0, size=len(v))
