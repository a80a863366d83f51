"""Controllers: zero-order hold, the same bits however a run is cut, work, limits, archives and errors."""

import dataclasses
import signal

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.cache import tree_for
from poinsot.model.checks import show

H, STEPS, PERIOD = 0.02, 40, 3
METHODS = ("rk4", "gauss2", "newmark", "rkmk4", "dop853", "variational")
COLUMNS = ("time", "q", "v", "work", "inputs")


def crane():
    """A cart on a rail with a ball joint: four inputs."""
    m = ps.Mechanism()
    m.add("cart", ps.Body(1.0, (0, 0, 0)), ps.Prismatic((1, 0, 0)))
    m.add("arm", ps.Body(0.5, (0.1, 0.12, 0.08)), ps.Spherical(), parent="cart", body_at=(0.1, 0, -0.7))
    return m


def start(m, time=0.0):
    turn = ps.quaternion.exp((0.3, 0.2, 0.1))
    return m.state({"cart": dict(displacement=0.3), "arm": dict(rotation=turn)}, time=time)


def law(t, state, memory):
    """Everything a controller may use: state, time, and a memory of mixed data that it changes in place."""
    memory["count"] += 1
    memory["sum"] += state.q[1:3]
    k = memory["count"]
    return [-2.0 * state.q[0] - 0.5 * state.v[0] + np.sin(k), 0.02 * k, *(-0.1 * memory["sum"])], memory


MEMORY = {"count": 0, "sum": np.zeros(2), "more": (1, [None, "text"])}
INPUTS = ["cart", "arm"]


def controller(f=law, period=PERIOD * H, inputs=INPUTS, memory=MEMORY):
    return ps.Controller(f, period, inputs, memory=memory)


def run_of(m, state=None, method="rk4", **options):
    settings = {"step": H, "steps": STEPS, "controller": controller(), **options}
    return ps.simulate(m, state or start(m), method, **settings)


# what it does


def test_the_input_is_held_over_a_period():
    run = run_of(crane())
    seen = []
    memory = {"count": 0, "sum": np.zeros(2)}
    for k in range(0, STEPS, PERIOD):
        state = ps.State(run.time[k], run.trajectory.q[k], run.trajectory.v[k])
        u, memory = law(run.time[k], state, memory)
        seen += [u] * PERIOD
    assert run.input("cart").shape == (STEPS + 1, 1)
    found = np.hstack([run.input("cart"), run.input("arm")])
    assert np.array_equal(found[:STEPS], seen[:STEPS])
    assert np.array_equal(found[STEPS], found[STEPS - 1])


def test_a_held_force_is_a_joint_torque():
    """Constant inputs against the same constants as functions of the mechanism."""
    m = crane()
    held = run_of(m, controller=ps.Controller(lambda t, x, k: ([0.7, 0.1, -0.2, 0.05], k), H, INPUTS))
    m.apply(
        ps.JointTorque("cart", lambda t, q, v: 0.7), ps.JointTorque("arm", lambda t, q, v: (0.1, -0.2, 0.05))
    )
    other = ps.simulate(m, start(m), "rk4", step=H, steps=STEPS)
    assert held.trajectory.q == pytest.approx(other.trajectory.q, abs=1e-13)  # the order of sums differs
    assert held.work == pytest.approx(other.work, abs=1e-13)
    assert abs(other.work[-1]) > 0.01


@pytest.mark.parametrize("method", ["gauss3", "dop853"])
def test_the_work_of_the_motors_is_counted(method):
    run = run_of(crane(), method=method)
    assert np.ptp(run.work) > 0.3
    assert np.ptp(run.energy - run.work) < 1e-7 * np.ptp(run.energy)
    assert run.report().energy.kept
    assert run.report().energy.band < 1e-7 * np.ptp(run.energy)


def test_a_limit_saturates_and_the_applied_value_is_recorded():
    wild = ps.Controller(
        lambda t, x, k: ([np.inf, -3.0, 0.2, 9.0], k),
        H,
        [ps.Actuator("cart", limit=2.0), ps.Actuator("arm", limit=1)],
    )
    run = run_of(crane(), controller=wild)
    assert (run.input("cart") == 2.0).all()
    assert (run.input("arm") == [-1.0, 0.2, 1.0]).all()


