"""What one may ask of a run: arrays of documented shape, states, the report."""

import dataclasses
import re
from functools import cache

import numpy as np
import pytest

import poinsot as ps
from poinsot.diagnostics.drift import drift

BODY = ps.Body(1.2, (1.0, 1.3, 1.7), center_of_mass=(0.1, -0.2, 0.3))
JOINTS = {"spherical": ps.Spherical(), "free": ps.Free()}
LINES = ["energy", "angular momentum", "linear momentum", "orthogonality"]
T = 11


def run_of(joint, *forces, method="nmb", gravity=(0, 0, -9.81), **place):
    m = ps.Mechanism(gravity=gravity).add("link", BODY, JOINTS[joint], **place).apply(*forces)
    return ps.simulate(m, m.state({"link": {"angular_velocity": (1, 2, 3)}}), method, step=0.02, steps=T - 1)


@cache
def usual(joint):
    return run_of(joint)


joints = pytest.mark.parametrize("joint", JOINTS)


# arrays


@joints
@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("time", (T,)),
        ("kinetic", (T,)),
        ("potential", (T,)),
        ("energy", (T,)),
        ("work", (T,)),
        ("angular_momentum", (T, 3)),
        ("linear_momentum", (T, 3)),
    ],
)
def test_an_array_has_one_row_a_sample(joint, name, shape):
    found = getattr(usual(joint), name)
    assert found.shape == shape
    assert found.dtype == np.float64


@joints
@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("rotation", (T, 3, 3)),
        ("quaternion", (T, 4)),
        ("position", (T, 3)),
        ("angular_velocity", (T, 3)),
        ("velocity", (T, 3)),
        ("joint", {"spherical": (T, 4), "free": (T, 7)}),
        ("rate", {"spherical": (T, 3), "free": (T, 6)}),
    ],
)
def test_a_body_is_asked_for_by_its_name(joint, name, shape):
    ask = getattr(usual(joint), name)
    assert ask("link").shape == (shape if isinstance(shape, tuple) else shape[joint])
    with pytest.raises(ps.ModelError, match="run: unknown body 'lnk', did you mean 'link'"):
        ask("lnk")


@joints
def test_arrays_cannot_be_written_to(joint):
    run = usual(joint)
    scalars = run.time, run.work, run.kinetic, run.potential, run.energy
    vectors = (
        run.joint("link"),
        run.rate("link"),
        run.position("link"),
        run.rotation("link"),
        run.linear_momentum,
    )
    for array in (*scalars, *vectors):
        assert not array.flags.writeable


@joints
def test_rotation_and_quaternion_are_the_same_and_turn_with_the_angular_velocity(joint):
    run = usual(joint)
    w, x, y, z = run.quaternion("link").T
    R = run.rotation("link")
    assert R[:, 2, 1] - R[:, 1, 2] == pytest.approx(4 * w * x, abs=1e-15)
    assert R[:, 0, 2] - R[:, 2, 0] == pytest.approx(4 * w * y, abs=1e-15)
    assert R[:, 1, 0] - R[:, 0, 1] == pytest.approx(4 * w * z, abs=1e-15)
    rate = (R[2:] - R[:-2]) / 0.04  # R. = R hat(w), by central differences
    hat = np.swapaxes(R[1:-1], 1, 2) @ rate
    spin = np.stack([hat[:, 2, 1], hat[:, 0, 2], hat[:, 1, 0]], axis=1)
    assert spin == pytest.approx(run.angular_velocity("link")[1:-1], abs=0.02)  # h^2 w^3/6 = 4e-3, and nmb
    moved = (run.position("link")[2:] - run.position("link")[:-2]) / 0.04
    assert moved == pytest.approx(run.velocity("link")[1:-1], abs=0.02)


def test_energy_is_the_sum_of_its_parts():
    run = usual("free")
    assert np.array_equal(run.energy, run.kinetic + run.potential)
    assert run.potential == pytest.approx(1.2 * 9.81 * run.position("link")[:, 2])


def test_a_run_says_what_it_is():
    run = usual("spherical")
    assert repr(run) == "Run(nmb, step=0.02, 10 steps, 11 samples, t = 0 .. 0.2)"
    assert (run.method.name, run.step, run.steps, run.every) == ("nmb", 0.02, 10, 1)
    assert run.versions["poinsot"] == ps.__version__
    assert not run.interrupted


# states


def test_a_run_gives_the_states_of_its_samples():
    run = usual("free")
    for k, time in ((0, 0.0), (5, 0.1), (10, 0.2)):
        state = run.at(time)
        assert state.time == run.time[k]
        assert np.array_equal(state.q, run.joint("link")[k])
        assert np.array_equal(state.v, run.rate("link")[k])
    assert run.at(0.2) is run.final  # with all that the method remembers
    rest = ps.simulate(run.mechanism, run.at(0.1), "nmb", step=0.02, steps=5)
    assert rest.final.v == pytest.approx(run.final.v, rel=1e-12)
    for time in (-0.01, 0.21):
        with pytest.raises(ps.ModelError, match=r"outside 0 \.\. 0\.2"):
            run.at(time)
    for time in (np.nan, None, "1", (0.1,)):
        with pytest.raises(ps.ModelError, match="run: time must be"):
            run.at(time)


