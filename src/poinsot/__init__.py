"""Poinsot: the motion of rigid bodies and mechanisms, without drift and without singularities.

A name is imported when it is first used, from the module that defines it (`_HOMES`): describing a mechanism,
reading a file or listing the methods does not load Numba, and `import poinsot` loads next to nothing.
"""

from typing import TYPE_CHECKING

from poinsot.version import __version__ as __version__

if TYPE_CHECKING:  # the same names as in _HOMES, for type checkers and editors
    from poinsot import analytical as analytical
    from poinsot import control as control
    from poinsot import symbolic as symbolic
    from poinsot.accuracy.comparison import Comparison as Comparison
    from poinsot.accuracy.method_check import check_method as check_method
    from poinsot.compile.catalogue import Method as Method
    from poinsot.compile.catalogue import method as method
    from poinsot.compile.catalogue import methods as methods
    from poinsot.ensemble.archive import load as load
    from poinsot.ensemble.ensemble import Ensemble as Ensemble
    from poinsot.ensemble.sweep import ensemble as ensemble
    from poinsot.errors import ArchiveError as ArchiveError
    from poinsot.errors import ArchiveWarning as ArchiveWarning
    from poinsot.errors import ControllerWarning as ControllerWarning
    from poinsot.errors import ConvergenceError as ConvergenceError
    from poinsot.errors import EventError as EventError
    from poinsot.errors import ModelError as ModelError
    from poinsot.errors import PoinsotError as PoinsotError
    from poinsot.errors import RecordError as RecordError
    from poinsot.errors import ScenarioError as ScenarioError
    from poinsot.errors import StepError as StepError
    from poinsot.gallery.reproduction import reproduce as reproduce
    from poinsot.lie import quaternion as quaternion
    from poinsot.lie import se3 as se3
    from poinsot.lie import so3 as so3
    from poinsot.mechanics import dynamics as dynamics
    from poinsot.mechanics.assembly import LoopWarning as LoopWarning
    from poinsot.model.body import Body as Body
    from poinsot.model.body import PhysicsWarning as PhysicsWarning
    from poinsot.model.contacts import Bowl as Bowl
    from poinsot.model.contacts import Rolling as Rolling
    from poinsot.model.contacts import RollingContact as RollingContact
    from poinsot.model.contacts import Skate as Skate
    from poinsot.model.contacts import SkateContact as SkateContact
    from poinsot.model.controller import Controller as Controller
    from poinsot.model.event import Event as Event
    from poinsot.model.feedback import Feedback as Feedback
    from poinsot.model.forces.applied import PairForce as PairForce
    from poinsot.model.forces.applied import Torque as Torque
    from poinsot.model.forces.applied import Wrench as Wrench
    from poinsot.model.forces.drive import Drive as Drive
    from poinsot.model.forces.fluid import FluidDrag as FluidDrag
    from poinsot.model.forces.gravitation import Gravitation as Gravitation
    from poinsot.model.forces.impulse import Impulse as Impulse
    from poinsot.model.forces.joint import JointDamper as JointDamper
    from poinsot.model.forces.joint import JointSpring as JointSpring
    from poinsot.model.forces.joint import JointTorque as JointTorque
    from poinsot.model.forces.rotating_frame import RotatingFrame as RotatingFrame
    from poinsot.model.forces.springs import Damper as Damper
    from poinsot.model.forces.springs import Spring as Spring
    from poinsot.model.forces.stiffness import Damping as Damping
    from poinsot.model.forces.stiffness import Drag as Drag
    from poinsot.model.forces.stiffness import Stiffness as Stiffness
    from poinsot.model.forces.stops import JointFriction as JointFriction
    from poinsot.model.forces.stops import JointStop as JointStop
    from poinsot.model.forces.tendon import TendonDamper as TendonDamper
    from poinsot.model.forces.tendon import TendonSpring as TendonSpring
    from poinsot.model.inputs import Actuator as Actuator
    from poinsot.model.inputs import ReactionWheel as ReactionWheel
    from poinsot.model.inputs import Servo as Servo
    from poinsot.model.inputs import Thrust as Thrust
    from poinsot.model.inputs import TiltRotor as TiltRotor
    from poinsot.model.inputs import WrenchInput as WrenchInput
    from poinsot.model.joints import Cylindrical as Cylindrical
    from poinsot.model.joints import Fixed as Fixed
    from poinsot.model.joints import Free as Free
    from poinsot.model.joints import Helical as Helical
    from poinsot.model.joints import Planar as Planar
    from poinsot.model.joints import Prismatic as Prismatic
    from poinsot.model.joints import Revolute as Revolute
    from poinsot.model.joints import Spherical as Spherical
    from poinsot.model.joints import Universal as Universal
    from poinsot.model.loops import Axis as Axis
    from poinsot.model.loops import Distance as Distance
    from poinsot.model.loops import Gear as Gear
    from poinsot.model.loops import Loop as Loop
    from poinsot.model.loops import Plane as Plane
    from poinsot.model.mechanism import Mechanism as Mechanism
    from poinsot.model.shapes.composite import Shapes as Shapes
    from poinsot.model.shapes.mesh import Mesh as Mesh
    from poinsot.model.shapes.mesh_file import MeshFile as MeshFile
    from poinsot.model.shapes.solids import Box as Box
    from poinsot.model.shapes.solids import Capsule as Capsule
    from poinsot.model.shapes.solids import Cone as Cone
    from poinsot.model.shapes.solids import Cylinder as Cylinder
    from poinsot.model.shapes.solids import Ellipsoid as Ellipsoid
    from poinsot.model.shapes.solids import Sphere as Sphere
    from poinsot.model.shapes.solids import Torus as Torus
    from poinsot.model.shapes.solids import Wheel as Wheel
    from poinsot.model.state import State as State
    from poinsot.plots.spy import spy as spy
    from poinsot.robots.findings import Finding as Finding
    from poinsot.robots.inspection import check as check
    from poinsot.robots.reading import read as read
    from poinsot.robots.writing import to_urdf as to_urdf
    from poinsot.run.run import Run as Run
    from poinsot.scenario.archives import replay as replay
    from poinsot.scenario.archives import resume as resume
    from poinsot.scenario.compare import compare as compare
    from poinsot.scenario.files import to_toml as to_toml
    from poinsot.scenario.scenario import gallery as gallery
    from poinsot.scenario.scenario import scenario as scenario
    from poinsot.simulation.advise import Advice as Advice
    from poinsot.simulation.advise import advise as advise
    from poinsot.simulation.messages import StepWarning as StepWarning
    from poinsot.simulation.simulate import simulate as simulate
    from poinsot.simulation.solve import solve as solve
    from poinsot.simulation.stream import stream as stream

