"""MuJoCo: its four integrators with its default step; a ball or ellipsoid rolls by friction."""

from typing import ClassVar

import mujoco
import numpy as np
from adapter import STIFFNESS, Adapter, CannotError, State, by_friction, contacts


class MuJoCo(Adapter):
    """MuJoCo with one of its integrators."""

    engine = "MuJoCo"
    settings: ClassVar[dict] = {
        "Euler (default), 2 ms": {"integrator": "EULER", "step": 2e-3},
        "implicitfast, 2 ms": {"integrator": "IMPLICITFAST", "step": 2e-3},
        "implicit, 2 ms": {"integrator": "IMPLICIT", "step": 2e-3},
        "RK4, 2 ms": {"integrator": "RK4", "step": 2e-3},
    }

    @staticmethod
    def version():
        """Of the package."""
        return mujoco.__version__

    def build(self, case):
        """A body frame at each joint, with the same axes as those of the case."""
        spec, made = mujoco.MjSpec(), {}
        spec.compiler.degree = False
        spec.option.gravity = case["gravity"]
        spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{self.integrator}")
        for body in case["bodies"]:
            parent, center = made.get(body["parent"], (spec.worldbody, np.zeros(3)))
            I, joint, own = np.array(body["inertia"]), body["joint"], np.array(body["center"])
            new = parent.add_body(name=body["name"], pos=center + body["at"])
            new.mass, new.ipos, new.explicitinertial = body["mass"], own, True
            new.fullinertia = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
            if joint["kind"] == "free":
                new.add_freejoint()
            else:
                new.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=joint["axis"])
            made[body["name"]] = new, own
        if contacts(case):
            self.touch(case, spec, made)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        starts = [case["start"][body["name"]] for body in case["bodies"]]
        hinges = ["angle" in row for row in starts]
        self.data.qpos[:] = np.hstack(
            [
                row["angle"] if h else row["position"] + row["quaternion"]
                for h, row in zip(hinges, starts, strict=True)
            ]
        )
        self.data.qvel[:] = np.hstack(
            [
                row["rate"] if h else row["velocity"] + row["angular_velocity"]
                for h, row in zip(hinges, starts, strict=True)
            ]
        )

    def touch(self, case, spec, made):
        """A floor and the shape of the body that bounces or rolls on it."""
        one = contacts(case)[0]
        if one["kind"] == "bounce":
            name, axes, at, friction = one["body"], [one["radius"]] * 3, np.zeros(3), 0.0
            log = np.log(one["restitution"])
            damping = -2 * log / np.hypot(np.pi, log) * np.sqrt(STIFFNESS)
            solref, self.note = [-STIFFNESS, -damping], "contact as a spring"
        elif one["kind"] == "rolling":
            (name, axes, at), friction, solref = by_friction(case), 1.0, [0.02, 1.0]
            self.note = "contact with friction 1"
        else:
            raise CannotError("no rolling constraint")
        kind = mujoco.mjtGeom.mjGEOM_SPHERE if np.ptp(axes) == 0 else mujoco.mjtGeom.mjGEOM_ELLIPSOID
        plane = mujoco.mjtGeom.mjGEOM_PLANE
        for owner, more in ((spec.worldbody, {"type": plane}), (made[name][0], {"type": kind, "pos": at})):
            size = [1, 1, 1] if owner is spec.worldbody else axes
            geom = owner.add_geom(size=size, friction=[friction, 0, 0], condim=3 if friction else 1, **more)
            geom.solref, geom.solimp = solref, [0.99, 0.99, 0.001, 0.5, 2]

    def advance(self, seconds):
        """Steps of one size."""
        count, self.model.opt.timestep = self.steps(seconds)
        mujoco.mj_step(self.model, self.data, count)

    def state(self):
        """Of the bodies in their order; the world is body 0."""
        m, d, found = self.model, self.data, {}
        mujoco.mj_kinematics(m, d)
        mujoco.mj_comPos(m, d)
        mujoco.mj_comVel(m, d)
        for i in range(1, m.nbody):
            speed = np.zeros(6)
            mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_BODY, i, speed, 0)
            R = d.xmat[i].reshape(3, 3)
            found[m.body(i).name] = State(d.xipos[i].copy(), d.xquat[i].copy(), speed[3:], R.T @ speed[:3])
        return found
