"""The moving-frame formulation of trees of rigid bodies with rotating joints, to check the compiled tree.

Frames sit at the centers of mass.  R_k is the relative, R^k the absolute rotation of body k with parent p,
w_k its relative and W_k its absolute angular velocity (child frame), s_k the vector from its joint to its
center (own frame), o_k from the parent's center to its joint (parent's frame).  For j on the path to k

    C_kk = 1,    C_kj = R_kᵀ C_pj,        w^kk = 0,    w^kj = R_kᵀ w^pj + w_k                     (1)
    X = (dx_1/dt, W_1, dx_2/dt, W_2, ...) = B w                                                 (2)
    B_t[k,j] = B_t[p,j] - R^p hat(o_k) C_pj - R^k hat(s_k) C_kj,    B_r[k,j] = C_kj              (3)
    dB_t[k,j] = dB_t[p,j] - R^p (hat(W_p) hat(o_k) - hat(o_k) hat(w^pj)) C_pj
                          - R^k (hat(W_k) hat(s_k) - hat(s_k) hat(w^kj)) C_kj,
    dB_r[k,j] = -hat(w^kj) C_kj                                                                 (4)
    M* = Bᵀ M B,    N* w = Bᵀ (M dB w + diag(0, hat(W)) M B w),    F* = Bᵀ F                     (5)
    M* dw/dt = F* - N* w,  by Cholesky                                                         (6)

with forces F at the centers of mass in space and moments in body frames.  Spherical joints have the
quaternion u as coordinate and half the angular velocity ξ = w/2 in the state: du/dt = u ξ, 7 numbers a body.
Joints with one or two axes, the thesis' further work, restrict w_k to the columns of a 3 x m matrix,

    R_k = rot(a, q₁) [rot(b, q₂)],    w_k = E dq/dt,    E = (a) or (rot(b, q₂)ᵀ a, b)            (7)
    dE/dt = (0) or (-dq₂/dt b × rot(b, q₂)ᵀ a, 0),    B ← B E,    dB ← dB E + B dE/dt             (8)

and a joint may also slide by z along the columns of D (3 x m, joint frame), before it rotates.  Then
o_k = o_k(0) + P_k D z in the frame of the parent, with the placement P_k, and there are columns

    B_t[k,z_j] = R^p P_j D_j  for all k beyond joint j,  p its parent,    B_r[k,z_j] = 0          (9)
    dB_t[k,z_j] = R^p hat(W_p) P_j D_j,    and (4) gets  -R^p hat(P_k D_k dz/dt) C_pj             (10)

Source: the moving-frame thesis [movingframe], sections 2.3 to 3.1, with its errata; trees and (7) to (10) are
ours.  The cost is O(n³), and the digits lost grow with cond(M*), some 10⁶ for 16 links.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from poinsot.analytical.arguments import check_fields, function, number, reals, takes, whole
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Function
from poinsot.analytical.inputs import InputForce
from poinsot.analytical.joints import of_quaternion, rotation_about
from poinsot.analytical.least_constraint import with_loop_constraints
from poinsot.analytical.loads import Forces, load
from poinsot.analytical.moving_frame_systems import coordinates_of, hamiltonian_of, system_of
from poinsot.analytical.operators import Array, wed
from poinsot.analytical.system import Formulation, System
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model.checks import items, show, vector


@dataclass(frozen=True)
class Link:
    """A body of a `MovingFrame` with the joint that carries it.

    Parameters
    ----------
    parent : Place of the parent in the list of links; -1 for the world.
    mass : Mass [kg].
    inertia : Inertia about the center of mass in the frame of the body [kg m²], (3, 3).
    inboard : Vector s from the joint to the center of mass in the frame of the body [m], (3,).
    outboard : Vector o from the parent's center of mass to the joint in the frame of the parent [m], (3,).
    axes : No, one or two axes of the joint: `[]` for none, (m, 3).  Default: a spherical joint.
    placement : Rotation of the joint frame in the parent, (3, 3).
    slides : Up to three directions of the joint frame along which the joint slides, (m, 3).
    """

    parent: int
    mass: float
    inertia: ArrayLike
    inboard: ArrayLike
    outboard: ArrayLike = (0.0, 0.0, 0.0)
    axes: ArrayLike | None = None
    placement: ArrayLike = field(default_factory=lambda: np.eye(3))
    slides: ArrayLike = ()

    def __post_init__(self) -> None:
        check_fields(
            self,
            parent=whole(-1),
            mass=number,
            inertia=reals((3, 3)),
            inboard=reals((3,)),
            outboard=reals((3,)),
            axes=reals((0,), (3,), (1, 3), (2, 3)),
            placement=reals((3, 3)),
            slides=reals((0,), (3,), (1, 3), (2, 3), (3, 3)),
        )


class FrameMotion(NamedTuple):
    """FrameMotion of all bodies: relative and absolute rotations, centers of mass, velocities."""

    relative: list[Array]
    R: list[Array]
    x: Array
    v: Array
    W: Array
    w: Array


Loads = tuple[Array, Array]  # forces in space (n, 3), moments in body frames (n, 3)
Force = Callable[[float, FrameMotion], Loads]


def _directions(given: ArrayLike) -> Array:
    """Return directions as rows of length 1."""
    rows = np.asarray(given, dtype=float).reshape(-1, 3)
    if not rows.any(axis=1).all():
        raise ModelError("moving frame: an axis has zero length")
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def _rows(blocks: Array) -> Array:
    """Return blocks (n, 3, 3) side by side, as (3, n, 3)."""
    return blocks.transpose(1, 0, 2)


def _hats(x: Array) -> Array:
    """Return hat of every row."""
    H = np.zeros((len(x), 3, 3), dtype=x.dtype)
    H[:, 0, 1], H[:, 0, 2], H[:, 1, 2] = -x[:, 2], x[:, 1], -x[:, 0]
    return H - H.transpose(0, 2, 1)


class MovingFrame(Formulation):
    """A tree of rigid bodies in the moving-frame formulation.

    `q` are the coordinates of all joints, quaternions and angles, and `w` their relative angular velocities
    and rates [rad/s], (freedom,).

    Parameters
    ----------
    links : Bodies with their joints; parents come before their children.
    gravity : Acceleration of gravity in space [m/s²], (3,).

    >>> arm = ps.analytical.Link(-1, 2.0, np.zeros((3, 3)), inboard=(0, 0, -1), axes=[(0, 1, 0)])
    >>> tree = ps.analytical.MovingFrame([arm], gravity=(0, 0, -10))
    >>> tree.acceleration(np.array([np.pi / 2]), np.zeros(1))
    array([-10.])
    """

    def __init__(self, links: Sequence[Link], gravity: ArrayLike = (0, 0, -9.81)) -> None:
        self.gravity = vector("moving frame", "gravity", gravity)
        links = items("moving frame", "links", links, "a list of Link")
        if not all(isinstance(link, Link) for link in links):
            raise ModelError(f"moving frame: links must be a list of Link, got {show(links)}")
        self.parents = [link.parent for link in links]
        if any(not -1 <= p < k for k, p in enumerate(self.parents)):
            raise ModelError(f"moving frame: parents must come first, got {self.parents}")
        self.masses = np.array([link.mass for link in links], dtype=float)
        self.inertias = np.array([link.inertia for link in links], dtype=float)
        self.inboard = np.array([link.inboard for link in links], dtype=float)
        self.outboard = np.array([link.outboard for link in links], dtype=float)
        self.placements = np.array([link.placement for link in links], dtype=float)
        self.axes = [None if link.axes is None else _directions(link.axes) for link in links]
        self.slides = [_directions(link.slides) for link in links]
        self.n = len(self.parents)
        turns = [3 if a is None else len(a) for a in self.axes]
        freedoms = [turn + len(d) for turn, d in zip(turns, self.slides, strict=True)]
        sizes = [count + (a is None) for count, a in zip(freedoms, self.axes, strict=True)]
        self.turns = turns  # rotational freedoms of each joint; then come its slides
        self.at = np.concatenate([[0], np.cumsum(freedoms)])
        self.q_at = np.concatenate([[0], np.cumsum(sizes)])
        self.size, self.freedom = int(self.q_at[-1]), int(self.at[-1])

    @takes(q=("size",), w=("freedom",))
    def joints(self, q: Array, w: Array) -> tuple[list[Array], list[Array], list[Array]]:
        """Return relative rotations, E and dE/dt of all joints (7), (8) at (`q`, `w`), one for each."""
        rotations, E, dE = [], [], []
        for k, axes in enumerate(self.axes):
            z, s = q[self.q_at[k] : self.q_at[k + 1]], w[self.at[k] : self.at[k + 1]]
            if axes is None:
                R, e, de = of_quaternion(z[:4]), np.eye(3), np.zeros((3, 3))
            elif not len(axes):
                R, e, de = np.eye(3), np.zeros((3, 0)), np.zeros((3, 0))
            elif len(axes) == 1:
                R, e, de = rotation_about(np.cos(z[0]), np.sin(z[0]), axes[0]), axes.T, np.zeros((3, 1))
            else:
                second = rotation_about(np.cos(z[1]), np.sin(z[1]), axes[1])
                first = second.T @ axes[0]
                R = rotation_about(np.cos(z[0]), np.sin(z[0]), axes[0]) @ second
                e = np.stack([first, axes[1] + 0 * first], axis=1)
                de = np.stack([-s[1] * (wed(axes[1]) @ first), 0 * first], axis=1)
            rotations.append(self.placements[k] @ R)
            E.append(e)
            dE.append(de)
        return rotations, E, dE

    @takes(q=("size",), w=("freedom",))
    def matrices(self, q: Array, w: Array) -> tuple[Array, Array]:
        """Return B and dB/dt (1)-(4), (7), (8) at (`q`, `w`): rows (dx_1/dt, W_1, ...), (6 n, freedom)."""
        n, kind = self.n, np.result_type(q, w, float)
        relative, E, dE = self.joints(q, w)
        C, wkj = np.zeros((n, n, 3, 3), dtype=kind), np.zeros((n, n, 3), dtype=kind)
        R: list[Array] = []
        W = np.zeros((n, 3), dtype=kind)
        B, dB = np.zeros((n, 2, 3, n, 3), dtype=kind), np.zeros((n, 2, 3, n, 3), dtype=kind)
        for k, p in enumerate(self.parents):
            own = E[k] @ self._turn_rates(w, k)
            s, o, moving = wed(self.inboard[k]), wed(self._outboard(q, k)), self._slide_velocity(w, k)
            R.append(relative[k] if p < 0 else R[p] @ relative[k])
            W[k] = own if p < 0 else relative[k].T @ W[p] + own
            if p >= 0:
                path = np.abs(C[p]).max(axis=(1, 2)) > 0
                C[k] = relative[k].T @ C[p]  # (1)
                wkj[k, path] = wkj[p, path] @ relative[k] + own
                B[k, 0] = B[p, 0] - _rows(R[p] @ o @ C[p])  # (3)
                inner = wed(W[p]) @ o + wed(moving) - o @ _hats(wkj[p])
                dB[k, 0] = dB[p, 0] - _rows(R[p] @ inner @ C[p])  # (4), (10)
            C[k, k] = np.eye(3)
            B[k, 0] -= _rows(R[k] @ s @ C[k])
            dB[k, 0] -= _rows(R[k] @ (wed(W[k]) @ s - s @ _hats(wkj[k])) @ C[k])
            B[k, 1] = _rows(C[k])
            dB[k, 1] = -_rows(_hats(wkj[k]) @ C[k])
        full, moved = B.reshape(6 * n, 3 * n), dB.reshape(6 * n, 3 * n)
        restrict, rate = (
            np.zeros((3 * n, self.freedom), dtype=kind),
            np.zeros((3 * n, self.freedom), dtype=kind),
        )
        slide, sliding = np.zeros((2, n, 2, 3, self.freedom), dtype=kind)
        for k, p in enumerate(self.parents):
            turn = slice(self.at[k], self.at[k] + self.turns[k])
            restrict[3 * k : 3 * k + 3, turn], rate[3 * k : 3 * k + 3, turn] = E[k], dE[k]
            along = self.placements[k] @ self.slides[k].T
            if p >= 0:
                slide[k, 0], sliding[k, 0] = slide[p, 0], sliding[p, 0]
                sliding[k, 0, :, turn.stop : self.at[k + 1]] = R[p] @ wed(W[p]) @ along  # (10)
                along = R[p] @ along
            slide[k, 0, :, turn.stop : self.at[k + 1]] = along  # (9)
        flat = slide.reshape(6 * n, -1), sliding.reshape(6 * n, -1)
        return full @ restrict + flat[0], moved @ restrict + full @ rate + flat[1]  # (8)

    def _turn_rates(self, w: Array, k: int) -> Array:
        """Return the rotational velocities of joint k."""
        return w[self.at[k] : self.at[k] + self.turns[k]]

    def _slide_velocity(self, w: Array, k: int) -> Array:
        """Return the velocity of joint k in the frame of the parent, if that is at rest."""
        return self.placements[k] @ (self.slides[k].T @ w[self.at[k] + self.turns[k] : self.at[k + 1]])

    def _outboard(self, q: Array, k: int) -> Array:
        """Return the vector from the parent's center of mass to joint k, in the frame of the parent."""
        z = q[self.q_at[k + 1] - len(self.slides[k]) : self.q_at[k + 1]]
        return self.outboard[k] + self.placements[k] @ (self.slides[k].T @ z)

    @takes(q=("size",), w=("freedom",), B=(None, "freedom"))
    def motion(self, q: Array, w: Array, B: Array | None = None) -> FrameMotion:
        """Return rotations, positions and velocities of all bodies at (`q`, `w`); `B` if it is known."""
        X = ((self.matrices(q, w)[0] if B is None else B) @ w).reshape(self.n, 2, 3)
        relative, E, _ = self.joints(q, w)
        R: list[Array] = []
        x = np.zeros((self.n, 3), dtype=X.dtype)
        for k, p in enumerate(self.parents):
            R.append(relative[k] if p < 0 else R[p] @ relative[k])
            joint = self._outboard(q, k) if p < 0 else x[p] + R[p] @ self._outboard(q, k)
            x[k] = joint + R[k] @ self.inboard[k]
        own = np.array([E[k] @ self._turn_rates(w, k) for k in range(self.n)])
        return FrameMotion(relative, R, x, X[:, 0], X[:, 1], own)

    def mass(self) -> Array:
        """Return the matrix M with masses and inertias on the diagonal."""
        M = np.zeros((self.n, 2, 3, self.n, 2, 3))
        for k in range(self.n):
            M[k, 0, :, k, 0], M[k, 1, :, k, 1] = self.masses[k] * np.eye(3), self.inertias[k]
        return M.reshape(6 * self.n, 6 * self.n)

    @takes(q=("size",), w=("freedom",))
    def reduce(self, q: Array, w: Array) -> tuple[Array, Array, Array]:
        """Return M*, N* w and B (5): reduced mass matrix, reduced bias force, and B at (`q`, `w`)."""
        B, dB = self.matrices(q, w)
        M = self.mass()
        X = M @ B @ w
        gyro = np.zeros((self.n, 2, 3), dtype=X.dtype)
        W = (B @ w).reshape(self.n, 2, 3)[:, 1]
        gyro[:, 1] = np.cross(W, X.reshape(self.n, 2, 3)[:, 1])
        return B.T @ M @ B, B.T @ (M @ dB @ w + gyro.reshape(-1)), B

    @takes(q=("size",), w=("freedom",), t=number, force=function)
    def acceleration(self, q: Array, w: Array, t: float = 0.0, force: Force | None = None) -> Array:
        """Return dw/dt at (`q`, `w`) under gravity and a force on the bodies (6) [rad/s²], (freedom,).

        `t`: time [s], for the force; `force`: forces on the bodies as a function of (t, motion).
        """
        M, N, B = self.reduce(q, w)
        F = np.zeros((self.n, 2, 3))
        F[:, 0] = self.masses[:, None] * self.gravity
        if force is not None:
            at_center, moment = force(t, self.motion(q, w, B))
            F[:, 0] += at_center
            F[:, 1] += moment
        T = np.linalg.cholesky(M)
        return np.linalg.solve(T.T, np.linalg.solve(T, B.T @ F.reshape(-1) - N))

    @takes(q=("size",), w=("freedom",))
    def energy(self, q: Array, w: Array) -> float:
        """Return the kinetic energy and the potential energy of gravity [J] at (`q`, `w`)."""
        M, _, B = self.reduce(q, w)
        return float(w @ M @ w / 2 - self.masses @ (self.motion(q, w, B).x @ self.gravity))

    def halves(self) -> Array:
        """Return the factors from w to ξ of the state: ½ for spherical joints, 1 for axes and slides."""
        found = np.ones(self.freedom)
        for k, axes in enumerate(self.axes):
            if axes is None:
                found[self.at[k] : self.at[k] + 3] = 0.5
        return found

    def coordinates(self) -> Coordinates:
        """Return the coordinates q (unit quaternions, angles, displacements) with the velocities w."""
        return coordinates_of(self.axes, self.q_at, self.at)

    @takes(q=("size",))
    def reduced_mass(self, q: Array) -> Array:
        """Return the reduced mass matrix M* (5) of the velocities w at `q`, which may be complex."""
        B = self.matrices(q, np.zeros(self.freedom))[0]
        return B.T @ self.mass() @ B

    @takes(q=("size",))
    def potential(self, q: Array) -> Any:
        """Return the potential energy of gravity [J] at `q`."""
        none = np.zeros((6 * self.n, self.freedom), dtype=np.result_type(q, float))
        return -(self.masses @ (self.motion(q, np.zeros(self.freedom), none).x @ self.gravity))

    @takes(force=function, loop=function, pull=number, dissipation=function)
    def system(
        self,
        force: Force | None = None,
        loop: Map | None = None,
        pull: float = 0.0,
        *,
        forces: Forces = (),
        dissipation: Function | None = None,
        inputs: Sequence[InputForce] = (),
    ) -> System:
        """Return the equations of motion as a system, which `ps.simulate` runs.

        `force`: forces on the bodies as a function of (t, motion) (default: gravity only); `loop`: residuals
        ψ(q) of loop constraints; forces hold them, whose `multipliers` the system knows; `pull`: rate [1/s]
        at which errors of ψ decay; `forces`: generalized forces f(t, q, w), a function or a list;
        `dissipation`: Rayleigh's function R(t, q, w), with the force -∂R/∂w; `inputs`: inputs (`InputForce`)
        that a controller may name.
        """
        acting = load("MovingFrame", None, forces, dissipation, self.size)
        made = replace(system_of(self, force, acting), inputs=inputs)
        return made if loop is None else with_loop_constraints(made, self.reduced_mass, loop, pull)

    def hamiltonian(self) -> System:
        """Return the equations of motion in Hamilton's form, H = ½ p·M*⁻¹ p + V, with y = (q, p), p = M* w.

        With w = M*⁻¹ p the derivative of p·M*⁻¹ p / 2 is -½ w·∂M* w: no inverse is differentiated, and ∂M* is
        that of the complex step.  If all joints have axes or slides, q and p are canonical, and the Gauss
        methods are symplectic on it; quaternions are not canonical coordinates.
        """
        return hamiltonian_of(self)

    @takes(q=("size",))
    def pattern(self, q: Array) -> Array:
        """Return where B has entries: 1 where it does not vanish in some states near `q`, else 0.

        `ps.spy` draws it; figure 3.1 of the thesis is that of four links.
        """
        found = np.zeros((6 * self.n, self.freedom))
        random = np.random.default_rng(0)
        for _ in range(3):
            near = np.asarray(q, dtype=float) + 0.3 * random.normal(size=self.size)
            found = np.maximum(found, np.abs(self.matrices(near, np.zeros(self.freedom))[0]))
        return (found > 1e-12).astype(float)

    @takes(t=number, y=(None,), force=function)
    def field(self, t: float, y: Array, force: Force | None = None) -> Array:
        """Return dy/dt of the state `y` = (q_1 ... q_n, ξ_1 ... ξ_n) at `t` with gravity and a `force`."""
        q, half = y[: self.size], self.halves()
        w = y[self.size :] / half
        rates: list[Array] = []
        for k, axes in enumerate(self.axes):
            z, s = q[self.q_at[k] : self.q_at[k + 1]], w[self.at[k] : self.at[k + 1]]
            rates += [s] if axes is not None else [_times(z[:4], s[:3] / 2), s[3:]]
        return np.concatenate([*rates, half * self.acceleration(q, w, t, force)])


def joint_moments(system: MovingFrame, motion: FrameMotion, moments: Array) -> Array:
    """Return the moments (n, 3) on the bodies of moments t_k in the joints (child frames)."""
    total = np.array(moments, dtype=float)
    for k, p in enumerate(system.parents):
        if p >= 0:
            total[p] -= motion.relative[k] @ moments[k]
    return total


def _times(u: Array, xi: Array) -> Array:
    """Return the quaternion product u (0, ξ)."""
    w, v = u[0], u[1:]
    return np.concatenate([[-(v @ xi)], w * xi + wed(v) @ xi])
