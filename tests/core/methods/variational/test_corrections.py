"""How the increments of a step are found: how many corrections it takes, and what happens where they fail.

The answer of Newton's method does not depend on its matrix, nor on where it starts: only counting sees them.
"""

import math

import numpy as np
import pytest

import poinsot as ps

BODY = ps.Body(1.0, (0.3, 0.4, 0.2), (0.1, 0.05, -0.2))
JOINTS = {
    "hinge": ps.Revolute((0, 1, 0.2)),
    "slide": ps.Prismatic((0, 1, 0.2)),
    "ball": ps.Spherical(),
    "thread": ps.Helical((0, 1, 0.2), 1.5),
}

LARGE = pytest.mark.filterwarnings("ignore::poinsot.StepWarning")  # the step is, on purpose


def two(joint, *forces):
    """A body on this joint, and one more that hangs on it."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", BODY, joint)
    return m.add("b", BODY, ps.Revolute((1, 0.3, 0)), "a", at=(0, 0.1, -0.4)).apply(*forces)


def chain(n, joint, thin=1.0):
    m, inertia = ps.Mechanism(), thin * np.array((0.02, 0.03, 0.01))
    for i in range(n):
        body = ps.Body(1.0, inertia, center_of_mass=(0.0, 0.0, -0.15))
        m.add(f"b{i}", body, joint, f"b{i - 1}" if i else "world", at=(0, 0, -0.3 if i else 0.0))
    return m


def pushed(m, v):
    return ps.State(0.0, m.state().q, v)


SPRINGS = {
    "hinge": ps.JointSpring("a", 300.0),
    "slide": ps.JointSpring("a", 300.0),
    "thread": ps.JointSpring("a", 300.0),
    "ball": ps.JointSpring("a", 300.0),
    "ball euler": ps.JointSpring("a", 300.0, form="euler"),
    "ball trace": ps.JointSpring("a", 300.0 * np.eye(3), form="trace"),
}


@pytest.mark.parametrize("kind", SPRINGS)
@pytest.mark.parametrize("method", ["variational", "variational_midpoint"])
def test_springs_of_joints_are_in_the_matrix(kind, method):
    """In that of the midpoint, where h^2 k/4 is of the size of the inertia; the other is explicit in them.

    Half of it in the matrix would double the corrections.
    """
    m = two(JOINTS[kind.split()[0]], SPRINGS[kind])
    run = ps.simulate(m, pushed(m, 0.05 * np.ones(m.lengths[1])), method, step=0.05, steps=40)
    assert run.iterations / 40 < 4.5
    assert not run.final.memory.changed


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("method", ["variational", "variational_midpoint"])
def test_dampers_of_joints_are_in_the_matrix(kind, method):
    """That of a ball but for the slope of the logarithm: its corrections converge linearly."""
    m = two(JOINTS[kind], ps.JointDamper("a", 20.0))
    run = ps.simulate(m, pushed(m, 0.5 * np.ones(m.lengths[1])), method, step=0.05, steps=40)
    assert run.iterations / 40 < (3.6 if kind == "ball" else 2.1)  # measured: 3.4, and at most 1.9
    assert not run.final.memory.changed


def test_the_guess_of_the_last_steps_saves_corrections_and_changes_nothing_else():
    m = chain(2, ps.Spherical())
    start = pushed(m, (1.0, 2.0, 0.5, 0.3, -2.0, 1.0))
    run = ps.simulate(m, start, "variational", step=0.005, steps=40)
    state, corrections = start, 0
    for i in range(40):
        one = ps.simulate(m, ps.State(i * 0.005, state.q, state.v), "variational", step=0.005, steps=1)
        state, corrections = one.final, corrections + one.iterations
    assert run.final.q == pytest.approx(state.q, abs=1e-12)
    assert run.final.v == pytest.approx(state.v, abs=1e-11)
    assert run.iterations <= 0.95 * corrections  # 81 and 89


@pytest.mark.parametrize("steps", [1, 2, 3, 6])
def test_a_steady_motion_is_guessed_exactly(steps):
    """By each of the formulas for few and for many known steps."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", BODY, ps.Revolute((1, 0, 0)))
    assert ps.simulate(m, pushed(m, [2.0]), "variational", step=0.1, steps=steps).iterations == steps


@LARGE
def test_a_guess_that_leads_nowhere_is_not_the_end():
    """A step from no motion at all where the extrapolated one fails: not the dense matrix."""
    m = chain(1, ps.Spherical())
    run = ps.simulate(m, pushed(m, (8.0, 0.0, 0.0)), "variational", step=0.2, steps=60)
    assert not run.final.memory.changed
    assert run.iterations > 120, "one step took more"


@LARGE
@pytest.mark.parametrize(
    ("n", "joint", "thin", "seed"),
    [
        (2, ps.Spherical(), 1.0, 1053163925),
        (3, ps.Revolute((0, 1, 0)), 0.05, 583712889),
    ],
)
def test_halved_corrections_lead_where_whole_ones_do_not(n, joint, thin, seed):
    m = chain(n, joint, thin)
    v = 6 * np.random.default_rng(seed).normal(size=m.lengths[1])
    run = ps.simulate(m, pushed(m, v), "variational", step=0.15, steps=1)
    assert not run.final.memory.changed
    assert run.iterations > 8


