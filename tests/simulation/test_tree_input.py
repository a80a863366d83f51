"""Mistakes of the first hour: found early, and answered in one line that names the thing and the remedy."""

import math

import numpy as np
import pytest

import poinsot as ps
from poinsot.formats.data import from_data, joint_of, to_data

BODY = ps.Body(1.0, (0.1, 0.2, 0.25), center_of_mass=(0, 0, -0.5))
SPRING = ps.JointSpring("a", 1.0)
POINT = ps.Body(1.0, (0, 0, 0))
ON_TREES = "use rk4, cg4, rkmk4, cf4, gauss1, gauss2, gauss3, gauss4, "
ON_TREES += "sgauss1, sgauss2, sgauss3, sgauss4, variational, variational_midpoint, "
ON_TREES += "variational4, variational6, variational8, newmark, radau2, radau3, dop853"
NOTHING = "nothing resists its motion"


def two():
    m = ps.Mechanism().add("arm", BODY, ps.Revolute((1, 0, 0)))
    return m.add("hand", BODY, ps.Spherical(), "arm", at=(0, 0, -1))


def short(m, state=None, method="auto", **options):
    return ps.simulate(m, state or m.state(), method, **{"step": 0.01, "steps": 3, **options})


def message(kind, call, *arguments, **options):
    """The one line of an error of exactly this kind."""
    with pytest.raises(ps.PoinsotError) as caught:
        call(*arguments, **options)
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    return str(caught.value)


# the tree


def test_a_cycle_cannot_be_written():
    assert message(ps.ModelError, ps.Mechanism().add, "a", BODY, ps.Fixed(), parent="a").startswith(
        "body 'a': a body cannot be its own parent, the tree would have a cycle"
    )
    assert message(ps.ModelError, two().add, "c", BODY, ps.Fixed(), parent="hnad").endswith("mean 'hand'?")


@pytest.mark.parametrize(
    ("parents", "text"),
    [
        (("arm", "arm"), "body 'arm': a body cannot be its own parent"),
        (("hand", "arm"), "body 'arm': unknown parent 'hand'"),  # a cycle, or a parent that comes later
        (("world", "foot"), "body 'hand': unknown parent 'foot'"),
    ],
)
def test_a_cycle_in_a_file_is_found(parents, text):
    data = to_data(two())
    for one, parent in zip(data["bodies"], parents, strict=True):
        one["parent"] = parent
    assert message(ps.ModelError, from_data, data).startswith(text)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: ps.Revolute((0, 0, 0)), "Revolute: axis has zero length"),
        (lambda: ps.Prismatic((1, 2)), "Prismatic: axis must be 3 numbers, got (1, 2)"),
        (lambda: ps.Cylindrical("z"), "Cylindrical: axis must be 3 numbers, got 'z'"),
        (lambda: ps.Revolute((1, math.nan, 0)), "Revolute: axis must be finite, got (1, nan, 0)"),
        (lambda: ps.Planar((0, 0, 0)), "Planar: normal has zero length"),
        (lambda: ps.Universal((1, 0, 0), (-2, 0, 0)), "Universal: axis1 and axis2 are parallel"),
        (lambda: ps.Universal((1, 0, 0), (0, 0, 0)), "Universal: axis2 has zero length"),
        (lambda: joint_of({"kind": "revolut", "axis": (1, 0, 0)}), "unknown joint 'revolut', did you mean"),
        (lambda: joint_of({"kind": "revolute"}), "joint revolute: missing 1 required positional argument: '"),
        (lambda: joint_of({"kind": "spherical", "axis": (1, 0, 0)}), "joint spherical: "),
        (lambda: two().add("b", BODY, ps.Free(), body_at=(1, 0, 0)), "body 'b': body_at has no meaning on a"),
        (lambda: two().add("b", BODY, ps.Revolute), "body 'b': expected a joint such as Spherical(), got "),
    ],
)
def test_a_joint_that_is_none(make, text):
    assert message(ps.ModelError, make).startswith(text)


@pytest.mark.parametrize("scale", [1e100, 1e200, 1e-200, 1e307])
def test_an_axis_may_be_of_any_length(scale):
    assert ps.Revolute((3 * scale / 4, scale, 0)).axis == pytest.approx((0.6, 0.8, 0))


# states


