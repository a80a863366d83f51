"""Static figures: every kind is drawn, and shows what it should."""

from xml.etree import ElementTree

import numpy as np
import pytest

import poinsot as ps
from poinsot.plots.figure import envelope
from poinsot.plots.run_figures import KINDS, energy_error, momentum_error, portraits
from poinsot.plots.spy import mass_pattern, spy_figure
from poinsot_papers import claims


@pytest.fixture(scope="module")
def run():
    s = ps.scenario("fast-top")
    return ps.simulate(s.mechanism, s.start, "nmb", step=0.01, until=2.0)


@pytest.fixture(scope="module")
def arm():
    """Two hinges, a brake on the first, and something recorded."""
    s = ps.scenario("double-pendulum")
    brake = ps.Controller(lambda t, state, memory: ([-state.v[0]], memory), 0.01, ["upper"])
    record = {"speed": lambda t, state: abs(state.v), "late": lambda t, state: t > 0.1}
    return ps.simulate(s.mechanism, s.start, "rk4", step=0.01, steps=30, controller=brake, record=record)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_figure(run, arm, kind, tmp_path):
    path = tmp_path / f"{kind}.svg"
    assert (arm if kind in ("joints", "inputs", "recorded") else run).plot(path, kind=kind).axes
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_joints_inputs_and_records_are_drawn_with_their_units(run, arm):
    angles, rates, forces, torques = arm.plot(kind="joints").axes
    assert [axes.get_title(loc="left") for axes in (angles, rates, forces, torques)] == [
        "joint angles [rad]",
        "joint rates [rad/s]",
        "joint forces [N]",
        "joint torques [N m]",
    ]
    for axes, x in ((angles, arm.trajectory.q), (rates, arm.trajectory.v)):
        assert [line.get_label() for line in axes.lines] == ["upper", "lower"]
        assert np.array_equal([line.get_ydata() for line in axes.lines], x.T)
    pull = np.linalg.norm(arm.reaction("lower")[:, 3:], axis=1)
    assert np.array_equal(forces.lines[1].get_ydata(), pull)
    assert angles.get_shared_x_axes().joined(angles, torques)
    (held,) = arm.plot(kind="inputs").axes
    assert held.get_title(loc="left") == "upper: input [N m]"
    assert np.array_equal(held.lines[0].get_ydata(), arm.input("upper")[:, 0])
    speed, late = arm.plot(kind="recorded").axes
    assert np.array_equal([line.get_ydata() for line in speed.lines], arm.recorded["speed"].T)
    assert np.array_equal(late.lines[0].get_ydata(), arm.recorded["late"])
    assert len(arm.plot(kind="joints", body="upper").axes[0].lines) == 1
    with pytest.raises(ps.ScenarioError, match="had no controller and no drive"):
        run.plot(kind="inputs")
    with pytest.raises(ps.ScenarioError, match="recorded nothing: give simulate record="):
        run.plot(kind="recorded")


def test_torques_that_are_rounding_are_not_drawn():
    s = ps.scenario("double-pendulum")
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=50)
    titles = [axes.get_title(loc="left") for axes in run.plot(kind="joints").axes]
    assert titles == ["joint angles [rad]", "joint rates [rad/s]", "joint forces [N]"]


def test_a_legend_stands_beside_its_panel_and_a_notebook_gets_a_picture(run):
    figure = run.plot(kind="kinematics")
    assert figure._repr_png_().startswith(b"\x89PNG")
    figure.draw_without_rendering()
    for axes in figure.axes[:4]:
        assert axes.get_legend().get_window_extent().x0 >= axes.get_window_extent().x1
        colors = [(line.get_color(), line.get_linestyle()) for line in axes.lines]
        assert len(set(colors)) == len(colors)


def test_the_default_is_the_drift(run):
    assert [axes.get_yscale() for axes in run.plot().axes] == ["log", "log"]


@pytest.mark.parametrize("envelope", [envelope, claims.envelope])
@pytest.mark.parametrize("n", [500, 800, 801, 1199, 1200, 1599, 2001, 10_001])
def test_no_sample_is_left_out_of_an_envelope(n, envelope):
    time = np.arange(float(n))
    at, largest = envelope(time, time)
    assert np.array_equal(at, largest)  # the last sample of an interval is the largest of a rising line
    assert at[-1] == n - 1
    spikes = np.array([envelope(time, (time == k) * 1.0)[1].max() for k in range(0, n, 7)])
    assert spikes.min() == 1.0


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
def test_the_drift_is_drawn_to_the_end_of_the_run():
    """A run whose energy grows until it ends; its length leaves a third of the samples over 400 intervals."""
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "rk4", step=0.004, steps=1198)
    line, momentum = (axes.lines[0] for axes in run.plot().axes)
    E = run.energy - run.work
    far = np.abs(E - E[0]) / max(run.kinetic.max(), abs(E[0]))
    assert far.argmax() > 1100
    assert line.get_xdata()[-1] == momentum.get_xdata()[-1] == run.time[-1]
    assert line.get_ydata().max() == pytest.approx(far.max(), rel=1e-12)
    distance = run.plot(kind="kinematics").axes[-1].lines[0]
    assert distance.get_xdata()[-1] == run.time[-1]


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("steps", [1198, 2500])
def test_the_largest_errors_of_parts_are_those_of_the_whole(steps):
    """Parts that end inside an interval; the scale is that of the whole run."""
    s = ps.scenario("fast-top")
    whole = ps.simulate(s.mechanism, s.start, "rk4", step=0.004, steps=steps).trajectory

    class Parted:
        count, time, mechanism = whole.count, whole.time, whole.mechanism

        def parts(self):
            return whole.parts(most=333)

    for kind in (energy_error, momentum_error):
        time, error = kind.largest(Parted())
        expected = envelope(whole.time, kind(whole))
        assert np.array_equal(time, expected[0])
        assert error == pytest.approx(expected[1], rel=1e-12, abs=1e-300)