@LARGE
@pytest.mark.parametrize(("h", "w"), [(0.05, 8.0), (0.08, 8.0)])
def test_a_hinge_does_not_turn_round_in_a_step(h, w):
    """Newton's method may land whole turns away: same poses, same energy, and an angle that nobody made."""
    m = chain(2, ps.Revolute((0, 1, 0)))
    run = ps.simulate(m, pushed(m, (w, 0.0)), "variational", step=h, steps=60)
    ways = np.diff(run.trajectory.q, axis=0)
    assert np.abs(ways[:, 0]).max() < np.pi
    assert np.abs(ways.sum(axis=1)).max() < np.pi  # the second body


@pytest.mark.parametrize("c", [40.0, 80.0])
def test_the_dense_matrix_goes_on_from_the_beginning_of_the_step(c):
    """Order 4 may fail in its third stage: what the first two have done must not count twice.

    A damper between bodies is not in the articulated matrix, that of a joint is; here they are the same.
    """
    ends = []
    for force in (ps.JointDamper("a", c), ps.Damper("world", "a", c)):
        m = ps.Mechanism(gravity=(0, 0, 0)).add("a", BODY, ps.Prismatic((1, 0, 0))).apply(force)
        run = ps.simulate(m, ps.State(0.0, [1.0], [1.0]), "variational4", step=0.05, steps=3)
        ends.append([run.final.q[0], run.final.v[0], run.work[-1]])
    assert run.final.memory.changed
    assert ends[1] == pytest.approx(ends[0], abs=1e-11)


def trammel(force):
    """A rod between two slides: one freedom, and a loop."""
    m = ps.Mechanism(gravity=(0, 0, -9.81))
    m.add("a", BODY, ps.Prismatic((1, 0, 0))).add("b", BODY, ps.Prismatic((0, 0, 1)))
    m.close(ps.Loop("a", "b", ps.Distance(1.0)))
    return m.apply(force)


def test_the_dense_matrix_knows_loops_and_stiff_springs():
    """A stiff spring between bodies on a loop moves as the same spring at the joint does."""
    ends = []
    for force in (ps.JointSpring("a", 4e4), ps.Spring("world", "a", 4e4)):
        m = trammel(force)
        start = ps.State(0.0, (0.6, 0.8), (0.0, 0.0))
        run = ps.simulate(m, start, "variational_midpoint", step=0.02, steps=20)
        ends.append([*run.final.q, *run.final.v])
        assert run.report().gap < 1e-12
    assert run.final.memory.changed
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)


@pytest.mark.parametrize("unit", [1e-6, 1e3])
def test_small_and_large_mechanisms_move_alike(unit):
    """Corrections are compared with the size of the mechanism: in micrometres and kilometres the same."""
    ends, counts = [], []
    for s in (1.0, unit):
        m = ps.Mechanism(gravity=(0, 0, -9.81 * s))
        body = ps.Body(1.0, s * s * np.array((0.3, 0.4, 0.2)), s * np.array((0.1, 0.05, -0.2)))
        m.add("a", body, ps.Prismatic((1, 0, 1))).add("b", body, ps.Revolute((0, 1, 0)), "a", at=(0, 0, -s))
        m.add("c", body, ps.Free(), at=(0, 0, s)).apply(ps.Spring("b", "c", 30.0, 0.5 * s))
        v = np.array((s, 2.0, 1.0, 2.0, 3.0, s, 0.0, s))
        run = ps.simulate(m, pushed(m, v), "variational", step=0.02, steps=50)
        size = np.array((s, 1.0, s, s, s, 1.0, 1.0, 1.0, 1.0))
        ends.append(run.final.q / size)
        counts.append(run.iterations)
    assert ends[1] == pytest.approx(ends[0], abs=1e-12 * max(1.0, np.abs(ends[0]).max()))
    assert abs(counts[1] - counts[0]) <= 2


def drive(t, q, v):
    return (3.0 * math.sin(6.0 * t),)


@pytest.mark.parametrize("method", ["variational", "variational_midpoint", "variational4"])
def test_work_of_dampers_and_motors_is_what_energy_changes_by(method):
    m = two(ps.Spherical(), ps.JointDamper("a", 0.3), ps.JointDamper("b", 0.2), ps.Damper("world", "b", 0.5))
    m.apply(ps.JointTorque("b", drive))
    start, errors = pushed(m, (1.0, 2.0, 0.5, -3.0)), []
    for h in (0.04, 0.02):
        run = ps.simulate(m, start, method, step=h, until=0.4)
        errors.append(abs(run.energy[-1] - run.energy[0] - run.work[-1]))
    assert abs(run.work[-1]) > 0.1, "something is done"
    order = 4.0 if method == "variational4" else 2.0
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def pulse(t, q, v):
    return (2.0 if t < 0.5 else -1.0,)


@pytest.mark.parametrize("method", ["variational", "variational_midpoint", "variational4"])
def test_switches_and_impulses(method):
    """Each side of a switch sees its own force, and an impulse adds itself to the momentum."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", ps.Body(2.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    m.apply(ps.JointTorque("a", pulse, switches=(0.5,)), ps.Impulse("a", 0.8, force=(3.0, 0.0, 0.0)))
    run = ps.simulate(m, m.state(), method, step=0.1, steps=10)
    t = run.time
    p = np.where(t <= 0.5, 2.0 * t, 1.0 - (t - 0.5)) + np.where(t > 0.85, 3.0, 0.0)
    assert 2.0 * run.trajectory.v[:, 0] == pytest.approx(p, abs=1e-13)
    half = ps.simulate(m, m.state(), method, step=0.1, steps=5).final  # at the switch: no old increments
    rest = ps.simulate(m, half, method, step=0.1, steps=5)
    assert np.array_equal(rest.final.q, run.final.q)
    assert rest.iterations == run.iterations - ps.simulate(m, m.state(), method, step=0.1, steps=5).iterations
