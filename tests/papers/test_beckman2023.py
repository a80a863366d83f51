"""Beckman (2023): shipped records against numbers of other programs, and checks of the helpers."""

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import poinsot as ps
from poinsot.gallery.reproduction import reproduce, stored_record
from poinsot_papers.beckman2023 import (
    _cart,
    _dlog,
    _pitch_cone,
    _printed,
    _tqdl,
    _variational,
    adjoint,
    drepe,
    euler_angles,
    log,
    planar_cart,
    rig,
    tkstar,
)
from support.data import load

QUICK = (
    "adjoint",
    "dele-start",
    "disp4",
    "dlog",
    "drepe",
    "errata",
    "forced",
    "log",
    "start",
    "tkstar",
    "tqdl-step",
)
REFERENCE = load("beckman2023.json")


def measured(name: str) -> Any:
    record = stored_record(f"beckman2023/{name}")
    assert record is not None
    return record["measured"]


@pytest.mark.parametrize("name", QUICK)
def test_quick_experiments_have_not_moved(name: str) -> None:
    assert reproduce(f"beckman2023/{name}").moved == []


# its scheme


def test_one_step_is_that_of_another_program() -> None:
    w, q = _tqdl.step(_tqdl.MOMENTS, _tqdl.SPIN, _tqdl.ROTATION, 0.03)
    assert w == pytest.approx(REFERENCE["step"]["wb"], abs=1e-15)
    assert q == pytest.approx(REFERENCE["step"]["q"], abs=1e-15)
    assert _tqdl.rotated(q, w) == pytest.approx(REFERENCE["step"]["ws"], abs=1e-14)


def test_quaternions_turn_as_those_of_the_library() -> None:
    q, x = _tqdl.unit((0.3, -0.5, 0.7, 0.2)), (1.0, -2.0, 0.5)
    assert _tqdl.rotated(q, x) == pytest.approx(ps.quaternion.apply(q, x), abs=1e-15)
    assert _tqdl.rotated(q, _tqdl.rotated_back(q, x)) == pytest.approx(x, abs=1e-15)


def test_coupled_rk4_is_the_rk4_of_the_library() -> None:
    """Ten steps of the rig; the two differ in how a quaternion that is not of length one rotates."""
    run = ps.simulate(*rig.on_a_ball_joint(rig.MOMENTS, rig.WEIGHT, rig.ROTATION), "rk4", step=0.01, steps=10)
    w, q = _tqdl.ZERO, rig.ROTATION
    for _ in range(10):

        def torque(q: Any) -> Any:
            c = rig.center_of_mass(q)
            return -rig.G * c[1], rig.G * c[0], 0.0

        w, q = _tqdl.coupled(rig.MOMENTS, w, q, 0.01, torque)
    assert w == pytest.approx(run.angular_velocity("baton")[-1], abs=1e-9)  # measured 5e-10, h^5 is 1e-10
    assert q == pytest.approx(run.quaternion("baton")[-1], abs=1e-10)  # measured 1e-11


@pytest.mark.parametrize(("h", "scheme", "energy", "over"), REFERENCE["rig"]["rows"])
def test_the_rig_gains_what_another_program_finds(h: float, scheme: Any, energy: float, over: float) -> None:
    record = measured("rig")
    name = {True: "its scheme", False: "its scheme, torque of the step", "properRK4": "rk4"}[scheme]
    row = record["table"][f"{name}, h={h:g}"]
    assert row["energy"] == pytest.approx(
        energy, rel=2e-4 if scheme == "properRK4" and h > 0.001 else 1e-6, abs=1e-9
    )
    assert (row["5 degrees short of the top at"] or -1) == pytest.approx(over, abs=1e-9)
    assert record["margin"] == pytest.approx(REFERENCE["rig"]["margin"], rel=1e-7)


@pytest.mark.parametrize(("lagging", "energy"), [(True, 29.248886608756514), (False, 13.478263650231343)])
def test_the_scheme_gains_energy_here_and_now(lagging: bool, energy: float) -> None:
    found, _ = rig.notebook(0.01, lagging)
    assert found[-1] - found[0] == pytest.approx(energy, rel=1e-12)


