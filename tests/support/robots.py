"""Robot files: a small one, and those of packages with their reference numbers (tests/data/robots.json)."""

import importlib.metadata
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps
from support.data import load

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base">
    <inertial><mass value="3"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
    <visual><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.1" length="0.2"/></geometry></visual>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="0.1 0.02 -0.3" rpy="0.3 -0.2 0.5"/>
      <mass value="2"/>
      <inertia ixx="0.04" ixy="0.001" ixz="-0.002" iyy="0.05" iyz="0.003" izz="0.02"/>
    </inertial>
    <visual><origin xyz="0 0 -0.3"/><geometry><box size="0.1 0.1 0.6"/></geometry></visual>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="flange">
    <inertial><origin xyz="0 0.05 0"/><mass value="0.5"/>
    <inertia ixx="0.002" iyy="0.001" izz="0.002"/></inertial>
  </link>
  <link name="tool"/>
  <link name="slider">
    <inertial><origin xyz="0 0 0.1"/><mass value="0.7"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.004"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.4" rpy="0.1 0.2 0.3"/><parent link="base"/><child link="upper"/><axis xyz="0 3 1"/>
    <limit lower="-2" upper="1.5" effort="10" velocity="3"/><dynamics damping="0.4" friction="0.1"/>
  </joint>
  <joint name="weld" type="fixed">
    <origin xyz="0.01 0 -0.6" rpy="0 0.4 0"/><parent link="upper"/><child link="flange"/>
  </joint>
  <joint name="tip" type="fixed"><origin xyz="0 0 -0.1"/><parent link="flange"/><child link="tool"/></joint>
  <joint name="slide" type="prismatic">
    <origin xyz="0 0 -0.05" rpy="0 0 1"/><parent link="flange"/><child link="slider"/><axis xyz="0 0 -1"/>
    <limit lower="0" upper="0.2" effort="5" velocity="1"/>
  </joint>
</robot>
"""


def locate(reference):
    """The file of a reference, or skip the test if its package is not installed."""
    try:
        found = importlib.metadata.distribution(reference["package"])
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{reference['package']} is not installed")
    return Path(str(found.locate_file(reference["path"])))


def references(kind):
    """The models of the reference file of a format, "urdf" or "mjcf"."""
    return [one for one in load("robots.json")["models"] if one["format"] == kind]


def state_of(m, reference, given):
    """State of m, and S and its rate: v_ps = S v, in the order of `dofs` (see "conventions" in the file)."""
    (nq, nv), joints = m.lengths, reference["joints"]
    q, v, S, rate = np.zeros(nq), np.zeros(nv), np.zeros((nv, nv)), np.zeros(nv)
    first = {}
    for i, dof in enumerate(reference["dofs"]):
        first.setdefault(dof if any(dof == one["name"] for one in joints) else dof.rsplit("/", 1)[0], i)
    for joint in joints:
        name, n = joint["name"], joint["nv"]
        a, b = m.slices(m.joint_names[name])
        x, w = given["q"][name], np.atleast_1d(given["v"][name])
        if joint["nq"] == 7:
            q[a] = [*x["position"], *x["quaternion"]]
            R = ps.quaternion.matrix(np.array(x["quaternion"]))
            B = np.zeros((6, 6))
            B[:3, 3:], B[3:, :3] = np.eye(3), R.T
            rate[b.start + 3 : b.stop] = -np.cross(w[3:], R.T @ w[:3])
        else:
            q[a], B = x, np.eye(n)
        v[b] = B @ w
        S[b, first[name] : first[name] + n] = B
    return ps.State(0.0, q, v), S, rate
