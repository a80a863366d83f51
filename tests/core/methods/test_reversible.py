"""Forward and back with the opposite step: reversible methods return to where they began."""

import numpy as np
import pytest

from support.harness import ALL, SYSTEMS, Driver

STEPS, H = 200, 0.1


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_declared_reversibility(method):
    for system in ["free"] if method.scope == "free" else ["heavy", "tethered"]:
        mechanism, state = SYSTEMS[system]()
        driver = Driver(mechanism, method)
        x = driver.start(state)
        there, _, _ = driver(x, H, STEPS)
        back, _, _ = driver(there[:, 0], -H, STEPS)
        error = np.abs(back[:, 0] - x).max()
        if method.reversible:
            assert error < 1e-11  # rounding, grown by the motion over 20 s and back
        else:
            assert error > 1e-6
