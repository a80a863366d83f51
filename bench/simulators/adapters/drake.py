"""Drake: discrete steps (semi-implicit Euler) as the others, and its integrators with error control."""

import logging
from importlib.metadata import version
from typing import ClassVar

import numpy as np
from adapter import STIFFNESS, Adapter, CannotError, State, by_friction, contacts, rotation
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import AddContactMaterial, Ellipsoid, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction
from pydrake.multibody.tree import FixedOffsetFrame, RevoluteJoint, RotationalInertia, SpatialInertia
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder

logging.getLogger("drake").setLevel(logging.ERROR)


class Drake(Adapter):
    """A MultibodyPlant."""

    engine = "Drake"
    settings: ClassVar[dict] = {
        "discrete, 2 ms": {"step": 2e-3, "config": {}},
        "RK3 (default), 1e-4": {"step": 0.0, "config": {}},
        "RK3, 1e-9": {"step": 0.0, "config": {"accuracy": 1e-9}, "stiff": False},
        "CENIC, 1e-3": {"step": 0.0, "config": {"integration_scheme": "cenic", "accuracy": 1e-3}},
    }

    stiff = True  # tried with contacts

    @staticmethod
    def version():
        """Of the package."""
        return version("drake")

    def build(self, case):
        """The frame of each body at its joint."""
        builder = DiagramBuilder()
        step = self.steps(case["times"][0])[1] if self.step else 0.0  # one step serves all times
        self.plant, _ = AddMultibodyPlantSceneGraph(builder, step)
        frames = {"world": (self.plant.world_body(), np.zeros(3))}
        for body in case["bodies"]:
            I, own, joint = np.array(body["inertia"]), np.array(body["center"]), body["joint"]
            moments = RotationalInertia(I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
            inertia = SpatialInertia.MakeFromCentralInertia(body["mass"], own, moments)
            new = self.plant.AddRigidBody(body["name"], inertia)
            parent, center = frames[body["parent"]]
            frames[body["name"]] = new, own
            if joint["kind"] == "revolute":
                place = RigidTransform(center + body["at"])
                offset = FixedOffsetFrame(f"at {body['name']}", parent.body_frame(), place)
                frame = self.plant.AddFrame(offset)
                self.plant.AddJoint(RevoluteJoint(body["name"], frame, new.body_frame(), joint["axis"]))
        if contacts(case):
            self.touch(case, frames)
        self.plant.mutable_gravity_field().set_gravity_vector(case["gravity"])
        self.plant.Finalize()
        self.frames = {name: frames[name] for name in case["start"]}
        self.simulator = Simulator(builder.Build())
        ApplySimulatorConfig(SimulatorConfig(**self.config), self.simulator)
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for name, row in case["start"].items():
            if "angle" in row:
                joint = self.plant.GetJointByName(name)
                joint.set_angle(self.context, row["angle"])
                joint.set_angular_rate(self.context, row["rate"])
            else:
                body, q = frames[name][0], np.array(row["quaternion"])
                turn = RotationMatrix(Quaternion(q / np.linalg.norm(q)))
                self.plant.SetFreeBodyPose(self.context, body, RigidTransform(turn, row["position"]))
                w = rotation(row["quaternion"]) @ row["angular_velocity"]
                self.plant.SetFreeBodySpatialVelocity(self.context, body, SpatialVelocity(w, row["velocity"]))
        self.simulator.Initialize()
        self.time = 0.0

    def touch(self, case, frames):
        """A floor; there is no coefficient of restitution, but contacts need not dissipate."""
        one = contacts(case)[0]
        if one["kind"] == "bounce" and one["restitution"] < 1:
            raise CannotError("no coefficient of restitution")
        if one["kind"] == "bounce":
            name, axes, at, friction = one["body"], [one["radius"]] * 3, np.zeros(3), 0.0
            self.note = "point contact without dissipation"
        else:
            (name, axes, at), friction = by_friction(case), 1.0
            self.note = "point contact with friction 1"
        if not self.stiff:
            raise CannotError("not tried: contacts are stiff")
        properties = ProximityProperties()
        mass = next(body["mass"] for body in case["bodies"] if body["name"] == name)
        spring = {"dissipation": 0.0, "point_stiffness": 2 * STIFFNESS * mass}  # of each of the two shapes
        AddContactMaterial(
            **(spring if one["kind"] == "bounce" else {}),
            friction=CoulombFriction(friction, friction),
            properties=properties,
        )
        shape = Sphere(axes[0]) if np.ptp(axes) == 0 else Ellipsoid(*axes)
        world, add = self.plant.world_body(), self.plant.RegisterCollisionGeometry
        add(world, RigidTransform(), HalfSpace(), "floor", properties)
        add(frames[name][0], RigidTransform(at), shape, "body", properties)

    def advance(self, seconds):
        """To a time; a discrete step is made at its beginning, half a step is for the rounding."""
        self.time += seconds
        self.simulator.AdvanceTo(self.time - 0.5 * self.plant.time_step())

    def state(self):
        """Poses and spatial velocities, moved to the centers of mass."""
        found = {}
        for name, (body, own) in self.frames.items():
            pose, speed = body.EvalPoseInWorld(self.context), body.EvalSpatialVelocityInWorld(self.context)
            R = pose.rotation().matrix()
            velocity = speed.translational() + np.cross(speed.rotational(), R @ own)
            q = pose.rotation().ToQuaternion().wxyz()
            found[name] = State(pose.multiply(own), q, velocity, R.T @ speed.rotational())
        return found
