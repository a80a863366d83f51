"""`twin`: a controller as a real vehicle has it, between its sensors and its actuators.

Every `step` the actuators move; every period of the controller its law is called, with the state that the
observer believes, and its command acts `delay` periods later.
"""

import hashlib
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from poinsot.control.inputs.dynamics import ActuatorDynamics, Lag
from poinsot.control.laws.tracking import TrackingLaw
from poinsot.control.plant import Plant
from poinsot.control.references.motions import free_body
from poinsot.control.twin import observer
from poinsot.control.twin.sensors import Sensors
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, quaternion, show
from poinsot.model.controller import Controller, saturated, whole_steps
from poinsot.model.identity import digest_of_callable
from poinsot.model.inputs import Input, WrenchInput
from poinsot.model.inputs.feedback import input_matrix
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.state import State

LATEST = 64  # longest delay in periods
EXTRA = "disturbance"  # name of the wrench of bias and reaction


class _Twin:
    """The function of the controller that `twin` returns."""

    def __init__(
        self,
        m: Mechanism,
        inner: Controller,
        step: float,
        actuators: ActuatorDynamics,
        delay: int,
        bias: Array,
        sensors: Sensors | None,
        seed: int,
    ) -> None:
        self.plant, self.inner, self.step, self.actuators = Plant(m), inner, step, actuators
        self.delay, self.bias, self.sensors, self.seed = delay, bias, sensors, seed
        self.ticks = whole_steps(inner.period, step)
        self.__name__ = f"twin of {inner.name}"
        body = m.links[0].body
        self.B = input_matrix(m, inner.inputs, m.state().q)  # of a free body: constant
        self.J, self.m, self.gravity = np.array(body.inertia), body.mass, np.array(m.gravity)

    @property
    def law(self) -> Any:
        """The tracking law inside, if there is one."""
        return getattr(self.inner.function, "law", None)

    @property
    def identity(self) -> str:
        """Digest of all that it depends on."""
        models = type(self.actuators).__name__, sorted(vars(self.actuators).items(), key=str)
        what = digest_of_callable(self.inner.function), self.inner.period, self.step, models, self.delay
        more = self.bias.tobytes(), self.sensors, self.seed, self.plant.identity
        return hashlib.sha256(repr((what, more)).encode()).hexdigest()[:16]

    def __call__(self, t: float, state: State, memory: Any) -> tuple[Array, Any]:
        inputs, known = self.inner.inputs, memory if isinstance(memory, dict) else self._begun(state)
        k = round(t / self.step)
        if k % self.ticks == 0:
            command, known["inner"] = self._decided(k // self.ticks, t, state, known)
            known["waiting"] = [*known["waiting"], command]
            while len(known["waiting"]) > self.delay + 1:
                known["waiting"] = known["waiting"][1:]
            if known["x"] is None:
                known["x"], known["u"] = self.actuators._rest(inputs, command), command
        after = self.actuators._advance(inputs, known["x"], known["waiting"][0], self.step)
        mean = (known["u"] + after.u) / 2  # over the step
        known["x"], known["u"], known["wrench"] = after.x, after.u, after.wrench
        more = self.bias + after.wrench if self.actuators.reacts or self.bias.any() else np.zeros(0)
        return np.concatenate([mean, more]), known

    def _begun(self, state: State) -> dict[str, Any]:
        return {
            "inner": (),
            "waiting": [],
            "x": None,
            "u": np.zeros(0),
            "wrench": np.zeros(6),
            "belief": None,
            "poses": [],
        }

    def _decided(self, n: int, t: float, state: State, known: dict[str, Any]) -> tuple[Array, Any]:
        """Return the command at a sample, and the memory of the inner controller."""
        m, expected = self.plant.mechanism, np.zeros(6)
        if self.sensors is not None:
            state, expected = self._observed(self.sensors, n, t, state, known)
        function = self.inner.function
        law = getattr(function, "law", None)
        if isinstance(law, TrackingLaw):
            return law.decide(t, state, expected if expected.any() else None).law.u, ()
        u, memory = function(t, state, known["inner"])
        return saturated(self.inner.inputs, m, np.atleast_1d(np.asarray(u, dtype=float))), memory

    def _observed(
        self, s: Sensors, n: int, t: float, state: State, known: dict[str, Any]
    ) -> tuple[State, Array]:
        """Return the state that the vehicle believes, and the wrench that it did not expect."""
        rng, T = np.random.default_rng((self.seed, n)), self.inner.period
        r, R = state.q[:3], matrix(state.q[3:])
        wrench, true = self._forces(state, known)
        gyro, specific = s._measured(rng, state.v[:3], true)
        every, late = max(1, round(s.period / T)), max(1, int(np.ceil(s.delay / T - 1e-9)))
        belief = known["belief"]
        if belief is None:
            belief = known["belief"] = observer.begun(r, R @ state.v[3:], R, state.v[:3], specific)
        else:
            w, belief["torque"] = observer.rate_step(
                self.J, belief["w"], belief["torque"], known["before"][:3], gyro, T
            )
            observer.sampled(belief, w, specific, self.gravity, T, late + 1)
        known["before"] = wrench
        if n % every == 0 and n > 0:
            known["poses"] = [*known["poses"], (n, *s._located(rng, r, R))]
        if known["poses"] and n - known["poses"][0][0] >= late:
            (then, y, Y), known["poses"] = known["poses"][0], known["poses"][1:]
            observer.corrected(belief, n - then, y, Y, s.period, self.gravity, T)
        R = belief["R"]
        q = np.concatenate([belief["r"], quaternion("twin", "attitude", R)])
        believed = State(t, q, np.concatenate([belief["w"], R.T @ belief["v"]]))
        other = self._other_forces(believed)
        force = self.m * (specific - belief["b"]) - wrench[3:] - other
        belief["force"] = observer.SMOOTH * belief["force"] + (1 - observer.SMOOTH) * force  # (3)
        return believed, np.concatenate([belief["torque"], belief["force"]])

    def _forces(self, state: State, known: dict[str, Any]) -> tuple[Array, Array]:
        """Return the wrench of the inputs, and the true specific force, both in body axes."""
        wrench = known["wrench"].copy()
        if len(known["u"]):
            wrench += self.B @ known["u"]
        else:  # at the first sample: at rest
            wrench[3:] -= self.m * matrix(state.q[3:]).T @ self.gravity
        a = np.linalg.solve(self.plant.mass(state), wrench + self.bias - self.plant.bias(state))
        w, v = state.v[:3], state.v[3:]
        return wrench, a[3:] + np.cross(w, v) - matrix(state.q[3:]).T @ self.gravity

    def _other_forces(self, state: State) -> Array:
        """Return the forces of the mechanism besides gravity, such as drag, in body axes."""
        w, v, g = state.v[:3], state.v[3:], matrix(state.q[3:]).T @ self.gravity
        return self.m * (np.cross(w, v) - g) - self.plant.bias(state)[3:]


def twin(
    m: Mechanism,
    controller: Controller,
    step: float,
    actuators: ActuatorDynamics | None = None,
    delay: int = 1,
    bias: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    sensors: Sensors | None = None,
    seed: int = 0,
) -> Controller:
    """Return a controller as a real vehicle has it: with actuators that lag, a delay, sensors and observers.

    Parameters
    ----------
    m : Mechanism
        The mechanism; one free body with its centre of mass at the origin if there are sensors or a bias.
    controller : Controller
        The sampled controller inside, such as of `ps.control.track(..., period=0.005)`.
    step : float
        Time in seconds after which the actuators move: a whole part of the controller's period, and a whole
        number of steps of the run.
    actuators : Lag, TiltServo or RotorDynamics, optional
        How the inputs follow their commands.  Default: at once.
    delay : int, default 1
        Periods after which a command acts.
    bias : array_like, shape (6,), default 0
        Wrench (torque in N m, force in N) in body axes that acts on the vehicle and is not in its model.
    sensors : Sensors, optional
        What the vehicle measures.  A tracking law then uses the state and the unexpected wrench that the
        observers of the vehicle find.  Default: the law knows the state.
    seed : int, default 0
        Seed of the noise.

    Returns
    -------
    Controller
        Controller with the period `step`.  Its inputs are those that act; `run.input("disturbance")` are the
        bias and the reaction of the rotors, if there are any.

    Raises
    ------
    ModelError
        If the actuators do not fit the inputs, or the mechanism is not one free body where it must be.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> push = ps.Controller(lambda t, state, memory: ([1.0 if t > 0 else 0.0], memory), 0.1, ["cart"])
    >>> slow = ps.control.twin(m, push, step=0.05, actuators=ps.control.Lag(rate=10.0), delay=0)
    >>> run = ps.simulate(m, m.state(), "rk4", step=0.05, until=0.3, controller=slow)
    >>> run.input("cart")[:, 0].round(3)
    array([0.   , 0.   , 0.197, 0.513, 0.704, 0.821, 0.821])
    """
    who = "twin"
    checks.mechanism(who, m)
    if not isinstance(controller, Controller):
        raise ModelError(f"{who}: expected a Controller, got {show(controller)}")
    h = checks.number(who, "step", step, positive=True)
    whole_steps(controller.period, h)
    model = Lag() if actuators is None else actuators
    if not isinstance(model, ActuatorDynamics):
        raise ModelError(f"{who}: actuators must be a Lag, TiltServo or RotorDynamics, got {show(actuators)}")
    if sensors is not None and not isinstance(sensors, Sensors):
        raise ModelError(f"{who}: sensors must be ps.control.Sensors, got {show(sensors)}")
    controller.forces(m)
    model._check(m, controller.inputs)
    late = checks.whole(who, "delay", delay, 0, LATEST)
    wrench = checks.vector(who, "bias", bias, 6)
    inputs: list[Input] = list(controller.inputs)
    name = m.links[0].name
    if sensors is not None or wrench.any():
        free_body(who, m, name)
        if np.abs(m.links[0].body.center_of_mass).max() > 1e-12:
            raise ModelError(f"{who}: '{name}' must have its centre of mass at the origin of its frame")
    if model.reacts or wrench.any():
        inputs.append(WrenchInput(name, name=EXTRA))
    function = _Twin(
        m, controller, h, model, late, np.array(wrench), sensors, checks.whole(who, "seed", seed, 0, 2**31)
    )
    return Controller(cast(Any, function), h, inputs)
