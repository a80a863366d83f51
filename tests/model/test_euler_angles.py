"""Euler angles in the groups and in states of mechanisms; SciPy is the witness of the convention."""

from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as ps

THREE = ["".join(axes) for axes in product("xyz", repeat=3) if axes[0] != axes[1] != axes[2]]
SEQUENCES = [*THREE, *map(str.upper, THREE)]
BODY = ps.Box(1.0).body(mass=1.0)


def random_angles(n, count=40):
    return np.random.default_rng(7).uniform(-3.0, 3.0, (count, n))


@pytest.mark.parametrize("sequence", [*SEQUENCES, "x", "ZY", "yz"])
def test_rotations_are_those_of_scipy(sequence):
    angles = random_angles(len(sequence))
    there = Rotation.from_euler(sequence, angles).as_matrix()
    assert np.abs(ps.so3.from_euler(sequence, angles) - there).max() < 4e-15  # three products
    q = ps.quaternion.from_euler(sequence, np.degrees(angles), degrees=True)
    assert np.abs(ps.quaternion.matrix(q) - there).max() < 4e-15


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_angles_are_those_of_scipy(sequence):
    there = Rotation.from_euler(sequence, random_angles(3))
    q = there.as_quat(scalar_first=True)
    expected = there.as_euler(sequence)
    assert np.abs(ps.quaternion.to_euler(sequence, q) - expected).max() < 1e-13
    found = ps.so3.to_euler(sequence, there.as_matrix(), degrees=True)
    assert np.abs(found - np.degrees(expected)).max() < 1e-11


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("end", [0, 1])
def test_a_singular_rotation_is_told_and_its_third_angle_is_zero(sequence, end):
    proper = sequence[0] == sequence[2]
    angles = random_angles(3, 5)
    angles[:, 1] = (0.0, np.pi)[end] if proper else (-np.pi / 2, np.pi / 2)[end]
    R = ps.so3.from_euler(sequence, angles)
    with pytest.warns(UserWarning, match="not unique"):
        found = ps.so3.to_euler(sequence, R)
    assert (found[:, 2] == 0.0).all()
    assert np.abs(ps.so3.from_euler(sequence, found) - R).max() < 3e-8  # as near as the angle is to its limit


@pytest.mark.parametrize("joint", [ps.Spherical(), ps.Free()])
def test_a_state_takes_euler_angles(joint):
    m = ps.Mechanism().add("b", BODY, joint)
    angles = (0.3, -0.5, 0.8)
    R = Rotation.from_euler("ZYX", angles).as_matrix()
    q = m.state({"b": dict(rotation=R)}).q
    assert m.state({"b": dict(euler=("ZYX", angles))}).q == pytest.approx(q, abs=1e-15)
    assert m.state({"b": dict(euler_degrees=("ZYX", np.degrees(angles)))}).q == pytest.approx(q, abs=1e-15)


WRONG = {
    "not both": dict(rotation=np.eye(3), euler=("ZYX", (0, 0, 0))),
    "neighboring axes": dict(euler=("ZZX", (0, 0, 0))),
    "three of XYZ|one to three of XYZ": dict(euler=("ZyX", (0, 0, 0))),
    "takes 3 angles": dict(euler=("ZYX", (0, 0))),
    "a pair": dict(euler=(0.1, 0.2, 0.3)),
    "finite real": dict(euler=("ZYX", (0, "a", 0))),
    "did you mean 'euler'": dict(eulr=("ZYX", (0, 0, 0))),
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_angles_are_one_clear_line(message):
    m = ps.Mechanism().add("b", BODY, ps.Free())
    with pytest.raises(ps.ModelError, match=message) as caught:
        m.state({"b": WRONG[message]})
    assert "\n" not in str(caught.value)


def test_other_joints_have_no_euler_angles():
    m = ps.Mechanism().add("b", BODY, ps.Revolute((1, 0, 0)))
    with pytest.raises(ps.ModelError, match="unknown coordinate 'euler'"):
        m.state({"b": dict(euler=("ZYX", (0, 0, 0)))})


def test_six_capital_letters_in_a_sequence_are_an_error():
    with pytest.raises(ps.ModelError, match="sequence"):
        ps.so3.to_euler("XYZXYZ", np.eye(3))
    with pytest.raises(ps.ModelError, match="degrees"):
        ps.so3.to_euler("XYZ", np.eye(3), degrees="yes")
