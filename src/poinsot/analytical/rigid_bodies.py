"""Trees of rigid bodies in redundant coordinates, with relative or absolute velocities, written to be read.

Frames: G_b = G_p (pre · Gⱼ(x)) from the parent's frame p to the body's frame b, anywhere on the body.
Twists of bodies are (w, v), body frame; J_b maps the velocities ξ of the system to them:

    joint            x              ξ (relative)     Gⱼ                                dx/dt               (1)
    free             r, R (12)      w, v             (R, r)                            Rv, R wed(w)
    spherical        R (9)          w                (R, 0)                            R wed(w)
    quaternion       u (4)          w                (R(u), 0)                         ½ u (0, w)
    revolute         θ              dθ/dt            rotation about the axis by θ      dθ/dt
    circle           c, s           dθ/dt            the same, with cos and sin        -s ξ, c ξ
    prismatic        q              dq/dt            shift along the axis by q         dq/dt

A joint with velocity "absolute" has as ξ the absolute angular velocity (spherical, quaternion), its
component along the axis (revolute, circle) or the absolute twist (free).  With P = Ad(Gₑ⁻¹), Gₑ = pre · Gⱼ
and η the rows that give the joint's relative velocity, in tree order

    J_b = P J_p + S η,    dJ_b/dt = P dJ_p/dt - ad(S η ξ) P J_p + S dη/dt                         (2)
    relative η = E_b,     absolute η = E_b - Sᵀ P J_p,  dη/dt = Sᵀ(ad(Sηξ) P J_p - P dJ_p/dt)       (3)
    M = Σ Jᵀ Vee(M′) J                                                                            (4)
    c = Σ Jᵀ vee2((wed(dJ/dt ξ) + wed(Jξ)²) M′)                                                    (5)
    D = Σ J_abᵀ Vee(D′) J_ab,    J_ab = J_b - Ad(G_ab⁻¹) J_a,    G_ab = G_a⁻¹ G_b                  (6)
    f_K = Σ J_abᵀ vee2((1 - G_ab⁻¹ G_rest) K′),    f_G = -Σ Jᵀ Vee(M′) Ad(G⁻¹) (0, g)              (7)
    dx/dt = A ξ,    M dξ/dt = f - c - D ξ - f_K - f_G                                             (8)
    Γᵢⱼₖ = Σ Jᵢᵖ (M_pq ∂ₖJⱼ^q + Γᵇ_pqr Jⱼ^q Jₖ^r),    C = Σ Jᵀ (M_b dJ/dt + C_b(Jξ) J),   c = C ξ     (9)
    S = Σ ½ tr(X M′ Xᵀ),    X = wed(J dξ/dt + dJ/dt ξ) + wed(Jξ)²                                 (10)

Every model force stands on the left side with + its energy's derivative; only f is on the right.  Joints
with more axes are chains of these with bodies of M′ = 0 in between.  Source: Konz, section 3.4
[konz2024energy]; signs of (7) and the bracket of (9) corrected.  This costs O(n³) and is for reading.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from poinsot.analytical.arguments import function, of_shape, takes
from poinsot.analytical.coordinates import Coordinates, Map, connection
from poinsot.analytical.derivatives import Derivative, Function, complex_step, difference
from poinsot.analytical.inputs import InputForce
from poinsot.analytical.joints import JOINTS, JointKind
from poinsot.analytical.loads import Forces, Rate, load, require_holonomic
from poinsot.analytical.operators import Ad, Array, Vee, ad, inverse, pose, vee2, wed
from poinsot.analytical.picture import Picture, solid_body
from poinsot.analytical.system import Formulation, System, own_velocity, power_of
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model.checks import array, choice, items, show, suggestion, vector, whole
from poinsot.model.checks import direction as unit_vector
from poinsot.model.rotations import Vee3


@dataclass(frozen=True)
class TreeLink:
    """A body and the joint that carries it."""

    parent: int
    joint: JointKind
    axis: Array
    absolute: bool
    pre: Array
    inertia: Array  # M′
    x: slice
    xi: slice


class BodyPair(NamedTuple):
    """A spring or damper between the bodies a and b; 0 is the world."""

    a: int
    b: int
    matrix: Array  # D′ or K′
    rest: Array


@dataclass(frozen=True)
class TreeKinematics:
    """Poses, Jacobians and their rates of the world (0) and of all bodies, and A."""

    G: list[Array]
    J: list[Array]
    J_rate: list[Array]
    A: Array

    def pair(self, a: int, b: int, xi: Array) -> tuple[Array, Array, Array]:
        """Return G, J and dJ/dt of b as seen from a (6)."""
        G = inverse(self.G[a]) @ self.G[b]
        P = Ad(inverse(G))
        J = self.J[b] - P @ self.J[a]
        return G, J, self.J_rate[b] - P @ self.J_rate[a] + ad(J @ xi) @ P @ self.J[a]


SE3 = np.stack([ad(e) for e in np.eye(6)]).transpose(0, 2, 1)  # γ of se(3): [eᵢ, eⱼ] = γᵢⱼᵏ eₖ


class RigidBodies(Formulation):
    """A tree of rigid bodies in redundant coordinates.

    Bodies are numbered from 1 in the order in which they are added; 0 is the world.  Of the system, `x` are
    the coordinates (size,) and `xi` the velocities (freedom,).

    `gravity`: acceleration of gravity in space [m/s²], (3,).

    >>> tree = ps.analytical.RigidBodies(gravity=(0, 0, -10))
    >>> tree.add(0, "revolute", ps.analytical.prime([2.0], [[0, 0, -1]]), axis=(0, 1, 0))
    1
    >>> tree.acceleration(np.array([np.pi / 2]), np.zeros(1))
    array([-10.])
    """

    def __init__(self, gravity: ArrayLike = (0, 0, -9.81)) -> None:
        self.gravity = np.concatenate([np.zeros(3), vector("rigid bodies", "gravity", gravity)])
        self.links: list[TreeLink] = []
        self.springs: list[BodyPair] = []
        self.dampers: list[BodyPair] = []
        self.size = self.freedom = 0

    def add(
        self,
        parent: int,
        joint: str,
        inertia: ArrayLike,
        pre: ArrayLike | None = None,
        axis: ArrayLike = (0, 0, 1),
        velocity: str = "relative",
    ) -> int:
        """Add a body and the joint that carries it; return its number.

        Parameters
        ----------
        parent : Number of the parent; 0 is the world.
        joint : "free", "spherical", "quaternion", "revolute", "circle" or "prismatic": kind of the joint (1).
        inertia : Inertia matrix M′ in the frame of the body, as of `ps.analytical.prime`, (4, 4).
        pre : Pose of the joint in the frame of the parent, (4, 4).  Default: the identity.
        axis : Axis of the joint, (3,).
        velocity : "relative" or "absolute": whether the velocities are relative to the parent or absolute
            (3).
        """
        name = f"body {len(self.links) + 1}"
        if not isinstance(joint, str) or joint not in JOINTS:
            raise ModelError(f"{name}: unknown joint {show(joint)}{suggestion(joint, JOINTS)}")
        parent = self._number(name, "parent", parent)
        kind = JOINTS[joint]
        choice(name, "velocity", velocity, ("relative", "absolute"))
        if velocity == "absolute" and not kind.absolute:
            raise ModelError(f"{name}: a {joint} joint has no velocity {velocity!r}")
        a = np.array(unit_vector(name, "axis", axis))
        place = np.eye(4) if pre is None else array(name, "pre", pre, "a 4x4 matrix", (4, 4))
        self.links.append(
            TreeLink(
                parent,
                kind,
                a,
                velocity == "absolute",
                place,
                array(name, "inertia", inertia, "a 4x4 matrix", (4, 4)),
                slice(self.size, self.size + kind.size),
                slice(self.freedom, self.freedom + kind.freedom),
            )
        )
        self.size += kind.size
        self.freedom += kind.freedom
        return len(self.links)

    def _number(self, name: str, what: str, body: object) -> int:
        """Return the number of a body that is there; 0 is the world."""
        return whole(name, what, body, 0, len(self.links))

    @takes(stiffness=(4, 4), rest=(4, 4))
    def spring(self, a: int, b: int, stiffness: ArrayLike, rest: ArrayLike) -> None:
        """Add a stiffness between two bodies.

        `a`, `b`: numbers of two bodies; 0 is the world; `stiffness`: stiffness matrix K′, as of
        `ps.analytical.reduce_springs`, (4, 4); `rest`: pose of b in a at rest, (4, 4).
        """
        a, b = self._number("spring", "a", a), self._number("spring", "b", b)
        self.springs.append(BodyPair(a, b, np.asarray(stiffness), np.asarray(rest)))

    @takes(damping=(4, 4))
    def damper(self, a: int, b: int, damping: ArrayLike) -> None:
        """Add a damping of body b in a fluid that moves with body a.

        `a`, `b`: numbers of two bodies; 0 is the world; `damping`: damping matrix D′, as of
        `ps.analytical.prime`, (4, 4).
        """
        a, b = self._number("damper", "a", a), self._number("damper", "b", b)
        self.dampers.append(BodyPair(a, b, np.asarray(damping), np.eye(4)))

    def start(self, joints: Sequence[Any] = ()) -> Array:
        """Return the coordinates x (size,) with those of the first `joints`; the others are at their zero."""
        given = items("start", "joints", joints, "a list of coordinates")
        if len(given) > len(self.links):
            raise ModelError(f"start: {len(given)} joints are given, and there are {len(self.links)}")
        sizes = [link.joint.size for link in self.links]
        parts = [vector("start", f"joint {k + 1}", q, sizes[k]) for k, q in enumerate(given)]
        return np.concatenate([np.zeros(0), *parts, *(link.joint.zero for link in self.links[len(parts) :])])

    @takes(x=("size",), xi=("freedom",))
    def kinematics(self, x: Array, xi: Array) -> TreeKinematics:
        """Return poses `G`, Jacobians `J`, rates `J_rate` of the bodies, and `A` at (`x`, `xi`) (1)-(3)."""
        x, xi = np.asarray(x), np.asarray(xi)
        kind = np.result_type(x, xi, float)
        none, E = np.zeros((6, self.freedom), dtype=kind), np.eye(self.freedom)
        found = TreeKinematics([np.eye(4)], [none], [none], np.zeros((self.size, self.freedom), dtype=kind))
        for link in self.links:
            G, J, dJ = found.G[link.parent], found.J[link.parent], found.J_rate[link.parent]
            q, S = x[link.x], link.joint.subspace(link.axis)
            Ge = link.pre @ pose(*link.joint.pose(q, link.axis))
            P = Ad(inverse(Ge))
            eta, deta = E[link.xi].astype(kind), np.zeros((link.joint.freedom, self.freedom), dtype=kind)
            if link.absolute:  # (3)
                eta = eta - S.T @ P @ J
                deta = S.T @ (ad(S @ eta @ xi) @ P @ J - P @ dJ)
            found.G.append(G @ Ge)
            found.J.append(P @ J + S @ eta)  # (2)
            found.J_rate.append(P @ dJ - ad(S @ eta @ xi) @ P @ J + S @ deta)
            found.A[link.x] = link.joint.rates(q) @ eta
        return found

    @takes(x=("size",))
    def mass(self, x: Array) -> Array:
        """Return the mass matrix (4), (freedom, freedom).  `x`: coordinates of the system, (size,)."""
        return self._mass(self.kinematics(x, np.zeros(self.freedom)))

    @takes(x=("size",), xi=("freedom",))
    def bias(self, x: Array, xi: Array) -> Array:
        """Return the bias force c (5), (freedom,) at (`x`, `xi`)."""
        return self._bias(self.kinematics(x, xi), xi)

    @takes(x=("size",))
    def damping(self, x: Array) -> Array:
        """Return the damping matrix D (6), (freedom, freedom).  `x`: coordinates of the system, (size,)."""
        return self._damping(self.kinematics(x, np.zeros(self.freedom)))

    @takes(x=("size",))
    def stiffness_force(self, x: Array) -> Array:
        """Return the force f_K of the springs (7) at `x`: on the left side of (8), (freedom,)."""
        return self._stiffness_force(self.kinematics(x, np.zeros(self.freedom)))

    @takes(x=("size",))
    def gravity_force(self, x: Array) -> Array:
        """Return the weight f_G (7): generalized force, on the left side of (8), (freedom,) at `x`."""
        return self._gravity_force(self.kinematics(x, np.zeros(self.freedom)))

    @takes(x=("size",), xi=("freedom",), force=of_shape((), ("freedom",)))
    def acceleration(self, x: Array, xi: Array, force: ArrayLike = 0.0) -> Array:
        """Return dξ/dt (8) at (`x`, `xi`) with the generalized `force` f on the right side, (freedom,)."""
        k = self.kinematics(x, xi)
        f = (
            force
            - self._bias(k, xi)
            - self._damping(k) @ xi
            - self._stiffness_force(k)
            - self._gravity_force(k)
        )
        return np.linalg.solve(self._mass(k), f)

    def _mass(self, k: TreeKinematics) -> Array:
        return sum(
            (J.T @ Vee(link.inertia) @ J for J, link in zip(k.J[1:], self.links, strict=True)),
            start=np.zeros((self.freedom, self.freedom)),
        )

    def _bias(self, k: TreeKinematics, xi: Array) -> Array:
        c = np.zeros(self.freedom)
        for J, dJ, link in zip(k.J[1:], k.J_rate[1:], self.links, strict=True):
            twist = wed(J @ xi)
            c = c + J.T @ vee2((wed(dJ @ xi) + twist @ twist) @ link.inertia)
        return c

    def _damping(self, k: TreeKinematics) -> Array:
        D, rest = np.zeros((self.freedom, self.freedom)), np.zeros(self.freedom)
        for a, b, matrix, _ in self.dampers:
            J = k.pair(a, b, rest)[1]
            D = D + J.T @ Vee(matrix) @ J
        return D

    def _stiffness_force(self, k: TreeKinematics) -> Array:
        f = rest = np.zeros(self.freedom)
        for a, b, matrix, place in self.springs:
            G, J, _ = k.pair(a, b, rest)
            f = f + J.T @ vee2((np.eye(4) - inverse(G) @ place) @ matrix)
        return f

    def _gravity_force(self, k: TreeKinematics) -> Array:
        f = np.zeros(self.freedom)
        for G, J, link in zip(k.G[1:], k.J[1:], self.links, strict=True):
            f = f - J.T @ Vee(link.inertia) @ Ad(inverse(G)) @ self.gravity
        return f

    @takes(x=("size",), xi=("freedom",))
    def kinetic_energy(self, x: Array, xi: Array) -> Any:
        """Return the kinetic energy [J] at (`x`, `xi`)."""
        return xi @ self.mass(x) @ xi / 2

    @takes(x=("size",), xi=("freedom",))
    def acceleration_energy(self, x: Array, xi: Array) -> Callable[[Array], Any]:
        """Return the acceleration energy S at (`x`, `xi`) as a function of dξ/dt, complex or not (10).

        `gibbs_appell` makes equations of motion of it.
        """
        k = self.kinematics(x, xi)
        twists = [wed(J @ xi) for J in k.J[1:]]
        bias = [wed(dJ @ xi) + V @ V for dJ, V in zip(k.J_rate[1:], twists, strict=True)]

        def S(dxi: Array) -> Any:
            total: Any = 0.0
            for J, b, link in zip(k.J[1:], bias, self.links, strict=True):
                X = wed(J @ dxi) + b
                total = total + (X @ link.inertia * X).sum() / 2
            return total

        return S

    @takes(x=("size",))
    def potential_energy(self, x: Array) -> Any:
        """Return the potential energy [J] at `x`: -Σ m g·(center) and ½ tr((G - G_rest) K′ (G - G_rest)ᵀ)."""
        k = self.kinematics(x, np.zeros(self.freedom))
        V = 0.0
        for G, link in zip(k.G[1:], self.links, strict=True):
            V = V - self.gravity[3:] @ (G @ link.inertia[:, 3])[:3]
        for a, b, matrix, rest in self.springs:
            off = inverse(k.G[a]) @ k.G[b] - rest
            V = V + (off @ matrix * off).sum() / 2
        return V

    @takes(x=("size",))
    def connection(self, x: Array) -> Array:
        """Return the connection Γᵢⱼₖ (9): coefficients as [i, j, k], (freedom, freedom, freedom) at `x`."""
        xi = np.zeros(self.freedom)
        k = self.kinematics(x, xi)
        moved = [complex_step(lambda z: np.stack(self.kinematics(z, xi).J[1:]), x, a) for a in k.A.T]
        Gamma = np.zeros((self.freedom,) * 3)
        for b, (J, link) in enumerate(zip(k.J[1:], self.links, strict=True)):
            M = Vee(link.inertia)
            body = connection(M, np.zeros((6, 6, 6)), SE3)
            slopes = np.stack([dJ[b] for dJ in moved], axis=-1)  # ∂ₖ Jⱼ^q as [q, j, k]
            Gamma += np.einsum("pi,pq,qjk->ijk", J, M, slopes)
            Gamma += np.einsum("pqr,pi,qj,rk->ijk", body, J, J, J)
        return Gamma

    @takes(x=("size",), xi=("freedom",))
    def coriolis(self, x: Array, xi: Array) -> Array:
        """Return the Coriolis matrix C at (`x`, `xi`) with c = C ξ and dM/dt = C + Cᵀ (9)."""
        k = self.kinematics(x, xi)
        C = np.zeros((self.freedom, self.freedom))
        for J, dJ, link in zip(k.J[1:], k.J_rate[1:], self.links, strict=True):
            M = Vee(link.inertia)
            body = connection(M, np.zeros((6, 6, 6)), SE3) @ (J @ xi)
            C = C + J.T @ (M @ dJ + body @ J)
        return C

    def coordinates(self) -> Coordinates:
        """Return the coordinates, constraints and kinematics of the tree."""
        rest = np.zeros(self.freedom)

        def constraints(x: Array) -> Array:
            return np.concatenate([link.joint.constraints(x[link.x]) for link in self.links])

        return Coordinates(self.size, lambda x: self.kinematics(x, rest).A, constraints)

    @takes(force=function, dissipation=function)
    def system(
        self,
        force: Rate | None = None,
        *,
        forces: Forces = (),
        dissipation: Function | None = None,
        inputs: Sequence[InputForce] = (),
    ) -> System:
        """Return the equations of motion with y = (x, ξ).

        `force`: generalized force f(t, x, ξ), besides gravity, springs and dampers; `forces`: more of them;
        `dissipation`: Rayleigh's function R(t, x, ξ), with the force -∂R/∂ξ; `inputs`: inputs that a
        controller may name.
        """
        acting = load("RigidBodies", force, forces, dissipation, self.size)
        works = acting is not None or bool(self.dampers)

        def rate(t: float, x: Array, xi: Array) -> Array:
            return self.acceleration(x, xi, 0.0 if acting is None else acting(t, x, xi))

        def push(t: float, x: Array, xi: Array) -> Array:
            """Return the forces without a potential."""
            f = -self.damping(x) @ xi if self.dampers else np.zeros(self.freedom)
            return f if acting is None else f + acting(t, x, xi)

        def energy(t: float, x: Array, xi: Array) -> Any:
            return self.kinetic_energy(x, xi) + self.potential_energy(x)

        def lagrangian(t: float, x: Array, xi: Array) -> Any:
            return self.kinetic_energy(x, xi) - self.potential_energy(x)

        def response(t: float, x: Array, xi: Array, f: Array) -> Array:
            return np.linalg.solve(self.mass(x), f)

        power = power_of(own_velocity, push) if works else None
        facts = own_velocity, rate, energy, energy, power, response
        more = {"lagrangian": lagrangian, "picture": self._picture(), "inputs": inputs}
        return System(self.coordinates(), *facts, force=push if works else None, **more)  # type: ignore[arg-type]

    @classmethod
    def of(
        cls,
        coordinates: Coordinates,
        bodies: Sequence[tuple[int, Map, ArrayLike]],
        gravity: ArrayLike = (0, 0, -9.81),
    ) -> "RigidBodies":
        """Return bodies whose relative poses are functions of coordinates of the user.

        Parameters
        ----------
        coordinates : Coordinates x with their velocities ξ.
        bodies : For each body the number of another one before it (0 is the world), the pose (4, 4) of the
            body in its frame as a function of x, and its inertia matrix M′ (4, 4).
        gravity : Acceleration of gravity in space [m/s²], (3,).

        A pendulum of a point of 2 kg, 1 m below its pivot:

        >>> def turn(x):
        ...     c, s = np.cos(x[0]), np.sin(x[0])
        ...     return np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1]])
        >>> point = ps.analytical.prime([2.0], [[0, 0, -1]])
        >>> bob = ps.analytical.RigidBodies.of(ps.analytical.spaces.minimal(1), [(0, turn, point)])
        >>> bob.acceleration(np.array([np.pi / 2]), np.zeros(1)).round(9)
        array([-9.81])
        """
        return PosedBodies(coordinates, bodies, gravity)

    def _picture(self) -> Picture:
        """Return the bodies as ellipsoids."""
        bodies = []
        for link in self.links:
            mass, first = float(link.inertia[3, 3]), link.inertia[:3, 3]
            c = first / mass if mass > 0 else np.zeros(3)
            J = Vee3(link.inertia[:3, :3]) - mass * (c @ c * np.eye(3) - np.outer(c, c))
            bodies.append(solid_body(mass, J, c))

        def poses(x: Array) -> list[tuple[Array, Any]]:
            return list(zip(self.kinematics(x, np.zeros(self.freedom)).G[1:], bodies, strict=True))

        return Picture(poses=poses)


class PosedBodies(RigidBodies):
    """Rigid bodies whose relative poses are functions of the coordinates: aG_b(x) along a tree."""

    def __init__(
        self, coordinates: Coordinates, bodies: Sequence[tuple[int, Map, ArrayLike]], gravity: ArrayLike
    ) -> None:
        super().__init__(gravity)
        if not isinstance(coordinates, Coordinates):
            raise ModelError(f"RigidBodies.of: coordinates must be Coordinates, got {show(coordinates)}")
        require_holonomic("RigidBodies.of", coordinates)
        self._coordinates, self.size = coordinates, coordinates.size
        self._poses: list[Map] = []
        none = slice(0, 0)
        for k, one in enumerate(
            items("RigidBodies.of", "bodies", bodies, "a list of (parent, pose, inertia)")
        ):
            name = f"body {k + 1}"
            if not (isinstance(one, tuple | list) and len(one) == 3):
                raise ModelError(f"{name}: expected (parent, pose, inertia), got {show(one)}")
            parent = whole(name, "parent", one[0], 0, k)
            inertia = array(name, "inertia", one[2], "a 4x4 matrix", (4, 4))
            self._poses.append(function(name, "pose", one[1], None))
            self.links.append(
                TreeLink(parent, JOINTS["free"], np.zeros(3), False, np.eye(4), inertia, none, none)
            )
        x = 0.6 + 0.37 * np.sin(1.0 + np.arange(self.size))
        self.freedom = int(coordinates.A(x).shape[1])
        self._dG = Derivative(self._all_poses)

    def _all_poses(self, x: Array) -> Array:
        """Return the poses of all bodies in space, (n, 4, 4)."""
        found = [np.eye(4)]
        for link, given in zip(self.links, self._poses, strict=True):
            found.append(found[link.parent] @ np.asarray(given(x)))
        return np.array(found[1:])

    def _jacobians(self, x: Array) -> Array:
        """Return J of all bodies, (n, 6, freedom): columns are the twists of G⁻¹ ∂ᵢG."""
        G, A = self._all_poses(x), np.asarray(self._coordinates.kinematics(x))
        slopes = self._dG.along(x, A)
        return np.array(
            [
                np.stack([vee2(inverse(g) @ dg[..., i]) for i in range(self.freedom)], axis=1)
                * np.array([0.5, 0.5, 0.5, 1, 1, 1])[:, None]
                for g, dg in zip(G, slopes, strict=True)
            ]
        )

    @takes(x=("size",), xi=("freedom",))
    def kinematics(self, x: Array, xi: Array) -> TreeKinematics:
        """Return poses `G`, Jacobians `J`, rates `J_rate` of the bodies, and `A` at (`x`, `xi`)."""
        A = np.asarray(self._coordinates.kinematics(x))
        none = np.zeros((6, self.freedom))
        rates = np.zeros((len(self.links), 6, self.freedom))
        if np.any(xi):
            rates = difference(self._jacobians, x, A @ xi, self._coordinates.step)
        G = [np.eye(4), *self._all_poses(x)]
        return TreeKinematics(G, [none, *self._jacobians(x)], [none, *rates], A)

    def coordinates(self) -> Coordinates:
        """Return the coordinates that were given."""
        return self._coordinates