_HOMES = {  # module: names that it defines; package: modules of it
    "poinsot": "analytical control symbolic",
    "poinsot.accuracy.comparison": "Comparison",
    "poinsot.accuracy.method_check": "check_method",
    "poinsot.compile.catalogue": "Method method methods",
    "poinsot.ensemble.archive": "load",
    "poinsot.ensemble.ensemble": "Ensemble",
    "poinsot.ensemble.sweep": "ensemble",
    "poinsot.errors": "ArchiveError ArchiveWarning ControllerWarning ConvergenceError EventError ModelError "
    "PoinsotError RecordError ScenarioError StepError",
    "poinsot.gallery.reproduction": "reproduce",
    "poinsot.lie": "so3 se3 quaternion",
    "poinsot.mechanics": "dynamics",
    "poinsot.mechanics.assembly": "LoopWarning",
    "poinsot.model.body": "Body PhysicsWarning",
    "poinsot.model.controller": "Controller",
    "poinsot.model.event": "Event",
    "poinsot.model.feedback": "Feedback",
    "poinsot.model.forces.applied": "PairForce Torque Wrench",
    "poinsot.model.forces.drive": "Drive",
    "poinsot.model.forces.fluid": "FluidDrag",
    "poinsot.model.forces.gravitation": "Gravitation",
    "poinsot.model.forces.impulse": "Impulse",
    "poinsot.model.forces.joint": "JointDamper JointSpring JointTorque",
    "poinsot.model.forces.rotating_frame": "RotatingFrame",
    "poinsot.model.forces.springs": "Damper Spring",
    "poinsot.model.forces.stiffness": "Damping Drag Stiffness",
    "poinsot.model.forces.stops": "JointFriction JointStop",
    "poinsot.model.forces.tendon": "TendonDamper TendonSpring",
    "poinsot.model.inputs": "Actuator ReactionWheel Servo Thrust TiltRotor WrenchInput",
    "poinsot.model.joints": "Cylindrical Fixed Free Helical Planar Prismatic Revolute Spherical Universal",
    "poinsot.model.loops": "Axis Distance Gear Loop Plane",
    "poinsot.model.contacts": "Bowl Rolling RollingContact Skate SkateContact",
    "poinsot.model.mechanism": "Mechanism",
    "poinsot.model.shapes.mesh": "Mesh",
    "poinsot.model.shapes.composite": "Shapes",
    "poinsot.model.shapes.mesh_file": "MeshFile",
    "poinsot.model.shapes.solids": "Box Capsule Cone Cylinder Ellipsoid Sphere Torus Wheel",
    "poinsot.model.state": "State",
    "poinsot.plots.spy": "spy",
    "poinsot.robots.inspection": "check",
    "poinsot.robots.findings": "Finding",
    "poinsot.robots.reading": "read",
    "poinsot.robots.writing": "to_urdf",
    "poinsot.run.run": "Run",
    "poinsot.scenario.archives": "replay resume",
    "poinsot.scenario.compare": "compare",
    "poinsot.scenario.files": "to_toml",
    "poinsot.scenario.scenario": "gallery scenario",
    "poinsot.simulation.advise": "Advice advise",
    "poinsot.simulation.simulate": "simulate",
    "poinsot.simulation.solve": "solve",
    "poinsot.simulation.stream": "stream",
    "poinsot.simulation.messages": "StepWarning",
}
_LATER = {name: home for home, names in _HOMES.items() for name in names.split()}


if not TYPE_CHECKING:
    from poinsot import (
        ensemble,
        gallery,
        scenario,
    )  # the folders: once imported, their names are free for functions

    del ensemble, gallery, scenario

    def __getattr__(name):
        """Import a name of _HOMES, or a module of the package."""
        from importlib import import_module

        home = _LATER.get(name, "poinsot")
        if name.startswith("_") or not name.isidentifier():
            raise AttributeError(f"module 'poinsot' has no attribute '{name}'")
        found = vars(import_module(home)).get(name)
        if found is None:
            try:
                found = import_module(f"{home}.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"{home}.{name}":
                    raise
                raise AttributeError(f"module 'poinsot' has no attribute '{name}'") from None
        globals()[name] = found
        return found

    __all__ = [*_LATER, "__version__"]

    def __dir__():
        return __all__
