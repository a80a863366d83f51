"""Four trajectories in SIMD lanes: every lane has the bits of the scalar run."""

import numpy as np
import pytest

from poinsot.core.numbers.arrays import flat
from poinsot.core.numbers.v4d import v4d
from poinsot.model.rotations import compose
from support.harness import ALL, FORCED, LANES, NX, SYSTEMS, Driver

STEPS, H = 300, 0.05
QUICK = (
    "nmb",
    "srkn4",
    "dmv",
    "exact",
)  # explicit, split, iterated, with branches; each method compiles for seconds
SPIN = np.array([1.0, 0.02, 7.0, 0.3])  # lanes that need different numbers of legs and iterations


def starts(x):
    table = np.repeat(x[:, None], LANES, axis=1)
    for k in range(LANES):
        table[4:7, k] *= SPIN[k]
        turn = np.array([np.cos(k), np.sin(k) * 0.6, 0.0, np.sin(k) * 0.8])
        table[:4, k] = compose(table[:4, k], turn)
    return table


def some_quick(methods):
    """Four methods of different kinds in `make test`, all in `make test-all`."""
    return [
        pytest.param(one, id=one.name, marks=[] if one.name in QUICK else pytest.mark.slow) for one in methods
    ]


@pytest.mark.parametrize("method", some_quick(ALL))
def test_each_lane_has_the_bits_of_the_scalar_run(method):
    for system in ["free"] if method.scope == "free" else ["heavy", "tethered"]:
        mechanism, state = SYSTEMS[system]()
        scalar, lanes = Driver(mechanism, method), Driver(mechanism, method, v4d)
        table = starts(scalar.start(state))
        together, samples, _ = lanes(table, H, STEPS, every=100)
        for k in range(LANES):
            alone, rows, _ = scalar(table[:, k], H, STEPS, every=100)
            assert (together[:, k] == alone[:, 0]).all()
            assert (samples[:, :NX, k] == rows[:, :NX, 0]).all()


@pytest.mark.parametrize("method", some_quick(FORCED))
def test_lanes_may_hold_different_bodies(method):
    """Asymmetric, axisymmetric, spherical and heavier: parameters vary over an ensemble."""
    mechanism, state = SYSTEMS["heavy"]()
    scalar, lanes = Driver(mechanism, method), Driver(mechanism, method, v4d)
    moments = [(1.13, 2.1, 2.55), (2.0, 2.0, 0.7), (1.5, 1.5, 1.5), (3.0, 2.0, 1.4)]
    records = [
        scalar.body.record._replace(I=I, a=tuple(1 / x for x in I), m=1.0 + k) for k, I in enumerate(moments)
    ]
    columns = np.array([flat(record) for record in records]).T
    x = scalar.start(state)
    together, _, _ = lanes(np.repeat(x[:, None], LANES, axis=1), H, STEPS, bodies=columns)
    for k in range(LANES):
        alone, _, _ = scalar(x, H, STEPS, bodies=columns[:, k : k + 1])
        assert (together[:, k] == alone[:, 0]).all()
