"""Poinsot: the motion of rigid bodies and mechanisms, without drift and without singularities.

Names of the model are imported at once.  Those that lead to the compiler are imported when they are first
used (`_LATER`), so that describing a mechanism, reading a file or listing the methods does not load Numba.
"""

from typing import TYPE_CHECKING

from poinsot.compile.catalogue import method as method
from poinsot.compile.catalogue import methods as methods
from poinsot.errors import ArchiveError as ArchiveError
from poinsot.errors import ArchiveWarning as ArchiveWarning
from poinsot.errors import ConvergenceError as ConvergenceError
from poinsot.errors import EventError as EventError
from poinsot.errors import ModelError as ModelError
from poinsot.errors import PoinsotError as PoinsotError
from poinsot.errors import ScenarioError as ScenarioError
from poinsot.errors import StepError as StepError
from poinsot.gallery.scenario import gallery as gallery
from poinsot.gallery.scenario import scenario as scenario
from poinsot.model.body import Body as Body
from poinsot.model.body import PhysicsWarning as PhysicsWarning
from poinsot.model.controller import Controller as Controller
from poinsot.model.event import Event as Event
from poinsot.model.feedback import Feedback as Feedback
from poinsot.model.forces.applied import Torque as Torque
from poinsot.model.forces.applied import Wrench as Wrench
from poinsot.model.forces.drive import Drive as Drive
from poinsot.model.forces.fluid import FluidDrag as FluidDrag
from poinsot.model.forces.impulse import Impulse as Impulse
from poinsot.model.forces.joint import JointDamper as JointDamper
from poinsot.model.forces.joint import JointSpring as JointSpring
from poinsot.model.forces.joint import JointTorque as JointTorque
from poinsot.model.forces.springs import Damper as Damper
from poinsot.model.forces.springs import Spring as Spring
from poinsot.model.forces.stiffness import Damping as Damping
from poinsot.model.forces.stiffness import Drag as Drag
from poinsot.model.forces.stiffness import Stiffness as Stiffness
from poinsot.model.inputs import Actuator as Actuator
from poinsot.model.inputs import ReactionWheel as ReactionWheel
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
from poinsot.model.loops import Loop as Loop
from poinsot.model.loops import Plane as Plane
from poinsot.model.mechanism import Mechanism as Mechanism
from poinsot.model.shapes.mesh import Mesh as Mesh
from poinsot.model.shapes.solids import Box as Box
from poinsot.model.shapes.solids import Capsule as Capsule
from poinsot.model.shapes.solids import Cylinder as Cylinder
from poinsot.model.shapes.solids import Sphere as Sphere
from poinsot.model.state import State as State
from poinsot.version import __version__ as __version__

if TYPE_CHECKING:  # the same names as in _LATER, for type checkers and editors
    from poinsot import analytical as analytical
    from poinsot import control as control
    from poinsot.accuracy.comparison import Comparison as Comparison
    from poinsot.gallery.archived import replay as replay
    from poinsot.gallery.archived import resume as resume
    from poinsot.gallery.compare import compare as compare
    from poinsot.gallery.files import to_toml as to_toml
    from poinsot.gallery.reproduction import reproduce as reproduce
    from poinsot.lie import quaternion as quaternion
    from poinsot.lie import se3 as se3
    from poinsot.lie import so3 as so3
    from poinsot.mechanics import dynamics as dynamics
    from poinsot.mechanics.assembly import LoopWarning as LoopWarning
    from poinsot.plots.spy import spy as spy
    from poinsot.run.archive.reader import load as load
    from poinsot.run.run import Run as Run
    from poinsot.simulation.advise import Advice as Advice
    from poinsot.simulation.advise import advise as advise
    from poinsot.simulation.simulate import simulate as simulate
    from poinsot.simulation.warnings import StepWarning as StepWarning

_LATER = {  # name: the module that defines it, or the package of which it is a module
    "analytical": "poinsot",
    "control": "poinsot",
    "Advice": "poinsot.simulation.advise",
    "advise": "poinsot.simulation.advise",
    "Comparison": "poinsot.accuracy.comparison",
    "replay": "poinsot.gallery.archived",
    "resume": "poinsot.gallery.archived",
    "compare": "poinsot.gallery.compare",
    "to_toml": "poinsot.gallery.files",
    "reproduce": "poinsot.gallery.reproduction",
    "quaternion": "poinsot.lie",
    "se3": "poinsot.lie",
    "so3": "poinsot.lie",
    "dynamics": "poinsot.mechanics",
    "LoopWarning": "poinsot.mechanics.assembly",
    "spy": "poinsot.plots.spy",
    "load": "poinsot.run.archive.reader",
    "Run": "poinsot.run.run",
    "simulate": "poinsot.simulation.simulate",
    "StepWarning": "poinsot.simulation.warnings",
}


if not TYPE_CHECKING:

    def __getattr__(name):
        """Import a name of _LATER."""
        from importlib import import_module

        if name not in _LATER:
            raise AttributeError(f"module 'poinsot' has no attribute '{name}'")
        home = import_module(_LATER[name])
        package = hasattr(home, "__path__")
        found = import_module(f"{home.__name__}.{name}") if package else getattr(home, name)
        globals()[name] = found
        return found

    def __dir__():
        return [*globals(), *_LATER]

    __all__ = [name for name in __dir__() if not name.startswith("_") and name != "TYPE_CHECKING"]