def test_an_actuator_drives_one_component():
    one = ps.Controller(lambda t, x, k: (0.4, k), H, [ps.Actuator("arm", 1)])
    m = crane()
    run = run_of(m, controller=one)
    m.apply(ps.JointTorque("arm", lambda t, q, v: (0.0, 0.4, 0.0)))
    assert run.input("arm").shape == (STEPS + 1, 1)
    other = ps.simulate(m, start(m), "rk4", step=H, steps=STEPS)
    assert run.final.q == pytest.approx(other.final.q, abs=1e-13)


@pytest.mark.parametrize("joint", [ps.Spherical(), ps.Free()])
def test_one_body_runs_as_a_tree(joint):
    m = ps.Mechanism().add("body", ps.Body(1.2, (1.0, 1.3, 1.7), center_of_mass=(0.1, 0, 0.3)), joint)
    push = ps.Controller(lambda t, x, k: (-0.5 * x.v, k), H, ["body"])
    state = m.state({"body": dict(angular_velocity=(1, 2, 3))})
    run = ps.simulate(m, state, "rk4", step=H, steps=20, controller=push)
    assert np.ptp(run.energy - run.work) < 1e-6
    assert run.work[-1] < -1.0
    with pytest.raises(
        ps.ScenarioError, match=r"method 'nmb' is for one body .* controller's force at 'body'"
    ):
        ps.simulate(m, state, "nmb", step=H, steps=20, controller=push)


def test_reactions_feel_the_motor():
    """The wrench through the joint has the input as its component along the joint."""
    run = run_of(crane())
    assert run.reaction("cart")[:, 3] == pytest.approx(run.input("cart")[:, 0], abs=1e-12)
    assert run.reaction("arm")[:, :3] == pytest.approx(run.input("arm"), abs=1e-12)


# bits


@pytest.mark.parametrize("method", METHODS)
def test_splitting_a_controlled_run_changes_no_bit(method):
    m = crane()
    whole = run_of(m, method=method)
    for borders in ([3, 7, 8, 15, 30], [1, 2, 9, 21]):  # on ticks and between them
        state, first = start(m), 0
        for last in [*borders, STEPS]:
            run = run_of(m, state, method, steps=last - first)
            for name in COLUMNS:
                mine, long = getattr(run.trajectory, name), getattr(whole.trajectory, name)[first : last + 1]
                assert np.array_equal(mine[:-1], long[:-1]), name
            state, first = run.final, last
        assert np.array_equal(state.q, whole.final.q)
        assert np.array_equal(state.v, whole.final.v)
        assert state.memory == whole.final.memory


@pytest.mark.parametrize("every", [2, 3, 5, 100])
def test_sampling_changes_no_bit(every):
    whole, run = run_of(crane()), run_of(crane(), every=every)
    counts = sorted({*range(0, STEPS + 1, every), STEPS})
    for name in COLUMNS:
        assert np.array_equal(getattr(run.trajectory, name), getattr(whole.trajectory, name)[counts]), name


def test_two_runs_from_one_state_are_one_run():
    """The controller changes its memory in place: neither the state nor the controller notices."""
    m, c = crane(), controller()
    half = run_of(m, controller=c, steps=16)
    ends = [run_of(m, half.final, controller=c, steps=20).final.q for _ in range(2)]
    assert np.array_equal(*ends)
    assert np.array_equal(half.final.q, run_of(m, controller=c, steps=16).final.q)


def test_ticks_and_events_meet():
    """Impulses and switches on and off ticks, cut in two."""
    m = crane().apply(
        ps.Impulse("arm", 6 * H, torque=(0.1, 0, 0)),
        ps.Impulse("arm", 7 * H, torque=(0.1, 0.1, 0)),
        ps.JointTorque("cart", lambda t, q, v: 1.0 if t < 0.18 else -1.0, switches=(9 * H,)),
    )
    whole = run_of(m, method="gauss2")
    for border in (6, 7, 9, 10):
        end = run_of(m, run_of(m, method="gauss2", steps=border).final, "gauss2", steps=STEPS - border).final
        assert np.array_equal(end.q, whole.final.q), border


