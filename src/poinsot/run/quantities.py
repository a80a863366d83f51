"""What acted in a run, and what it conserved: inputs, reactions, energies, momenta."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from poinsot.diagnostics.trajectory import frozen
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.drive import Drive
from poinsot.model.mechanism import Mechanism
from poinsot.run.events import EventRecord, loop_history
from poinsot.run.motion import RunMotion

if TYPE_CHECKING:
    from poinsot.model.loop_history import LoopHistory


class RunQuantities(RunMotion):
    """Forces, energies and momenta of a run; `trajectory` is that of the run."""

    events: Mapping[str, EventRecord]
    open_loops: tuple[str, ...]

    @property
    def time(self) -> Array:
        """Times of the samples in s, shape (n,)."""
        return self.trajectory.time

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that was simulated: a copy, with the forces of the controller if there was one."""
        return self.trajectory.mechanism

    def input(self, name: str) -> Array:
        """Return the force of the drive of a joint, or the inputs that the controller held there.

        A drive (`ps.Drive`) exerts row i at sample i.  Inputs of a controller are held from sample i on
        (zero-order hold).  The controller is not called at the end of a run, so the last row repeats the
        inputs that were held up to there.

        Parameters
        ----------
        name : str
            Name of the body that the joint carries.

        Returns
        -------
        ndarray, shape (n, k)
            Forces in N or torques in N m, one column per input at this joint, or per velocity of a driven
            joint.

        Raises
        ------
        ModelError
            If the run had neither a controller nor a drive, or none at this joint.
        """
        driven = self.trajectory.driven
        if not driven:
            raise ModelError("run: it had no controller and no drive, so there are no inputs")
        if not isinstance(name, str) or name not in driven:
            known = ", ".join(dict.fromkeys(driven))
            no = "driven" if self._drives else "an input of the controller"
            raise ModelError(f"run: joint {checks.show(name)} is not {no}: one of {known}")
        return self.trajectory.inputs[:, [joint == name for joint in driven]]

    @property
    def _drives(self) -> list[Drive]:
        """Drives of the mechanism."""
        return [force for force in self.mechanism.forces if isinstance(force, Drive)]

    def reaction(self, name: str) -> Array:
        """Return the reactions in the joint that carries a body, or in a loop.

        Parameters
        ----------
        name : str
            Name of the body, or of the loop.

        Returns
        -------
        ndarray, shape (n, 6)
            Torque in N m and force in N of the parent on the body through its joint, or of a loop on its body
            b.  `ps.dynamics.reactions` says at which point and in which axes.  It is zero where an event has
            opened the loop.

        Raises
        ------
        ModelError
            If the mechanism has neither a body nor a loop of this name.
        """
        from poinsot.compile.kept import kept
        from poinsot.mechanics.reactions import reactions_of

        if not isinstance(name, str) or name not in [loop.name for loop in self.mechanism.loops]:
            self._motion(name)
        x = self.trajectory
        held = len(x.driven) - sum(self.mechanism.link(one.joint).joint.nv for one in self._drives)
        inputs = x.inputs[:, :held] if held else None
        found = np.zeros((len(x.time), 6))
        for part, open in self.loop_history.groups(x.time):
            if name not in open:  # an open loop exerts nothing
                m = kept(self.mechanism).opened(open)
                given = None if inputs is None else inputs[part]
                found[part] = reactions_of(m, x.time[part], x.q[part], x.v[part], given)[name]
        return found

    @cached_property
    def loop_history(self) -> "LoopHistory":
        """Which loops were open when, if events released or latched some: `loop_history.at(time)`."""
        return loop_history(self.open_loops, self.events)

    @property
    def kinetic(self) -> Array:
        """Kinetic energy of the mechanism in J, shape (n,)."""
        return self.trajectory.kinetic

    @property
    def potential(self) -> Array:
        """Potential energy of gravity and of the forces that have one, in J, shape (n,)."""
        return self.trajectory.potential

    @cached_property
    def energy(self) -> Array:
        """Sum of kinetic and potential energy in J, shape (n,)."""
        return frozen(self.kinetic + self.potential)

    @property
    def work(self) -> Array:
        """Work of the forces without a potential since the start, in J, shape (n,)."""
        return self.trajectory.work

    @property
    def angular_momentum(self) -> Array:
        """Angular momentum of the mechanism about the origin, in space axes, in kg m^2/s, shape (n, 3)."""
        return self.trajectory.angular_momentum

    @property
    def linear_momentum(self) -> Array:
        """Linear momentum of the mechanism in space axes, in kg m/s, shape (n, 3)."""
        return self.trajectory.linear_momentum
