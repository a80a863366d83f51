"""Derivatives of whole steps by dual numbers: the value keeps its bits, the tangents are right."""

import numpy as np
import pytest

from poinsot.core.numbers.dual4 import dual4
from support.harness import ALL, SYSTEMS, Driver, lift, lower, tangent_map

STEPS, H = 20, 0.05


def systems(method):
    return ["free"] if method.scope == "free" else ["heavy", "tethered"]


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_the_value_of_a_dual_run_is_the_scalar_run(method):
    for system in systems(method):
        mechanism, state = SYSTEMS[system]()
        scalar, dual = Driver(mechanism, method), Driver(mechanism, method, dual4)
        x = scalar.start(state)
        y, _, _ = scalar(x, H, STEPS)
        _, value = tangent_map(dual, x, H, STEPS)
        assert (value == y[:, 0]).all()


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_tangents_of_a_run_agree_with_differences(method):
    """Richardson's combination of central differences: error h^4 of the fifth derivative."""
    for system in systems(method):
        mechanism, state = SYSTEMS[system]()
        scalar, dual = Driver(mechanism, method), Driver(mechanism, method, dual4)
        x = scalar.start(state)
        D, y = tangent_map(dual, x, H, STEPS)

        def difference(direction, size, scalar=scalar, x=x):
            ends = []
            for s in (size, -size):
                z = x + s * direction
                z[:4] /= np.linalg.norm(z[:4])
                ends.append(scalar(z, H, STEPS)[0][:, 0])
            return (ends[0] - ends[1]) / (2 * size)

        for k in range(12):
            direction = lift(x, np.eye(12)[k])
            estimate = (4 * difference(direction, 1e-3) - difference(direction, 2e-3)) / 3
            # a chord of the sphere of unit quaternions: q scaled by 1 + O(size^2) cancels in Richardson
            assert lower(y, estimate) == pytest.approx(D[:, k], rel=2e-9, abs=2e-9 * np.abs(D).max())
