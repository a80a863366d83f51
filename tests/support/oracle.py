"""A tree of bodies the long way: absolute poses, dense Jacobians column by column, one solve (Kane).

An independent witness for the O(n) algorithms, with nothing of theirs in it: no recursion over
articulated bodies, no spatial algebra, all vectors in space axes.  The mechanism is its description
as data (`poinsot.formats.data`), and the arithmetic is a context of mpmath: `fp` computes with float64,
`mp` with as many digits as `mpmath.mp.dps` says, from the same source.

A joint coordinate moves everything behind it by a column (kind, u, f): it turns about the axis u
through the origin o of the child frame, or it slides along u; u is fixed in a frame that turns with
the angular velocity f.  Every joint is made of such columns (`motion`); the one coordinate of a screw has
two, a turn about its axis and a slide along it.  For a body with centre of
mass c, the sums over the columns on its way to the world:

    w = Σ u v (turns),   ċ = Σ u×(c−o) v (turns) + Σ u v (slides)                      (1) = Jw v, Jc v
    u̇ = f×u                                                                            (2)
    (Jw v)˙ − Jw v̇ = Σ u̇ v                                                             (3)
    (Jc v)˙ − Jc v̇ = Σ (u̇×(c−o) + u×(ċ−ȯ)) v (turns) + Σ u̇ v (slides)                  (4)
    M = Σ m Jcᵀ Jc + Jwᵀ I Jw,   I = R I_body Rᵀ,   armature added to its diagonal     (5)
    b = Σ Jcᵀ m ((4) − g) + Jwᵀ (I (3) + w × I w)                                      (6)
    M v̇ = τ + Σ (Jwᵀ torque + Jcᵀ force) − b                                           (7)
    T = ½ Σ m ċ² + w·I w + ½ Σ armature v²,   V = −Σ m g·c                             (8)
    p = Σ m ċ,   L = Σ c × m ċ + I w   about the origin                                (9)
    ẋ = ½ x (0, w) for a quaternion x, ṙ = R v for the position of a free joint        (10)

Wrenches are (torque, force): force at the centre of mass, both in space axes.
"""

from collections import namedtuple

import mpmath
import numpy as np

TURN, SLIDE = "turn", "slide"
SIZE = {  # numbers in q and in v
    "revolute": (1, 1),
    "prismatic": (1, 1),
    "spherical": (4, 3),
    "universal": (2, 2),
    "cylindrical": (2, 2),
    "helical": (1, 1),
    "planar": (3, 3),
    "free": (7, 6),
    "fixed": (0, 0),
}


# what one velocity does to everything behind its joint: axis u through o, du = (2), do = velocity of o
Column = namedtuple("Column", "index kind u o du do")
# a body in space: inertia I about its centre of mass c, which moves with dc; R and origin of its frame
Placed = namedtuple("Placed", "name mass I R origin c w dc columns")
Totals = namedtuple("Totals", "kinetic potential linear_momentum angular_momentum mass center_of_mass")


def array(numbers, values):
    """Any nesting of numbers, taken exactly, as an array of this arithmetic."""
    values = np.array(values, dtype=object)
    flat = [numbers.mpf(x) for x in values.ravel()]
    return np.array(flat, dtype=float if numbers is mpmath.fp else object).reshape(values.shape)


def zeros(numbers, *shape):
    return array(numbers, np.zeros(shape, dtype=int))


def hat(x):
    zero = x[0] - x[0]
    return np.array([[zero, -x[2], x[1]], [x[2], zero, -x[0]], [-x[1], x[0], zero]])


def cross(a, b):
    return hat(a) @ b


def unit(numbers, x):
    return x / numbers.sqrt(x @ x)


def rotation(x):
    """The rotation of a quaternion of any length."""
    X = hat(x[1:])
    return np.eye(3, dtype=int) + (x[0] * X + X @ X) * (2 / (x @ x))


def turn(numbers, axis, angle):
    """The rotation by an angle about an axis."""
    X = hat(axis)
    return np.eye(3, dtype=int) + numbers.sin(angle) * X + (1 - numbers.cos(angle)) * (X @ X)


def plane(numbers, n):
    """Two axes so that (e1, e2, n) is right-handed; x, y for z."""
    near = np.eye(3, dtype=int)[np.argmin(np.abs(n))]
    e1 = unit(numbers, near - (near @ n) * n)
    return e1, cross(n, e1)


