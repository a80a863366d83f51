"""Matching conditions, tuning and the laws of the reference file that have no other place."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.gallery import copters, scara
from support.data import load

DATA = load("control.json")
VECTORS = DATA["vectors"]
C = ps.control
ORIGIN = (0.0, 0.0, 0.0)


def test_the_matching_conditions_of_a_quadcopter():
    """Of a template that is not matched against the reference; of a matched one they are zero."""
    data, c = VECTORS["matching_quadcopter"], copters.quadcopter()
    m = c.mechanism

    def moments(M):
        """A 4x4 matrix from the 6x6 one of the reference."""
        M = np.array(M)
        A = np.trace(M[:3, :3]) / 2 * np.eye(3) - M[:3, :3]
        b = np.array([M[2, 4], M[0, 5], M[1, 3]])
        return np.block([[A, b[:, None]], [b[None], M[3:4, 3:4]]])

    pair = C.Pair("copter", "world", *(moments(data[f"{x}_bar0"]) for x in "MDK"))
    law = C.track(m, C.Template("body", [pair]), C.references.constant(m.state()), c.inputs)
    found = C.matching(law)
    turn = np.array(data["B_perp"]).T @ found.directions  # the same plane, perhaps in another basis
    assert np.abs(turn @ found.damping - data["Lambda_D"]).max() < 1e-7
    assert np.abs(turn @ found.stiffness - data["Lambda_K"]).max() < 1e-6
    matched = C.track(m, C.Template("body", [c.pair]), C.references.constant(m.state()), c.inputs)
    assert np.abs(C.matching(matched).damping).max() < 1e-7
    assert np.abs(C.matching(matched).stiffness).max() < 1e-6


def test_the_particle_law_of_the_thesis():
    """(3.7) without its surplus term: a particle in a fluid and on a spring is drawn to a reference."""
    x = {key: np.array(value) for key, value in VECTORS["particle_law"].items()}
    m = ps.Mechanism()
    for k, axis in enumerate(np.eye(3)):
        body = ps.Body(float(x["m"]) if k == 2 else 0.0, ORIGIN)
        m.add(f"s{k}", body, ps.Prismatic(axis), parent=f"s{k - 1}" if k else "world")
    m.apply(ps.Drag("s2", np.diag([0, 0, 0, *[float(x["d"])] * 3]), velocity=x["v_fluid"]))
    for k in range(3):
        m.apply(ps.JointSpring(f"s{k}", float(x["k"]), rest=[x["r_spring"][k]]))
    each = [(float(x[name]), ORIGIN, ORIGIN) for name in ("m", "d_bar", "k_bar")]
    there = ps.State(0.0, x["r_ref"], x["v_ref"])
    law = C.track(
        m,
        C.Template("particle", [C.Pair("s2", "world", *each)]),
        lambda t: (there, x["a_ref"]),
        ["s0", "s1", "s2"],
    )
    u = law.function(0.0, ps.State(0.0, x["r"], x["v"]))
    assert np.abs(u - x["F"]).max() < 1e-9
    assert np.abs(u - x["F_as_printed"]).max() > 1  # would settle too high


@pytest.mark.parametrize("name", ["computed_torque", "joint_pd"])
def test_joint_laws_of_the_scara(name):
    data, m = VECTORS["computed_torque_and_joint_pd"]["scara"], ps.scenario("scara").mechanism
    there = ps.State(0.0, data["q_ref"], data["qd_ref"])
    law = getattr(C, name)(
        m, lambda t: (there, data["qdd_ref"]), ["arm", "forearm"], data["Lambda0"], data["Lambda1"]
    )
    u = law.function(0.0, ps.State(0.0, data["q"], data["qd"]))
    assert np.abs(u - data[f"u_{name}"]).max() < 1e-8


def test_the_critical_points_of_the_scara():
    """The potential in the space of the tool has a second minimum, where the elbow is on the other side."""
    m = ps.scenario("scara").mechanism
    goal = ps.State(0.0, [0.0, np.pi / 2], [0.0, 0.0])
    for space, key in (("joint", "critical_joint"), ("tool", "critical_tool")):
        template = C.Template("body", scara.pairs(space))
        for point in DATA["runs"]["scara"]["outputs"][key]:
            here = template.at(m, ps.State(0.0, point["q"], [0.0, 0.0]), goal, [0.0, 0.0])
            assert here.potential == pytest.approx(point["V"], abs=1e-8)
            assert np.abs(here.f).max() < 1e-7


def test_what_is_wrong_is_named():
    with pytest.raises(ps.ModelError, match="poles must be four stable poles in conjugate pairs"):
        C.two_mass_pairs("a", "b", 16.0, [-1, -2, -3 + 1j, -4], 0.3)
    with pytest.raises(ps.ModelError, match=r"no definite template has these poles with the mass -0\.3"):
        C.two_mass_pairs("a", "b", 16.0, [-2 + 1.5j, -2 - 1.5j, -5 + 3j, -5 - 3j], -0.3)
    with pytest.raises(ps.ModelError, match=r"matching: expected a controller of ps\.control\.track"):
        C.matching(None)
