"""Bent chains of spherical joints: pinocchio's `aba` and its dense solve against 40 digits.

    python bench/peers/bent_chain.py          prints the table, from tests/data/bent_chain.json
    python bench/peers/bent_chain.py write    makes that file (two minutes), then prints

The links are prisms (2 m long, 0.2 m wide, 50 kg; the moving-frame thesis), frames at the upper joints; link
k = 1..n is turned against its parent by the quaternion (2), and its relative angular velocity is (3):

    J = m/12 diag(l² + b², l² + b², 2 b²),  centre of mass (0, 0, −l/2),  next joint at (0, 0, −l)     (1)
    u = (1, a sin(1.3 k), a cos(2.1 k), a sin(0.7 k + 0.5)) / |.|,  a = 0.15                           (2)
    w = 0.3 (cos(1.1 k), sin(1.7 k), cos(2.3 k))                                                       (3)

The numbers count, not the formulas: q, v and the mechanism are float64, taken exactly, with u normalised
once more in 40 digits.  Errors are max |a − exact| / max |exact|.
"""

import json
import math
import sys

import mpmath
import numpy as np
import pinocchio as pin
from peers import DATA, VERSIONS, MuJoCo, Pinocchio, difference, oracle, write

SIZES, DIGITS = (4, 16, 32, 64), 40
LENGTH, WIDTH, MASS, GRAVITY, BEND, RATE = 2.0, 0.2, 50.0, 9.81, 0.15, 0.3


def prism(k, joint="spherical"):
    """(1)."""
    side, thin = MASS * (LENGTH**2 + WIDTH**2) / 12, MASS * 2 * WIDTH**2 / 12
    return {
        "name": f"link{k}",
        "mass": MASS,
        "inertia": [[side, 0.0, 0.0], [0.0, side, 0.0], [0.0, 0.0, thin]],
        "center_of_mass": [0.0, 0.0, -LENGTH / 2],
        "physical": True,
        "shape": None,
        "joint": {"kind": joint},
        "parent": "world" if k == 1 else f"link{k - 1}",
        "at": [0.0, 0.0, 0.0 if k == 1 else -LENGTH],
        "rotation": [1.0, 0.0, 0.0, 0.0],
        "body_at": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
    }


def chain(n):
    return {"gravity": [0.0, 0.0, -GRAVITY], "bodies": [prism(k) for k in range(1, n + 1)], "forces": []}


def start(n):
    """(2), (3)."""
    q, v = [], []
    for k in range(1, n + 1):
        x = BEND * math.sin(1.3 * k), BEND * math.cos(2.1 * k), BEND * math.sin(0.7 * k + 0.5)
        length = math.sqrt(1 + math.fsum(c * c for c in x))
        q += [1 / length, *(c / length for c in x)]
        v += [RATE * math.cos(1.1 * k), RATE * math.sin(1.7 * k), RATE * math.cos(2.3 * k)]
    return q, v


def exact(data, q, v):
    with mpmath.workdps(DIGITS):
        M, bias = oracle.equations(data, q, v, numbers=mpmath.mp)
        a = oracle.solve(M, -bias)
        residual = max(abs(x) for x in M @ a + bias) / max(abs(x) for x in bias)
    return a.astype(float), M.astype(float), float(residual)


def errors(data, q, v, a):
    peer, tau, world = Pinocchio(data), np.zeros(len(v)), pin.Convention.WORLD
    return {
        "pinocchio aba": difference(peer.acceleration(q, v, tau), a),
        "pinocchio aba, WORLD": difference(peer.acceleration(q, v, tau, convention=world), a),
        "pinocchio crba": difference(peer.dense_acceleration(q, v, tau), a),
        "mujoco": difference(MuJoCo(data).acceleration(q, v, tau), a),
        "dense oracle, float64": difference(oracle.acceleration(data, q, v), a),
    }


def make():
    chains = []
    for n in SIZES:
        data, (q, v) = chain(n), start(n)
        a, M, residual = exact(data, q, v)
        with mpmath.workdps(DIGITS + 15):
            more = oracle.acceleration(data, q, v, numbers=mpmath.mp)
        chains.append(
            {
                "n": n,
                "mechanism": data,
                "q": q,
                "v": v,
                "acceleration": a.tolist(),
                "condition": float(np.linalg.cond(M)),
                "residual": residual,
                "against_55_digits": difference(a, more),
                "errors": errors(data, q, v, a),
            }
        )
        print(n, "done", residual, chains[-1]["against_55_digits"])
    about = (
        "Made by bench/peers/bent_chain.py; its docstring has the formulas.  acceleration: the dense oracle "
        "with 40 digits, rounded; no joint torques.  errors: max |a - exact| / max |exact|."
    )
    formulas = [
        line.strip() for line in __doc__.splitlines() if line.rstrip().endswith(("(1)", "(2)", "(3)"))
    ]
    write("bent_chain.json", {"about": about, "formulas": formulas, "versions": VERSIONS, "chains": chains})


def table():
    chains = json.loads((DATA / "bent_chain.json").read_text())["chains"]
    print(f"relative error of the acceleration, bent chain; pinocchio {VERSIONS['pinocchio']}")
    for i, one in enumerate(chains):
        row = errors(*(one[key] for key in ("mechanism", "q", "v", "acceleration")))
        if i == 0:
            print(f"{'n':>4}{'condition':>12}", *(f"{key:>22}" for key in row))
        print(f"{one['n']:4}{one['condition']:12.1e}", *(f"{value:22.1e}" for value in row.values()))


if __name__ == "__main__":
    if "write" in sys.argv[1:]:
        make()
    table()
