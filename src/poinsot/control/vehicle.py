"""Measurements of a vehicle with noise: rates and specific force at every sample, its pose seldom, late.

What a vehicle believes: pose and velocities from its sensors, and the wrench that it did not expect.

Every sample of length T (wm, am: readings; tau, F: torque and force of the inputs, in body axes):

    w <- w + T J^-1 (tau + tB - w x J w) + g_w (wm - w),       tB <- tB + g_t (wm - w)                  (1)
    a = R (am - b) + gravity,   v <- v + T a,   r <- r + T v + T^2 a / 2,   R <- R exp(T w)             (2)
    FB <- s FB + (1 - s)(m (am - b) - F - other forces)                                                 (3)

(2) takes means of neighbouring samples.  A pose (y, Y) that was measured earlier corrects the belief of its
own time, with the period P of such measurements, and (2) is repeated from there with the readings that are
kept:

    e = y - r,     r <- r + g_r e,     v <- v + (g_v / P) e,     b <- b + (2 g_b / P^2) R^T e,     R <- Y  (4)

g_b is negative: a bias that is too large makes the predicted velocity too small.

`twin`: a controller as a real vehicle has it, between its sensors and its actuators.

Every `step` the actuators move; every period of the controller its law is called, with the state that the
observer believes, and its command acts `delay` periods later.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np

from poinsot.control.actuators import ActuatorDynamics, Lag
from poinsot.control.plant import Plant
from poinsot.control.references.motions import centered_size, free_body
from poinsot.control.tracking import TrackingLaw
from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.lie import so3
from poinsot.mechanics import dynamics
from poinsot.model import checks
from poinsot.model.checks import Array, quaternion, show
from poinsot.model.controller import Controller, saturate, whole_steps
from poinsot.model.identity import digest_of_callable
from poinsot.model.inputs import Input, WrenchInput
from poinsot.model.inputs.feedback import input_matrix
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_problem
from poinsot.model.rotations import cross, matrix
from poinsot.model.state import State

Triple = tuple[float, float, float]


class Readings(NamedTuple):
    """What sensors at a point of a body read.

    Attributes
    ----------
    angular_velocity : of the gyroscope, in body axes [rad/s] (3,)
    specific_force : of the accelerometer, acceleration of its point minus gravity, in body axes [m/s²] (3,)
    position : of the point, in space [m] (3,)
    rotation : of the body, body to space (3, 3)

    >>> m = ps.Mechanism().add("box", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> ps.control.Sensors().read(m, m.state(), "box", acceleration=np.zeros(6)).specific_force
    array([0.  , 0.  , 9.81])
    """

    angular_velocity: Array
    specific_force: Array
    position: Array
    rotation: Array


@dataclass(frozen=True, init=False)
class Sensors:
    """Sensors of a body: a gyroscope and an accelerometer, and a pose that arrives late.

    `read` gives what they read at a point of any body; `ps.control.twin` puts them on a vehicle.
    All noise is normal and white; numbers are standard deviations of each component.

    Parameters
    ----------
    gyro : noise of the angular velocity [rad/s]
    accelerometer : noise of the specific force [m/s²]
    accelerometer_bias : constant error of the accelerometer [m/s²], in body axes (3,)
    position, attitude : noise of the pose [m] and rad
    period : time between two measurements of the pose [s]
    delay : time until a measurement of the pose arrives [s]

    >>> ps.control.Sensors(gyro=0.01, position=5e-4).delay
    0.034
    """

    gyro: float
    accelerometer: float
    accelerometer_bias: Triple
    position: float
    attitude: float
    period: float
    delay: float

    def __init__(
        self,
        *,
        gyro: float = 0.0,
        accelerometer: float = 0.0,
        accelerometer_bias: Any = (0.0, 0.0, 0.0),
        position: float = 0.0,
        attitude: float = 0.0,
        period: float = 0.1,
        delay: float = 0.034,
    ) -> None:
        who = "sensors"
        x, y, z = checks.vector(who, "accelerometer_bias", accelerometer_bias).tolist()
        vars(self).update(
            gyro=checks.number(who, "gyro", gyro, zero=True),
            accelerometer=checks.number(who, "accelerometer", accelerometer, zero=True),
            accelerometer_bias=(x, y, z),
            position=checks.number(who, "position", position, zero=True),
            attitude=checks.number(who, "attitude", attitude, zero=True),
            period=checks.number(who, "period", period, positive=True),
            delay=checks.number(who, "delay", delay, zero=True),
        )

    def read(
        self,
        mechanism: Mechanism,
        state: State,
        body: str,
        at: ArrayLike = (0.0, 0.0, 0.0),
        *,
        acceleration: ArrayLike | None = None,
        seed: int | None = None,
    ) -> Readings:
        """Return what the sensors read at a point of a body, without the delay of the pose.

        Parameters
        ----------
        mechanism : the mechanism
        state : its state
        body : name of the body that carries the sensors
        at : their place in the body frame [m]
        acceleration : joint accelerations, shape (nv,) [rad/s², m/s²].  Default: those of the mechanism
            without inputs
        seed : number that the noise follows from, such as the number of a tick that a controller has in its
            memory.  Default: no noise

        >>> m = ps.Mechanism().add("box", ps.Box(1.0).body(mass=1.0), ps.Free())
        >>> ps.control.Sensors(gyro=0.01).read(m, m.state(), "box", seed=1).specific_force  # it falls
        array([0., 0., 0.])
        """
        check_problem(mechanism, state)
        who = "sensors"
        number = None if seed is None else checks.whole(who, "seed", seed, 0)
        J = dynamics.jacobian(mechanism, state, body, at)
        given = dynamics.acceleration(mechanism, state) if acceleration is None else acceleration
        a = checks.numbers(who, "acceleration", given, len(state.v))
        w, v = np.split(product(J, state.v), 2)
        rate = product(J, a) + product(dynamics.jacobian_rate(mechanism, state, body, at), state.v)
        motion = motions(mechanism, state.q[None], state.v[None])[body]
        R, place = motion.rotation[0], checks.vector(who, "at", at)
        force = rate[3:] + cross(w, v) - product(R.T, mechanism.gravity)
        r = motion.origin[0] + product(R, place)
        if number is None:
            return Readings(w, force + self.accelerometer_bias, r, R)
        rng = np.random.default_rng(number)
        return Readings(*self._measured(rng, w, force), *self._located(rng, r, R))

    def _measured(self, rng: np.random.Generator, w: Array, force: Array) -> tuple[Array, Array]:
        """Return what gyroscope and accelerometer read of w and the specific force, in body axes."""
        noise = rng.normal(size=(2, 3))
        return w + self.gyro * noise[0], force + self.accelerometer_bias + self.accelerometer * noise[1]

    def _located(self, rng: np.random.Generator, r: Array, R: Array) -> tuple[Array, Array]:
        """Return the measured pose."""
        noise = rng.normal(size=(2, 3))
        return r + self.position * noise[0], R @ np.asarray(so3.exp(self.attitude * noise[1]))


RATE, TORQUE = 0.2, 0.01  # g_w, g_t of (1)
SMOOTH = 0.98  # s of (3)
POSITION, VELOCITY, BIAS = 1.0, 0.575, -0.025  # g_r, g_v, g_b of (4): discrete roots 0, 0.5, 0.9

Belief = dict[str, Any]  # r v R w b tB FB, and the lists of readings and beliefs


def rate_step(
    J: Array,
    w: Array,
    bias: Array,
    torque: Array,
    gyro: Array,
    T: float,
    gains: tuple[float, float] = (RATE, TORQUE),
) -> tuple[Array, Array]:
    """Return w and tB of the next sample, equation (1)."""
    miss = gyro - w
    return w + T * np.linalg.solve(J, torque + bias - np.cross(w, J @ w)) + gains[0] * miss, bias + gains[
        1
    ] * miss


def begun(r: Array, v: Array, R: Array, w: Array, specific: Array) -> Belief:
    """Return the belief of a vehicle that knows its state."""
    zero = np.zeros(3)
    found = {"r": r, "v": v, "R": R, "w": w, "b": zero, "torque": zero, "force": zero}
    return {**found, "readings": np.array([[*w, *specific]]), "past": np.array([[*r, *v, *R.ravel()]])}


def predicted(belief: Belief, first: Array, last: Array, gravity: Array, T: float) -> None:
    """Move r, v and R by one sample, equation (2); `first` and `last` are the readings (w, a) at its ends."""
    R, b = belief["R"], belief["b"]
    turned = R @ np.asarray(so3.exp(T / 2 * (first[:3] + last[:3])))
    a = (R @ (first[3:] - b) + turned @ (last[3:] - b)) / 2 + gravity
    belief["r"] = belief["r"] + T * belief["v"] + T * T / 2 * a
    belief["v"], belief["R"] = belief["v"] + T * a, turned


def sampled(belief: Belief, w: Array, specific: Array, gravity: Array, T: float, kept: int) -> None:
    """Take the rates and the specific force of the next sample into the belief; the last `kept` are kept."""
    now = np.array([*w, *specific])
    predicted(belief, belief["readings"][-1], now, gravity, T)
    belief["w"] = w
    row = np.array([*belief["r"], *belief["v"], *belief["R"].ravel()])
    belief["readings"] = np.vstack([belief["readings"][1 - kept :], now])
    belief["past"] = np.vstack([belief["past"][1 - kept :], row])


def corrected(belief: Belief, ago: int, y: Array, Y: Array, period: float, gravity: Array, T: float) -> None:
    """Correct the belief by a pose that was measured `ago` samples before, equation (4)."""
    readings, past = belief["readings"], belief["past"]
    k = max(len(past) - 1 - ago, 0)
    r, v, R = past[k, :3], past[k, 3:6], past[k, 6:].reshape(3, 3)
    e = y - r
    belief["r"], belief["v"], belief["R"] = r + POSITION * e, v + VELOCITY / period * e, Y
    belief["b"] = belief["b"] + 2 * BIAS / period**2 * (R.T @ e)
    past[k] = [*belief["r"], *belief["v"], *Y.ravel()]
    for i in range(k, len(past) - 1):
        predicted(belief, readings[i], readings[i + 1], gravity, T)
        past[i + 1] = [*belief["r"], *belief["v"], *belief["R"].ravel()]


LATEST = 64  # longest delay in periods
EXTRA = "disturbance"  # name of the wrench of bias and reaction


class _Twin:
    """The function of the controller that `twin` returns."""

    def __init__(
        self,
        mechanism: Mechanism,
        inner: Controller,
        step: float,
        actuators: ActuatorDynamics,
        delay: int,
        bias: Array,
        sensors: Sensors | None,
        seed: int,
    ) -> None:
        self.plant, self.inner, self.step, self.actuators = Plant(mechanism), inner, step, actuators
        self.delay, self.bias, self.sensors, self.seed = delay, bias, sensors, seed
        self.ticks = whole_steps(inner.period, step)
        self.__name__ = f"twin of {inner.name}"
        body = mechanism.links[0].body
        self.B = input_matrix(mechanism, inner.inputs, mechanism.state().q)  # of a free body: constant
        self.J, self.m, self.gravity = np.array(body.inertia), body.mass, np.array(mechanism.gravity)

    @property
    def law(self) -> Any:
        """The tracking law inside, if there is one."""
        return getattr(self.inner.function, "law", None)

    @property
    def identity(self) -> str:
        """Digest of all that it depends on."""
        parts = self.inner.function, self.inner.inputs, self.actuators, self.bias, self.sensors
        numbers = self.inner.period, self.step, self.delay, self.seed, self.plant.identity
        return digest_of_callable((parts, numbers))

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
        return saturate(self.inner.inputs, m, np.atleast_1d(np.asarray(u, dtype=float))), memory

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
            belief = known["belief"] = begun(r, R @ state.v[3:], R, state.v[:3], specific)
        else:
            w, belief["torque"] = rate_step(
                self.J, belief["w"], belief["torque"], known["before"][:3], gyro, T
            )
            sampled(belief, w, specific, self.gravity, T, late + 1)
        known["before"] = wrench
        if n % every == 0 and n > 0:
            known["poses"] = [*known["poses"], (n, *s._located(rng, r, R))]
        if known["poses"] and n - known["poses"][0][0] >= late:
            (then, y, Y), known["poses"] = known["poses"][0], known["poses"][1:]
            corrected(belief, n - then, y, Y, s.period, self.gravity, T)
        R = belief["R"]
        q = np.concatenate([belief["r"], quaternion("twin", "attitude", R)])
        believed = State(t, q, np.concatenate([belief["w"], R.T @ belief["v"]]))
        other = self._other_forces(believed)
        force = self.m * (specific - belief["b"]) - wrench[3:] - other
        belief["force"] = SMOOTH * belief["force"] + (1 - SMOOTH) * force  # (3)
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
    mechanism: Mechanism,
    controller: Controller,
    *,
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
    mechanism : the mechanism; one free body with its centre of mass at the origin if there are sensors or a
        bias
    controller : the sampled controller inside, such as of `ps.control.track(..., period=0.005)`
    step : time [s] after which the actuators move: a whole part of the controller's period, and a whole
        number of steps of the run
    actuators : how the inputs follow their commands.  Default: at once.
    delay : periods after which a command acts
    bias : wrench (torque [N m], force in N) in body axes that acts on the vehicle and is not in its model
        (6,)
    sensors : what the vehicle measures.  A tracking law then uses the state and the unexpected wrench that
        the observers of the vehicle find.  Default: the law knows the state.
    seed : seed of the noise

    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> push = ps.Controller(lambda t, state, memory: ([1.0 if t > 0 else 0.0], memory), 0.1, ["cart"])
    >>> slow = ps.control.twin(m, push, step=0.05, actuators=ps.control.Lag(rate=10.0), delay=0)
    >>> run = ps.simulate(m, m.state(), "rk4", step=0.05, until=0.3, controller=slow)
    >>> run.input("cart")[:, 0].round(3)
    array([0.   , 0.   , 0.197, 0.513, 0.704, 0.821, 0.821])
    """
    who = "twin"
    checks.mechanism(who, mechanism)
    if not isinstance(controller, Controller):
        raise ModelError(f"{who}: expected a Controller, got {show(controller)}")
    h = checks.number(who, "step", step, positive=True)
    whole_steps(controller.period, h)
    model = Lag() if actuators is None else actuators
    if not isinstance(model, ActuatorDynamics):
        raise ModelError(f"{who}: actuators must be a Lag, TiltServo or RotorDynamics, got {show(actuators)}")
    if sensors is not None and not isinstance(sensors, Sensors):
        raise ModelError(f"{who}: sensors must be ps.control.Sensors, got {show(sensors)}")
    controller.control(mechanism)
    model._check(mechanism, controller.inputs)
    late = checks.whole(who, "delay", delay, 0, LATEST)
    wrench = checks.vector(who, "bias", bias, 6)
    inputs: list[Input] = list(controller.inputs)
    name = mechanism.links[0].name
    if sensors is not None or wrench.any():
        free_body(who, mechanism, name)
        centered_size(who, mechanism)
    if model.reacts or wrench.any():
        inputs.append(WrenchInput(name, name=EXTRA))
    function = _Twin(
        mechanism,
        controller,
        h,
        model,
        late,
        np.array(wrench),
        sensors,
        checks.whole(who, "seed", seed, 0, 2**31),
    )
    return Controller(cast(Any, function), h, inputs)
