"""The same mechanism and state written in another way: data (`formats.data`), q, v, and what it turned.

A `Written` also says how its body frames lie in those of the first writing: `turned[name]` is the rotation
from the new body axes to the old ones.  Poses are (rotation, point); `after(A, B)` is first B, then A.
"""

import copy
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from poinsot.formats.data import from_data
from poinsot.model.joints.joint import frame_on
from support.random_trees import quaternion

STILL = [1.0, 0.0, 0.0, 0.0]


class Written(NamedTuple):
    data: dict[str, Any]
    q: np.ndarray
    v: np.ndarray
    turned: dict[str, Rotation]


def first(data, q, v):
    return Written(copy.deepcopy(data), np.array(q), np.array(v), {})


def rotation(q):
    return Rotation.from_quat(q, scalar_first=True)


def numbers(R):
    return R.as_quat(scalar_first=True).tolist()


def pose(random, size=0.4):
    return rotation(quaternion(random)), size * random.normal(size=3)


def after(A, B):
    return A[0] * B[0], A[1] + A[0].apply(B[1])


def back(A):
    return A[0].inv(), -A[0].inv().apply(A[1])


def placed(one):
    """The joint frame in the parent."""
    return rotation(one["rotation"]), np.array(one["at"])


def held(one):
    """The body frame in the child frame."""
    return rotation(one["body_at"][1]), np.array(one["body_at"][0])


def place(one, A):
    one["rotation"], one["at"] = numbers(A[0]), A[1].tolist()


def hold(one, A):
    one["body_at"] = [A[1].tolist(), numbers(A[0])]


def slices(data):
    m = from_data(data)
    return {name: m.slices(name) for name in m.names}


def with_other_body_frames(x, random):
    """Every body frame D is chosen anew: what hangs on the body follows, its motion does not change."""
    y, at = first(*x[:3]), slices(x.data)
    D = {one["name"]: pose(random) for one in x.data["bodies"]}
    for one in y.data["bodies"]:
        R, r = D[one["name"]]
        one["center_of_mass"] = R.inv().apply(np.array(one["center_of_mass"]) - r).tolist()
        J = R.as_matrix().T @ np.array(one["inertia"]) @ R.as_matrix()
        one["inertia"] = ((J + J.T) / 2).tolist()
        if one["parent"] in D:
            place(one, after(back(D[one["parent"]]), placed(one)))
        if one["joint"]["kind"] == "free":
            i, j = at[one["name"]]
            turn = rotation(x.q[i][3:])
            w, u = x.v[j][:3], x.v[j][3:]
            y.q[i] = [*(x.q[i][:3] + turn.apply(r)), *numbers(turn * R)]
            y.v[j] = [*R.inv().apply(w), *R.inv().apply(u + np.cross(w, r))]
        else:
            hold(one, after(held(one), (R, r)))
    return y._replace(turned={name: R for name, (R, _) in D.items()})


def with_other_joint_frames(x, random):
    """Both sides of every joint turn, its axes with them; along or around its axis it may also move."""
    y, at = first(*x[:3]), slices(x.data)
    for one in y.data["bodies"]:
        A, joint, (i, j) = rotation(quaternion(random)), one["joint"], at[one["name"]]
        kind, q, v = joint["kind"], x.q[i], x.v[j]
        shift = np.zeros(3)  # of the joint, in the old joint frame
        if kind in ("revolute", "cylindrical", "helical"):
            shift = random.normal() * np.array(joint["axis"])
        elif kind == "prismatic":
            shift = random.normal(size=3)
        place(one, after(placed(one), (A, shift)))
        if kind == "free":
            y.q[i] = [*A.inv().apply(q[:3]), *numbers(A.inv() * rotation(q[3:]))]
            continue
        hold(one, after((A.inv(), -A.inv().apply(shift)), held(one)))
        if kind == "spherical":
            y.q[i], y.v[j] = numbers(A.inv() * rotation(q) * A), A.inv().apply(v)
        if kind == "planar":  # the axes of the plane are chosen by the library
            old = np.array(joint["normal"]) / np.linalg.norm(joint["normal"])
            to_new = frame_on(A.inv().apply(old))[:, :2].T @ A.inv().as_matrix() @ frame_on(old)[:, :2]
            y.q[i][:2], y.v[j][:2] = to_new @ q[:2], to_new @ v[:2]
        for word in ("axis", "axis1", "axis2", "normal"):
            if word in joint:
                joint[word] = (A.inv().apply(joint[word]) * random.uniform(0.5, 2.0)).tolist()
    return y


def halved(x, random):
    """Every body with mass becomes two, welded together, the second in a frame of its own.

    The masses m/2 lie at c + d and c - d; each has the inertia (J - m (d^2 1 - d d^T))/2.
    """
    y = first(*x[:3])
    y.data["bodies"].clear()
    for one in copy.deepcopy(x.data["bodies"]):
        y.data["bodies"].append(one)
        if one["mass"] == 0:
            continue
        m, J, c = one["mass"], np.array(one["inertia"]), np.array(one["center_of_mass"])
        spread = np.trace(J) / 2 * np.eye(3) - J  # the covariance, from which m d d^T is taken
        e = random.normal(size=3)
        d = 0.5 * e / np.sqrt(m * e @ np.linalg.solve(spread, e))
        half = (J - m * (d @ d * np.eye(3) - np.outer(d, d))) / 2
        joint, own = pose(random), pose(random)
        R, r = after(joint, own)  # the second body frame in the first
        other = R.as_matrix().T @ half @ R.as_matrix()
        one.update(mass=m / 2, inertia=((half + half.T) / 2).tolist(), center_of_mass=(c + d).tolist())
        second = {
            **one,
            "name": one["name"] + " too",
            "parent": one["name"],
            "joint": {"kind": "fixed"},
            "inertia": ((other + other.T) / 2).tolist(),
            "center_of_mass": R.inv().apply(c - d - r).tolist(),
        }
        place(second, joint)
        hold(second, own)
        y.data["bodies"].append(second)
    return y


def through_frames(x, random):
    """Between every joint and its parent a welded frame without mass."""
    y = first(*x[:3])
    y.data["bodies"].clear()
    for one in copy.deepcopy(x.data["bodies"]):
        A, name = pose(random), one["name"] + " frame"
        frame = {
            **one,
            "name": name,
            "mass": 0.0,
            "inertia": np.zeros((3, 3)).tolist(),
            "center_of_mass": [0.0, 0.0, 0.0],
            "joint": {"kind": "fixed"},
            "body_at": [[0.0] * 3, STILL],
        }
        place(frame, A)
        place(one, after(back(A), placed(one)))
        one["parent"] = name
        y.data["bodies"] += [frame, one]
    return y


def reordered(x, random):
    """Added in another order in which parents still come first."""
    at, left, order = slices(x.data), list(x.data["bodies"]), []
    while left:
        known = {"world", *(one["name"] for one in order)}
        ready = [one for one in left if one["parent"] in known]
        order.append(ready[int(random.integers(len(ready)))])
        left.remove(order[-1])
    data = {**copy.deepcopy(x.data), "bodies": copy.deepcopy(order)}
    q, v = (np.concatenate([old[at[one["name"]][k]] for one in order]) for k, old in enumerate((x.q, x.v)))
    return Written(data, q, v, {})


WRITINGS = {
    "body frames": with_other_body_frames,
    "joint frames": with_other_joint_frames,
    "halves": halved,
    "frames between": through_frames,
    "order": reordered,
}
