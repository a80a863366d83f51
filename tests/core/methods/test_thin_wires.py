"""Wires of 0.2 mm and a metre: implicit methods run on them as on rods, which move in the same way.

The inertia about the axis is 6e-8 of that across it; roundings of the other bodies' forces turn the wire by
more than a sweep would allow of a thick body.
"""

import numpy as np
import pytest

import poinsot as ps

IMPLICIT = [
    "gauss1",
    "gauss2",
    "gauss3",
    "gauss4",
    "sgauss1",
    "sgauss2",
    "sgauss3",
    "sgauss4",
    "newmark",
    "variational",
]


def chain(radius, n=8):
    m, rod, random = ps.Mechanism(), ps.Cylinder(radius, 1.0).body(mass=1.0), np.random.default_rng(0)
    start = {}
    for i in range(n):
        at = (0, 0, -0.5 if i else 0.0)
        m.add(f"l{i}", rod, ps.Spherical(), f"l{i - 1}" if i else "world", at=at, body_at=(0, 0, -0.5))
        turn, w = random.normal(size=(2, 3))
        start[f"l{i}"] = dict(rotation=ps.so3.exp(0.3 * turn), angular_velocity=0.5 * w * (1, 1, 0))
    return m, m.state(start)


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("method", IMPLICIT)
def test_wires_move_like_rods(method):
    """To O(I3/I1); no spin, which would be another one."""
    ends, counts = [], []
    for radius in (1e-3, 1e-4):
        m, start = chain(radius)
        run = ps.simulate(m, start, method, step=0.002, steps=200, every=50)
        assert not run.final.memory.changed
        ends.append(np.array([run.position(link.name) for link in m.links]))
        counts.append(run.iterations)
    assert np.abs(ends[1] - ends[0]).max() < 1e-4
    assert counts[1] < 2 * counts[0]
