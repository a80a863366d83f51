"""Our mechanisms in other engines: pinocchio and MuJoCo, converted at the door.

    python -m venv FOLDER; FOLDER/bin/pip install -r bench/peers/requirements.txt
    FOLDER/bin/python bench/peers/trees.py         writes tests/data/trees.json         (10 s)
    FOLDER/bin/python bench/peers/trees.py live    computes it again and compares with the file
    FOLDER/bin/python bench/peers/bent_chain.py    prints the errors of pinocchio on bent chains
    FOLDER/bin/python bench/peers/bent_chain.py write   makes tests/data/bent_chain.json    (two minutes)
    FOLDER/bin/python bench/peers/pendulums.py write    makes tests/data/pendulums.json     (ten minutes)

The environment has the peers and mpmath, not Poinsot: nothing here imports it.  What the numbers mean
is said once, by the mechanism as data; `tests/support/oracle.py` reads the same data and is the judge.

A peer has its own velocities and accelerations:

    v_peer = T v,   a_peer = T a + s,   τ_peer = T⁻ᵀ τ,   M = Tᵀ M_peer T           (1)

pinocchio: T is a permutation and s = 0.  Free-flyer (v, w), quaternions xyzw.  Joints must be added
depth first: in another order 4.1.0 has the right `aba` and a wrong `crba`, without a word.  Cylindrical
and planar are composites (revolute + prismatic; prismatic + prismatic + revolute): there is no cylindrical
joint, and `JointModelPlanar` has body velocities.  Welds are merged into the body that carries them; what
is welded to the world has no potential energy there, which is added here.

MuJoCo: bodies are in depth-first order.  Universal, cylindrical and planar are hinges and slides on one
body.  A free joint on the world is native, with the velocity of the origin in space axes; on a body it
is three slides and a ball, with the velocity in the axes of the joint frame.  In both cases this is R v,
and s = R (w × v).  Bodies without mass get some for the compiler, and lose it again in the model.
"""

import json
import sys
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
sys.path.insert(0, str(ROOT / "tests"))

from support import oracle  # noqa: E402

VERSIONS = {"pinocchio": pin.__version__, "mujoco": mujoco.__version__}


def unit(x):
    return np.array(x) / np.linalg.norm(x)


def pose(point, quaternion):
    return pin.SE3(oracle.rotation(np.array(quaternion)), np.array(point, dtype=float))


def wxyz(R):
    x, y, z, w = pin.Quaternion(R).coeffs()
    return [w, x, y, z]


def layout(data):
    """(body, where its q begins, where its v begins) in our order, and the lengths."""
    rows, iq, iv = [], 0, 0
    for body in data["bodies"]:
        rows.append((body, iq, iv))
        nq, nv = oracle.SIZE[body["joint"]["kind"]]
        iq, iv = iq + nq, iv + nv
    return rows, iq, iv


def depth_first(data, parent="world"):
    """The names of the bodies, every subtree in one piece."""
    names = []
    for body in data["bodies"]:
        if body["parent"] == parent:
            names += [body["name"], *depth_first(data, body["name"])]
    return names