@pytest.mark.parametrize("method", METHODS)
def test_a_method_starts_afresh_at_a_tick(method):
    """What it remembers belongs to the old input: from a tick on, the run of a state without memory."""
    m, tick = crane(), 4 * PERIOD
    braking = controller(lambda t, x, k: ([-3.0 * x.v[0], 0.1, -0.2 * x.v[2], 0.0], k))
    whole = run_of(m, method=method, controller=braking)
    plain = ps.State(0.0, whole.trajectory.q[tick], whole.trajectory.v[tick])
    rest = run_of(m, plain, method, controller=braking, steps=STEPS - tick)
    assert np.ptp(whole.input("cart")) > 0.1
    if method == "dop853":  # it looks at the time
        assert rest.final.q == pytest.approx(whole.final.q, abs=1e-12)
    else:
        assert np.array_equal(rest.final.q, whole.final.q)


def test_what_is_held_is_not_part_of_the_physics():
    m = crane()
    m.control = controller().control(m)
    one, other = tree_for(m), tree_for(m)
    other.hold(np.array([1.0, 2.0, 3.0, 4.0]))
    assert not np.array_equal(one.floats, other.floats)
    assert one.fingerprint == other.fingerprint != tree_for(crane()).fingerprint


def test_another_controller_starts_anew():
    m = crane()
    end = run_of(m, steps=16).final

    def other(t, state, memory):
        return [0.0, 0.0, 0.0, float(memory)], memory + 1

    second = ps.Controller(other, PERIOD * H, INPUTS, memory=5)
    plain = ps.State(end.time, end.q, end.v)
    runs = [run_of(m, state, controller=second, steps=9) for state in (end, plain)]
    assert np.array_equal(runs[0].trajectory.q, runs[1].trajectory.q)
    assert runs[0].input("arm")[0, 2] == 5.0


# archives


@pytest.mark.parametrize("while_running", [True, False])
def test_a_controlled_run_goes_through_an_archive(while_running, tmp_path):
    m, path = crane(), tmp_path / "run.poinsot"
    run = run_of(m, steps=16, archive=path if while_running else None)
    if not while_running:
        run.save(path)
    loaded = ps.load(path)
    for name in COLUMNS:
        assert np.array_equal(getattr(loaded.trajectory, name), getattr(run.trajectory, name)), name
    assert np.array_equal(loaded.input("arm"), run.input("arm"))
    assert loaded.final.memory == run.final.memory
    end = run_of(m, loaded.final, steps=STEPS - 16).final
    assert np.array_equal(end.q, run_of(m).final.q)


def test_a_file_without_its_controller_does_not_run(tmp_path):
    m = crane()
    run = run_of(m, steps=16)
    loaded = ps.load(run.save(tmp_path / "run.poinsot"))
    for one in (run, loaded):
        with pytest.raises(ps.ScenarioError, match="mechanism of a controlled run"):
            ps.simulate(one.mechanism, one.final, "rk4", step=H, steps=3)
        again = run_of(one.mechanism, one.final, steps=STEPS - 16)  # with it, it does
        assert np.array_equal(again.final.q, run_of(m).final.q)


def test_a_damaged_control_memory_is_an_error():
    m = crane()
    end = run_of(m, steps=16).final
    broken = dataclasses.replace(end, memory=end.memory._replace(control='[["x"], "()"]'))
    with pytest.raises(ps.ScenarioError, match="memory of the controller in the state does not fit"):
        run_of(m, broken)


# errors


def failing(t, state, memory):
    if t > 0.2:
        raise RuntimeError("no\nmore")
    return [0.1, 0, 0, 0], memory


