"""`ps.solve`: orders against closed forms on SO(3), SE(3) and S2, and the bits of `simulate`.

G = exp(t X) exp(s(t) Y) G0   has the body velocity   Ad(G^-1) X + s' Ad(G0^-1) Y                    (1)
y = exp(t a) exp(s(t) b) y0   has the velocity in space   a + s' exp(t a) b                          (2)
"""

import math

import numpy as np
import pytest

import poinsot as ps

A, B = np.array([0.7, -0.4, 0.2]), np.array([0.3, 0.5, 0.9])
X, Y = np.array([0.7, -0.4, 0.2, 0.3, 0.1, -0.5]), np.array([0.3, 0.5, 0.9, -0.2, 0.4, 0.1])


def on_so3(t, R):  # (1)
    return R.T @ A + math.cos(t) * B


def on_se3(t, G):  # (1): the adjoint of the inverse, written out
    R, r = np.ascontiguousarray(G[:3, :3]), G[:3, 3]
    w = R.T @ X[:3]
    moment = np.array(
        [r[1] * X[2] - r[2] * X[1], r[2] * X[0] - r[0] * X[2], r[0] * X[1] - r[1] * X[0]]
    )  # r x w
    v = R.T @ (X[3:] - moment)
    out = np.empty(6)
    out[:3] = w + math.cos(t) * Y[:3]
    out[3:] = v + math.cos(t) * Y[3:]
    return out


def on_s2(t, y):  # (2); what is along y has no effect on the motion, but on the stages
    s, c = math.sin(t), math.cos(t)
    turned = np.array([B[0], c * B[1] - s * B[2], s * B[1] + c * B[2]])  # exp(t e1) B
    return np.array([1.0, 0.0, 0.0]) + c * turned + (1 + t) * y


def rotation(t):
    return ps.so3.exp(A * t) @ ps.so3.exp(B * math.sin(t))


def pose(t):
    return ps.se3.exp(X * t) @ ps.se3.exp(Y * math.sin(t))


def point(t):
    return ps.so3.exp([t, 0, 0]) @ ps.so3.exp(B * math.sin(t)) @ np.array([0.6, 0.0, -0.8])


CASES = {
    "SO3": (on_so3, rotation, np.eye(3)),
    "SE3": (on_se3, pose, np.eye(4)),
    "S2": (on_s2, point, np.array([0.6, 0.0, -0.8])),
}


ORDERS = {"SO3": ("cf4", "cg3", "rkmk4"), "SE3": ("cf4", "cg4", "rkmk4"), "S2": ("cf4", "cg4")}