class Pinocchio:
    def __init__(self, data):
        self.rows, self.nq, self.nv = layout(data)
        assert len(self.rows) <= 128, "the memory of pinocchio's data grows like the cube"
        self.gravity = np.array(data["gravity"])
        self.model = pin.Model()
        self.model.gravity.linear = self.gravity
        self.joint_of = {"world": (0, pin.SE3.Identity())}  # joint index, body frame in its child frame
        self.com, self.welded = {}, 0.0
        ours = {body["name"]: body for body, _, _ in self.rows}
        for name in depth_first(data):
            body = ours[name]
            joint, carrier = self.joint_of[body["parent"]]
            place = carrier * pose(body["at"], body["rotation"])
            if body["joint"]["kind"] != "fixed":
                joint = self.model.addJoint(joint, self.joint(body["joint"]), place, name)
                place = pin.SE3.Identity()
            place = place * pose(*body["body_at"])
            self.joint_of[name] = joint, place
            self.com[name] = np.array(body["center_of_mass"])
            if joint == 0:
                self.welded -= body["mass"] * self.gravity @ place.act(self.com[name])
            elif body["mass"] > 0:
                inertia = pin.Inertia(body["mass"], self.com[name], np.array(body["inertia"]))
                self.model.appendBodyToJoint(joint, inertia, place)
        self.data = self.model.createData()
        self.T = np.zeros((self.nv, self.nv))
        for body, _, iv in self.rows:
            kind, joint = body["joint"]["kind"], self.joint_of[body["name"]][0]
            if kind != "fixed":
                nv, jv = oracle.SIZE[kind][1], self.model.idx_vs[joint]
                self.T[jv : jv + nv, iv : iv + nv] = np.roll(np.eye(nv), 3 if kind == "free" else 0, axis=0)

    @staticmethod
    def joint(joint):
        kind = joint["kind"]
        axis = unit(joint.get("axis", joint.get("normal", (0, 0, 1))))
        if kind == "universal":
            return pin.JointModelUniversal(unit(joint["axis1"]), unit(joint["axis2"]))
        if kind == "spherical":
            return pin.JointModelSpherical()
        if kind == "free":
            return pin.JointModelFreeFlyer()
        turn, slide = pin.JointModelRevoluteUnaligned(axis), pin.JointModelPrismaticUnaligned(axis)
        if kind in ("revolute", "prismatic"):
            return turn if kind == "revolute" else slide
        plane = [pin.JointModelPrismaticUnaligned(e) for e in oracle.plane(oracle.mpmath.fp, axis)]
        composite = pin.JointModelComposite()
        for part in (turn, slide) if kind == "cylindrical" else (*plane, turn):
            composite.addJoint(part)
        return composite

    def q(self, q):
        q, out = np.array(q), np.zeros(self.nq)
        for body, iq, _ in self.rows:
            kind, joint = body["joint"]["kind"], self.joint_of[body["name"]][0]
            if kind != "fixed":
                nq, jq = oracle.SIZE[kind][0], self.model.idx_qs[joint]
                x = q[iq : iq + nq].copy()
                if kind in ("spherical", "free"):
                    x[-4:] = np.roll(x[-4:], -1)
                out[jq : jq + nq] = x
        return out

    def external(self, q, wrenches):
        """(torque, force) at the centre of mass in space axes, as pinocchio wants them."""
        pin.forwardKinematics(self.model, self.data, q)
        out = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for name, (torque, force) in wrenches.items():
            joint, place = self.joint_of[name]
            turn = self.data.oMi[joint].rotation.T
            arm = place.act(self.com[name])
            f = turn @ force
            out[joint] += pin.Force(f, turn @ torque + np.cross(arm, f))
        return out

    def acceleration(self, q, v, tau, wrenches=(), convention=pin.Convention.LOCAL):
        """By `aba`; LOCAL is its default."""
        args = [self.q(q), self.T @ v, self.T @ tau]
        if wrenches:
            args.append(self.external(args[0], wrenches))
        return self.T.T @ pin.aba(self.model, self.data, *args, convention)

    def mass_matrix(self, q):
        M = pin.crba(self.model, self.data, self.q(q))
        return self.T.T @ (np.triu(M) + np.triu(M, 1).T) @ self.T

    def dense_acceleration(self, q, v, tau):
        """By `crba`, `nonLinearEffects` and a solve."""
        bias = self.T.T @ pin.nonLinearEffects(self.model, self.data, self.q(q), self.T @ v)
        return np.linalg.solve(self.mass_matrix(q), tau - bias)

    def energies(self, q, v):
        args = self.model, self.data, self.q(q), self.T @ v
        return pin.computeKineticEnergy(*args), pin.computePotentialEnergy(*args[:3]) + self.welded


