"""Frames of the bodies are computed where a force needs them, and only there."""

import pytest

import poinsot as ps
from poinsot.compile.cache import tree_for
from poinsot.core.tree.forces.table import AT_JOINTS, ON_BODIES
from poinsot.core.tree.records import FORCE_INTS

BODY = ps.Box((0.1, 0.1, 1.0)).body(mass=1.0)


def torque(t, q, v):
    return -0.1 * v[0]


def push(t, R, w, p, v):
    return 0.0, 0.0, 1.0, 0.0, 0.0, 0.0


NONE, JOINTS, BODIES = [], [ps.JointDamper("a", 1.0), ps.JointTorque("b", torque)], [ps.Wrench("b", push)]


@pytest.mark.parametrize(
    ("forces", "inputs", "kind"),
    [
        (NONE, [], 0),
        (JOINTS, [], AT_JOINTS),
        (NONE, ["a"], AT_JOINTS),
        (BODIES, [], ON_BODIES),
        ([*JOINTS, ps.Spring("world", "b", 1.0)], [], ON_BODIES),
        (NONE, [ps.Thrust("b", (0, 0, 0), (0, 0, 1))], ON_BODIES),
    ],
)
def test_the_kind_of_all_forces(forces, inputs, kind):
    m = ps.Mechanism().add("a", BODY, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
    m.add("b", BODY, ps.Revolute((1, 0, 0)), parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5)).apply(*forces)
    if inputs:
        m.control = ps.Controller(lambda t, state, memory: ([0.0], memory), 0.1, inputs).control(m)
    tree = tree_for(m)
    assert tree.ints[tree.ints[FORCE_INTS]] == kind
