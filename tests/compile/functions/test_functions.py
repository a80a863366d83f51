"""Functions that users write wrongly, and what they are told: one line, with name, place and reason."""

import functools
import math
import re

import numpy as np
import pytest

import poinsot as ps
from poinsot.core.jit import COMPILED

BODY = ps.Body(1.0, (1.0, 1.2, 1.5), center_of_mass=(0.0, 0.1, 0.2))
compiled_only = pytest.mark.skipif(not COMPILED, reason="about compiled code")


def torque(function, **options):
    return lambda: ps.Torque("link", function, **options)


def wrench(function, **options):
    return lambda: ps.Wrench("link", function, at=BODY.center_of_mass, **options)


def simulate(force, method="rk4", at=(0, 0, 0)):
    m = ps.Mechanism().add("link", BODY, ps.Spherical(), at=at).apply(force())
    start = m.state({"link": {"rotation": (0.8, 0.0, 0.6, 0.0), "angular_velocity": (1, 2, 3)}})
    return ps.simulate(m, start, method, step=0.01, steps=2)


def refusal(force, kind=ps.ModelError, **options):
    """The one line in which the force, or a run with it, ends."""
    with pytest.raises(kind) as caught:
        simulate(force, **options)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 380
    assert "'link'" in text
    assert "Function(<" not in text  # Numba's own words
    return text


# compiling


def no_such_function(t, R, w, p, v):
    return math.sinn(t), 0.0, 0.0


def no_such_attribute(t, R, w, p, v):
    return R.trace(), 0.0, 0.0


def no_such_name(t, R, w, p, v):
    return strength * t, 0.0, 0.0  # noqa: F821


def no_such_numpy(t, R, w, p, v):
    return np.rotated(R, w)


@compiled_only
@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (no_such_function, "sinn"),
        (no_such_attribute, "trace"),
        (no_such_name, "strength"),
        (no_such_numpy, "rotated"),
    ],
)
def test_a_function_that_cannot_be_compiled_is_named_with_its_line(function, reason):
    name, line = function.__name__, function.__code__.co_firstlineno
    start, end = f"torque '{name}' on 'link' cannot be compiled: ", f" ({__file__}:{line}, {name})"
    what = refusal(torque(function))
    assert what.startswith(start)
    assert what.endswith(end)
    assert reason in what.removeprefix(start).removesuffix(end)


RESULTS = {
    "two numbers": lambda t, R, w, p, v: (1.0, 2.0),
    "four numbers": lambda t, R, w, p, v: (1.0, 2.0, 3.0, 4.0),
    "two in an array": lambda t, R, w, p, v: np.zeros(2),
    "four in an array": lambda t, R, w, p, v: np.zeros(4),
    "a matrix": lambda t, R, w, p, v: np.eye(3),
    "one number": lambda t, R, w, p, v: 1.0,
    "nothing": lambda t, R, w, p, v: None,
    "text": lambda t, R, w, p, v: "abc",
    "complex numbers": lambda t, R, w, p, v: (1j, 0.0, 0.0),
}


@compiled_only
@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("frame", ["space", "body"])
def test_a_wrong_result_is_called_by_its_name(result, frame):
    """What counts: the force, and that the result is at fault; NaN is not what went wrong."""
    what = refusal(torque(RESULTS[result], frame=frame))
    assert what.startswith("torque '<lambda>' on 'link'")
    assert re.search("return.* numbers", what)
    assert "nan" not in what


def test_a_wrench_wants_six_numbers():
    assert refusal(wrench(lambda t, R, w, p, v: w)).startswith("wrench '<lambda>' on 'link'")


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_force_that_is_not_finite_at_the_start_is_found_there(value):
    def wild(t, R, w, p, v):
        return 0.0, value, 0.0

    what = refusal(torque(wild))
    assert what.startswith("torque 'wild' on 'link': must return 3 finite numbers, got ")
    assert what.endswith("at t = 0")
    assert str(value) in what


def test_a_function_that_fails_at_the_start_is_named():
    def misfit(t, R, w, p, v):
        return R @ np.zeros(2)

    assert "misfit" in refusal(torque(misfit))


# arguments


@pytest.mark.parametrize(
    ("function", "takes"),
    [
        (lambda t, R: w, "(t, R)"),  # noqa: F821
        (lambda *arguments: arguments, "(*arguments)"),
        (lambda t, R, w, p, v, k: w, "(t, R, w, p, v, k)"),
        (lambda t, R, w, p, *, v: w, "(t, R, w, p, v)"),
    ],
)
@pytest.mark.parametrize("method", ["rk4", "auto"])
def test_a_wrong_number_of_arguments_is_shown(function, takes, method):
    assert refusal(torque(function), method=method).endswith(f"must take (t, R, w, p, v), but takes {takes}")