@pytest.mark.parametrize(
    ("joint", "given", "text"),
    [
        (ps.Revolute((1, 0, 0)), dict(angel=1), "unknown coordinate 'angel', did you mean 'angle'? (Revolut"),
        (ps.Revolute((1, 0, 0)), dict(rotation=(1, 0, 0, 0)), "unknown coordinate 'rotation' (Revolute has "),
        (ps.Revolute((1, 0, 0)), dict(angle=(1, 2)), "angle must be "),
        (ps.Revolute((1, 0, 0)), dict(angle="1"), "angle must be "),
        (ps.Revolute((1, 0, 0)), dict(rate=math.inf), "rate must be finite"),
        (ps.Prismatic((1, 0, 0)), dict(displacment=1), "unknown coordinate 'displacment', did you mean 'dis"),
        (ps.Universal((1, 0, 0), (0, 1, 0)), dict(angles=1), "angles must be 2 numbers, got (1)"),
        (ps.Planar((0, 0, 1)), dict(displacement=(1, 2, 3)), "displacement must be 2 numbers, got (1, 2, 3)"),
        (ps.Spherical(), dict(angular_velocity=1), "angular_velocity must be 3 numbers, got 1"),
        (ps.Spherical(), dict(rotation=(1, 1, 0, 0)), "rotation must be a quaternion of length 1"),
        (ps.Free(), dict(position=(1, 2)), "position must be 3 numbers, got (1, 2)"),
        (ps.Revolute((1, 0, 0)), 1.0, "expected dict(...), got 1"),
        (ps.Fixed(), dict(angle=1.0), "unknown coordinate 'angle'"),
    ],
)
def test_a_coordinate_that_is_none(joint, given, text):
    m = ps.Mechanism().add("link", BODY, joint)
    assert message(ps.ModelError, m.state, {"link": given}).startswith(f"state of 'link': {text}")


@pytest.mark.parametrize(
    ("q", "v", "text"),
    [
        ([0, 1, 0, 0], [0, 0, 0, 0], "the state does not belong to this mechanism: it has 4 and 4 numbers i"),
        ([0, 1, 0, 0, 0], [0] * 5, "the state does not belong to this mechanism: it has 5 and 5 numbers in "),
        ([0, 1.1, 0, 0, 0], [0] * 4, "state of 'hand': its quaternion has length"),
        ([0, 0, 0, 0, 0], [0] * 4, "state of 'hand': its quaternion has length"),
        ([math.nan, 1, 0, 0, 0], [0] * 4, "state of 'arm': q and v must be finite"),
        ([0, 1, 0, 0, 0], [0, 0, math.inf, 0], "state of 'hand': q and v must be finite"),
    ],
)
def test_a_state_that_does_not_fit(q, v, text):
    assert message(ps.ModelError, short, two(), ps.State(0.0, q, v)).startswith(text)


def test_a_state_has_a_time_and_rows_of_numbers():
    q, v = two().state().q, two().state().v
    for time, a, b in ((math.nan, q, v), (math.inf, q, v), (0.0, 1.0, v), (0.0, [q], v), (0.0, "abc", v)):
        message(ps.ModelError, lambda time=time, a=a, b=b: short(two(), ps.State(time, a, b)))


# what cannot be accelerated


def with_tip(body, joint, **place):
    return ps.Mechanism().add("arm", BODY, ps.Revolute((1, 0, 0))).add("tip", body, joint, "arm", **place)


@pytest.mark.parametrize(
    "m",
    [
        with_tip(None, ps.Revolute((1, 0, 0)), at=(0, 0, -1)),
        with_tip(None, ps.Spherical()),
        with_tip(None, ps.Free()),
        with_tip(POINT, ps.Revolute((1, 0, 0))),
        with_tip(POINT, ps.Revolute((1, 0, 0)), body_at=(0.3, 0, 0)),  # on its own axis
        with_tip(POINT, ps.Spherical(), body_at=(0, 0, -1)),
        with_tip(POINT, ps.Cylindrical((0, 1, 0))),
    ],
)
def test_a_joint_that_nothing_resists_is_named(m):
    assert message(ps.ModelError, short, m).startswith(f"joint 'tip': {NOTHING}")


def test_a_massless_body_needs_something_heavy_beyond_it():
    frame = ps.Mechanism().add("arm", None, ps.Revolute((1, 0, 0)))
    short(frame.snapshot().add("hand", BODY, ps.Revolute((0, 1, 0)), "arm"))
    twice = frame.snapshot().add("hand", BODY, ps.Revolute((1, 0, 0)), "arm")  # two hinges on one axis
    assert message(ps.ModelError, short, twice).startswith(f"joint 'arm': {NOTHING}")
    short(with_tip(POINT, ps.Universal((1, 0, 0), (0, 1, 0)), body_at=(0, 0, -1)))  # a point on two arms