def test_the_energy_of_the_variational_rig_is_a_band_of_second_order() -> None:
    table = measured("rig")["table"]
    coarse, fine = (table[f"variational, h={h}"]["largest"] for h in ("0.01", "0.001"))
    assert coarse == pytest.approx(9.6e-3, rel=0.05)
    assert coarse / fine == pytest.approx(100, rel=0.05)


def test_dzhanibekov_leaks_and_wiggles_as_found_elsewhere() -> None:
    one, other = measured("dzhanibekov-leak"), REFERENCE["dzhanibekov"]
    assert one["energy"] == pytest.approx(other["rk4_1e6"]["0.01"], rel=1e-4)
    assert one["largest wiggle"] == pytest.approx(other["wiggle"], rel=0.02)  # theirs is at samples
    assert one["difference of w in 1 s"] < 1e-12


@pytest.mark.parametrize("h", ["0.01", "0.03"])
def test_bands_and_drifts_of_dzhanibekov(h: str) -> None:
    record, other = measured("dzhanibekov-step"), REFERENCE["dzhanibekov"]
    ours, rk4 = record[f"variational, h={h}"], record[f"rk4, h={h}"]
    assert ours["largest"] == pytest.approx(other["variational"][h], rel=0.01)
    assert abs(ours["drift"]) < 1e-3 * ours["largest"]
    assert ours["momentum"] < 1e-11
    assert rk4["largest"] == pytest.approx(-other["rk4_1e6"][h], rel=0.01)
    assert abs(rk4["drift"]) > 0.4 * rk4["largest"]  # the control: a drift is seen where there is one


# dlog


@pytest.mark.parametrize("k", range(5))
def test_the_exact_dlog_and_the_distance_of_the_printed_one(k: int) -> None:
    one, printed = REFERENCE["dlog"][k], _printed.DLOGS[k]
    assert list(printed.twist) == one["twist"]
    assert ps.se3.dexpinv(printed.twist) == pytest.approx(np.array(one["exact"]), abs=1e-12)
    assert measured("dlog")["printed - exact"][k] == pytest.approx(one["printed_minus_exact"], rel=1e-3)


def test_bernoulli_numbers() -> None:
    for n in (0, 1, 2, 3, 4, 12, 30):
        value = sympy.Rational(-1, 2) if n == 1 else sympy.bernoulli(n)
        assert _dlog.bernoulli(n) == sympy.Rational(value)


@pytest.mark.parametrize(("series", "repaired"), [(_variational.EXACT, True), (_variational.NOTEBOOK, False)])
def test_the_series_are_those_of_the_loop(series: Any, repaired: bool) -> None:
    J, x = np.diag([0.5, 0.7, 0.9]), np.array([0.4, -0.3, 0.5])
    block = _dlog.loop([*x, 0, 0, 0], repaired).matrix[:3, :3]
    assert _variational.momentum(series, J, x) == pytest.approx(block.T @ J @ x, abs=1e-15)


@pytest.mark.parametrize("series", [_variational.EXACT, _variational.NOTEBOOK])
def test_the_slope_of_the_momentum_by_differences(series: Any) -> None:
    J, x, e = np.diag([0.5, 0.7, 0.9]), np.array([0.4, -0.3, 0.5]), 1e-5
    columns = [
        (_variational.momentum(series, J, x + e * d) - _variational.momentum(series, J, x - e * d)) / (2 * e)
        for d in np.eye(3)
    ]
    assert _variational.slope(series, J, x) == pytest.approx(np.array(columns).T, abs=1e-10)


def test_the_slip_in_dlog_gains_energy_and_the_true_one_does_not() -> None:
    one = measured("dlog-integrator")
    assert one["end"]["its dlog"] == pytest.approx(REFERENCE["dzhanibekov"]["bugged_end"], rel=1e-3)
    assert one["largest"]["true dlog"] == pytest.approx(
        REFERENCE["dzhanibekov"]["variational"]["0.03"], rel=0.01
    )
    assert abs(one["drift"]["true dlog"]) < 1e-5
    assert one["witness"] < 1e-9


