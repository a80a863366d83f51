"""DART: its default integrator (semi-implicit Euler) and step."""

from typing import ClassVar

import dartpy as dart
import numpy as np
from adapter import Adapter, CannotError, State, by_friction, contacts, rotation


class Dart(Adapter):
    """A skeleton in a world."""

    engine = "DART"
    settings: ClassVar[dict] = {"default, 1 ms": {"step": 1e-3}}

    @staticmethod
    def version():
        """Of the package."""
        return dart.__version__

    def build(self, case):
        """The frame of each body at its joint."""
        self.world, skeleton, self.frames = dart.simulation.World(), dart.dynamics.Skeleton(), {}
        self.world.setGravity(case["gravity"])
        for body in case["bodies"]:
            parent, center = self.frames.get(body["parent"], (None, np.zeros(3)))
            own, row = np.array(body["center"]), case["start"][body["name"]]
            if body["joint"]["kind"] == "free":
                joint, new = skeleton.createFreeJointAndBodyNodePair(parent)
            else:
                joint, new = skeleton.createRevoluteJointAndBodyNodePair(parent)
                joint.setAxis(body["joint"]["axis"])
                place = dart.math.Isometry3()
                place.set_translation(center + body["at"])
                joint.setTransformFromParentBodyNode(place)
            new.setInertia(dart.dynamics.Inertia(body["mass"], own, np.array(body["inertia"])))
            self.frames[body["name"]] = new, own
            if "angle" in row:
                joint.setPosition(0, row["angle"])
                joint.setVelocity(0, row["rate"])
            else:
                R, pose = rotation(row["quaternion"]), dart.math.Isometry3()
                pose.set_rotation(R)
                pose.set_translation(row["position"])
                joint.setPositions(dart.dynamics.FreeJoint.convertToPositions(pose))
                joint.setVelocities(np.concatenate([row["angular_velocity"], R.T @ row["velocity"]]))
        self.world.addSkeleton(skeleton)
        if contacts(case):
            self.touch(case)

    def touch(self, case):
        """A floor, and the shape of the body that bounces or rolls on it."""
        one = contacts(case)[0]
        if one["kind"] == "bounce":
            name, axes, friction, self.note = one["body"], [one["radius"]] * 3, 0.0, "contact"
        else:
            (name, axes, _), friction, self.note = by_friction(case), 1.0, "contact with friction 1"
        if np.ptp(axes) > 0:
            raise CannotError("adapter: no ellipsoid")
        floor = dart.dynamics.Skeleton()
        _, ground = floor.createWeldJointAndBodyNodePair(None)
        place = dart.math.Isometry3()
        place.set_translation([0, 0, -0.5])
        for node, shape in (
            (ground, dart.dynamics.BoxShape([100, 100, 1])),
            (self.frames[name][0], dart.dynamics.SphereShape(axes[0])),
        ):
            shaped = node.createShapeNode(shape)
            shaped.createCollisionAspect()
            dynamics = shaped.createDynamicsAspect()
            dynamics.setRestitutionCoeff(one.get("restitution", 0.0) if node is not ground else 1.0)
            dynamics.setFrictionCoeff(friction)
            if node is ground:
                shaped.setRelativeTransform(place)
        self.world.addSkeleton(floor)

    def advance(self, seconds):
        """Steps of one size."""
        count, h = self.steps(seconds)
        self.world.setTimeStep(h)
        for _ in range(count):
            self.world.step()

    def state(self):
        """Of the centers of mass."""
        found = {}
        for name, (node, own) in self.frames.items():
            pose = node.getWorldTransform()
            R = pose.rotation()
            turn = dart.math.Quaternion(R)
            q = np.array([turn.w(), turn.x(), turn.y(), turn.z()])
            w = R.T @ node.getAngularVelocity()
            found[name] = State(pose.translation() + R @ own, q, node.getLinearVelocity(own), w)
        return found