@pytest.mark.parametrize("thing", [3.0, None, math.sin, "f", functools.partial(max, 1)], ids=repr)
def test_what_is_no_function_is_refused(thing):
    assert "a plain Python function, got " in refusal(torque(thing))


# velocities


READING = {
    "neither": (lambda t, R, w, p, v: (R[0][1], p[2], t), False),
    "w": (lambda t, R, w, p, v: (w[0], 0.0, 0.0), True),
    "v by another name": (lambda t, R, spin, p, speed: (speed[0], 0.0, 0.0), True),
    "in a list": (lambda t, R, w, p, v: [w[i] for i in range(3)], True),
    "as a whole": (lambda t, R, w, p, v: v, True),
}


@pytest.mark.parametrize("how", READING)
def test_who_reads_the_velocity(how):
    function, reads = READING[how]
    assert ps.Torque("link", function).reads_velocity is reads


def test_a_method_that_needs_forces_of_the_pose_says_which_would_do():
    able = ", ".join(method.name for method in ps.methods() if method.velocity_forces and not method.variant)
    assert refusal(torque(READING["w"][0]), kind=ps.ScenarioError, method="srkn4") == (
        "method 'srkn4' needs forces that do not depend on the velocity, "
        f"and torque '<lambda>' on 'link' reads w or v: use {able}"
    )


def test_auto_looks_at_what_forces_read_and_keep():
    assert simulate(torque(READING["w"][0]), method="auto").method.velocity_forces
    assert simulate(wrench(pull, potential=energy), method="auto").method.symplectic


# potentials: V = -2 R33 - p1/2 - p3 + p1^2/2


def pull(t, R, w, p, v):
    return 2.0 * R[1][2], -2.0 * R[0][2], 0.0, 0.5 - p[0], 0.0, 1.0


def energy(R, p):
    return -2.0 * R[2][2] - 0.5 * p[0] - p[2] + 0.5 * p[0] ** 2


def numpy_energy(R, p):
    return -2.0 * R[2, 2] - np.dot(np.array([0.5, 0.0, 1.0]), p) + 0.5 * p[0] ** 2


@pytest.mark.parametrize("potential", [energy, numpy_energy])
@pytest.mark.parametrize("at", [(0, 0, 0), (100, -50, 30)])
def test_a_potential_enters_the_energy(potential, at):
    run = simulate(wrench(pull, potential=potential), method="srkn4", at=at)
    R, p = run.rotation("link"), run.position("link")
    own = np.array([energy(*x) for x in zip(R, p, strict=True)])
    assert run.potential == pytest.approx(own + 9.81 * p[:, 2], rel=1e-14)
    assert not run.work.any()
    assert np.ptp(run.energy) < 1e-8 * np.abs(run.potential).max()  # srkn4, two steps of 0.01


def test_a_torque_in_the_body_frame_may_have_a_potential():
    """V = 2 R33 = 2 z.(R e3): the torque is -2 (R e3) x z in space, and (R^T z) x 2 e3 in the body."""
    simulate(
        torque(
            lambda t, R, w, p, v: (2.0 * R[2][1], -2.0 * R[2][0], 0.0),
            frame="body",
            potential=lambda R, p: 2.0 * R[2][2],
        )
    )


WRONG = {
    "sign": lambda R, p: 2.0 * R[2][2] + 0.5 * p[0] + p[2] - 0.5 * p[0] ** 2,
    "torque": lambda R, p: -2.001 * R[2][2] - 0.5 * p[0] - p[2] + 0.5 * p[0] ** 2,
    "force": lambda R, p: -2.0 * R[2][2] - 0.5 * p[0] - 1.001 * p[2] + 0.5 * p[0] ** 2,
    "constant": lambda R, p: 0.0,
    "not a number": lambda R, p: math.nan,
    "reads too much": lambda R, p, w: 0.0,
    "no function": 3.0,
    "unknown word": lambda R, p: R.trace(),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_potential_that_does_not_belong_to_its_force_is_found(wrong):
    assert "potential" in refusal(wrench(pull, potential=WRONG[wrong]))


@compiled_only
def test_a_potential_is_one_number():
    assert "potential" in refusal(wrench(pull, potential=lambda R, p: (1.0, 2.0)))


def test_a_force_of_the_velocity_has_no_potential():
    assert refusal(torque(READING["w"][0], potential=lambda R, p: 0.0)) == (
        "torque '<lambda>' on 'link': a force with a potential cannot depend on t, w or v"
    )