def test_the_numpy_step_keeps_its_energy_on_the_rig_as_the_compiled_one() -> None:
    m, start = rig.on_a_ball_joint(rig.MOMENTS, rig.WEIGHT, rig.ROTATION)
    run = ps.simulate(m, start, "variational", step=0.01, steps=200)
    rotations, momenta = _variational.path(
        _variational.EXACT,
        rig.MOMENTS,
        ps.quaternion.matrix(rig.ROTATION),
        np.zeros(3),
        0.01,
        200,
        rig.WEIGHT,
    )
    assert rotations == pytest.approx(run.rotation("baton"), abs=1e-11)
    energy = _variational.energy(rig.MOMENTS, rotations, momenta, rig.WEIGHT)
    assert energy == pytest.approx(run.energy, abs=1e-10)


# adjoints, log, DREPE, force


def test_the_printed_adjoint() -> None:
    assert measured("adjoint")["Ad V"] == pytest.approx(REFERENCE["Ad"], abs=1e-8)
    T = np.array(adjoint.POSE)
    assert ps.se3.Ad(T, adjoint.TWIST) == pytest.approx(REFERENCE["Ad"], abs=1e-12)
    assert measured("adjoint")["largest difference"] < measured("adjoint")["what rounding leaves"]


def test_the_logarithm_by_acos_is_right_where_it_should_be() -> None:
    for angle in (1e-5, 0.0099, 0.0101, 1.0):
        x = angle * log.AXIS
        assert log.by_acos(ps.so3.exp(x)) == pytest.approx(x, rel=1e-12, abs=0)


def test_the_residuals_of_drepe() -> None:
    one, other = measured("drepe"), REFERENCE["drepe"]
    assert one["literal loop"] == pytest.approx(other["norm_literal_loop"], abs=5e-15)  # 10 eps of 0.48
    assert one["exact dlog"] == pytest.approx(other["norm_exact_dlog"], abs=5e-15)
    assert one["root w"] == pytest.approx(other["root_omega"], abs=5e-10)  # ten digits
    assert one["proposed w"] == pytest.approx(other["seed_T2_omega"], abs=5e-10)


def test_the_residual_vanishes_on_a_variational_run() -> None:
    s = ps.scenario("dzhanibekov")
    R = ps.simulate(s.mechanism, s.start, "variational", step=0.03, steps=3).rotation("nut")
    poses = np.tile(np.eye(4), (4, 1, 1))
    poses[:, :3, :3] = R
    assert np.abs(drepe.residual(*poses[1:], 0.03, ps.se3.dexpinv)).max() < 1e-14
    assert np.abs(drepe.residual(*poses[1:], 0.03, drepe.literal)).max() > 1e-10  # the slip is seen


def test_the_guess_for_the_force_and_the_gradient() -> None:
    T = np.eye(4)
    T[:3, :3] = REFERENCE["tkstar"]["R"]
    assert tkstar.guess(T) == pytest.approx(REFERENCE["tkstar"]["seed_value"], abs=1e-12)
    assert tkstar.gradient(T) == pytest.approx(REFERENCE["tkstar"]["true_gradient"], abs=1e-12)


def test_every_erratum_is_seen_and_cured() -> None:
    record = measured("errata")
    for name, bad in record["as printed"].items():
        assert record["corrected"][name] < 1e-8 * bad
    assert min(record["as printed"].values()) > 1e-4


# pitch and cone


def test_momenta_are_derivatives_of_the_discrete_lagrangian() -> None:
    A, B, h = _pitch_cone.A, _pitch_cone.B, 0.02

    def action(q: Any) -> float:
        (d, e), (v, w) = (q[:2] + q[2:]) / 2, (q[2:] - q[:2]) / h
        return float(h * (A / 2 * (v * v + (np.cos(d) * w) ** 2) - B * np.cos(d) * np.cos(e)))

    q, e = np.array([0.3, -0.4, 0.35, -0.3]), 1e-5
    slopes = np.array([(action(q + e * n) - action(q - e * n)) / (2 * e) for n in np.eye(4)])
    found = _pitch_cone.momenta(_pitch_cone.Point(*q[:2]), *q[2:], h)
    assert found == pytest.approx([*-slopes[:2], *slopes[2:]], abs=1e-8)


