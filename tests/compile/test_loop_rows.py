"""Which rows of loops count: not a matter of units, of heavy and light bodies, or of rounding."""

import numpy as np
import pytest

import poinsot as ps

HINGE = ps.Revolute((1, 2, 0))
TURN = ps.so3.exp((0.3, 0.2, 0.1))
NAMES = ("1", "2")


def arms(size: float, masses: tuple[float, float], *, tied: bool) -> ps.Mechanism:
    """Two double pendulums of different masses; tied: their lower bars are free bodies on loops."""
    m = ps.Mechanism()
    shape = ps.Box((0.05 * size, 0.07 * size, size))
    at, body_at = (0, 0.1 * size, -0.5 * size), (0, 0.1 * size, -0.4 * size)
    for k, mass in zip(NAMES, masses, strict=True):
        bar, p, a = shape.body(mass=mass), f"p{k}", f"a{k}"
        m.add(p, bar, ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5 * size))
        if not tied:
            m.add(a, bar, HINGE, parent=p, at=at, rotation=TURN, body_at=(body_at, TURN))
            continue
        m.add(a, bar, ps.Free())
        at_b = tuple(-TURN.T @ np.array(body_at))
        m.close(ps.Loop(p, a, HINGE, at_a=at, rotation_a=TURN, at_b=at_b, rotation_b=TURN.T))
    return m


@pytest.mark.parametrize(
    ("size", "masses"), [(1e-5, (1, 1)), (1e6, (1, 1)), (1.0, (1e-4, 1e4)), (1.0, (1e-6, 1e6))]
)
def test_a_tied_arm_moves_like_a_jointed_one_at_any_scale(size, masses):
    second = np.sqrt(size)
    turning = dict(angle=0.3, rate=1 / second)
    tree = arms(size, masses, tied=False)
    start = tree.state(dict.fromkeys(("p1", "p2", "a1", "a2"), turning))
    a = ps.simulate(tree, start, "variational", step=0.005 * second, until=0.5 * second)
    loops = arms(size, masses, tied=True)
    free = {
        name: dict(
            rotation=a.rotation(name)[0],
            position=a.position(name)[0],
            angular_velocity=a.angular_velocity(name)[0],
            velocity=a.velocity(name)[0],
        )
        for name in ("a1", "a2")
    }
    start = loops.state({"p1": turning, "p2": turning, **free})
    b = ps.simulate(loops, start, "variational", step=0.005 * second, until=0.5 * second)
    for name in ("a1", "a2"):
        assert np.abs(a.rotation(name) - b.rotation(name)).max() < 1e-12
        assert np.abs(a.position(name) - b.position(name)).max() < 1e-12 * size


def pendulum(*loops: ps.Loop) -> ps.Mechanism:
    bar = ps.Box((0.05, 0.07, 1.0)).body(mass=1.0)
    m = ps.Mechanism()
    m.add("upper", bar, ps.Spherical(), rotation=TURN, body_at=((0, 0.1, -0.5), TURN))
    m.add("lower", bar, ps.Revolute((1, 1, 0)), parent="upper", at=(0, 0.1, -0.5), body_at=(0.1, 0, -0.5))
    m.add("cap", ps.Sphere(0.1).body(mass=0.2), ps.Fixed(), parent="lower", at=(0.3, 0, -0.5))
    return m.close(*loops)


@pytest.mark.parametrize(
    "loop",
    [
        ps.Loop("cap", "lower", ps.Fixed(), at_a=(-0.3, 0, 0.5)),
        ps.Loop("world", "upper", ps.Spherical(), at_b=tuple(-TURN.T @ (0, 0.1, -0.5))),
        ps.Loop("upper", "lower", ps.Revolute((1, 1, 0)), at_a=(0, 0.1, -0.5), at_b=(-0.1, 0, 0.5)),
    ],
    ids=["welded", "ball", "hinge"],
)
def test_a_loop_that_says_what_the_joints_say_changes_nothing(loop):
    open_, closed = pendulum(), pendulum(loop)
    turning = {"upper": dict(angular_velocity=(1, 2, 3)), "lower": dict(angle=0.4, rate=-2)}
    a = ps.simulate(open_, open_.state(turning), "variational", step=0.005, until=1)
    b = ps.simulate(closed, closed.state(turning), "variational", step=0.005, until=1)
    assert np.abs(a.final.q - b.final.q).max() < 1e-12
    found = ps.dynamics.loop_constraints(closed, b.final)
    assert (found.rank, found.freedom) == (0, 4)
    assert np.abs(b.reaction(closed.loops[0].name)).max() < 1e-6


@pytest.mark.parametrize(("size", "far"), [(1e-3, 0.0), (1.0, 0.0), (1.0, 1e6)])
def test_starts_are_closed_to_the_size_of_the_mechanism(size, far):
    """A linkage of millimetres that is 1e-8 of itself off, and one that is far away from the origin."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    bar = ps.Body(1.0, np.full(3, size**2))
    for name in ("a", "b"):
        m.add(name, bar, ps.Free())
    m.close(ps.Loop("a", "b", ps.Spherical(), at_a=(size, 0, 0), at_b=(-size, 0, 0), name="pin"))
    start = m.state({"a": {"position": (far, 0, 0)}, "b": {"position": (far + 2 * size * (1 + 1e-7), 0, 0)}})
    if far:
        run = ps.simulate(m, start, "variational", step=0.01, steps=5)
    else:
        with pytest.warns(ps.LoopWarning, match="off loop 'pin'; it was moved onto the loop"):
            run = ps.simulate(m, start, "variational", step=0.01, steps=5)
    gaps = [ps.dynamics.loop_constraints(m, run.at(t)).residuals["pin"] for t in run.time]
    assert np.abs(gaps).max() < 1e-14 * max(size, 100 * far)
