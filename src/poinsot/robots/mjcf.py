"""MJCF files as records: MuJoCo compiles the file, and the compiled model is read.

Joints of a body move it one after the other.  Each but the last carries a link without mass, "body/joint",
whose frame lies on that of the body while the joints beyond are at rest:

    joint frame at p (`jnt_pos`), axis in the body frame;  the link at -p in the child frame of the joint  (1)

A joint turns or slides by q - ref (`qpos0`); a free joint has the pose of its body in the world.
"""

import re
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.rotations import apply, compose, inverse, matrix
from poinsot.model.shapes.composite import Piece
from poinsot.model.shapes.mesh_file import MeshFile
from poinsot.model.shapes.solids import Box, Capsule, Cylinder, Ellipsoid, Solid, Sphere
from poinsot.robots.record import (
    CouplingRecord,
    JointRecord,
    LinkRecord,
    LoopRecord,
    MotorRecord,
    RobotRecord,
    SiteRecord,
    StartRecord,
    TendonRecord,
)

JOINTS = ("free", "spherical", "prismatic", "revolute")  # by the number of MuJoCo
SHOWN = 2  # largest group of geoms that are drawn
CONNECT, WELD, JOINT, TENDON = range(4)  # kinds of equality
AFFINE = 1  # kind of bias of an actuator
HINT = "reading MJCF needs MuJoCo's compiler: pip install mujoco-core (or poinsot[mjcf])"
LINE = re.compile(r"line (\d+)")


def compile_file(path: Path) -> tuple[Any, Any, int, list[str]]:
    """Return the compiled model, its specification, the number of meshes left out, and warnings."""
    try:
        import mujoco
    except ImportError:
        raise ModelError(f"{path}: {HINT}") from None
    with warnings.catch_warnings(record=True) as caught, ExitStack() as stack:
        warnings.simplefilter("always")
        stack.callback(mujoco.set_mju_user_warning, mujoco.get_mju_user_warning())
        mujoco.set_mju_user_warning(lambda text: None)  # else it also writes MUJOCO_LOG.TXT where the user is
        try:
            spec, lost = mujoco.MjSpec.from_file(str(path)), 0
            compiled = spec.compile()
        except (ValueError, RuntimeError, OSError) as error:
            try:  # a body with a given inertia can do without its mesh
                spec = mujoco.MjSpec.from_file(str(path))
                lost = _drop_meshes(mujoco, spec)
                compiled = spec.compile() if lost else None
            except (ValueError, RuntimeError, OSError):
                compiled = None
            if compiled is None:
                raise ModelError(_message(path, error)) from None
    return compiled, spec, lost, [" ".join(str(one.message).split()) for one in caught]


def _message(path: Path, error: Exception) -> str:
    text = " ".join(str(error).split())
    line = LINE.search(text)
    return f"{path}:{line[1] if line else 1}: MuJoCo does not compile it: {text}"


def _drop_meshes(mujoco: Any, spec: Any) -> int:
    """Delete the mesh geoms of bodies whose inertia is given; return their number."""
    count = 0
    for body in spec.bodies:
        meshes = [geom for geom in body.geoms if geom.type == mujoco.mjtGeom.mjGEOM_MESH]
        if body.explicitinertial:
            for geom in meshes:
                spec.delete(geom)
                count += 1
    used = {geom.meshname for geom in spec.geoms if geom.type == mujoco.mjtGeom.mjGEOM_MESH}
    for mesh in list(spec.meshes):
        if count and mesh.name not in used:
            spec.delete(mesh)
    return count


