"""Where the articulated matrix gives up, the dense one goes on, from the momentum before the step."""

import numpy as np
import pytest

import poinsot as ps


def tied(*forces):
    """Two pendulums, tied by forces that are not in the articulated matrix."""
    m = ps.Mechanism()
    for name, x in (("left", -0.5), ("right", 0.5)):
        body = ps.Body(1.0, (0.1, 0.2, 0.15), (0.0, 0.0, -0.5))
        m.add(name, body, ps.Spherical(), at=(x, 0.0, 0.0))
    m.apply(*forces)
    swings = {"left": (0.3, 0.1, 0.0), "right": (0.35, 0.0, 0.1)}
    return m, m.state({name: {"rotation": ps.so3.exp(u)} for name, u in swings.items()})


ENDS = {"at_a": (0, 0, -1.0), "at_b": (0, 0, -1.0)}


def test_the_dense_matrix_goes_on():
    """h w is 7 in the spring: corrections with the articulated matrix do not contract."""
    m, start = tied(ps.Spring("left", "right", 1e5, 1.04, **ENDS))
    run = ps.simulate(m, start, "variational_midpoint", step=0.01, until=2.0)
    assert run.final.memory.changed, "the dense kernel runs"
    assert np.ptp(run.energy) < 0.02 * run.kinetic.max()


def test_a_composition_goes_on_from_where_it_was():
    """Its third step is the largest: when that fails, the first two have moved the momentum already."""
    m, start = tied(ps.Damper("left", "right", 160.0, **ENDS))
    run = ps.simulate(m, start, "variational4", step=0.01, until=1.0)
    assert run.final.memory.changed, "the dense kernel runs"
    exact = ps.simulate(m, start, "gauss4", step=0.002, until=1.0)
    for name in ("left", "right"):
        assert run.position(name)[-1] == pytest.approx(exact.position(name)[-1], abs=1e-3)