# report


def test_drift_measures_band_and_slope():
    """A sine A sin(a t) of whole periods over T has the least-squares slope -12 A/(a T^2)."""
    t = np.linspace(0.0, 2.0, 4001)
    one = drift(t, 3.0 + 0.5 * t + 1e-3 * np.sin(20 * np.pi * t), scale=4.0)
    assert one.slope == pytest.approx(0.5 - 12e-3 / (20 * np.pi * 4), rel=1e-6)
    assert one.band == pytest.approx(1.0, abs=2e-3)
    assert one.trend == pytest.approx(1.0, abs=1e-3)
    assert one.relative_band == one.band / 4.0
    both = drift(t, np.stack([t, -3 * t], axis=1), scale=1.0)
    assert (both.band, both.slope) == (pytest.approx(6.0), pytest.approx(-3.0))
    still = drift(np.array([1.0]), np.array([5.0]), scale=0.0)
    assert (still.band, still.slope, still.relative_band, still.relative_trend) == (0, 0, 0, 0)


def test_a_report_is_a_table():
    report = usual("spherical").report()
    title, head, *rows, changed, cost = str(report).splitlines()
    assert title == "nmb: Explicit Newmark, body frame, step 0.02, until t = 0.2"
    assert head.split() == ["band", "relative", "slope", "x", "T"]
    assert [row[:18].strip() for row in rows] == ["energy", "angular momentum", "orthogonality"]
    assert changed == "not conserved here: linear momentum (gravity, joint to the world)"
    for row in rows:
        line = row[:18].strip()
        one = getattr(report, line.replace(" ", "_"))
        values = [float(number) for number in row[18:51].split()]
        assert values == pytest.approx([one.band, one.relative_band, one.trend], rel=6e-3, abs=1e-300)
    assert re.fullmatch(r"10 steps, 10 torque evaluations, \d+ iterations, \S+ s", cost)
    assert report.seconds > 0
    assert dataclasses.asdict(report)["energy"]["band"] == report.energy.band


def test_a_report_measures_the_run():
    run = usual("spherical")
    report, L = run.report(), run.angular_momentum[:, 2]
    assert report.energy.band == pytest.approx(np.ptp(run.energy), rel=1e-9)
    assert report.energy.slope == pytest.approx(np.polyfit(run.time, run.energy, 1)[0], rel=1e-6)
    assert report.angular_momentum.band == pytest.approx(np.ptp(L), rel=1e-9)  # along gravity
    assert report.orthogonality.band < 1e-15
    assert report.evaluations == run.evaluations == 10
    assert report.iterations == run.iterations > 0


def push(t, R, w, p, v):
    return 1.0, 0.0, 0.0


KEPT = {  # what nature keeps: energy (less work), angular and linear momentum
    "free": (lambda: run_of("free"), (True, True, True)),
    "held at the origin": (lambda: run_of("spherical"), (True, True, False)),
    "held elsewhere": (lambda: run_of("spherical", at=(1, 0, 0)), (True, False, False)),
    "pushed": (lambda: run_of("free", ps.Torque("link", push)), (True, False, False)),
    "struck": (lambda: run_of("free", ps.Impulse("link", 0.1, torque=(1, 0, 0))), (False, False, False)),
}


@pytest.mark.parametrize("case", KEPT)
def test_a_report_has_rows_for_what_is_kept_and_names_the_rest(case):
    run, kept = KEPT[case]
    report = run().report()
    assert tuple(getattr(report, name.replace(" ", "_")).kept for name in LINES[:3]) == kept
    names = [*(row[0] for row in report.rows()), *report.zero]
    assert [name in names for name in LINES[:3]] == [*kept]
    assert [name in report.not_conserved for name in LINES[:3]] == [not keeps for keeps in kept]
    for line, keeps in zip(LINES[:3], kept, strict=True):
        if keeps:  # nmb at this step: a few thousandths
            assert getattr(report, line.replace(" ", "_")).relative_band < 0.01


def test_auto_says_why():
    run = run_of("spherical", method="auto")
    assert run.method.symplectic
    assert run.reason.startswith("auto: ")
    assert run.reason in str(run.report()).splitlines()[0]


def test_a_report_belongs_to_the_run_and_not_to_what_becomes_of_the_mechanism():
    run = run_of("free")
    before = str(run.report())
    run.mechanism.apply(ps.Torque("link", push))
    assert str(run.report()) == before


def test_a_run_plots_to_a_file(tmp_path):
    figure = usual("free").plot(tmp_path / "drift.svg")
    assert len(figure.axes) == 2
    assert (tmp_path / "drift.svg").read_text().startswith("<?xml")
