"""A plausible mistake in a call of the interface is one clear line, never a raw error of Python."""

import math

import numpy as np
import pytest

import poinsot as ps

BAR = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
ARM = ps.Mechanism().add("a", BAR, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
HANGING = ARM.state({"a": dict(angle=1.0)})
TOP = ps.Mechanism().add(
    "t", ps.Cylinder(0.3, 0.1).body(mass=1.0, center_of_mass=(0, 0, 0.4)), ps.Spherical()
)
SPINNING = TOP.state({"t": dict(angular_velocity=(0, 1, 20))})


def torque(t, R, w, p, v):
    return 0.0, 0.0, 0.0


class Strange:
    """An object whose path is no text."""

    def __fspath__(self):
        return 5


def compare(**change):
    given = dict(steps=[0.05], start=SPINNING, until=0.1, step=0.05)
    return ps.compare(TOP, ["srkn4"], **{**given, **change})


@pytest.fixture(scope="module")
def run():
    return ps.simulate(TOP, SPINNING, step=0.01, steps=5)


CALLS = {
    "advise: no mechanism": lambda: ps.advise(None, SPINNING, 1.0),
    "advise: no state": lambda: ps.advise(TOP, None, 1.0),
    "advise: foreign state": lambda: ps.advise(TOP, HANGING, 1.0),
    "compare: until a text": lambda: compare(until="5"),
    "compare: until nan": lambda: compare(until=math.nan),
    "compare: until huge": lambda: compare(until=2**70),
    "compare: step zero": lambda: compare(step=0),
    "compare: steps texts": lambda: compare(steps=["0.1"]),
    "compare: methods a number": lambda: ps.compare("fast-top", 5),
    "compare: start a number": lambda: compare(start=5),
    "compare: targets a number": lambda: compare(targets=1e-3),
    "inverse dynamics: no state": lambda: ps.dynamics.inverse_dynamics(ARM, None, [0]),
    "linearize: steps huge": lambda: ps.dynamics.linearize(ARM, HANGING, ["a"], "rk4", step=0.1, steps=2**70),
    "sample_model: period huge": lambda: ps.control.sample_model(
        ARM, HANGING, ["a"], period=1e308, method="gauss2", step=0.01
    ),
    "memory_of: nothing": lambda: ps.control.memory_of(None),
    "regulator: no state": lambda: ps.control.Regulator(ARM, np.zeros((1, 2)), None),
    "torque: switches a number": lambda: ps.Torque("t", torque, switches=0.5),
    "simulate: step beyond doubles": lambda: ps.simulate(ARM, HANGING, step=10**400, steps=1),
    "simulate: step a text": lambda: ps.simulate(ARM, HANGING, step="0.1", steps=1),
    "simulate: archive a number": lambda: ps.simulate(ARM, HANGING, step=0.1, steps=1, archive=5),
    "rigid bodies: gravity": lambda: ps.analytical.RigidBodies(gravity=5),
    "rigid bodies: parent": lambda: ps.analytical.RigidBodies().add(None, "quaternion", np.eye(4)),
    "rigid bodies: inertia": lambda: ps.analytical.RigidBodies().add(0, "quaternion", 1.0),
    "rigid bodies: axis": lambda: ps.analytical.RigidBodies().add(0, "revolute", np.eye(4), axis=(0, 0, 0)),
    "moving frame: links": lambda: ps.analytical.MovingFrame([1]),
    "legendre: coordinates": lambda: ps.analytical.legendre(None, lambda t, x, xi: 0.0),
    "lagrange: coordinates": lambda: ps.analytical.lagrange(5, lambda t, x, xi: 0.0),
    "hamilton: coordinates": lambda: ps.analytical.hamilton("x", lambda t, x, p: 0.0),
    "mesh: nothing": lambda: ps.Mesh(None),
    "scenario: a list": lambda: ps.scenario(["fast-top"]),
    "so3: a text": lambda: ps.so3.exp("abc"),
    "quaternion: nothing": lambda: ps.quaternion.matrix(None),
}
OF_RUNS = {
    "at: nothing": lambda run, path: run.at(None),
    "angles: up": lambda run, path: run.angles("t", up=(0, 0)),
    "rotation: a list": lambda run, path: run.rotation(["t"]),
    "page: title": lambda run, path: run.to_html(path, title=5),
    "page: others": lambda run, path: run.to_html(path, others=[run]),
    "page: command": lambda run, path: run.to_html(path, command=5),
    "page: error": lambda run, path: run.to_html(path, error=[1]),
    "page: others are no runs": lambda run, path: run.to_html(path, others={"a": 5}),
    "page: path with a NUL": lambda run, path: run.to_html("a\0b.html"),
    "save: path with a NUL": lambda run, path: run.save("a\0b"),
    "save: a path of a number": lambda run, path: run.save(Strange()),
    "page: path": lambda run, path: run.to_html(5),
    "save: path": lambda run, path: run.save(None),
}


@pytest.mark.parametrize("what", CALLS)
def test_calls(what):
    with pytest.raises(ps.PoinsotError) as caught:
        CALLS[what]()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("what", OF_RUNS)
def test_calls_of_a_run(what, run, tmp_path):
    with pytest.raises(ps.PoinsotError) as caught:
        OF_RUNS[what](run, tmp_path / "page.html")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_title_that_is_not_unicode_is_written(run, tmp_path):
    """A title from a file name that is not UTF-8: the bytes that cannot be shown are replaced."""
    text = run.to_html(tmp_path / "page.html", title="caf\udce9").read_text(encoding="utf-8")
    assert "<title>caf?</title>" in text
