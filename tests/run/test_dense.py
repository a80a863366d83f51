"""Dense output: `run.at` and `run.resample` between the samples, for every method, beside other solutions."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.accuracy.reference import dop853
from poinsot.compile.one_body import compile_body
from poinsot.compile.tree import compile_tree
from poinsot.mechanics.algorithms import acceleration, rates
from support.harness import SYSTEMS
from support.order import COARSEST, COUNTS, FLOOR

TIME = 2.0
INSIDE = 0.4  # of the last step that is not made: TIME lies inside it
METHODS = {method.name: method for method in ps.methods()}
ORDERS = [name for name, method in METHODS.items() if method.order is not None and name != "dop853"]


def exact(system):
    """SciPy's DOP853 on the equations of one body."""
    m, start = SYSTEMS[system]()
    body = compile_body(m)
    q, v = body.from_core(dop853(body, start, 1, TIME)[None])
    return m, start, ps.State(TIME, q[0], v[0])


def distance(a, b):
    """Largest difference of two states of one body; q and -q are the same rotation."""
    quaternion = slice(-4, None)
    q = b.q.copy()
    q[quaternion] *= math.copysign(1.0, float(a.q[quaternion] @ q[quaternion]))
    return max(np.abs(a.q - q).max(), np.abs(a.v - b.v).max())


def measured(order, error):
    """Slope of the errors of the three finest numbers of steps above the floor, over the step."""
    counts = COUNTS[COARSEST[order] <= COUNTS]
    errors = np.array([error(n) for n in counts])
    seen = errors > FLOOR
    assert seen[:3].all(), "too few points above round-off"
    return -np.polyfit(np.log(counts[seen][-3:] - INSIDE), np.log(errors[seen][-3:]), 1)[0]


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")  # the coarsest steps
@pytest.mark.parametrize("name", ORDERS)
def test_every_method_has_its_order_inside_a_step(name):
    order = METHODS[name].order
    m, start, end = exact("free" if METHODS[name].scope == "free" else "heavy")

    def error(n):
        run = ps.simulate(m, start, name, step=TIME / (n - INSIDE), steps=int(n))
        assert run.dense_output == ("own step", order)
        assert run.time[-2] < TIME < run.time[-1]
        return distance(run.at(TIME), end)

    few = 0.25 if order == 8 else 0.1  # three coarse steps above rounding
    assert measured(order, error) == pytest.approx(order, abs=few)


def test_an_exact_method_is_exact_everywhere():
    m, start, end = exact("free")
    run = ps.simulate(m, start, "exact", step=TIME / 2.7, steps=3)
    assert run.dense_output == ("own step", None)
    assert distance(run.at(TIME), end) < 1e-12


def arm():
    """A tree with every kind of coordinate: a slide, hinges, a ball, and a free body on it."""
    m = ps.Mechanism()
    m.add("cart", ps.Body(2.0, (0.1, 0.1, 0.1)), ps.Prismatic((1, 0, 0)))
    m.add("ball", ps.Body(1.0, (0.1, 0.2, 0.25), (0.1, 0.0, -0.4)), ps.Spherical(), "cart", (0, 0, 0.1))
    m.add("tip", ps.Body(0.5, (0.02, 0.03, 0.04), (0.2, 0, 0)), ps.Universal((0, 1, 0), (1, 0, 0)), "ball")
    m.add("moon", ps.Body(0.3, (0.01, 0.02, 0.03)), ps.Free())
    state = {
        "cart": {"speed": 0.3},
        "ball": {"rotation": ps.quaternion.exp((0.7, 0.2, 0.1)), "angular_velocity": (0.5, 1.0, 0.2)},
        "tip": {"angles": (0.4, -0.3), "rates": (1.0, 0.5)},
        "moon": {"position": (1, 2, 3), "velocity": (0.1, 0, 2), "angular_velocity": (1, 2, 3)},
    }
    return m, m.state(state)