def test_the_equations_of_motion_are_those_of_sympy() -> None:
    t, (d, e) = dynamicsymbols._t, dynamicsymbols("d e")
    A, B = _pitch_cone.A, _pitch_cone.B
    L = A / 2 * (d.diff(t) ** 2 + (sympy.cos(d) * e.diff(t)) ** 2) - B * sympy.cos(d) * sympy.cos(e)
    method = LagrangesMethod(L, (d, e))
    method.form_lagranges_equations()
    y = (0.3, -0.4, 0.7, 1.5)
    values = dict(zip((d.diff(t), e.diff(t), d, e), (*y[2:], *y[:2]), strict=True))
    assert _pitch_cone.field(y) == pytest.approx([float(row.subs(values)) for row in method.rhs()], rel=1e-12)


def test_the_slope_of_newton_by_differences() -> None:
    x, q, h, e = _pitch_cone.Point(0.3, -0.4), np.array([0.35, -0.3]), 0.02, 1e-5
    columns = [
        (np.array(_pitch_cone.momenta(x, *(q + n), h)[:2]) - _pitch_cone.momenta(x, *(q - n), h)[:2])
        / (2 * e)
        for n in e * np.eye(2)
    ]
    assert _pitch_cone.slope(x, *q, h) == pytest.approx(np.array(columns).T.ravel(), abs=1e-7)


def test_angular_momentum_in_pitch_and_cone() -> None:
    """Against l^2 n x n' of the direction."""
    x = _pitch_cone.Point(0.3, -0.4, 0.7, 0.5)
    v, w, e = x.p_delta / _pitch_cone.A, x.p_eta / (_pitch_cone.A * np.cos(x.delta) ** 2), 1e-6
    n, after, before = (
        np.array(_pitch_cone.direction(x.delta + k * e * v, x.eta + k * e * w)) for k in (0, 1, -1)
    )
    L = _pitch_cone.A * np.cross(n, (after - before) / (2 * e))
    assert _pitch_cone.angular_momentum(x) == pytest.approx(L[2], abs=1e-9)


def test_the_ground_truth() -> None:
    one, other = measured("ground-truth"), REFERENCE["pendulum"]
    assert one["period"] == pytest.approx(other["period"], rel=1e-9)
    assert one["energy"] == pytest.approx(other["energy"], rel=1e-9)
    assert one["state at 10"] == pytest.approx(other["pitch_cone_at_10"], abs=1e-7)
    assert _pitch_cone.direction(*one["state at 10"][:2]) == pytest.approx(other["direction_at_10"], abs=1e-7)


def test_the_first_steps_of_dele() -> None:
    one, other = measured("dele-start"), REFERENCE["dele"]
    assert one["found"] == [pytest.approx(other[key], abs=1e-10) for key in ("boot", "second")]
    assert one["offset"] == pytest.approx(other["boot_offset"], rel=1e-3)


def test_dele_leaves_the_margin_when_it_should() -> None:
    one = measured("dele")
    assert one["margin"] == pytest.approx(REFERENCE["dele"]["margin"], rel=1e-7)
    for h, time in REFERENCE["dele"]["leaves"]:
        row = one["rows"][f"{h:g}"]
        assert row["left"]
        assert row["leaves at"] == pytest.approx(time, abs=2 * h)  # a step more or less: rounding decides
    points = _pitch_cone.path(0.01, 1000, one["margin"])
    assert len(points) - 1 == pytest.approx(617, abs=2)
    assert one["SO(3)"]["largest"] == pytest.approx(REFERENCE["pendulum"]["variational_largest"], rel=0.01)
    assert one["SO(3)"]["momentum"] < 1e-11


# 4DISP