class MjcfReader:
    """Reads a compiled model into a record."""

    def __init__(self, path: Path) -> None:
        self.m, self.spec, lost, remarks = compile_file(path)
        m = self.m
        gravity = np.zeros(3) if m.opt.disableflags & self._flag("GRAVITY") else m.opt.gravity
        x, y, z = gravity.tolist()
        self.robot = RobotRecord(str(path), path.stem, (x, y, z), float(m.opt.timestep))
        for text in remarks:
            self.robot.find("remark", "file", 0, "compiler", text)
        if lost:
            self.robot.note("meshes that are not found", lost)
        self.bodies = [self._name("body", i, "body") for i in range(m.nbody)]
        self.bodies[0] = "world"
        self.joints = [self._name("joint", i, "joint") for i in range(m.njnt)]
        self.lines = {int(one.id): self._line(one) for one in self.spec.bodies}

    def _flag(self, name: str) -> int:
        import mujoco

        return int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))

    def _name(self, kind: str, i: int, stem: str) -> str:
        return str(getattr(self.m, kind)(i).name) or f"{stem}{i}"

    @staticmethod
    def _line(one: Any) -> int:
        found = LINE.search(str(one.info))
        return int(found[1]) if found else 0

    def read(self) -> RobotRecord:
        """Return the record of the file."""
        for i in range(1, self.m.nbody):
            self.body(i)
        self.check_new_fields()
        self.equalities()
        self.motors()
        self.tendons()
        self.starts()
        for i in range(self.m.nsite):
            at, rotation = self.m.site_pos[i].copy(), self.m.site_quat[i].copy()
            body = self.bodies[int(self.m.site_bodyid[i])]
            self.robot.sites.append(SiteRecord(self._name("site", i, "site"), body, at, rotation))
        self.notes()
        return self.robot

    def body(self, i: int) -> None:
        """Read a body with its joints (1)."""
        m, name, line = self.m, self.bodies[i], self.lines.get(i, 0)
        R = matrix(m.body_iquat[i])
        link = LinkRecord(name, line, float(m.body_mass[i]), m.body_ipos[i].copy())
        link.inertia = product(R, np.diag(m.body_inertia[i]), R.T)
        if float(m.body_gravcomp[i]):
            link.lift = float(m.body_gravcomp[i])
        self.parts(i, link)
        parent, at, rotation = (
            self.bodies[int(m.body_parentid[i])],
            m.body_pos[i].copy(),
            m.body_quat[i].copy(),
        )
        first, count = int(m.body_jntadr[i]), int(m.body_jntnum[i])
        if not count:
            fixed = JointRecord("", line, "fixed", parent, name, at, rotation)
            self.robot.joints.append(fixed)
        for j in range(first, first + count):
            last = j == first + count - 1
            child = name if last else f"{name}/{self.joints[j]}"
            if not last:
                self.robot.links.append(LinkRecord(child, line))
            self.robot.joints.append(self.joint(j, parent, child, at, rotation))
            parent, at, rotation = child, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
        self.robot.links.append(link)

    def joint(self, j: int, parent: str, child: str, at: Array, rotation: Array) -> JointRecord:
        """Return a joint whose body would lie at (at, rotation) in the parent, were it at rest."""
        m, kind = self.m, JOINTS[int(self.m.jnt_type[j])]
        dof, q = int(m.jnt_dofadr[j]), int(m.jnt_qposadr[j])
        found = JointRecord(self.joints[j], self.lines.get(int(m.jnt_bodyid[j]), 0), kind, parent, child)
        if kind != "free":
            found.at = at + apply(rotation, m.jnt_pos[j])
            found.rotation, found.body_at = rotation, -m.jnt_pos[j]
        found.damping, found.friction = float(m.dof_damping[dof]), float(m.dof_frictionloss[dof])
        found.stiffness, found.armature = float(m.jnt_stiffness[j]), float(m.dof_armature[dof])
        if kind in ("revolute", "prismatic"):
            found.axis = m.jnt_axis[j].copy()
            found.ref, found.rest = float(m.qpos0[q]), float(m.qpos_spring[q])
            if m.jnt_limited[j] and not m.opt.disableflags & self._flag("LIMIT"):
                found.lower, found.upper = m.jnt_range[j].tolist()
        else:
            if m.jnt_limited[j]:
                self.robot.note(f"limits of {kind} joints")
            if kind == "spherical":
                found.rest_rotation = m.qpos_spring[q : q + 4].copy()
            elif found.stiffness:
                self.robot.note("stiffness of free joints")
        if m.opt.disableflags & self._flag("SPRING"):
            found.stiffness = 0.0
        if m.opt.disableflags & self._flag("DAMPER"):
            found.damping = 0.0
        return found

    def check_new_fields(self) -> None:
        """Refuse what changes the motion of joints and is not known here."""
        for name in (
            "jnt_stiffnesspoly",
            "dof_dampingpoly",
            "jnt_springyield",
            "tendon_stiffnesspoly",
            "tendon_dampingpoly",
        ):
            values = getattr(self.m, name, None)
            if values is not None and np.any(values):
                text = f"`{name}` is not zero: nonlinear springs and dampers are not read"
                self.robot.find("error", "joints", 0, "nonlinear", text)

    # shapes

    def parts(self, i: int, link: LinkRecord) -> None:
        """Read the geoms of a body that are drawn: those of the usual groups, or all if there are none."""
        m = self.m
        geoms = range(int(m.body_geomadr[i]), int(m.body_geomadr[i]) + int(m.body_geomnum[i]))
        shown = [g for g in geoms if m.geom_group[g] <= SHOWN] or list(geoms)
        for g in shown:
            at, rotation = m.geom_pos[g].copy(), m.geom_quat[g].copy()
            try:
                solid = self.solid(g)
            except ModelError:
                solid = None
            if isinstance(solid, MeshFile):
                mesh = int(m.geom_dataid[g])  # MuJoCo moves meshes to their principal axes
                rotation = compose(rotation, inverse(m.mesh_quat[mesh]))
                at = at - apply(rotation, m.mesh_pos[mesh])
            if solid is not None:
                link.parts.append(Piece(solid, tuple(at.tolist()), tuple(rotation.tolist()), mass=1.0))

    def solid(self, g: int) -> Solid | None:
        """Return the shape of a geom; None if it is not drawn."""
        m = self.m
        a, b, c = m.geom_size[g].tolist()
        match int(m.geom_type[g]):
            case 2:  # SPHERE
                return Sphere(a)
            case 3:  # CAPSULE
                return Capsule(a, 2 * b)
            case 4:  # ELLIPSOID
                return Ellipsoid((a, b, c))
            case 5:  # CYLINDER
                return Cylinder(a, 2 * b)
            case 6:  # BOX
                return Box((2 * a, 2 * b, 2 * c))
            case 7:  # MESH
                mesh = int(m.geom_dataid[g])
                begin = int(m.mesh_pathadr[mesh]) if mesh >= 0 else -1
                path = m.paths[begin:].split(b"\0", 1)[0].decode() if begin >= 0 else ""
                return MeshFile(path, m.mesh_scale[mesh]) if path else None
        return None

    # what couples joints

    def equalities(self) -> None:
        m = self.m
        for e in range(m.neq):
            if not m.eq_active0[e]:
                self.robot.note("equalities that are switched off")
                continue
            kind, data, name = int(m.eq_type[e]), m.eq_data[e], self._name("eq", e, "equality")
            if kind in (CONNECT, WELD):
                self.loop(e, kind, data, name)
            elif kind == JOINT:
                self.couple_joints(name, {}, data, *(int(x[e]) for x in (m.eq_obj1id, m.eq_obj2id)))
            elif kind == TENDON:
                self.couple_tendons(name, data, *(int(x[e]) for x in (m.eq_obj1id, m.eq_obj2id)))
            else:
                self.robot.note("equalities of flexible bodies, or of distance")

    def loop(self, e: int, kind: int, data: Array, name: str) -> None:
        """Read a connect or a weld, between bodies or sites."""
        import mujoco

        m = self.m
        ends = [int(m.eq_obj1id[e]), int(m.eq_obj2id[e])]
        if int(m.eq_objtype[e]) == int(mujoco.mjtObj.mjOBJ_SITE):
            bodies = [self.bodies[int(m.site_bodyid[one])] for one in ends]
            at = [m.site_pos[one].copy() for one in ends]
            turns = [m.site_quat[one].copy() for one in ends]
        elif kind == CONNECT:
            bodies, at = [self.bodies[one] for one in ends], [data[0:3].copy(), data[3:6].copy()]
            turns = [np.array([1.0, 0.0, 0.0, 0.0])] * 2
        else:  # data: anchor in body 2, pose of body 2 in body 1
            bodies = [self.bodies[one] for one in ends]
            turn = data[6:10].copy() if data[6:10].any() else np.array([1.0, 0.0, 0.0, 0.0])
            at = [data[3:6] + apply(turn, data[0:3]), data[0:3].copy()]
            turns = [turn, np.array([1.0, 0.0, 0.0, 0.0])]
        joint = "spherical" if kind == CONNECT else "fixed"
        self.robot.loops.append(
            LoopRecord(name, joint, bodies[0], bodies[1], at[0], at[1], turns[0], turns[1])
        )

    def couple_joints(self, name: str, factors: dict[str, float], data: Array, one: int, two: int) -> None:
        """Read y - y0 = a0 + a1 (x - x0) between joints; a curve of higher degree is not read."""
        m = self.m
        if data[2:5].any():
            self.robot.note("equalities of joints that are no straight line")
            return
        offset = float(data[0]) + float(m.qpos0[m.jnt_qposadr[one]])
        factors[self.joints[one]] = 1.0
        if two >= 0:
            factors[self.joints[two]] = -float(data[1])
            offset -= float(data[1]) * float(m.qpos0[m.jnt_qposadr[two]])
        self.robot.couplings.append(CouplingRecord(name, 0, factors, offset))

    def couple_tendons(self, name: str, data: Array, one: int, two: int) -> None:
        """Read the same between fixed tendons, whose lengths are sums of c q."""
        m, offset = self.m, float(data[0])
        factors: dict[str, float] = {}
        if data[2:5].any() or any(not self._fixed_tendon(one) for one in (one, two) if one >= 0):
            self.robot.note("equalities of tendons that are not fixed, or no straight line")
            return
        for tendon, factor in ((one, 1.0), (two, -float(data[1]))):
            if tendon >= 0:
                offset += factor * float(m.tendon_length0[tendon])
                for joint, share in self._wraps(tendon):
                    factors[joint] = factors.get(joint, 0.0) + factor * share
        self.robot.couplings.append(CouplingRecord(name, 0, factors, offset))

    def _range(self, tendon: int) -> range:
        first = int(self.m.tendon_adr[tendon])
        return range(first, first + int(self.m.tendon_num[tendon]))

    def _fixed_tendon(self, tendon: int) -> bool:
        return all(int(self.m.wrap_type[k]) == 1 for k in self._range(tendon))

    def _wraps(self, tendon: int) -> list[tuple[str, float]]:
        m = self.m
        return [(self.joints[int(m.wrap_objid[k])], float(m.wrap_prm[k])) for k in self._range(tendon)]

    # what drives it, where it starts, what is left out

    def motors(self) -> None:
        m = self.m
        for a in range(m.nu):
            if int(m.actuator_trntype[a]) > 1 or int(m.actuator_dyntype[a]):
                self.robot.note("actuators that do not act on a joint, or have a state")
                continue
            joint, gear = int(m.actuator_trnid[a, 0]), float(m.actuator_gear[a, 0])
            plain = int(m.actuator_gaintype[a]) == 0 and int(m.actuator_biastype[a]) == 0
            bounds = (-np.inf, np.inf)
            if m.actuator_forcelimited[a]:
                low, high = m.actuator_forcerange[a].tolist()
                bounds = min(gear * low, gear * high), max(gear * low, gear * high)
            elif plain and m.actuator_ctrllimited[a]:
                ends = (m.actuator_ctrlrange[a] * float(m.actuator_gainprm[a, 0]) * gear).tolist()
                bounds = min(ends), max(ends)
            name, law = self._name("actuator", a, "actuator"), MotorRecord("", "", bounds)
            if not plain and int(m.actuator_gaintype[a]) == 0 and int(m.actuator_biastype[a]) == AFFINE:
                b0, b1, b2 = m.actuator_biasprm[a, :3].tolist()
                bias = gear * b0, gear * gear * b1, gear * gear * b2
                law = MotorRecord("", "", bounds, gear * float(m.actuator_gainprm[a, 0]), bias)
                if m.actuator_ctrllimited[a]:
                    self.robot.note("ranges of the commands of servos")
            elif not plain:
                self.robot.note("laws of actuators that are not linear (their motors are there)")
            self.robot.motors.append(law._replace(name=name, joint=self.joints[joint]))

    def tendons(self) -> None:
        """Read springs and dampers of fixed tendons: sums of c q with q of the file."""
        m = self.m
        for t in range(m.ntendon):
            stiffness, damping = float(m.tendon_stiffness[t]), float(m.tendon_damping[t])
            stiffness *= not m.opt.disableflags & self._flag("SPRING")
            damping *= not m.opt.disableflags & self._flag("DAMPER")
            low, high = m.tendon_lengthspring[t].tolist()
            if not (stiffness or damping):
                continue
            if not self._fixed_tendon(t):
                self.robot.note("springs and dampers of tendons that are not fixed")
                continue
            if stiffness and low != high:
                self.robot.note("springs of tendons with a range of lengths")
                stiffness = 0.0
            factors: dict[str, float] = {}
            for joint, c in self._wraps(t):
                factors[joint] = factors.get(joint, 0.0) + c
            if any(factors.values()):
                self.robot.tendons.append(TendonRecord(factors, stiffness, low, damping))

    def starts(self) -> None:
        m = self.m
        states = [("initial", m.qpos0, np.zeros(m.nv))]
        states += [(self._name("key", k, "key"), m.key_qpos[k], m.key_qvel[k]) for k in range(m.nkey)]
        for name, q, v in states:
            values = {}
            for j, joint in enumerate(self.joints):
                kind = JOINTS[int(m.jnt_type[j])]
                a, b = int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j])
                nq, nv = {"free": (7, 6), "spherical": (4, 3)}.get(kind, (1, 1))
                values[joint] = q[a : a + nq].copy(), v[b : b + nv].copy()
            self.robot.starts.append(StartRecord(name, values))

    def notes(self) -> None:
        m = self.m
        counts = {
            "geoms that touch": int(np.sum((m.geom_contype != 0) | (m.geom_conaffinity != 0))),
            "contact pairs": int(m.npair),
            "sensors": int(m.nsensor),
            "limits or friction of tendons": int(
                np.sum((m.tendon_limited != 0) | (m.tendon_frictionloss != 0))
            ),
            "armature of tendons": int(np.count_nonzero(m.tendon_armature)),
            "armature and damping of actuators": sum(
                int(np.count_nonzero(getattr(m, f"actuator_{what}", 0.0))) for what in ("armature", "damping")
            ),
            "fluid": int(bool(m.opt.density or m.opt.viscosity)),
            "wind": int(bool(np.any(m.opt.wind))),
            "flexible bodies": int(m.nflex),
            "skins": int(m.nskin),
            "plugins": int(m.nplugin),
            "bodies that a program moves (mocap), which are fixed here": int(m.nmocap),
        }
        for what, count in counts.items():
            if count:
                self.robot.note(what, count)