def test_energies_momenta_and_poses_are_drawn(run):
    energy, change = run.plot(kind="energy").axes
    T, V, total = (line.get_ydata() for line in energy.lines)
    assert np.array_equal(T, run.kinetic)
    assert np.array_equal(V, run.potential)
    assert np.array_equal(total, run.energy)
    assert np.array_equal(change.lines[0].get_ydata(), run.energy - run.energy[0])
    angular, linear = run.plot(kind="momenta").axes
    for axes, x in ((angular, run.angular_momentum), (linear, run.linear_momentum)):
        assert np.array_equal([line.get_ydata() for line in axes.lines], x.T)
    determinant, distance = run.plot(kind="se3").axes
    R = run.rotation("top")
    assert determinant.lines[0].get_ydata() == pytest.approx(np.linalg.det(R) - 1, abs=4e-15)
    assert distance.get_yscale() == "log"
    assert len(run.plot(kind="all").axes) == 10


def test_unknown_kinds_and_bodies(run):
    with pytest.raises(ps.ScenarioError, match="unknown figure 'drfit', did you mean 'drift'"):
        run.plot(kind="drfit")
    with pytest.raises(ps.ModelError, match="unknown body 'tip', did you mean 'top'"):
        run.plot(kind="phase", body="tip")


def test_the_phase_portrait_of_a_top_is_its_tilt(run):
    ((label, tilt, rate),) = portraits(run.trajectory, "top")
    assert "tilt" in label
    assert np.allclose(tilt, np.arccos(run.rotation("top")[:, 2, 2]))
    assert np.allclose(rate[1:-1], (tilt[2:] - tilt[:-2]) / 0.02)


def test_the_pattern_of_a_branched_tree():
    m = ps.Mechanism()
    body = ps.Body(1.0, (1, 1, 1))
    for name, parent in (("trunk", "world"), ("left", "trunk"), ("right", "trunk"), ("twig", "left")):
        m.add(name, body, ps.Spherical(), parent=parent, body_at=(0, 0, -1))
    blocks = mass_pattern(m)[::3, ::3]
    assert blocks.tolist() == [[1, 1, 1, 1], [1, 1, 0, 1], [1, 0, 1, 0], [1, 1, 0, 1]]
    assert mass_pattern(m).shape == (12, 12)


def test_a_spy_plot_says_how_full_the_matrix_is():
    figure = spy_figure(np.diag([1.0, 1e-3, 1e3, 0.0]), "test")
    assert figure.axes[0].get_xlabel() == "3 nonzero entries, 18.8 % of the matrix"
    with pytest.raises(ps.ModelError, match="expected a matrix"):
        spy_figure([1.0, 2.0])


def test_the_phase_portrait_of_a_hinge_is_its_angle_and_rate():
    s = ps.scenario("double-pendulum")
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=50)
    for name in run.mechanism.names:
        ((label, angle, rate),) = portraits(run.trajectory, name)
        assert label == f"{name}: angle"
        assert np.array_equal(angle, run.joint(name)[:, 0])
        assert np.array_equal(rate, run.rate(name)[:, 0])
    assert len(run.plot(kind="phase").axes) == 2


def test_the_kinematics_show_the_motion_of_the_body(run):
    """Nine entries of R, three of each vector, at all samples; then the distance to SE(3)."""
    figure = run.plot(kind="kinematics")
    shown = [line.get_ydata() for axes in figure.axes for line in axes.lines]
    assert len(shown) == 9 + 3 + 3 + 3 + 1
    R, w = run.rotation("top"), run.angular_velocity("top")
    assert all(np.array_equal(shown[3 * i + j], R[:, i, j]) for i in range(3) for j in range(3))
    assert all(np.array_equal(shown[12 + k], w[:, k]) for k in range(3))
    assert shown[-1].max() < 1e-14


def test_the_distance_to_se3_is_that_of_the_matrices_without_normalising():
    """With the method that never normalises, and on a chain with one that keeps the length."""
    s = ps.scenario("fast-top")
    raw = ps.simulate(s.mechanism, s.start, "rk4_raw", step=0.008, until=2.0)
    w, x, y, z = raw.trajectory.q.T
    R = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    R = np.moveaxis(np.array(R), -1, 0)
    far = np.linalg.norm(np.swapaxes(R, 1, 2) @ R - np.eye(3), axis=(1, 2))
    assert far.max() > 1e-4
    assert raw.distance_to_se3("top") == pytest.approx(far, rel=1e-9, abs=1e-14)
    drawn = raw.plot(kind="se3").axes[0].lines[0].get_ydata()
    assert drawn == pytest.approx(np.linalg.det(R) - 1, rel=1e-9, abs=1e-14)
    chain = ps.scenario("pendulum-4")
    run = ps.simulate(chain.mechanism, chain.start, "gauss3", step=0.01, steps=20)
    assert run.distance_to_se3(chain.mechanism.names[-1]).max() < 1e-14


def test_axes_have_no_frame_at_the_top_and_on_the_right(run):
    for axes in run.plot().axes:
        shown = {side for side, spine in axes.spines.items() if spine.get_visible()}
        assert shown == {"left", "bottom"}