@pytest.mark.parametrize(("cart", "key"), [("cart 0 kg", "Mc0"), ("cart 1 kg", "Mc1")])
def test_4disp_is_that_of_another_program(cart: str, key: str) -> None:
    one, other = measured("disp4")[cart], REFERENCE["disp4"][key]
    assert one["place at 2 s"] == pytest.approx(other["place_at_2"], abs=1e-9)
    assert one["largest energy change"] == pytest.approx(other["largest"], rel=0.01)
    assert one["rk4 energy at the end"] == pytest.approx(other["rk4_2e4"], rel=0.02)
    errors = dict(other["errors"])
    steps = measured("disp4")["step"]
    assert one["errors"] == pytest.approx([errors[h] for h in steps], rel=1e-3)  # four digits


@pytest.mark.parametrize("cart", ["cart 0 kg", "cart 1 kg", "cart 5 kg"])
def test_4disp_has_order_two_and_no_drift(cart: str) -> None:
    one = measured("disp4")[cart]
    assert one["order"] == pytest.approx(2.0, abs=0.02)
    assert one["two methods agree to"] < 1e-9
    assert abs(one["drift"]) < 1e-2 * one["largest energy change"]  # halves do not hold whole periods
    assert one["linear momentum"] < 1e-10


def test_the_start_costs_an_order() -> None:
    orders = measured("start")["orders"]
    assert orders["Legendre"] == pytest.approx(2.0, abs=0.02)
    assert orders["the first pose twice"] == pytest.approx(1.0, abs=0.1)


def test_the_baton_on_a_heavy_cart_is_a_pendulum_on_a_fixed_joint() -> None:
    """A cart of 1e9 kg does not move: the time of fall is that of the fixed ball joint."""
    m, start = _cart.baton_on_cart(1e9, (10.0, 0.0))
    fixed = ps.Mechanism()
    baton = ps.Body(1.0, _cart.MOMENTS, center_of_mass=(0.0, 0.0, _cart.LENGTH))
    fixed.add("baton", baton, ps.Spherical())
    alone = fixed.state({"baton": {"rotation": rig.ROTATION}})
    assert _cart.time_to_hang(m, start) == pytest.approx(_cart.time_to_hang(fixed, alone), abs=1e-7)


def test_the_planar_cart_has_the_accelerations_and_the_energy_of_the_compiled_tree() -> None:
    m, start = planar_cart.mechanism(0.7)
    state = ps.State(0.0, start.q, [0.4, -1.3])
    assert ps.dynamics.acceleration(m, state) == pytest.approx(planar_cart.acceleration(0.7, -1.3), rel=1e-12)
    kinetic, potential = ps.dynamics.energy(m, state)[:2]
    assert kinetic + potential == pytest.approx(planar_cart.energy(0.7, 0.4, -1.3), rel=1e-12)


def test_4disp_in_angles_has_the_energy_of_the_compiled_tree() -> None:
    q, rates = np.array([0.3, -0.2, 0.4, -0.6]), np.array([0.5, -0.7, 0.9, 0.3])
    a, b = euler_angles.slopes(q)
    n = ps.analytical.spaces.pitch_cone_direction(q[2:])
    m, start = _cart.baton_on_cart(euler_angles.CART, tuple(np.degrees(q[2:])))
    R = ps.quaternion.matrix(start.q[2:])
    assert R[:, 2] == pytest.approx(n, abs=1e-14)
    w = R.T @ np.cross(n, a * rates[2] + b * rates[3])  # no spin
    state = ps.State(0.0, [*q[:2], *start.q[2:]], [*rates[:2], *w])
    kinetic, potential = ps.dynamics.energy(m, state)[:2]
    assert rates @ euler_angles.mass(q) @ rates / 2 == pytest.approx(kinetic, rel=1e-12)
    assert euler_angles.potential(q) == pytest.approx(potential, rel=1e-12)


def test_the_torque_of_the_rig_is_a_sine() -> None:
    one = measured("whiplash")["rig"]
    tilt, torque = np.radians(one["tilt"][5:-5]), np.array(one["torque"][5:-5])
    assert torque == pytest.approx(11.772 * np.sin(tilt), abs=0.02)
