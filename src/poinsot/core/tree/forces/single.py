"""Forces at one joint: springs, dampers, and forces that a controller holds.

    f(q, a, v, tau, b, floats, k, o) -> power

adds the force to tau[b:]; a and b are offsets in q and v, floats[k:] its numbers, o is zero.  It returns the
power of a force without a potential, else o.

    joint_spring    tau = -k (q - rest)                                                           (1)
    joint_damper    tau = -c v                                                                    (2)

Of a spherical joint, where R is the rotation of the child from rest, torques in the child frame; floats: rest
quaternion (4), then k or Wed(K) (6):

    ball_log      tau = -k log R,           V = k |log R|^2/2                                       (3)
    ball_trace    tau = -vee2(Wed(K) R),    V = tr(Wed(K) (1 - R)),   Wed(K) = tr(K)/2 - K          (4)
    ball_euler    tau = -k R^T (phi, theta, psi), R = Rz(psi) Ry(theta) Rx(phi)                     (5)

(3) jumps at half a turn.  (5) is the spring of the thesis on N-body pendulums (`movingframe` in the
bibliography); it has no potential, so it does work on closed paths.

    joint_stop      tau = -k x - k d |x| v,   x how far q lies beyond lower or upper                (7)
    joint_friction  tau = -f v/sqrt(v^2 + s^2)                                                    (8)

floats: lower, upper, k, d; and f, s.

    hold          tau = u: zero-order hold, constant until the caller of the time loop changes it         (6)
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, so3, sym3, vec3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.numbers.arrays import Floats, Numbers
from poinsot.core.numbers.functions import maximum, sqrt, where
from poinsot.core.numbers.rows import get3, get4, put3
from poinsot.core.numbers.trigonometry import atan
from poinsot.core.tree.forces.hold import seeded

PI = 3.141592653589793


@jit
def joint_spring(
    q: Numbers, a: int, v: Numbers, tau: Numbers, b: int, floats: Floats, k: int, o: float
) -> float:
    tau[b] = tau[b] - floats[k] * (q[a] - floats[k + 1])  # (1)
    return o


@jit
def joint_damper(
    q: Numbers, a: int, v: Numbers, tau: Numbers, b: int, floats: Floats, k: int, o: float
) -> float:
    resistance = floats[k] * v[a]  # (2)
    tau[b] = tau[b] - resistance
    return -(resistance * v[b])


@jit
def joint_stop(
    q: Numbers, a: int, v: Numbers, tau: Numbers, b: int, floats: Floats, k: int, o: float
) -> float:
    x = maximum(q[a] - floats[k + 1], o) - maximum(floats[k] - q[a], o)
    force = floats[k + 2] * x  # (7)
    if floats[k + 3] != 0.0:
        force = force + floats[k + 2] * floats[k + 3] * maximum(x, -x) * v[b]
    tau[b] = tau[b] - force
    return -(force * v[b]) if floats[k + 3] != 0.0 else o


@jit
def joint_friction(
    q: Numbers, a: int, v: Numbers, tau: Numbers, b: int, floats: Floats, k: int, o: float
) -> float:
    resistance = floats[k] * v[b] / sqrt(v[b] * v[b] + floats[k + 1] * floats[k + 1])  # (8)
    tau[b] = tau[b] - resistance
    return -(resistance * v[b])


@jit
def add_torque(tau: Numbers, b: int, torque: Vec3) -> None:
    """Add a torque to the joint forces tau[b:]."""
    put3(tau, b, vec3.add(get3(tau, b), torque))


@jit
def from_rest(q: Numbers, a: int, floats: Floats, k: int) -> Quaternion:
    """Rotation of the child from rest."""
    return quaternion.compose(quaternion.inverse(get4(floats, k)), get4(q, a))


@jit
def ball_log(q: Numbers, a: int, v: Numbers, tau: Numbers, b: int, floats: Floats, k: int, o: float) -> float:
    add_torque(tau, b, vec3.scale(-floats[k + 4], quaternion.log(from_rest(q, a, floats, k))))  # (3)
    return o


@jit
def ball_trace(
    q: Numbers, a: int, v: Numbers, tau: Numbers, b: int, floats: Floats, k: int, o: float
) -> float:
    W = (floats[k + 4], floats[k + 5], floats[k + 6], floats[k + 7], floats[k + 8], floats[k + 9])
    R = quaternion.matrix(from_rest(q, a, floats, k))
    add_torque(tau, b, vec3.scale(-2.0, so3.vee(mat3.mul(sym3.full(W), R))))  # (4)
    return o


@jit
def twice_atan(y: float, x: float, r: float) -> float:
    """Angle of the point (x, y) at the distance r: 2 atan(y/(x + r)), and pi where that is 0/0."""
    ahead = x + r > 0.0
    return where(ahead, 2.0 * atan(y / where(ahead, x + r, 1.0)), PI)


@jit
def direction(y: float, x: float) -> float:
    """Angle of the point (x, y)."""
    return twice_atan(y, x, sqrt(x * x + y * y))


@jit
def ball_euler(
    q: Numbers, a: int, v: Numbers, tau: Numbers, b: int, floats: Floats, k: int, o: float
) -> float:
    R = quaternion.matrix(from_rest(q, a, floats, k))
    pitch = twice_atan(-R[6], sqrt(maximum(1.0 - R[6] * R[6], 0.0)), 1.0)
    angles = (direction(R[7], R[8]), pitch, direction(R[3], R[0]))
    torque = vec3.scale(-floats[k + 4], mat3.apply_t(R, angles))  # (5)
    add_torque(tau, b, torque)
    return vec3.dot(torque, get3(v, b))


@jit
def hold(q: Numbers, a: int, v: Numbers, tau: Numbers, b: int, floats: Floats, k: int, o: float) -> float:
    u = seeded(o, floats, k)
    tau[b] = tau[b] + u  # (6)
    return u * v[b]
