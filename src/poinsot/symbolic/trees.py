"""The equations of a mechanism as SymPy objects: a tree of joints, its Lagrangian and its parameters.

Body k with parent p has the rotation C = R_j R(q) of its joint, the place s = at + R_j r(q) in the frame of
p, and velocities that are linear in ξ, w_k = W_k ξ and v_k = V_k ξ in its own frame:

    W_k = Cᵀ W_p + E,    V_k = Cᵀ (V_p - hat(s) W_p) + F,    twist of the joint (E, F) ξ                (1)
    M = Σ m Uᵀ U + Wᵀ I W + armature,  U = V - hat(c) W,  L = ½ ξᵀ M ξ - V(x)                              (2)
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy
from sympy import Matrix, eye, zeros

from poinsot.errors import ModelError
from poinsot.model.checks import show, suggestion
from poinsot.model.forces.force import WORLD, JointForce
from poinsot.model.forces.joint import JointDamper, JointSpring
from poinsot.model.joints import (
    Cylindrical,
    Fixed,
    Free,
    Helical,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.symbolic.groups import hat, turn
from poinsot.symbolic.simplification import normal_form
from poinsot.symbolic.system import System
from poinsot.symbolic.variables import entries_of

MOST = 6  # freedoms
DIGITS = 6  # up to which a number is a fraction
WORDS = ("mass", "inertia", "center_of_mass", "at", "body_at", "armature")
AXES = "xyz"


class Motion(NamedTuple):
    """What a joint does: rotation, place, and its twist in the child frame, as matrices of ξ."""

    R: Matrix
    r: Matrix
    E: Matrix
    F: Matrix


def number(value: Any) -> Any:
    """Return a number: a fraction if it has few digits."""
    x = float(value)
    short = len(f"{x!r}".replace("-", "").replace(".", "").lstrip("0").rstrip("0")) <= DIGITS
    return sympy.Rational(repr(x)) if short else sympy.Float(x, 17)


def column(values: Any) -> Matrix:
    """Return a vector of numbers."""
    return Matrix([number(one) for one in np.asarray(values, dtype=float)])


def rotation(q: Any) -> Matrix:
    """Return the matrix of a unit quaternion."""
    w, x, y, z = q
    return Matrix(
        [
            [1 - 2 * (y**2 + z**2), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x**2 + z**2), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x**2 + y**2)],
        ]
    )


def rotation_of(q: Any) -> Matrix:
    """Return the matrix of a quaternion of numbers."""
    return Matrix(3, 3, [number(one) for one in np.asarray(matrix(np.asarray(q))).ravel()])


def _one_axis(joint: Any, q: Sequence[Any]) -> Motion:
    a, none = column(joint.axis), zeros(3, 1)
    if isinstance(joint, Prismatic):
        return Motion(eye(3), a * q[0], none, a)
    if isinstance(joint, Cylindrical):
        return Motion(turn(a, q[0]), a * q[1], a.row_join(none), none.row_join(a))
    advance = number(joint.advance) if isinstance(joint, Helical) else 0
    return Motion(turn(a, q[0]), a * q[0] * advance, a, a * advance)


def _universal(joint: Any, q: Sequence[Any]) -> Motion:
    a, b = column(joint.axis1), column(joint.axis2)
    second = turn(b, q[1])
    return Motion(turn(a, q[0]) * second, zeros(3, 1), (second.T * a).row_join(b), zeros(3, 2))


def _planar(joint: Any, q: Sequence[Any]) -> Motion:
    e1, e2, n = (column(one) for one in joint.frame.T)
    R, plane = turn(n, q[2]), e1.row_join(e2)
    return Motion(R, plane * Matrix(q[:2]), zeros(3, 2).row_join(n), (R.T * plane).row_join(zeros(3, 1)))


def _spherical(joint: Any, q: Sequence[Any]) -> Motion:
    return Motion(rotation(q), zeros(3, 1), eye(3), zeros(3, 3))


def _free(joint: Any, q: Sequence[Any]) -> Motion:
    none = zeros(3, 3)
    return Motion(rotation(q[3:]), Matrix(q[:3]), eye(3).row_join(none), none.row_join(eye(3)))


MOTIONS: dict[type, Callable[[Any, Sequence[Any]], Motion]] = {
    **dict.fromkeys((Revolute, Prismatic, Cylindrical, Helical), _one_axis),
    Universal: _universal,
    Planar: _planar,
    Spherical: _spherical,
    Free: _free,
    Fixed: lambda joint, q: Motion(eye(3), zeros(3, 1), zeros(3, 0), zeros(3, 0)),
}


def _kinematics(joint: Any, q: Sequence[Any]) -> Matrix:
    """Return the matrix A of dq/dt = A v of a joint."""
    if joint.quaternion is None:
        return eye(joint.nq)
    w, x, y, z = q[joint.quaternion :]
    turns = Matrix([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]) / 2
    if isinstance(joint, Spherical):
        return turns
    return Matrix.vstack(zeros(3, 3).row_join(rotation(q[3:])), turns.row_join(zeros(4, 3)))


class Parameters:
    """Numbers of a mechanism, some of which stay symbols."""

    def __init__(self, mechanism: Mechanism, wanted: Any) -> None:
        known = ["gravity", *(f"{name}.{word}" for name in mechanism.names for word in WORDS)]
        whole = isinstance(wanted, str) and wanted == "all"
        names = known if whole else None if isinstance(wanted, str | bytes) else entries_of(wanted)
        if names is None or not all(isinstance(one, str) for one in names):
            raise ModelError(f'symbolic.of: parameters must be names or "all", got {show(wanted)}')
        self.wanted = names
        for name in self.wanted:
            if name not in known:
                hint = suggestion(str(name), known) or f": such as {', '.join(known[:3])}"
                raise ModelError(f"symbolic.of: unknown parameter {show(name)}{hint}")
        self.values: dict[Any, float] = {}

    def take(self, path: str, name: str, value: Any) -> Any:
        """Return a number, or its symbol; what is zero stays zero."""
        if path not in self.wanted or float(value) == 0.0:
            return number(value)
        symbol = sympy.Symbol(name, real=True)
        self.values[symbol] = float(value)
        return symbol

    def vector(self, path: str, name: str, values: Any) -> Matrix:
        """Return a vector, of whose components those that are not zero may be symbols."""
        pairs = zip(AXES, np.asarray(values, dtype=float), strict=True)
        return Matrix([self.take(path, f"{name}_{axis}", one) for axis, one in pairs])

    def inertia(self, path: str, name: str, values: Any) -> Matrix:
        """Return a symmetric matrix."""
        pairs = [[f"{name}_{AXES[min(i, j)]}{AXES[max(i, j)]}" for j in range(3)] for i in range(3)]
        return Matrix(3, 3, lambda i, j: self.take(path, pairs[i][j], values[min(i, j)][max(i, j)]))


def of(mechanism: Mechanism, *, parameters: Sequence[str] | str = (), patience: float = 10.0) -> System:
    """Return the equations of a mechanism as a symbolic System, with the coordinates of its states.

    Trees of at most six freedoms with gravity, JointSpring and JointDamper; for more, and for numbers, there
    is `ps.dynamics`.  `mechanism`: the mechanism; `parameters`: numbers that stay symbols, such as
    "arm.mass", "arm.inertia", "arm.center_of_mass", "arm.at", "arm.body_at", "arm.armature" and "gravity", or
    "all"; `patience`: as of `System` [s].

    >>> m = ps.Mechanism().add("arm", ps.Body(2.0, (1, 1, 1), (0, 0, -1)), ps.Revolute((0, 1, 0)))
    >>> S = ps.symbolic.of(m, parameters=["arm.mass", "gravity"])
    >>> S.equations
    Matrix([[g*m_arm*sin(arm_angle(t)) + (m_arm + 1)*Derivative(arm_angle(t), (t, 2))]])
    """
    if not isinstance(mechanism, Mechanism):
        raise ModelError(f"symbolic.of takes a Mechanism, got {show(mechanism)}")
    freedoms = mechanism.lengths[1]
    if freedoms > MOST:
        raise ModelError(
            f"symbolic.of: the mechanism has {freedoms} freedoms, and more than {MOST} have equations too "
            "long to read: use ps.dynamics for numbers, or a part of the mechanism"
        )
    if not freedoms or mechanism.loops or mechanism.control.forces:
        raise ModelError("symbolic.of takes a tree of joints with freedoms, without loops and controllers")
    return _Tree(mechanism, Parameters(mechanism, parameters)).system(patience)


def _word(name: str) -> str:
    return "".join(one if one.isalnum() else "_" for one in name) or "body"


class _Tree:
    """The Lagrangian of a tree."""

    def __init__(self, mechanism: Mechanism, parameters: Parameters) -> None:
        self.mechanism, self.parameters, self.time = mechanism, parameters, sympy.Symbol("t")
        self.q: list[Any] = []
        self.v: list[Any] = []
        self.quasi = any(mechanism.link(name).joint.quaternion is not None for name in mechanism.names)
        for name in mechanism.names:
            joint = mechanism.link(name).joint
            for functions, words in ((self.q, joint.coordinates), (self.v, joint.velocities)):
                names = (f"{_word(name)}_{one}" for one in _names(joint, words))
                functions += [sympy.Function(one)(self.time) for one in names]
        if not self.quasi:
            self.v = [one.diff(self.time) for one in self.q]

    def system(self, patience: float) -> System:
        """Return the system."""
        M, V, A = self._bodies()
        v = Matrix(self.v)
        damping, potential = self._forces()
        norms = []
        for name in self.mechanism.names:
            at, first = self.mechanism.slices(name)[0], self.mechanism.link(name).joint.quaternion
            if first is not None:
                norms.append(sum(one**2 for one in self.q[at.start + first : at.stop]) - 1)
        return System(
            self.q,
            (v.T * M * v)[0] / 2 - V - potential,
            dissipation=damping,
            constraints=norms,
            velocities=(self.v, A) if self.quasi else None,
            parameters=self.parameters.values,
            time=self.time,
            patience=patience,
        )

    def _bodies(self) -> tuple[Matrix, Any, Matrix]:
        """Return mass matrix (2), potential of gravity, and A of dq/dt = A v."""
        m, take, n = self.mechanism, self.parameters, len(self.v)
        size = float(np.linalg.norm(m.gravity))
        strength = take.take("gravity", "g", size)
        direction = column(m.gravity / size) if size else zeros(3, 1)
        frames = {WORLD: (eye(3), zeros(3, 1), zeros(3, n), zeros(3, n))}
        M, V, blocks = zeros(n, n), sympy.S.Zero, []
        for name in m.names:
            link = m.link(name)
            at, along = m.slices(name)
            q, who = self.q[at], _word(name)
            R, o, W, Vp = frames[link.parent]
            motion = MOTIONS[type(link.joint)](link.joint, q)
            blocks.append(_kinematics(link.joint, q))
            C = (rotation_of(link.rotation) * motion.R).applyfunc(normal_form)
            s = take.vector(f"{name}.at", f"{who}_at", link.at) + rotation_of(link.rotation) * motion.r
            E, F = zeros(3, n), zeros(3, n)
            E[:, along], F[:, along] = motion.E, motion.F
            Vp = C.T * (Vp - hat(list(s)) * W) + F
            W = C.T * W + E
            o, R = o + R * s, R * C
            b, B = (
                take.vector(f"{name}.body_at", f"{who}_body_at", link.body_at),
                rotation_of(link.body_rotation),
            )
            Vp, W = (B.T * (Vp - hat(list(b)) * W)).applyfunc(normal_form), (B.T * W).applyfunc(normal_form)
            o, R = (o + R * b).applyfunc(normal_form), (R * B).applyfunc(normal_form)
            frames[name] = R, o, W, Vp
            mass = take.take(f"{name}.mass", f"m_{who}", link.body.mass)
            c = take.vector(f"{name}.center_of_mass", f"{who}_c", link.body.center_of_mass)
            J = take.inertia(f"{name}.inertia", f"I_{who}", np.asarray(link.body.inertia))
            U = Vp - hat(list(c)) * W
            M += mass * U.T * U + W.T * J * W
            for i in range(along.start, along.stop):
                M[i, i] += take.take(
                    f"{name}.armature", f"{who}_armature", getattr(link.joint, "armature", 0.0)
                )
            V -= mass * strength * (direction.T * (o + R * c))[0]
        return M.applyfunc(normal_form), normal_form(V), sympy.diag(*blocks)

    def _forces(self) -> tuple[Any, Any]:
        """Return Rayleigh's function of the dampers, and the potential of the springs."""
        damping = potential = sympy.S.Zero
        for force in self.mechanism.forces:
            joint = self.mechanism.link(force.joint).joint if isinstance(force, JointForce) else None
            if isinstance(force, JointDamper) and joint is not None:
                v, D = Matrix(self.v[self.mechanism.slices(force.joint)[1]]), force._matrix(joint)
                damping += (v.T * Matrix(*D.shape, [number(one) for one in D.ravel()]) * v)[0] / 2
            elif isinstance(force, JointSpring) and joint is not None and joint.quaternion is None:
                q = self.q[self.mechanism.slices(force.joint)[0]]
                pairs = zip(q, *force._plain(joint), strict=True)
                potential += sum(number(k) * (one - number(rest)) ** 2 / 2 for one, k, rest in pairs)
            else:
                raise ModelError(
                    f"symbolic.of does not know {force.label}: it takes gravity, and springs and dampers at "
                    "joints with angles and displacements; use ps.dynamics"
                )
        return damping, potential


def _names(joint: Any, words: Sequence[str]) -> list[str]:
    """Return a name for each coordinate or velocity of a joint."""
    found = []
    for word in words[::-1] if words[:1] == ("rotation",) else words:  # the position of a Free joint is first
        many = 4 if word == "rotation" else joint.sizes.get(word, 1)
        marks = "wxyz" if many == 4 else AXES if many == 3 else "12"
        found += [word] if many == 1 else [f"{word}_{mark}" for mark in marks]
    return found
