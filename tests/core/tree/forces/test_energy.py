"""Energy and momentum under every kind of force: energy - work stays, dampers take, pairs give nothing."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.mechanics.algorithms import acceleration
from poinsot.model.forces.constitutive import prime
from poinsot.model.forces.stiffness import Stiffness
from poinsot.model.rotations import compose, inverse
from support import zoo

K4 = prime([5.0, 3.0, 4.0, 2.0], zoo.POINTS)
K3 = np.diag([2.0, 1.0, 1.5]) + 0.2
TURN = (0.8, 0.0, 0.6, 0.0)


def lift(t, R, w, p, v):
    """What gravity of 2 m/s^2 along y does to 1.5 kg, at the centre of mass."""
    return 0.0, 0.0, 0.0, 0.0, 3.0, 0.0


def lift_potential(R, p):
    return -3.0 * p[1]


FORCES = {
    "spring": ps.Spring("hinge", "puck", 20.0, 0.4, at_a=(0.1, 0.2, 0.3), at_b=(0.2, -0.1, 0.1)),
    "spring to the world": ps.Spring("world", "screw", 15.0, at_a=(0.5, 0, 1), at_b=(0.1, 0.1, 0)),
    "spring on a weld": ps.Spring("weld", "boat", 9.0, 0.7, at_a=(0.1, 0.2, 0), at_b=(0, 0.3, 0)),
    "damper": ps.Damper("ball", "boat", 0.6, at_a=(0.1, 0.0, 0.2), at_b=(0.0, 0.3, 0.0)),
    "damper to the world": ps.Damper("world", "screw", 0.6, at_a=(0.1, 0.0, 2.0)),
    "stiffness": ps.Stiffness("cardan", "boat", K4, ps.se3.exp((0.3, 0.2, -0.4, 0.1, 0.2, 0.3))),
    "stiffness of springs": Stiffness.of_springs("weld", "boat", [4, 2, 3], zoo.POINTS[:3], zoo.POINTS[1:]),
    "damping": ps.Damping("slide", "boat", zoo.D6),
    "damping to the world": ps.Damping("world", "weld", K4),
    "drag": ps.Drag("screw", zoo.D6),
    "drag in a vortex": ps.Drag("weld", zoo.D6, velocity=(0.5, 0.0, 0.2), rotation=(0.1, 0.9, -0.2)),
    "hinge spring": ps.JointSpring("hinge", 8.0, rest=0.3),
    "cardan spring": ps.JointSpring("cardan", (4.0, 5.0), rest=(0.1, -0.2)),
    "planar spring": ps.JointSpring("puck", (4.0, 5.0, 2.0)),
    "thread spring": ps.JointSpring("thread", 6.0, rest=0.2),
    "spring to a thread": ps.Spring("world", "thread", 9.0, at_a=(0.5, 0, 1), at_b=(0.2, 0.1, -0.3)),
    "ball spring, log": ps.JointSpring("ball", 3.0, rest=TURN),
    "ball spring, trace": ps.JointSpring("ball", K3, rest=TURN, form="trace"),
    "ball spring, euler": ps.JointSpring("ball", 0.5, form="euler"),
    "joint damper": ps.JointDamper("screw", (0.1, 0.3)),
    "joint damper, thread": ps.JointDamper("thread", 0.3),
    "joint damper, matrix": ps.JointDamper("ball", np.diag([0.1, 0.2, 0.15]) + 0.02),
    "joint damper, free": ps.JointDamper("boat", 0.1),
    "joint torque": ps.JointTorque("screw", zoo.drive),
    "torque": ps.Torque("cardan", zoo.swirl, frame="body"),
    "torque with a potential": ps.Torque("boat", zoo.tilt, potential=zoo.tilt_potential),
    "torque on a weld": ps.Torque("weld", zoo.swirl),
    "wrench": ps.Wrench("weld", zoo.gust, at=(0.1, 0.2, -0.1)),
    "wrench in body axes": ps.Wrench("slide", zoo.gust, at=(0.1, 0.2, -0.1), frame="body"),
}
DAMPERS = [name for name in FORCES if name.startswith(("damp", "joint damper")) or name == "drag"]


CENTER = zoo.bodies().link("skew").body.center_of_mass
FORCES["wrench with a potential"] = ps.Wrench("skew", lift, at=CENTER, potential=lift_potential)


def loaded(name):
    """The zoo with one force."""
    return zoo.bodies().apply(FORCES[name])


def band(m, method, steps, until=0.4):
    run = ps.simulate(m, zoo.start(m), method, step=until / steps, steps=steps)
    return np.ptp(run.energy - run.work)


@pytest.mark.parametrize("name", FORCES)
def test_energy_less_work_stays_to_the_order_of_the_method(name):
    """gauss2 has order 4; 1e-9 is what gauss3 leaves of energies of about 30 at this step."""
    m = loaded(name)
    coarse, fine = band(m, "gauss2", 40), band(m, "gauss2", 80)
    assert coarse > 1e-9, "above rounding"
    assert np.log2(coarse / fine) == pytest.approx(4, abs=0.3)
    assert band(m, "gauss3", 80) < 1e-9


@pytest.mark.parametrize("name", FORCES)
def test_work_is_counted_where_there_is_no_potential(name):
    m, force = loaded(name), FORCES[name]
    run = ps.simulate(m, zoo.start(m), "gauss3", step=0.01, steps=20)
    assert (run.work[-1] == 0) == force.conservative
    bare = ps.simulate(zoo.bodies(), zoo.start(m), "gauss3", step=0.01, steps=20)
    assert np.abs(run.final.v - bare.final.v).max() > 1e-4, "the force does something"
    assert (run.potential[0] != bare.potential[0]) == force.conservative


@pytest.mark.parametrize("name", DAMPERS)
def test_dampers_take_energy(name):
    m = loaded(name)
    run = ps.simulate(m, zoo.start(m), "gauss3", step=0.01, steps=40)
    assert (np.diff(run.work) < 0).all()


def test_a_spring_of_euler_angles_gives_energy_on_a_closed_path():
    """The work of "euler" around a loop of rotations is not zero (moving-frame thesis); that of "log" is."""

    def around(form):
        m = ps.Mechanism().add("ball", ps.Body(1.0, (1, 1, 1)), ps.Spherical())
        m.apply(ps.JointSpring("ball", 1.0, form=form))
        t = np.linspace(0, 2 * np.pi, 2001)[:-1]
        q = ps.quaternion.exp(np.column_stack([0.9 * np.cos(t), 0.9 * np.sin(t), 0.4 + 0.3 * np.sin(2 * t)]))
        step = ps.quaternion.log(compose(inverse(q), np.roll(q, -1, axis=0)))
        tree = compile_tree(m)
        torque = np.array([acceleration(tree, 0.0, x, np.zeros(3)) for x in q])  # J = 1
        return ((torque + np.roll(torque, -1, axis=0)) / 2 * step).sum()

    assert abs(around("log")) < 1e-5  # the trapezoidal rule, h^2
    assert abs(around("euler")) > 0.1


# momentum


def pair(force):
    """Two free bodies and what acts between them, without gravity."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("a", ps.Body(1.0, (0.3, 0.4, 0.5), (0.1, 0.0, 0.2)), ps.Free(), rotation=TURN, at=(0.2, 0.1, 0.0))
    m.add("b", ps.Body(0.6, (0.2, 0.3, 0.2), (0.0, -0.1, 0.1)), ps.Free())
    m.add("c", ps.Body(0.4, (0.1, 0.1, 0.15), (0.1, 0.1, 0.0)), ps.Spherical(), "b", at=(0.3, 0.1, 0.2))
    m.add("d", ps.Body(0.4, (0.1, 0.1, 0.15), (0.1, 0.1, 0.0)), ps.Cylindrical((1, 2, 3)), "c")
    return m.apply(force)