@pytest.mark.parametrize(("method", "tolerance"), [("dop853", 1e-12), ("dop853(tolerance=1e-9)", 1e-9)])
def test_dop853_keeps_its_tolerance_between_the_steps(method, tolerance):
    """SciPy's DOP853 at a tighter tolerance is the witness."""
    m, start = arm()
    run = ps.simulate(m, start, method, step=0.25, until=1.0)
    tree, nq = compile_tree(m), len(start.q)

    def field(t, y):
        return np.concatenate([rates(tree, y[:nq], y[nq:]), acceleration(tree, t, y[:nq], y[nq:])])

    times = np.linspace(0.003, 0.997, 29)
    y0 = np.concatenate([start.q, start.v])
    found = solve_ivp(field, (0, 1), y0, "DOP853", times, rtol=3e-14, atol=1e-15).y.T
    fine = run.resample(times).trajectory
    scale = np.abs(found).max()
    assert np.abs(np.hstack([fine.q, fine.v]) - found).max() < 10 * tolerance * scale


@pytest.mark.parametrize("name", ["gauss3", "variational", "rk4"])
def test_samples_and_states_between_them_are_one_motion(name):
    """Sampled every seventh step, the states are those of the run that samples all, but for rounding."""
    m, start = arm()
    whole = ps.simulate(m, start, name, step=0.01, steps=70)
    few = ps.simulate(m, start, name, step=0.01, steps=70, every=7)
    for i in range(0, 70, 3):
        assert np.abs(few.at(whole.time[i]).q - whole.trajectory.q[i]).max() < 1e-12
        assert np.array_equal(whole.at(whole.time[i]).v, whole.trajectory.v[i])
    times = np.linspace(0.0, 0.7, 41)
    a, b = whole.resample(times), few.resample(times)
    assert np.abs(a.trajectory.q - b.trajectory.q).max() < 1e-12
    assert np.array_equal(a.at(0.123).q, whole.at(0.123).q)
    assert a.position("tip").shape == (41, 3)
    assert a.time[-1] == 0.7
    ends = [np.abs(whole.at(whole.time[5] - d).v - whole.at(whole.time[5] + d).v).max() for d in (1e-9, 1e-7)]
    assert ends[0] < 1e-6  # continuous: the acceleration is about 20, and no jump of the method is larger


def test_a_loop_stays_closed_between_the_steps():
    s = ps.scenario("four-bar")
    fine = ps.simulate(s.mechanism, s.start, "variational6", step=0.00125, until=0.3)
    errors = []
    for h in (0.01, 0.005):
        run = ps.simulate(s.mechanism, s.start, "variational4", step=h, until=0.3)
        for t in (0.0137, 0.1525, 0.2951):
            gaps = ps.dynamics.loop_constraints(s.mechanism, run.at(t)).residuals
            assert max(np.abs(gap).max() for gap in gaps.values()) < 1e-12
        offs = [np.abs(run.at(fine.time[i]).q - fine.trajectory.q[i]).max() for i in (1, 101, 141, 235)]
        errors.append(max(offs))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.3)


def push(t, R, w, p, v):
    return (0.0, 0.0, 0.0, 2.0 if t < 0.4 else -3.0, 0.0, 0.0)


def pushed():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("puck", ps.Body(2.0, (1, 1, 1)), ps.Free())
    m.apply(ps.Wrench("puck", push, switches=(0.4,)), ps.Impulse("puck", 0.6, force=(0, 4, 0)))
    return m


def path(t):
    """Closed form: x by the two forces, y by the impulse; the work of the forces."""
    late, after = max(t - 0.4, 0.0), max(t - 0.6, 0.0)
    early = min(t, 0.4)
    x = 0.5 * early**2 + 0.4 * late - 0.75 * late**2
    return np.array([x, 2 * after, 0.0]), 2.0 * 0.5 * early**2 - 3.0 * (x - 0.5 * 0.4**2) * (late > 0)


@pytest.mark.parametrize(("method", "every"), [("cf4", 1), ("cf4", 5), ("rkmk4", 3), ("dop853", 1)])
def test_jumps_of_forces_and_impulses_between_samples(method, every):
    m = pushed()
    run = ps.simulate(m, m.state(), method, step=0.1, until=1.5, every=every)
    for t in (0.05, 0.33, 0.4, 0.4321, 0.599, 0.6001, 0.65, 1.234):
        fine = run.resample([t])
        position, work = path(t)
        assert fine.position("puck")[0] == pytest.approx(position, abs=3e-14)
        assert fine.work[0] == pytest.approx(work, abs=3e-14)
        assert run.at(t).time == t


def held(t, state, memory):
    return [math.sin(7 * t)], memory


