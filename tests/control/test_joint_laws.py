"""Computed torque and joint PD against reference vectors and their own laws."""

import numpy as np
import pytest

import poinsot as ps
from control.test_templates import DATA, arm
from control.witness_templates import coriolis_matrix
from poinsot.control.plant import Plant

VECTOR = DATA["vectors"]["computed_torque_and_joint_pd"]["arm6"]
NAMES = [f"b{i}" for i in range(1, 7)]


def reference(t):
    return ps.State(t, VECTOR["q_ref"], VECTOR["qd_ref"]), VECTOR["qdd_ref"]


@pytest.mark.parametrize("law", ["computed_torque", "joint_pd"])
def test_torques_of_the_reference(law):
    make = getattr(ps.control, law)
    controller = make(arm(), reference, NAMES, VECTOR["Lambda0"], VECTOR["Lambda1"])
    wanted = np.array(VECTOR[f"u_{law}"])
    found = controller.function(0.0, ps.State(0.0, VECTOR["q"], VECTOR["qd"]))
    assert np.abs(found - wanted).max() < 1e-9 * np.abs(wanted).max()


def test_the_coriolis_matrix():
    """Against the reference; and dM/dt - 2 C is skew, by differences."""
    m = arm()
    state = ps.State(0.0, VECTOR["q"], VECTOR["qd"])
    C, h = coriolis_matrix(Plant(m), state), 1e-5
    assert np.abs(C - VECTOR["C"]).max() < 1e-9 * 5
    masses = [ps.dynamics.mass_matrix(m, ps.State(0.0, state.q + s * h * state.v, state.v)) for s in (1, -1)]
    skew = (masses[0] - masses[1]) / (2 * h) - 2 * C
    assert np.abs(skew + skew.T).max() < 1e-8


def test_computed_torque_is_the_body_template_on_a_slider():
    m = ps.Mechanism().add("c", ps.Body(2.0, (0, 0, 0)), ps.Prismatic((0, 0, 1)))
    goal = ps.control.references.constant(m.state({"c": dict(displacement=0.3)}))
    point = [(x, (0, 0, 0), (0, 0, 0)) for x in (1.0, 3.0, 5.0)]
    template = ps.control.Template("body", [ps.control.Pair("c", "world", *point)])
    state = m.state({"c": dict(displacement=-0.5, speed=0.7)})
    one = ps.control.computed_torque(m, goal, ["c"], 5.0, 3.0).function(0.0, state)
    other = ps.control.track(m, template, goal, ["c"]).function(0.0, state)
    assert one == pytest.approx(other, rel=1e-13)


@pytest.mark.parametrize("law", ["computed_torque", "joint_pd"])
def test_what_does_not_fit_is_named(law):
    m, make = arm(), getattr(ps.control, law)
    here = ps.State(0.0, VECTOR["q"], VECTOR["qd"])
    for wrong, message in (
        (lambda t: (here, [1.0]), "reference at t = 0: acceleration must be 6 numbers, got"),
        (lambda t: (ps.State(0.0, [1.0], [1.0]), np.zeros(6)), "reference at t = 0: .*6"),
        (lambda t: here, r"it must return \(state, acceleration\)"),
        (lambda t: 1 / 0, "it raised ZeroDivisionError"),
    ):
        with pytest.raises(ps.ModelError, match=message):
            make(m, wrong, NAMES, 9.0, 6.0).function(0.0, here)
    with pytest.raises(ps.ModelError, match=f"{law}: damping must be symmetric and not negative, got -6"):
        make(m, reference, NAMES, 9.0, -6.0)
    skew = np.eye(6)
    skew[0, 1] = 0.1
    with pytest.raises(ps.ModelError, match=f"{law}: stiffness must be symmetric and not negative"):
        make(m, reference, NAMES, skew, 6.0)


def test_too_few_inputs_are_an_error_with_rank_and_condition():
    m = arm()
    law = ps.control.computed_torque(m, reference, NAMES[:5], 1.0, 1.0)
    with pytest.raises(ps.ModelError, match=r"6x5 must be square and regular, its rank is 5"):
        law.function(0.0, ps.State(0.0, VECTOR["q"], VECTOR["qd"]))