def motion(numbers, joint, q):
    """(R, r) of the child in the joint frame, and columns (kind, axis, the axes in which it is fixed)."""
    kind = joint["kind"]
    one, still = array(numbers, np.eye(3, dtype=int)), zeros(numbers, 3)
    words = [word for word in ("axis", "axis1", "normal", "axis2") if word in joint]
    a, b = [*(unit(numbers, array(numbers, joint[word])) for word in words), None, None][:2]
    if kind == "fixed":
        return one, still, []
    if kind == "revolute":
        return turn(numbers, a, q[0]), still, [(TURN, a, "joint")]
    if kind == "prismatic":
        return one, a * q[0], [(SLIDE, a, "joint")]
    if kind == "cylindrical":
        return turn(numbers, a, q[0]), a * q[1], [(TURN, a, "joint"), (SLIDE, a, "joint")]
    if kind == "helical":
        way = a * (numbers.mpf(joint["pitch"]) / (2 * numbers.pi))  # in a radian
        return turn(numbers, a, q[0]), way * q[0], [(TURN, a, "joint"), (SLIDE, way, "joint")]
    if kind == "universal":
        R = turn(numbers, a, q[0]) @ turn(numbers, b, q[1])
        return R, still, [(TURN, a, "joint"), (TURN, b, "child")]
    if kind == "planar":
        e1, e2 = plane(numbers, a)
        columns = [(SLIDE, e1, "joint"), (SLIDE, e2, "joint"), (TURN, a, "joint")]
        return turn(numbers, a, q[2]), e1 * q[0] + e2 * q[1], columns
    turns, slides = ([(what, axis, "child") for axis in one] for what in (TURN, SLIDE))
    if kind == "spherical":
        return rotation(q), still, turns
    assert kind == "free", kind
    return rotation(q[3:]), q[:3], turns + slides


def velocity(columns, v, x):
    """(1) of the body behind these columns: its angular velocity, and the velocity of its point at x."""
    w = dx = x - x
    for index, kind, u, o, _, _ in columns:
        w = w + u * v[index] if kind == TURN else w
        dx = dx + (cross(u, x - o) if kind == TURN else u) * v[index]
    return w, dx


def place(data, q, v, numbers=mpmath.fp):
    """All bodies in space, in the order of the description."""
    q, v = array(numbers, q), array(numbers, v)
    one, still = array(numbers, np.eye(3, dtype=int)), zeros(numbers, 3)
    bodies = {"world": Placed("world", 0, None, one, still, still, still, still, [])}
    iq = iv = 0
    for given in data["bodies"]:
        parent, (nq, nv) = bodies[given["parent"]], SIZE[given["joint"]["kind"]]
        R_joint = parent.R @ rotation(array(numbers, given["rotation"]))
        R_move, r_move, moves = motion(numbers, given["joint"], q[iq : iq + nq])
        R_child = R_joint @ R_move
        o = parent.origin + parent.R @ array(numbers, given["at"]) + R_joint @ r_move
        axes = {"joint": R_joint, "child": R_child}
        own = [
            Column(iv + min(k, nv - 1), kind, axes[f] @ u, o, None, None)
            for k, (kind, u, f) in enumerate(moves)
        ]
        w_joint, _ = velocity(parent.columns, v, o)
        w_child, do = velocity(parent.columns + own, v, o)
        w = {"joint": w_joint, "child": w_child}
        own = [x._replace(du=cross(w[f], x.u), do=do) for x, (_, _, f) in zip(own, moves, strict=True)]  # (2)
        point, quaternion = given["body_at"]
        R = R_child @ rotation(array(numbers, quaternion))
        origin = o + R_child @ array(numbers, point)
        c = origin + R @ array(numbers, given["center_of_mass"])
        bodies[given["name"]] = Placed(
            given["name"],
            numbers.mpf(given["mass"]),
            R @ array(numbers, given["inertia"]) @ R.T,
            R,
            origin,
            c,
            *velocity(parent.columns + own, v, c),
            parent.columns + own,
        )
        iq, iv = iq + nq, iv + nv
    assert (iq, iv) == (len(q), len(v)), "q or v has the wrong length"
    return list(bodies.values())[1:]


def jacobian(body, v, numbers=mpmath.fp):
    """Jw, Jc (3 x len(v)), and (3), (4)."""
    v = array(numbers, v)
    Jw, Jc = zeros(numbers, 3, len(v)), zeros(numbers, 3, len(v))
    aw, ac = zeros(numbers, 3), zeros(numbers, 3)
    for index, kind, u, o, du, do in body.columns:
        if kind == TURN:
            Jw[:, index] += u
            Jc[:, index] += cross(u, body.c - o)
            aw = aw + du * v[index]
            ac = ac + (cross(du, body.c - o) + cross(u, body.dc - do)) * v[index]
        else:
            Jc[:, index] += u
            ac = ac + du * v[index]
    return Jw, Jc, aw, ac