def test_inputs_of_a_controller_are_known_at_every_step_only():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("cart", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    controller = ps.Controller(held, period=0.1, inputs=["cart"])
    arguments = dict(step=0.05, until=1.0, controller=controller)
    run = ps.simulate(m, m.state(), "gauss2", **arguments)
    assert run.dense_output == ("own step", 4)
    fine = ps.simulate(m, m.state(), "gauss2", **{**arguments, "step": 0.0125})
    for i, t in enumerate(fine.time):
        assert np.abs(run.at(t).q - fine.trajectory.q[i]).max() < 1e-14  # parabolas: exact
    assert run.resample([0.13, 0.17]).input("cart")[:, 0].tolist() == run.input("cart")[[2, 2], 0].tolist()
    few = ps.simulate(m, m.state(), "gauss2", every=4, **arguments)
    assert few.dense_output == ("Hermite", 3)


def turned(t):
    return 0.3 * math.sin(5 * t)


@pytest.mark.parametrize("controlled", [False, True])
def test_the_forces_of_a_drive_between_samples(controlled):
    """A driven arm on a cart, which a controller may push: a finer run is the witness."""
    m = ps.Mechanism().add("cart", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    m.add("arm", ps.Body(0.5, (0.1, 0.1, 0.1), (0, 0, -0.4)), ps.Revolute((0, 1, 0)), "cart")
    m.apply(ps.Drive("arm", turned))
    start = m.state({"arm": {"rate": 1.5}})
    controller = ps.Controller(held, period=0.1, inputs=["cart"]) if controlled else None
    run = ps.simulate(m, start, "gauss4", step=0.05, until=0.6, controller=controller)
    fine = ps.simulate(m, start, "gauss4", step=0.0125, until=0.6, controller=controller)
    found = run.resample(fine.time)
    assert np.abs(found.trajectory.q - fine.trajectory.q).max() < 1e-10
    assert np.abs(found.work - fine.work).max() < 1e-10
    assert np.abs(found.input("arm") - fine.input("arm")).max() < 1e-9
    if controlled:
        assert np.abs(found.input("cart") - fine.input("cart"))[:-1].max() == 0


def sway(t, R, w, p, v):
    return (0.3 * math.sin(t), 0.0, 0.2 * R[0][1])


def test_a_loaded_run_without_its_forces_is_interpolated(tmp_path):
    m, start = arm()
    m.apply(ps.Torque("ball", sway))
    times = np.linspace(0.011, 0.379, 23)
    exactly = ps.simulate(m, start, "dop853", step=0.1, until=0.4).resample(times).trajectory
    errors = []
    for h in (0.04, 0.02, 0.01):
        run = ps.simulate(m, start, "gauss3", step=h, until=0.4)
        run.save(tmp_path / f"{h}.poinsot")
        loaded = ps.load(tmp_path / f"{h}.poinsot")
        assert loaded.dense_output == ("Hermite", 3)
        assert np.array_equal(loaded.at(0.2).q, run.at(0.2).q)
        fine = loaded.resample(times).trajectory
        assert np.abs(fine.orthogonality).max() < 1e-15
        errors.append([np.abs(fine.q - exactly.q).max(), np.abs(fine.v - exactly.v).max()])
    orders = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert orders[:, 0].tolist() == pytest.approx([4, 4], abs=0.3)
    assert orders[:, 1].tolist() == pytest.approx([3, 3], abs=0.3)


def test_a_time_within_rounding_of_a_sample_is_that_sample():
    m, start = arm()
    run = ps.simulate(m, start, "gauss2", step=0.1, steps=7)
    assert run.time[3] != 0.3  # 3 * 0.1
    assert run.at(0.3).time == run.time[3]
    assert run.at(math.nextafter(run.final.time, 1.0)) is run.final


def test_what_is_wrong_with_times_is_said(tmp_path):
    m, start = arm()
    run = ps.simulate(m, start, "gauss2", step=0.1, steps=7)
    for times in ([], "1", [0.2, 0.1], [0.1, np.nan], [[0.1]], 0.1, None):
        with pytest.raises(ps.ModelError, match="run: times must"):
            run.resample(times)
    for times in ([-0.1, 0.2], [0.1, 0.8]):
        with pytest.raises(ps.ModelError, match=r"run: times must lie in 0 \.\. 0\.7"):
            run.resample(times)
    with pytest.raises(ps.ArchiveError, match="a resampled run cannot be saved"):
        run.resample([0.1, 0.2]).save(tmp_path / "x")