WRONG = {
    "raised RuntimeError: no more": failing,
    "must return finite numbers as u, got": lambda t, x, k: (
        [np.nan, 0, 0, 0] if t > 0.2 else [0.1, 0, 0, 0],
        k,
    ),
    r"must return 4 numbers as u, got \(1, 2\)": lambda t, x, k: ((1, 2) if t > 0.2 else [0.1, 0, 0, 0], k),
    r"must return \(u, memory\)": lambda t, x, k: None if t > 0.2 else ([0.1, 0, 0, 0], k),
    "must return data as memory .* a function": lambda t, x, k: ([0.1, 0, 0, 0], failing if t > 0.2 else k),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_controller_that_fails_ends_the_run_with_what_there_is(message):
    m, good = crane(), run_of(crane(), controller=controller(lambda t, x, k: ([0.1, 0, 0, 0], k)))
    with pytest.raises(ps.StepError, match=f"step 12 from t = 0.24: the controller .*{message}") as caught:
        run_of(m, controller=controller(WRONG[message]))
    error = caught.value
    assert (error.step, error.time) == (12, pytest.approx(0.24))
    assert np.array_equal(error.state.q, good.trajectory.q[12])
    assert len(error.run.time) == 13
    assert f"the state is q = {show(error.state.q)}, v = {show(error.state.v)}" in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_memory_that_is_changed_in_place_before_a_raise_is_not_kept(error):
    """What is left is the state after four ticks, memory included."""
    m = crane()

    def fails(t, state, memory):
        u, memory = law(t, state, memory)
        if memory["count"] == 5:
            raise error
        return u, memory

    def go(steps):
        return ps.simulate(m, start(m), "rk4", step=H, steps=steps, controller=controller(fails)).final

    try:
        end = go(STEPS)
    except ps.StepError as caught:
        end = caught.run.final
    assert round(end.time / H) == 4 * PERIOD
    assert end.memory == go(4 * PERIOD).memory


def test_a_controller_that_fails_at_once():
    def broken(t, state, memory):
        return 1 / 0

    message = "step 0 from t = 0: the controller 'broken' raised ZeroDivision"
    with pytest.raises(ps.StepError, match=message) as caught:
        run_of(crane(), controller=controller(broken))
    assert len(caught.value.run.time) == 1


BAD = {
    "period must be positive, got 0": dict(period=0.0),
    "period must be positive, got -1": dict(period=-1.0),
    "period must be a number, got 'fast'": dict(period="fast"),
    "inputs must be a list of joints": dict(inputs="cart"),
    "inputs is empty": dict(inputs=[]),
    "needs the name of a joint": dict(inputs=[3]),
    r"f must take \(t, state, memory\): missing": dict(f=lambda t, state, memory, outer, more: 0),
    "f must be a function": dict(f=3),
    r"f must take \(t, state, memory\): too many": dict(f=lambda t, state: 0),
    "memory must be data .* a function": dict(memory={"f": law}),
}


@pytest.mark.parametrize("message", BAD)
def test_a_wrong_controller_is_refused(message):
    with pytest.raises((ps.ScenarioError, ps.ModelError), match=message):
        controller(**BAD[message])


UNFIT = {
    "actuator at 'crat': unknown joint, did you mean 'cart'": dict(inputs=["crat"]),
    "component must be below 3, got 3": dict(inputs=[ps.Actuator("arm", 3)]),
    "component 1 of joint 'arm' is driven twice": dict(inputs=["arm", ps.Actuator("arm", 1)]),
    "period 0.05 must be a whole number of steps of 0.02, and is 2.5": dict(period=0.05),
    "period 0.005 must be a whole number of steps": dict(period=0.005),
}


@pytest.mark.parametrize("message", UNFIT)
def test_a_controller_that_does_not_fit_is_refused(message):
    with pytest.raises((ps.ScenarioError, ps.ModelError), match=message):
        run_of(crane(), controller=controller(**UNFIT[message]))


def test_other_misuse():
    with pytest.raises(ps.ScenarioError, match=r"controller must be a ps.Controller"):
        run_of(crane(), controller=law)
    with pytest.raises(ps.ModelError, match="limit must be positive"):
        ps.Actuator("cart", limit=0.0)
    with pytest.raises(ps.ModelError, match="no controller"):
        run_of(crane(), controller=None).input("cart")
    with pytest.raises(ps.ModelError, match="'rail' is not an input of the controller: one of cart, arm"):
        run_of(crane()).input("rail")


def test_control_c_returns_what_there_is():
    def pressed(t, state, memory):
        if t > 0.2:
            signal.raise_signal(signal.SIGINT)
        return [0.1, 0, 0, 0], memory

    run = run_of(crane(), controller=controller(pressed))
    assert run.interrupted
    assert run.final.time == pytest.approx(0.30)  # the next tick
    assert len(run.time) == 16
