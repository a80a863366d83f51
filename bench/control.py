"""What control costs: a decision in Python, compiled runs against one without control, and against NumPy
where limits act (the witness of the tests).

CPU time of this process, the smallest of several; ratios are taken in one run.

    python bench/control.py [--tiny]
"""

import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

import poinsot as ps
from poinsot.compile.laws import LawCall
from poinsot.gallery import arm_tracking, copters, six_axes

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
WEAK = 30.0  # N m: what the strongest motors of the arm would exceed
REPEATS, UNTIL, COUNT = (1, 0.05, 3) if TINY else (7, 10.0, 300)


def least(work):
    """Return the smallest CPU time of some calls in seconds."""
    found = []
    for _ in range(REPEATS):
        begin = time.process_time()
        work()
        found.append(time.process_time() - begin)
    return min(found)


def decision(name, law, state):
    """Print what a decision of a law costs in Python and compiled."""
    states = [ps.State(state.time, state.q, state.v + 1e-6 * k) for k in range(COUNT)]
    python = least(lambda: [law(state.time, one) for one in states]) / COUNT
    call = LawCall(law.compiled)
    call(law.sample(state.time), state.q, state.v)
    compiled = least(lambda: [call.call() for _ in range(COUNT)]) / COUNT
    print(f"{name:44} {1e6 * python:8.0f} us in Python, {1e6 * compiled:.1f} us compiled")


def compare(m, start, laws, methods, until):
    """Print what runs of 5 ms steps cost, relative to the same without control."""
    for method in methods:
        run = partial(ps.simulate, m, start, method, step=0.005, until=until)
        free = least(run)
        for name, law in laws.items():
            taken = least(partial(run, controller=law))  # the first of them makes the table of the reference
            label = f"{method}, {until:g} s at 5 ms, {name}"
            print(f"{label:44} {1e3 * taken:8.1f} ms, {taken / free:.1f}x a free run")


def spring(t, state):
    return -40.0 * state.q - 0.5 * state.v


def feedback(m, names, start):
    """Print what a continuous controller of one's own costs, compiled and in Python."""
    laws = {word: ps.Feedback(spring, names, compiled=word == "compiled") for word in ("compiled", "Python")}
    run = partial(ps.simulate, m, start, "rk4", step=0.005, until=UNTIL / 20)
    times = {}
    for word, law in laws.items():
        run(controller=law)  # compiles it
        times[word] = least(partial(run, controller=law))
    fast, slow = times["compiled"], times["Python"]
    print(
        f"rk4, {UNTIL / 20:g} s at 5 ms, ps.Feedback: {1e3 * fast:.1f} ms, in Python {slow / fast:.0f}x "
        f"(wanted: at least 50x), a free run {least(run) / fast:.2f}x"
    )


def numpy_law(law):
    """Return a law as the witness of the tests computes it."""
    sys.path[0] = str(Path(__file__).parents[1] / "tests")  # not this folder, where `control` is this file
    from control.witness_laws import in_python

    return in_python(law)


def limits(name, m, start, law, until):
    """Print what a run costs in which limits act, with the compiled law and with that of NumPy."""
    numpy = numpy_law(law.function.law)
    slow = ps.Controller(lambda t, state, memory: (numpy(t, state), memory), law.period, law.inputs)
    run = partial(ps.simulate, m, start, "rk4", step=0.005, until=until)
    acting = ps.control.performance(
        run(controller=law), law
    ).limited.mean()  # and the reference is in a table
    compiled, python = least(partial(run, controller=law)), least(partial(run, controller=slow))
    print(
        f"{name}, {until:g} s, limits act at {100 * acting:.0f} % of the ticks: {1e3 * compiled:.1f} ms, "
        f"the law in NumPy {python / compiled:.0f}x (wanted: at least 20x)"
    )


def quadcopter():
    c = copters.quadcopter()
    m, template = c.mechanism, ps.control.Template("particle", [c.pair])
    reference = ps.control.references.flat_quadcopter(
        m, "copter", ps.control.references.loop_the_loop(1.0, 3.6)
    )
    reference(UNTIL)  # integrates the attitude
    start = ps.State(0.0, [0.15, -0.1, 0.1, *ps.quaternion.exp((0.1, 0.2, 0.05))], np.zeros(6))
    make = partial(ps.control.track, m, template, reference, c.inputs)
    one = ps.scenario("quadcopter-recovery")
    limits("quadcopter-recovery", one.mechanism, one.start, one.controller, UNTIL / 10)
    decision("quadcopter, particle", make().function, ps.State(0.01, start.q, start.v))
    laws = {"sampled law": make(period=0.005), "continuous law": make(horizon=UNTIL)}
    compare(m, start, laws, ("rk4", "gauss2", "variational"), UNTIL)


def arm():
    one = ps.scenario("arm-tracking")
    m, start, names = one.mechanism, one.start, list(six_axes.NAMES)
    reference, joints = arm_tracking.reference(m), six_axes.joint_pairs()
    control, state = ps.control, ps.State(0.7, start.q, start.v + 0.1)
    for kind, pairs, space in [
        ("body", [six_axes.tool_pair()], "tool"),
        *((kind, joints, "joints") for kind in ("particle", "body", "energy", "energy2")),
    ]:
        law = control.track(m, control.Template(kind, pairs), reference, names).function
        decision(f"six-axis arm, {kind}, {space}", law, state)
    for make in (control.computed_torque, control.joint_pd):
        law = make(m, reference, names, 9.0, 0.5, period=0.005).function.law
        decision(f"six-axis arm, {make.__name__}", law, state)
    feedback(m, names, start)
    make = partial(control.track, m, control.Template("body", joints), reference)
    weak = [ps.Actuator(joint, limit=WEAK) for joint in names]
    limits("six-axis arm", m, start, make(weak, period=0.005, check=False), UNTIL / 10)
    make = partial(make, names)
    python = make(period=0.005).function.law
    laws = {
        "sampled law": make(period=0.005),
        "continuous law": make(horizon=UNTIL),
        "law in Python": ps.Controller(lambda t, state, memory: (python(t, state), memory), 0.005, names),
    }
    compare(m, start, laws, ("rk4", "gauss2", "variational"), UNTIL / 5)


if __name__ == "__main__":
    quadcopter()
    arm()
