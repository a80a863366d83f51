"""PyBullet: its default step of 1/240 s, damping and motors switched off."""

import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

import numpy as np
import pybullet as p
from adapter import Adapter, CannotError, State, by_friction, contacts, rotation

LINK = (
    '<link name="{name}"><inertial><origin xyz="{xyz}"/><mass value="{mass}"/>'
    '<inertia ixx="{i[0]}" iyy="{i[1]}" izz="{i[2]}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
JOINT = (
    '<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{name}"/>'
    '<origin xyz="{xyz}"/><axis xyz="{axis}"/></joint>'
)


def text(numbers):
    """Numbers in an attribute."""
    return " ".join(repr(float(x)) for x in numbers)


class PyBullet(Adapter):
    """Bullet by its Python module."""

    engine = "PyBullet"
    settings: ClassVar[dict] = {"default, 1/240 s": {"step": 1 / 240}}

    @staticmethod
    def version():
        """Of the package."""
        return version("pybullet")

    def build(self, case):
        """A free body is a base; a chain hangs on a base without mass."""
        if p.isConnected():
            p.disconnect()
        p.connect(p.DIRECT)
        p.setGravity(*case["gravity"])
        self.names = [body["name"] for body in case["bodies"]]
        self.free = case["bodies"][0]["joint"]["kind"] == "free"
        (self.single if self.free else self.chain)(case)
        for link in range(-1 if self.free else 0, p.getNumJoints(self.id)):
            moments = np.array(case["bodies"][max(link, 0)]["inertia"])
            if np.abs(moments - np.diag(moments.diagonal())).max() > 0:
                raise CannotError("adapter: moments of inertia along the body axes only")
            off = {"linearDamping": 0, "angularDamping": 0, "jointDamping": 0, "maxJointVelocity": 1e6}
            inertia = {"localInertiaDiagonal": moments.diagonal().tolist()} if self.free else {}
            p.changeDynamics(self.id, link, **inertia, **off)

    def single(self, case):
        """One free body, and the floor that it touches."""
        body, row, shape = case["bodies"][0], case["start"][self.names[0]], -1
        touch, friction = contacts(case), 0.0
        if touch and touch[0]["kind"] == "bounce":
            shape, self.note = p.createCollisionShape(p.GEOM_SPHERE, radius=touch[0]["radius"]), "contact"
        elif touch:
            _, axes, _ = by_friction(case)
            if np.ptp(axes) > 0:
                raise CannotError("no ellipsoid")
            shape, friction = p.createCollisionShape(p.GEOM_SPHERE, radius=axes[0]), 1.0
            self.note = "contact with friction 1"
        place = row["position"], [*row["quaternion"][1:], row["quaternion"][0]]
        self.id = p.createMultiBody(body["mass"], shape, -1, *place)
        w = rotation(row["quaternion"]) @ row["angular_velocity"]
        p.resetBaseVelocity(self.id, row["velocity"], w.tolist())
        if touch:
            floor = p.createMultiBody(0, p.createCollisionShape(p.GEOM_PLANE))
            bounce = touch[0].get("restitution", 0.0)
            for one, restitution in ((floor, 1.0), (self.id, bounce)):
                p.changeDynamics(one, -1, restitution=restitution, lateralFriction=friction)
            p.setPhysicsEngineParameter(restitutionVelocityThreshold=0.0)

    def chain(self, case):
        """Links on hinges, by a URDF: `changeDynamics` sets no inertia of links."""
        if contacts(case):
            raise CannotError("no rolling constraint")
        parts, centers = ['<link name="world"/>'], {"world": np.zeros(3)}
        for body in case["bodies"]:
            name, moments = body["name"], np.array(body["inertia"]).diagonal()
            at, centers[name] = centers[body["parent"]] + body["at"], np.array(body["center"])
            parts.append(LINK.format(name=name, xyz=text(body["center"]), mass=body["mass"], i=moments))
            axis = text(body["joint"]["axis"])
            parts.append(JOINT.format(name=name, parent=body["parent"], xyz=text(at), axis=axis))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "chain.urdf"
            file.write_text(f'<robot name="chain">{"".join(parts)}</robot>')
            self.id = p.loadURDF(str(file), useFixedBase=True, flags=p.URDF_USE_INERTIA_FROM_FILE)
        for i, name in enumerate(self.names):
            p.setJointMotorControl2(self.id, i, p.VELOCITY_CONTROL, force=0)
            p.resetJointState(self.id, i, case["start"][name]["angle"], case["start"][name]["rate"])

    def advance(self, seconds):
        """Steps of one size."""
        count, h = self.steps(seconds)
        p.setTimeStep(h)
        for _ in range(count):
            p.stepSimulation()

    def state(self):
        """Of the base, or of the links."""
        if self.free:
            rows = [(*p.getBasePositionAndOrientation(self.id), *p.getBaseVelocity(self.id))]
        else:
            links = p.getLinkStates(self.id, range(len(self.names)), 1, 1)
            rows = [(link[0], link[1], link[6], link[7]) for link in links]
        found = {}
        for name, (place, turn, v, w) in zip(self.names, rows, strict=True):
            q = np.roll(turn, 1)
            found[name] = State(np.array(place), q, np.array(v), rotation(q).T @ w)
        return found
