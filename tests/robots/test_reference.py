"""Robots of packages against values of an independent evaluation: mass matrix, forces, accelerations."""

import numpy as np
import pytest

import poinsot as ps
from support.robots import locate, references, state_of

CLOSE = 1e-9  # relative to the largest entry; the references are exact to 1e-14 and six decimals of input


def close(found, wanted, tolerance=CLOSE, least=1e-3):
    return np.abs(found - wanted).max() <= tolerance * max(np.abs(wanted).max(), least)


def compare(m, reference):
    """Compare a mechanism with a reference: without forces and couplings, and with springs and dampers."""
    bare = m.copy()
    bare.forces, bare.loops = [], []
    passive = bare.copy()
    passive.forces = [one for one in m.forces if isinstance(one, ps.JointSpring | ps.JointDamper)]
    for given in reference["states"]:
        state, S, rate = state_of(m, reference, given)

        def numbers(key, given=given):
            return np.array([given[key][dof] for dof in reference["dofs"]])

        M = S.T @ ps.dynamics.mass_matrix(bare, state) @ S
        assert close(np.linalg.eigvalsh(M), np.array(given["mass_matrix_eigenvalues"]))
        for i, row in enumerate(given.get("mass_matrix_lower", [])):
            assert close(M[i, : i + 1], np.array(row), CLOSE * abs(M).max(), 1.0)
        still = ps.State(0.0, state.q, 0 * state.v)
        assert close(S.T @ ps.dynamics.inverse_dynamics(bare, still, 0 * rate), numbers("gravity_forces"))
        assert close(S.T @ ps.dynamics.inverse_dynamics(bare, state, rate), numbers("bias_forces"))
        exact = max(CLOSE, 1e-15 * reference["condition"])
        for key, one in (
            ("acceleration", bare),
            ("acceleration_damped", passive),
            ("acceleration_passive", passive),
        ):
            if key in given:
                found = np.linalg.solve(S, ps.dynamics.acceleration(one, state) - rate)
                assert close(found, numbers(key), exact), key
        kinetic = ps.dynamics.energy(bare, state).kinetic
        assert kinetic == pytest.approx(given["kinetic"], rel=CLOSE)
        for name, pose in given["frames"].items():
            assert close(ps.dynamics.position(bare, state, name), np.array(pose["position"]))


@pytest.mark.parametrize("reference", references("urdf"), ids=lambda one: one["id"])
def test_urdf(reference):
    compare(ps.read(locate(reference), base=reference["base"]), reference)