def equations(data, q, v, wrenches=None, numbers=mpmath.fp):
    """M (5) and b (6), with the wrenches {name: (torque, force)} taken off: M v̇ + b = τ."""
    g = array(numbers, data["gravity"])
    M, b = zeros(numbers, len(v), len(v)), zeros(numbers, len(v))
    for body in place(data, q, v, numbers):
        Jw, Jc, aw, ac = jacobian(body, v, numbers)
        on = sorted({column.index for column in body.columns})  # the other columns are zero
        Jw, Jc = Jw[:, on], Jc[:, on]
        M[np.ix_(on, on)] += body.mass * (Jc.T @ Jc) + Jw.T @ body.I @ Jw  # (5)
        b[on] += Jc.T @ (body.mass * (ac - g))  # (6)
        b[on] += Jw.T @ (body.I @ aw + cross(body.w, body.I @ body.w))
        if wrenches and body.name in wrenches:
            torque, force = (array(numbers, x) for x in wrenches[body.name])
            b[on] -= Jw.T @ torque + Jc.T @ force
    for i, armature in armatures(data, numbers):
        M[i, i] += armature
    iv = 0
    for one in data["bodies"]:  # a velocity in body axes turns with them
        if one["joint"]["kind"] == "free" and "armature" in one["joint"]:
            w, u = (array(numbers, v[iv + k : iv + k + 3]) for k in (0, 3))
            b[iv + 3 : iv + 6] += numbers.mpf(one["joint"]["armature"]) * cross(w, u)
        iv += SIZE[one["joint"]["kind"]][1]
    return M, b


def armatures(data, numbers=mpmath.fp):
    """(place in v, armature) of the joints that have one."""
    found, iv = [], 0
    for one in data["bodies"]:
        n = SIZE[one["joint"]["kind"]][1]
        if "armature" in one["joint"]:
            found += [(iv + j, numbers.mpf(one["joint"]["armature"])) for j in range(n)]
        iv += n
    return found


def solve(M, f):
    """x of M x = f for a positive definite M: M = L D Lᵀ, in any arithmetic."""
    A, x = M.copy(), f.copy()
    n = len(x)
    for j in range(n):
        column = A[j + 1 :, j] / A[j, j]
        A[j + 1 :, j + 1 :] -= np.multiply.outer(column, A[j, j + 1 :])
        x[j + 1 :] -= column * x[j]
        A[j + 1 :, j] = column
    x = x / A.diagonal()
    for j in range(n - 1, -1, -1):
        x[j] -= A[j + 1 :, j] @ x[j + 1 :]
    return x


def acceleration(data, q, v, tau=None, wrenches=None, numbers=mpmath.fp):
    """(7)."""
    M, b = equations(data, q, v, wrenches, numbers)
    return solve(M, -b if tau is None else array(numbers, tau) - b)


def rates(data, q, v, numbers=mpmath.fp):
    """dq/dt of v: (10), and v itself for angles and displacements."""
    q, v = array(numbers, q), array(numbers, v)
    out, iq, iv = [], 0, 0
    for one in data["bodies"]:
        nq, nv = SIZE[one["joint"]["kind"]]
        x, y = q[iq : iq + nq], v[iv : iv + nv]
        if nq != nv:
            u, w = x[-4:], y[:3]
            out += [*(rotation(u) @ y[3:])] if nq == 7 else []
            out += [-(u[1:] @ w) / 2, *((u[0] * w + cross(u[1:], w)) / 2)]
        else:
            out += [*y]
        iq, iv = iq + nq, iv + nv
    return np.array(out, dtype=q.dtype)


def totals(data, q, v, numbers=mpmath.fp):
    """(8), (9) and the centre of mass of everything."""
    g = array(numbers, data["gravity"])
    T, V, m = numbers.mpf(0), numbers.mpf(0), numbers.mpf(0)
    for i, armature in armatures(data, numbers):
        T += armature * numbers.mpf(v[i]) ** 2 / 2  # (8)
    p, L, mc = (zeros(numbers, 3) for _ in range(3))
    for body in place(data, q, v, numbers):
        T += (body.mass * (body.dc @ body.dc) + body.w @ body.I @ body.w) / 2  # (8)
        V -= body.mass * (g @ body.c)
        p = p + body.mass * body.dc  # (9)
        L = L + cross(body.c, body.mass * body.dc) + body.I @ body.w
        m += body.mass
        mc = mc + body.mass * body.c
    return Totals(T, V, p, L, m, mc / m if m else None)