@pytest.mark.parametrize(("group", "method"), [(group, name) for group in ORDERS for name in ORDERS[group]])
def test_the_order_is_measured(group, method):
    fun, exact, y0 = CASES[group]
    errors = []
    for step in (0.05, 0.025, 0.0125):
        found = ps.solve(fun, (0, 2), y0, group=group, method=method, step=step)
        assert found.compiled
        errors.append(abs(found.y[-1] - exact(2.0)).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    wanted = ps.method(method).order
    assert abs(orders[-1] - wanted) < 0.2, (errors, orders)
    y = found.y
    off = np.abs(np.einsum("ni,ni->n", y, y) - 1) if group == "S2" else np.abs(np.linalg.det(y) - 1)
    assert off.max() < 20 * 2e-16  # on its group, to rounding


def test_same_bits_as_simulate_on_a_free_body():
    """A ball that spins keeps its angular velocity, to the last bit."""
    w = (0.3, -0.7, 1.1)
    m = ps.Mechanism(gravity=(0, 0, 0)).add("ball", ps.Body(1.0, (1, 1, 1)), ps.Free())
    start = m.state({"ball": dict(angular_velocity=w)})
    for method in ("cf4", "cg3", "cg4", "rkmk4"):
        run = ps.simulate(m, start, method, step=0.05, until=2.0)
        found = ps.solve(lambda t, R: w, (0, 2), np.eye(3), method=method, step=0.05)
        assert np.array_equal(found.t, run.time)
        assert np.array_equal(found.y, run.rotation("ball")), method


@pytest.mark.parametrize("method", ["cf4", "cg4", "rkmk4"])
def test_same_bits_as_simulate_on_two_free_bodies(method):
    """Balls that screw along their axes keep their twists; two bodies run in the kernels of trees."""
    m, start = ps.Mechanism(gravity=(0, 0, 0)), {}
    w = {"a": np.array([0.3, -0.7, 1.1]), "b": np.array([-2.0, 0.1, 0.3])}
    for name, spin in w.items():
        m.add(name, ps.Body(1.0, (1, 1, 1)), ps.Free())
        start[name] = dict(angular_velocity=spin, velocity=2 * spin)
    run = ps.simulate(m, m.state(start), method, step=0.05, until=1.0)
    twists = [(*spin, *(2 * spin)) for spin in w.values()]
    found = ps.solve(
        lambda t, y: (twists[0], twists[1]),
        (0, 1),
        (np.eye(4),) * 2,
        group=("SE3", "SE3"),
        method=method,
        step=0.05,
    )
    for name, G in zip("ab", found.y, strict=True):
        assert np.array_equal(G[:, :3, :3], run.rotation(name))
        assert np.array_equal(G[:, :3, 3], run.position(name))


def test_python_functions_run_too():
    def plain(t, R):
        _ = {}.get(ps)  # which Numba does not compile
        return on_so3(t, R)

    a, b = (ps.solve(fun, (0, 1), np.eye(3), step=0.1) for fun in (on_so3, plain))
    assert a.compiled
    assert not b.compiled
    assert abs(a.y - b.y).max() < 1e-15


def test_free_body_with_momentum_as_a_vector():
    """Euler's equations on SO3 x R3 keep energy and momentum to the order of the method."""
    inertia = np.array([1.0, 2.0, 3.0])

    def fun(t, y):
        _, P = y
        w = P / inertia
        return w, np.array([P[1] * w[2] - P[2] * w[1], P[2] * w[0] - P[0] * w[2], P[0] * w[1] - P[1] * w[0]])

    P0 = np.array([0.1, 2.0, 0.3])
    found = ps.solve(fun, (0, 5), (np.eye(3), P0), group=("SO3", "R3"), accuracy=1e-8)
    R, P = found.y
    assert found.compiled
    m = ps.Mechanism(gravity=(0, 0, 0)).add("b", ps.Body(1.0, inertia), ps.Free())
    exact = ps.simulate(m, m.state({"b": dict(angular_velocity=P0 / inertia)}), "exact", step=5.0, steps=1)
    assert abs(R[-1] - exact.rotation("b")[-1]).max() < 1e-8
    assert abs(P[-1] - inertia * exact.angular_velocity("b")[-1]).max() < 1e-8


def test_dense_output_and_events():
    found = ps.solve(on_so3, (0, 2), np.eye(3), step=0.05, events=[lambda t, R: R[0, 0] - 0.8])
    inner = found.sol(np.array([0.333, 1.111]))
    assert inner.shape == (2, 3, 3)
    assert max(abs(inner[i] - rotation(t)).max() for i, t in enumerate((0.333, 1.111))) < 1e-6
    (crossing,) = found.events
    assert len(crossing.t) == 1
    assert abs(rotation(crossing.t[0])[0, 0] - 0.8) < 1e-6
    assert abs(crossing.y[0, 0, 0] - 0.8) < 1e-12

    def stop(t, R):
        return R[0, 0] - 0.8

    stop.terminal = True
    short = ps.solve(on_so3, (0, 2), np.eye(3), step=0.05, events=stop)
    assert short.t[-1] == crossing.t[0]
    assert abs(short.y[-1] - crossing.y[0]).max() < 1e-14
    stop.direction = 1
    assert ps.solve(on_so3, (0, 2), np.eye(3), step=0.05, events=stop).t[-1] == 2.0


def test_accuracy_is_reached_and_the_last_step_is_short():
    found = ps.solve(on_se3, (0, 2), np.eye(4), group="SE3", accuracy=1e-9)
    assert abs(found.y[-1] - pose(2.0)).max() < 1e-9
    found = ps.solve(on_so3, (1e9, 1e9 + 1), np.eye(3), step=0.3)
    assert found.t[-1] == 1e9 + 1
    assert len(found.t) == 5


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"group": "SU2"}, "unknown group"),
        ({"group": ()}, "group must be"),
        ({"method": "gauss3"}, "use rkmk4, cg3, cg4, cf4"),
        ({"span": (1, 0)}, "first < last"),
        ({"y0": 2 * np.eye(3)}, "orthogonal"),
        ({"fun": lambda t, R: (1.0, 2.0)}, "3 numbers for SO3"),
        ({"fun": lambda t: (1.0, 2.0)}, "fun:"),
        ({"step": None}, "either step"),
        ({"step": -1.0}, "positive"),
        ({"events": 3}, "events must be"),
        ({"group": "S2", "y0": (1.0, 1.0, 0.0)}, "length 1"),
        ({"group": ("SO3", "R3")}, "tuple of 2"),
    ],
)
def test_bad_input_is_named(change, says):
    given = {"fun": lambda t, R: (1.0, 2.0, 3.0), "span": (0, 1), "y0": np.eye(3), "step": 0.1, **change}
    with pytest.raises(ps.PoinsotError, match=says) as error:
        ps.solve(given.pop("fun"), given.pop("span"), given.pop("y0"), **given)
    assert "\n" not in str(error.value)


def test_a_fault_of_the_function_names_the_step():
    def fun(t, R):
        if t > 0.5:
            raise ValueError("enough")
        return {"w": (1.0, 0.0, 0.0)}["w"]

    with pytest.raises(ps.StepError, match="enough"):
        ps.solve(fun, (0, 1), np.eye(3), step=0.1)