def test_a_mechanism_in_which_nothing_can_move():
    m = ps.Mechanism().add("a", BODY, ps.Fixed()).add("b", BODY, ps.Fixed(), "a")
    assert (
        message(ps.ModelError, short, m)
        == "every body of the mechanism is fixed to the world: nothing can move"
    )
    assert message(ps.ModelError, short, ps.Mechanism()).startswith("the mechanism has no body")


# methods


@pytest.mark.parametrize(
    ("m", "what"),
    [
        (two(), "a tree of 2 bodies"),
        (ps.Mechanism().add("a", BODY, ps.Revolute((1, 0, 0))), "a body on a Revolute joint"),
        (ps.Mechanism().add("a", BODY, ps.Spherical()).apply(SPRING), "a body with a JointSpring at 'a'"),
    ],
)
@pytest.mark.parametrize("method", ["nmb", "lp2", "dmv", "exact", "srkn4"])
def test_a_method_for_one_body_says_which_would_do(m, what, method):
    assert message(ps.ScenarioError, short, m, None, method) == (
        f"method '{method}' is for one body on a Spherical or Free joint, and this is {what}: {ON_TREES}"
    )


def test_steps_that_cannot_be_made_say_where_and_what_to_try():
    """The chain is too wild for the step: everything up to there is kept."""
    m = two().add("tail", BODY, ps.Spherical(), "hand", at=(0, 0, -1))
    start = m.state({"tail": dict(angular_velocity=(5, 3, 2))})
    for method in ("gauss1", "gauss3", "newmark"):
        with pytest.warns(ps.StepWarning), pytest.raises(ps.ConvergenceError) as caught:
            ps.simulate(m, start, method, step=0.6, steps=1000)
        error = caught.value
        assert str(error).startswith(
            f"{method}: step {error.step} from t = {error.time:g} did not converge ("
        )
        assert str(error).endswith("rad in a step of 0.6); try a smaller step")
        assert error.run.time.tolist() == pytest.approx([0.6 * k for k in range(error.step + 1)])
        assert error.state.time == error.run.time[-1] == error.time
        assert np.isfinite(error.run.energy).all()


@pytest.mark.parametrize("method", ["gauss3", "newmark", "rk4", "cg4", "rkmk4", "cf4"])
@pytest.mark.parametrize("speed", [1e120, 1e300])
def test_numbers_that_overflow_end_the_run(method, speed):
    m = two()
    with pytest.warns(ps.StepWarning) as warned, pytest.raises(ps.StepError) as caught:
        short(m, m.state({"hand": dict(angular_velocity=(speed, speed, 0))}), method)
    assert "\n" not in str(caught.value)
    assert {warning.category for warning in warned} == {ps.StepWarning}  # and none of NumPy
    infinite, stalled = ": the state became infinite or NaN", " did not converge"  # squares overflow at 1e154
    ends = (infinite, stalled) if (method, speed) == ("gauss3", 1e120) else (infinite,)
    assert str(caught.value).startswith(
        tuple(f"{method}: step 0 from t = 0{end} (a body rotates by " for end in ends)
    )
    assert str(caught.value).endswith("try a smaller step")


# size and names


def test_a_thousand_bodies_are_no_trouble():
    m = ps.Mechanism()
    for i in range(1000):
        m.add(f"l{i}", BODY, ps.Spherical(), f"l{i - 1}" if i else "world", at=(0, 0, -1))
    assert len(str(m).splitlines()) == 1001
    assert max(map(len, str(m).splitlines())) < 200
    run = short(m, m.state({"l999": dict(angular_velocity=(0.1, 0, 0))}), step=1e-4)
    assert run.steps == 3
    assert run.report().energy.relative_band < 1e-12
    assert run.position("l999")[0].tolist() == [0, 0, -1000.5]


def test_names_may_be_odd(tmp_path):
    names = ["ß/ 'x'", "{b}%s", "\\", "a" * 300, " ", "名前"]
    m = ps.Mechanism()
    for i, name in enumerate(names):
        m.add(name, BODY, ps.Revolute((1, i, 0)), parent=names[i - 1] if i else "world", at=(0, 0, -1))
    m.apply(ps.Spring(names[0], names[3], 1.0))
    run = short(m, m.state({names[1]: dict(rate=1.0)}))
    assert run.rate("{b}%s")[0, 0] == 1.0
    assert ps.load(run.save(tmp_path / "odd.poinsot")).mechanism.names == names
    assert "{b}%s" in message(ps.ModelError, m.state, {"{b}%": {}})
    assert len(str(m).splitlines()) == 2 + len(names)
