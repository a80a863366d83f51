"""The figure of a tracking controller shows what `performance` found, and the limits that act."""

import numpy as np

import poinsot as ps
from poinsot.control.figure import corners, together
from poinsot.gallery import copters, quadcopter

C = ps.control


def found_of(c, seconds=0.1):
    """Return the performance of a copter that begins beside its hover."""
    hover = C.references.constant(c.mechanism.state())
    law = C.track(c.mechanism, C.Template("particle", [c.pair]), hover, c.inputs, period=0.01)
    start = c.mechanism.state({"copter": dict(position=(0.3, 0, 0.2))})
    run = ps.simulate(c.mechanism, start, "rk4", step=0.01, until=seconds, controller=law)
    return C.performance(run, law)


def test_the_lines_are_the_numbers(tmp_path):
    x = found_of(copters.quadcopter(limit=(0.3, 7.8)), 1.0)
    assert x.limited[0]
    assert not x.limited[-1]
    figure = x.plot(tmp_path / "found.png")
    assert (tmp_path / "found.png").stat().st_size > 10_000
    error, loss, residual, inputs = figure.axes
    drawn = [line.get_ydata() for axes in (error, loss, residual) for line in axes.lines]
    for line, values in zip(drawn, (x.potential, x.energy, x.dissipation, x.residual), strict=True):
        assert np.array_equal(line, values)
    assert all(np.array_equal(inputs.lines[k].get_ydata(), x.inputs[:, k]) for k in range(4))
    assert {float(line.get_ydata()[0]) for line in inputs.lines[4:]} == {0.3, 7.8}


def test_tilting_rotors_have_polygons():
    x = found_of(copters.bicopter())
    Z, b = x.limits
    assert together(Z) == [(0, 1), (2, 3)]
    figure = x.plot()
    assert len(figure.axes) == 6
    for axes, first in zip(figure.axes[4:], (0, 2), strict=True):
        border = axes.patches[0].get_xy()
        here = [k for k, row in enumerate(Z) if row[first] or row[first + 1]]
        slack = border @ Z[here][:, first : first + 2].T - b[here]
        assert slack.max() < 1e-12 * np.abs(b).max()
        assert (np.sort(np.abs(slack), axis=1)[:, :2] < 1e-9).all()  # two rows meet in each corner
        assert np.array_equal(axes.lines[0].get_xdata(), x.inputs[:, first])


def test_corners_of_a_triangle():
    found = corners(np.array([[-1.0, 0], [0, -1], [1, 1]]), np.array([0.0, 0, 1]), 10.0)
    assert {tuple(row) for row in found.round(12) + 0.0} == {(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)}


def test_a_story_knows_when_limits_act():
    """The inputs that acted, against what the law decides again at the ticks."""
    s = ps.scenario("quadcopter-recovery")
    run = ps.simulate(s.mechanism, s.start, "rk4", step=s.step, until=0.6, every=2, controller=s.controller)
    found = copters.limits_in_action(run, quadcopter.LIMITED)[:-1]
    assert np.array_equal(found, C.performance(run, s.controller).limited[:-1])
    assert found.any()
