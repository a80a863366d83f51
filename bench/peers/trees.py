"""Random trees with every joint, computed by pinocchio, MuJoCo and the dense oracle.

Writes tests/data/trees.json; with `live` computes all of it again and compares.  See peers.py.
"""

import json
import sys

import mpmath
import numpy as np
from peers import DATA, VERSIONS, MuJoCo, Pinocchio, difference, oracle, write

SEED = 20040
DIGITS = 40
# those of the file, in the order in which its random numbers were drawn
KINDS = ["revolute", "prismatic", "spherical", "universal", "cylindrical", "planar", "free"]
ABOUT = (
    "Made by bench/peers/trees.py.  q, v, tau and all results are in the order and the conventions of the "
    "library.  exact: the dense oracle with 40 digits, rounded (bias: the tau that gives no acceleration, "
    "gravity included); pinocchio: aba, and crba + nonLinearEffects + solve as dense; mujoco: mj_forward.  "
    "wrenches, where present: (torque, force) on bodies, force at the centre of mass, space axes, beside "
    "tau; results under with_wrenches.  agreement: largest difference relative to the largest element."
)


def rounded(x, digits=3):
    return np.round(x, digits).tolist()


def quaternion(rng):
    x = rng.normal(size=4)
    return (x / np.linalg.norm(x)).tolist()


def axis(rng):
    x = rng.normal(size=3)
    return x / np.linalg.norm(x)


def joint(rng, kind, skew=False):
    a = axis(rng)
    if kind in ("revolute", "prismatic", "cylindrical"):
        return {"kind": kind, "axis": a.tolist()}
    if kind == "planar":
        return {"kind": kind, "normal": a.tolist()}
    if kind == "universal":
        b = axis(rng)
        b = b if skew else np.cross(a, b) / np.linalg.norm(np.cross(a, b))
        return {"kind": kind, "axis1": a.tolist(), "axis2": b.tolist()}
    return {"kind": kind}


def inertia(rng, mass):
    """Of a box in a random position: physical, with room for the rounding."""
    x, y, z = rng.uniform(0.2, 1.0, 3) ** 2
    R = oracle.rotation(np.array(quaternion(rng)))
    return rounded(R @ np.diag([y + z, z + x, x + y]) @ R.T * mass / 12, 6)