BETWEEN = {
    "spring": ps.Spring("a", "c", 20.0, 0.4, at_a=(0.1, 0.2, 0.3), at_b=(0.2, -0.1, 0.1)),
    "damper": ps.Damper("a", "c", 1.0, at_a=(0.1, 0.2, 0.3), at_b=(0.2, -0.1, 0.1)),
    "stiffness": ps.Stiffness("a", "c", K4, ps.se3.exp((0.3, 0.2, -0.4, 0.1, 0.2, 0.3))),
    "damping": ps.Damping("d", "a", zoo.D6),
    "joint spring": ps.JointSpring("c", 3.0, rest=TURN),
    "joint spring, trace": ps.JointSpring("c", K3, form="trace"),
    "joint spring, euler": ps.JointSpring("c", 2.0, form="euler"),
    "joint damper": ps.JointDamper("c", K3),
    "joint torque": ps.JointTorque("d", zoo.drive),
}


@pytest.mark.parametrize("name", BETWEEN)
def test_forces_between_bodies_leave_the_momenta(name):
    """dop853 keeps ten digits; a force without its answer would move them by more than 0.01."""
    m = pair(BETWEEN[name])
    assert BETWEEN[name].inside(m)
    run = ps.simulate(m, zoo.start(m), "dop853", step=0.05, steps=20)
    assert np.abs(run.linear_momentum - run.linear_momentum[0]).max() < 1e-10
    assert np.abs(run.angular_momentum - run.angular_momentum[0]).max() < 1e-10
    bare = pair(ps.JointDamper("d", 0.0))
    alone = ps.simulate(bare, zoo.start(bare), "dop853", step=0.05, steps=20)
    moved = max(np.abs(run.velocity(x)[-1] - alone.velocity(x)[-1]).max() for x in "abc")
    assert moved > 0.01, "the force does something"