class MuJoCo:
    def __init__(self, data):
        self.rows, self.nq, self.nv = layout(data)
        spec = mujoco.MjSpec()
        spec.compiler.degree = False
        spec.option.gravity = data["gravity"]
        spec.option.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
        made = {"world": (spec.worldbody, pin.SE3.Identity())}  # our body frame in MuJoCo's
        self.base = {}
        for body, _, _ in self.rows:
            parent, carrier = made[body["parent"]]
            place, inner = carrier * pose(body["at"], body["rotation"]), pose(*body["body_at"])
            moments, axes = np.linalg.eigh(np.array(body["inertia"]))
            axes[:, 2] *= np.sign(np.linalg.det(axes))
            new = parent.add_body(
                name=body["name"],
                pos=place.translation,
                quat=wxyz(place.rotation),
                mass=body["mass"] or 1.0,
                inertia=moments if body["mass"] else np.ones(3),
                ipos=inner.act(np.array(body["center_of_mass"])),
                iquat=wxyz(inner.rotation @ axes),
                explicitinertial=True,
            )
            for k, (kind, axis) in enumerate(self.joints(body)):
                new.add_joint(name=f"{body['name']}:{k}", type=kind, axis=axis)
            made[body["name"]] = new, inner
            self.base[body["name"]] = place
        self.model = spec.compile()
        for body, _, _ in self.rows:
            if body["mass"] == 0:
                i = self.model.body(body["name"]).id
                self.model.body_mass[i], self.model.body_inertia[i] = 0, 0
        self.data = mujoco.MjData(self.model)

    @staticmethod
    def joints(body):
        HINGE, SLIDE = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE
        BALL, FREE = mujoco.mjtJoint.mjJNT_BALL, mujoco.mjtJoint.mjJNT_FREE
        joint, z = body["joint"], [0, 0, 1]
        axis = unit(joint.get("axis", joint.get("normal", z)))
        plane = oracle.plane(oracle.mpmath.fp, axis)
        free = [(SLIDE, e) for e in np.eye(3)] + [(BALL, z)]
        return {
            "fixed": [],
            "revolute": [(HINGE, axis)],
            "prismatic": [(SLIDE, axis)],
            "spherical": [(BALL, z)],
            "universal": [(HINGE, unit(joint.get(word, z))) for word in ("axis1", "axis2")],
            "cylindrical": [(HINGE, axis), (SLIDE, axis)],
            "planar": [(SLIDE, plane[0]), (SLIDE, plane[1]), (HINGE, axis)],
            "free": [(FREE, z)] if body["parent"] == "world" else free,
        }[joint["kind"]]

    def set(self, q, v, tau, wrenches=()):
        """Fill the state; T and s of (1)."""
        q, v = np.array(q), np.array(v)
        T, s = np.zeros((self.nv, self.nv)), np.zeros(self.nv)
        for body, iq, iv in self.rows:
            kind = body["joint"]["kind"]
            (nq, nv), name = oracle.SIZE[kind], body["name"]
            if kind == "fixed":
                continue
            joint = self.model.joint(f"{name}:0")
            jq, jv, x = joint.qposadr[0], joint.dofadr[0], q[iq : iq + nq].copy()
            T[jv : jv + nv, iv : iv + nv] = np.eye(nv)
            if kind == "free":
                R = oracle.rotation(x[3:])
                if body["parent"] == "world":
                    R0 = self.base[name].rotation
                    x[:3] = self.base[name].act(x[:3])
                    R = R0 @ R
                    x[3:] = wxyz(R)
                w, u = v[iv : iv + 3], v[iv + 3 : iv + 6]
                block = np.zeros((6, 6))
                block[:3, 3:], block[3:, :3] = R, np.eye(3)
                T[jv : jv + 6, iv : iv + 6] = block
                s[jv : jv + 3] = R @ np.cross(w, u)
            self.data.qpos[jq : jq + nq] = x
        self.data.qvel[:] = T @ v
        self.data.qfrc_applied[:] = np.linalg.solve(T.T, tau)
        self.data.xfrc_applied[:] = 0
        for name, (torque, force) in dict(wrenches).items():
            self.data.xfrc_applied[self.model.body(name).id] = [*force, *torque]
        mujoco.mj_forward(self.model, self.data)
        return T, s

    def acceleration(self, q, v, tau, wrenches=()):
        T, s = self.set(q, v, tau, wrenches)
        return np.linalg.solve(T, self.data.qacc - s)

    def mass_matrix(self, q):
        T, _ = self.set(q, np.zeros(self.nv), np.zeros(self.nv))
        M = np.zeros((self.nv, self.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        return T.T @ M @ T

    def energies(self, q, v):
        self.set(q, v, np.zeros(self.nv))
        potential, kinetic = self.data.energy
        return kinetic, potential


def difference(a, b):
    """The largest difference relative to the largest element."""
    a, b = np.array(a, dtype=float), np.array(b, dtype=float)
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-300)) if b.size else 0.0


def write(name, content):
    """JSON with one short line for each list of numbers; floats exactly."""
    text = "{\n" + ",\n".join(f"{json.dumps(k)}: {lines(v)}" for k, v in content.items()) + "\n}\n"
    (DATA / name).write_text(text)


def lines(value, depth=1):
    """Dictionaries and lists of dictionaries over several lines, everything else on one."""
    if isinstance(value, dict) and len(json.dumps(value)) > 100:
        inner = [f"{' ' * depth}{json.dumps(k)}: {lines(v, depth + 1)}" for k, v in value.items()]
        return "{\n" + ",\n".join(inner) + "}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        inner = [f"{' ' * depth}{lines(v, depth + 1)}" for v in value]
        return "[\n" + ",\n".join(inner) + "]"
    return json.dumps(value, separators=(",", ":"))