def body(rng, name, one, parent, massless=False):
    mass = 0.0 if massless else round(rng.uniform(0.5, 5.0), 3)
    moved = one["kind"] != "free"
    return {
        "name": name,
        "mass": mass,
        "inertia": np.zeros((3, 3)).tolist() if massless else inertia(rng, mass),
        "center_of_mass": [0.0, 0.0, 0.0] if massless else rounded(rng.uniform(-0.5, 0.5, 3)),
        "physical": True,
        "shape": None,
        "joint": one,
        "parent": parent,
        "at": rounded(rng.uniform(-1, 1, 3)),
        "rotation": quaternion(rng),
        "body_at": [rounded(rng.uniform(-0.5, 0.5, 3)), quaternion(rng)]
        if moved
        else [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
    }


def tree(rng, kinds, chain=False, massless=(), skew=False, parents=None):
    """One body for each kind; `massless` are indices, which get a child."""
    bodies = []
    for i, kind in enumerate(kinds):
        if parents is not None:
            k = parents[i]
        elif chain or i - 1 in massless:
            k = i - 1
        else:
            k = int(rng.integers(-1, i))
        parent = "world" if k < 0 else bodies[k]["name"]
        bodies.append(body(rng, f"b{i}", joint(rng, kind, skew), parent, i in massless))
    return {"gravity": rounded(rng.uniform(-10, 10, 3)), "bodies": bodies, "forces": []}


def coordinates(rng, data):
    q = []
    for one in data["bodies"]:
        kind = one["joint"]["kind"]
        if kind in ("spherical", "free"):
            q += rounded(rng.uniform(-1, 1, 3)) if kind == "free" else []
            q += quaternion(rng)
        else:
            q += rounded(rng.uniform(-2, 2, oracle.SIZE[kind][0]))
    nv = sum(oracle.SIZE[one["joint"]["kind"]][1] for one in data["bodies"])
    return q, rounded(rng.uniform(-2, 2, nv)), rounded(rng.uniform(-10, 10, nv))


def mixed(rng, n):
    """Every kind at least once if there is room, then any."""
    kinds = [*KINDS, "fixed"][:n] + [str(k) for k in rng.choice([*KINDS, "fixed"], max(n - 8, 0))]
    return [kinds[i] for i in rng.permutation(n)]


def cases(rng):
    """(what, mechanism)."""
    for kind in KINDS:
        yield f"{kind} only", tree(rng, [kind] * (2 if kind == "free" else 3), chain=kind == "free")
    yield "universal with axes that are not perpendicular", tree(rng, ["universal"] * 2, skew=True)
    kinds = ["fixed", "revolute", "fixed", "revolute", "fixed", "fixed"]
    yield "welds: to the world, in a chain, at a tip", tree(rng, kinds, chain=True)
    data = tree(rng, ["planar", "revolute", "planar"], chain=True)
    data["bodies"][0]["joint"]["normal"] = [0.0, 0.0, 1.0]
    data["bodies"][2]["joint"]["normal"] = [0.0, 1.0, 0.0]
    yield "planar with the normals z and y", data
    data = tree(rng, ["revolute"] * 3, chain=True, massless=(0, 1))
    yield "massless: a gimbal of three revolute joints", data
    kinds = ["prismatic", "cylindrical", "spherical", "revolute"]
    yield "massless: slide, turn, ball", tree(rng, kinds, chain=True, massless=(0, 1))
    kinds = ["spherical", "fixed", "universal", "fixed"]
    yield "massless: a tip and a weld in between", tree(rng, kinds, chain=True, massless=(1, 3))
    kinds = ["planar", "revolute", "universal", "prismatic"]
    data = tree(rng, kinds, parents=[-1, 0, 1, 1], massless=(0,))
    yield "massless: planar carriage, branches", data
    yield "chain of all kinds", tree(rng, ["free", *[k for k in KINDS if k != "free"]], chain=True)
    for n in (4, 5, 6, 7, 8, 9, 10, 12, 12):
        yield f"mixed, {n} bodies", tree(rng, mixed(rng, n))


def compute(data, q, v, tau, wrenches=None):
    """The results of all, and how they agree."""
    pinocchio, mujoco = Pinocchio(data), MuJoCo(data)
    with mpmath.workdps(DIGITS):
        M, bias = oracle.equations(data, q, v, numbers=mpmath.mp)
        exact = oracle.solve(M, oracle.array(mpmath.mp, tau) - bias)
        sums = oracle.totals(data, q, v, mpmath.mp)
    M, bias, exact = (x.astype(float) for x in (M, bias, exact))
    energies = float(sums.kinetic), float(sums.potential)
    acceleration = {
        "oracle": oracle.acceleration(data, q, v, tau),
        "pinocchio": pinocchio.acceleration(q, v, tau),
        "pinocchio_dense": pinocchio.dense_acceleration(q, v, tau),
        "mujoco": mujoco.acceleration(q, v, tau),
    }
    peers = {"pinocchio": pinocchio, "mujoco": mujoco}
    out = {
        "exact": {
            "acceleration": exact.tolist(),
            "mass_matrix": M.tolist(),
            "bias": bias.tolist(),
            "kinetic": energies[0],
            "potential": energies[1],
            "linear_momentum": sums.linear_momentum.astype(float).tolist(),
            "angular_momentum": sums.angular_momentum.astype(float).tolist(),
            "center_of_mass": sums.center_of_mass.astype(float).tolist(),
        },
    }
    agreement = {f"acceleration {k}": difference(a, exact) for k, a in acceleration.items()}
    for name, peer in peers.items():
        kinetic, potential = peer.energies(q, v)
        out[name] = {"acceleration": acceleration[name].tolist(), "kinetic": kinetic, "potential": potential}
        agreement[f"mass_matrix {name}"] = difference(peer.mass_matrix(q), M)
        agreement[f"energies {name}"] = difference([kinetic, potential], energies)
    out["pinocchio"]["dense"] = acceleration["pinocchio_dense"].tolist()
    if wrenches:
        with mpmath.workdps(DIGITS):
            a = oracle.acceleration(data, q, v, tau, wrenches, mpmath.mp).astype(float)
        out["with_wrenches"] = {"exact": a.tolist()}
        for name, peer in peers.items():
            b = peer.acceleration(q, v, tau, wrenches)
            out["with_wrenches"][name] = b.tolist()
            agreement[f"with_wrenches {name}"] = difference(b, a)
    out["condition"] = float(np.linalg.cond(M))
    out["agreement"] = agreement
    return out


def make():
    """The inputs: what, mechanism, q, v, tau, and for every third tree wrenches."""
    rng = np.random.default_rng(SEED)
    for i, (what, data) in enumerate(cases(rng)):
        q, v, tau = coordinates(rng, data)
        tree = {"what": what, "mechanism": data, "q": q, "v": v, "tau": tau}
        if i % 3 == 0:
            names = [one["name"] for one in data["bodies"]][-2:]
            tree["wrenches"] = {name: [rounded(rng.uniform(-5, 5, 3)) for _ in "tf"] for name in names}
        yield tree


def same(old, new):
    """The results in the file against those of now."""
    for who in ("exact", "pinocchio", "mujoco"):
        for key in ("acceleration", "kinetic", "potential"):
            assert difference(new[who][key], old[who][key]) < 1e-10, (old["what"], who, key)


def main(live):
    file = json.loads((DATA / "trees.json").read_text()) if live else {"trees": make()}
    trees = []
    for one in file["trees"]:
        inputs = [one[key] for key in ("mechanism", "q", "v", "tau")]
        result = compute(*inputs, one.get("wrenches"))
        agreement = result["agreement"]
        worst = max(agreement, key=agreement.get)
        print(f"{one['what']:50} cond {result['condition']:.0e}  {agreement[worst]:.0e} {worst}")
        if live:
            same(one, result)
        trees.append({**one, **result})
    keys = sorted({key for one in trees for key in one["agreement"]})
    worst = {k: max(one["agreement"].get(k, 0.0) for one in trees) for k in keys}
    print(*(f"{value:.1e} {key}" for key, value in worst.items()), sep="\n")
    assert max(worst.values()) < 1e-11
    if live:
        print(f"the file ({file['versions']}) and now ({VERSIONS}) agree to 1e-10")
    else:
        head = {"about": ABOUT, "versions": VERSIONS, "seed": SEED, "worst": worst}
        write("trees.json", {**head, "trees": trees})


if __name__ == "__main__":
    main(live="live" in sys.argv[1:])
