"""Forces between two bodies by a function (`PairForce`), and bodies that attract each other."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.compile.tree import compile_tree
from support import zoo

TURN = (0.8, 0.0, 0.6, 0.0)
CENTERS = {"a": (0.1, 0.0, 0.2), "c": (0.1, 0.1, 0.0), "world": (0.0, 0.0, 0.0)}
ENDS = {"a": (0.1, 0.2, 0.3), "c": (0.2, -0.1, 0.1), "world": (0.5, 0.0, 1.0)}
STIFFNESS, LENGTH, DAMPING = 20.0, 0.4, 1.5


def mechanism(*forces):
    """Two free bodies, whose centers of mass are not their origins, and a third one on a joint."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("a", ps.Body(1.0, (0.3, 0.4, 0.5), CENTERS["a"]), ps.Free(), rotation=TURN, at=(0.2, 0.1, 0.0))
    m.add("b", ps.Body(0.6, (0.2, 0.3, 0.2), (0.0, -0.1, 0.1)), ps.Free())
    m.add("c", ps.Body(0.4, (0.1, 0.1, 0.15), CENTERS["c"]), ps.Spherical(), "b", at=(0.3, 0.1, 0.2))
    return m.apply(*forces)


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def lever(R, c):  # without a comprehension, for the compiler
    return (
        R[0][0] * c[0] + R[0][1] * c[1] + R[0][2] * c[2],
        R[1][0] * c[0] + R[1][1] * c[1] + R[1][2] * c[2],
        R[2][0] * c[0] + R[2][1] * c[1] + R[2][2] * c[2],
    )


def difference(p, x, q, y):
    return q[0] + y[0] - p[0] - x[0], q[1] + y[1] - p[1] - x[1], q[2] + y[2] - p[2] - x[2]


def between(a, b):
    """A spring and a damper between points of two bodies, and the potential of the spring."""
    at_a, at_b = (tuple(x - y for x, y in zip(ENDS[one], CENTERS[one], strict=True)) for one in (a, b))

    def spring(t, Ra, wa, pa, va, Rb, wb, pb, vb):
        arm = lever(Rb, at_b)
        d = difference(pa, lever(Ra, at_a), pb, arm)
        k = STIFFNESS * (LENGTH / math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - 1)
        f = k * d[0], k * d[1], k * d[2]
        return *cross(arm, f), *f

    def potential(Ra, pa, Rb, pb):
        d = difference(pa, lever(Ra, at_a), pb, lever(Rb, at_b))
        x = math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - LENGTH
        return STIFFNESS * x * x / 2

    def damper(t, Ra, wa, pa, va, Rb, wb, pb, vb):
        arm = lever(Rb, at_b)
        d = difference(pa, lever(Ra, at_a), pb, arm)
        u = difference(va, lever(Ra, cross(wa, at_a)), vb, lever(Rb, cross(wb, at_b)))
        k = d[0] * u[0] + d[1] * u[1] + d[2] * u[2]
        k = -DAMPING * k / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
        f = k * d[0], k * d[1], k * d[2]
        return *cross(arm, f), *f

    return spring, potential, damper


def run_of(force, method, steps=20):
    m = mechanism(force)
    return ps.simulate(m, zoo.start(m), method, step=0.01, steps=steps)


def same(x, y, tolerance=1e-12):
    """To rounding, of runs of 20 steps."""
    assert np.abs(x.final.q - y.final.q).max() < tolerance
    assert np.abs(x.final.v - y.final.v).max() < 10 * tolerance
    assert np.abs(x.potential - y.potential).max() < 10 * tolerance
    assert np.abs(x.work - y.work).max() < 10 * tolerance


@pytest.mark.parametrize("method", ["rk4", "gauss3", "sgauss2", "variational", "dop853", "radau3"])
def test_a_spring_by_a_function_is_a_spring(method):
    spring, potential, _ = between("a", "c")
    own = run_of(ps.PairForce("a", "c", spring, potential=potential), method)
    same(own, run_of(ps.Spring("a", "c", STIFFNESS, LENGTH, ENDS["a"], ENDS["c"]), method))
    assert own.work[-1] == 0
    assert np.ptp(own.potential) > 0.1


@pytest.mark.parametrize(("a", "b"), [("a", "c"), ("world", "c"), ("c", "world")])
def test_a_damper_by_a_function_is_a_damper_and_its_work_is_counted(a, b):
    own = run_of(ps.PairForce(a, b, between(a, b)[2]), "gauss2")
    same(own, run_of(ps.Damper(a, b, DAMPING, ENDS[a], ENDS[b]), "gauss2"))
    assert own.work[-1] < -1e-3


def test_without_a_potential_the_work_of_a_spring_is_its_energy():
    spring, potential, _ = between("a", "c")
    free = run_of(ps.PairForce("a", "c", spring), "gauss3")
    stored = run_of(ps.PairForce("a", "c", spring, potential=potential), "gauss3")
    assert stored.potential[0] > 10
    assert np.abs(free.work + stored.potential - stored.potential[0]).max() < 1e-8  # order 6
    assert np.abs(free.final.q - stored.final.q).max() < 1e-12


def twist(t, Ra, wa, pa, va, Rb, wb, pb, vb):
    """A wrench that no law of nature gives: a torque, and a force across the line of the centers."""
    return 0.3 * math.sin(t), 0.2 * wa[0], -0.1 * wb[1], 2.0 + va[1], -1.0 * Rb[0][1], pb[2] - pa[2]


@pytest.mark.parametrize("force", [ps.PairForce("a", "c", twist), ps.Gravitation(["a", "b", "c"], G=0.3)])
def test_the_momenta_stay(force):
    """gauss3 keeps what the forces keep, to rounding."""
    m = mechanism(force)
    assert force.inside(m)
    run = ps.simulate(m, zoo.start(m), "gauss3", step=0.01, steps=100)
    for momentum in (run.linear_momentum, run.angular_momentum):
        assert np.abs(momentum - momentum[0]).max() < 1e-12
    bare = mechanism()
    alone = ps.simulate(bare, zoo.start(bare), "gauss3", step=0.01, steps=100)
    assert np.abs(run.velocity("a")[-1] - alone.velocity("a")[-1]).max() > 0.01, "the force does something"
    assert np.ptp(run.energy - run.work) < 1e-8


def branch(t, Ra, wa, pa, va, Rb, wb, pb, vb):
    f = 1.0 if vb[0] > va[0] else -1.0
    return 0.0, 0.0, 0.0, -f, 0.0, 0.0


def arrays(t, Ra, wa, pa, va, Rb, wb, pb, vb):
    return np.concatenate((np.zeros(3), -np.sign(np.array([vb[0] - va[0], 0.0, 0.0]))))


@pytest.mark.parametrize(("function", "compiled"), [(arrays, True), (branch, False)])
def test_branches_arrays_and_python(function, compiled):
    """gauss3 asks for four stages at once, which branch one by one; the interpreter gives the same."""
    expected = run_of(ps.PairForce("a", "c", branch), "gauss3", 5)
    found = run_of(ps.PairForce("a", "c", function, compiled=compiled), "gauss3", 5)
    same(found, expected, 1e-14)
    assert expected.work[-1] < 0


def test_what_is_wrong_with_a_function_is_said():
    spring, potential, _ = between("a", "c")

    def wrong(Ra, pa, Rb, pb):
        return 1.01 * potential(Ra, pa, Rb, pb)

    def one_sided(Ra, pa, Rb, pb):  # right for b, and nothing for a
        return -3.0 * pb[0]

    def push(t, Ra, wa, pa, va, Rb, wb, pb, vb):
        return 0.0, 0.0, 0.0, 3.0, 0.0, 0.0

    for force, what in (
        (ps.PairForce("a", "c", spring, potential=wrong), "its potential does not fit"),
        (ps.PairForce("a", "c", push, potential=one_sided), "its potential does not fit"),
        (ps.PairForce("a", "c", twist, potential=potential), "cannot depend on t, w or v"),
        (ps.PairForce("a", "c", lambda t, Ra, wa, pa, va, Rb, wb, pb, vb: (1.0, 2.0)), "6 numbers"),
        (
            ps.PairForce("a", "c", lambda t, Ra, wa, pa, va, Rb, wb, pb, vb: (math.nan, 0, 0, 0, 0, 0)),
            "finite",
        ),
    ):
        with pytest.raises(ps.ModelError, match=what) as caught:
            run_of(force, "rk4", 1)
        assert str(caught.value).startswith("pairforce '")
        assert "from 'a' to 'c'" in str(caught.value)
    run_of(ps.PairForce("world", "c", push, potential=one_sided), "rk4", 1)  # the world has no potential
    with pytest.raises(ps.ModelError, match=r"must take \(t, Ra, wa, pa, va, Rb, wb, pb, vb\)"):
        ps.PairForce("a", "c", lambda t, R, w, p, v: 0)


# gravitation


X, V = np.array([0.97000436, -0.24308753, 0.0]), np.array([0.466203685, 0.43236573, 0.0])
EIGHT = {
    "a": dict(position=X, velocity=V),
    "b": dict(position=-X, velocity=V),
    "c": dict(position=0 * X, velocity=-2 * V),
}


def figure_eight(*forces):
    m = ps.Mechanism(gravity=(0, 0, 0))
    for name in EIGHT:
        m.add(name, ps.Sphere(0.05).body(mass=1.0), ps.Free())
    m.apply(*(forces or [ps.Gravitation(list(EIGHT), G=1.0)]))
    return m, m.state(EIGHT)


def attractions(t, y):
    p = y[:9].reshape(3, 3)
    d = p[None] - p[:, None]
    r = np.sqrt((d**2).sum(axis=2)) + np.eye(3)
    return np.concatenate([y[9:], (d / r[:, :, None] ** 3).sum(axis=1).ravel()])


def test_the_figure_eight():
    """Three equal masses on one curve (Chenciner and Montgomery 2000), against SciPy."""
    run = ps.simulate(*figure_eight(), "gauss4", step=0.01, until=6.0)
    start = np.concatenate([EIGHT[x][key] for key in ("position", "velocity") for x in EIGHT])
    exact = solve_ivp(attractions, (0, 6.0), start, "DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    found = np.concatenate([run.position(x)[-1] for x in EIGHT])
    assert np.abs(found - exact[:9]).max() < 1e-9
    assert np.ptp(run.energy) < 1e-12 * abs(run.energy[0])
    assert np.abs(run.linear_momentum).max() < 1e-13
    assert np.abs(run.angular_momentum).max() < 1e-13
    p = np.array([run.position(x) for x in EIGHT])
    r = [np.linalg.norm(p[i] - p[j], axis=1) for i, j in ((0, 1), (1, 2), (2, 0))]
    assert run.potential == pytest.approx(-sum(1 / x for x in r), rel=1e-14)


def test_what_is_at_rest_does_not_rotate():
    """Nor by rounding: dop853 would take that for a motion, whose errors it cannot make small."""
    run = ps.simulate(*figure_eight(), "dop853", step=0.05, until=1.0)
    assert all((run.angular_velocity(x) == 0).all() for x in EIGHT)
    gauss = ps.simulate(*figure_eight(), "gauss4", step=0.01, until=1.0)
    assert np.abs(run.position("a")[-1] - gauss.position("a")[-1]).max() < 1e-10


def attract(t, Ra, wa, pa, va, Rb, wb, pb, vb):
    d = pb[0] - pa[0], pb[1] - pa[1], pb[2] - pa[2]
    r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    k = -1 / (r2 * math.sqrt(r2))
    return 0.0, 0.0, 0.0, k * d[0], k * d[1], k * d[2]


def attract_potential(Ra, pa, Rb, pb):
    d = pb[0] - pa[0], pb[1] - pa[1], pb[2] - pa[2]
    return -1 / math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])


@pytest.mark.parametrize("method", ["gauss3", "variational"])
def test_gravitation_is_a_sum_of_pair_forces(method):
    """One function for three pairs."""
    pairs = [ps.PairForce(a, b, attract, attract_potential) for a, b in ("ab", "ac", "bc")]
    own, built_in = (
        ps.simulate(*figure_eight(*forces), method, step=0.01, steps=20)
        for forces in (pairs, [ps.Gravitation(list("abc"), G=1.0)])
    )
    same(own, built_in, 1e-13)


def test_masses_are_those_of_all_parts():
    """A welded part adds to the mass and moves the center: against one merged body."""

    def fall(split):
        m = ps.Mechanism(gravity=(0, 0, 0))
        if split:
            m.add("a", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Free())
            m.add("part", ps.Body(3.0, (0.1, 0.1, 0.1)), ps.Fixed(), "a", at=(0.4, 0, 0))
        else:
            I = 0.2 + 0.75 * 0.16
            m.add("a", ps.Body(4.0, (0.2, I, I), (0.3, 0, 0)), ps.Free())
        m.add("sun", ps.Body(20.0, (1, 1, 1)), ps.Fixed(), at=(0, 2, 0))
        m.apply(ps.Gravitation(["a", "sun"], G=1.0))
        run = ps.simulate(m, m.state({"a": dict(velocity=(2, 0, 0))}), "gauss2", step=0.01, steps=20)
        return run.position("a"), run.potential

    for whole, split in zip(fall(False), fall(True), strict=True):
        assert np.abs(whole - split).max() < 1e-12


def test_gravitation_is_data(tmp_path):
    m, start = figure_eight()
    run = ps.simulate(m, start, "gauss3", step=0.02, steps=10)
    path = tmp_path / "eight.poinsot"
    run.save(path)
    again = ps.load(path).mechanism
    (force,) = again.forces
    assert (force.bodies, force.G) == (("a", "b", "c"), 1.0)
    assert (ps.simulate(again, start, "gauss3", step=0.02, steps=10).final.q == run.final.q).all()
    heavier = figure_eight(ps.Gravitation(["a", "b", "c"], G=2.0))[0]
    assert len({compile_tree(x).fingerprint for x in (m, again, heavier)}) == 2


@pytest.mark.parametrize("by_function", [False, True])
def test_events_and_archives(by_function, tmp_path):
    """A run that is resumed has the bits of a whole one; functions are given again, as those of `Wrench`."""
    pairs = [ps.PairForce(a, b, attract, attract_potential) for a, b in ("ab", "ac", "bc")]
    m, start = figure_eight(*(pairs if by_function else ()))
    path, options = str(tmp_path / "eight.poinsot"), dict(step=0.01, events=[ps.Event("a.position[1]")])
    ps.simulate(m, start, "gauss3", until=0.4, archive=path, **options)
    if by_function:
        with pytest.raises(ps.ArchiveError, match=r"pairforce 'attract' from 'a' to 'b'.*give them again"):
            ps.resume(path, until=0.8)
    found = ps.resume(path, until=0.8, **(dict(mechanism=m) if by_function else {}))
    whole = ps.simulate(m, start, "gauss3", until=0.8, **options)
    assert (found.final.q == whole.final.q).all()
    assert whole.events["a.position[1]"].times == pytest.approx([0.5271595], abs=1e-7)
    assert (found.events["a.position[1]"].times == whole.events["a.position[1]"].times).all()


FILE = """
gravity = [0, 0, 0]
step = 0.01
until = 0.1
method = "gauss2"
[[bodies]]
name = "a"
mass = 2.0
inertia = [1, 1, 1]
joint = "free"
[[bodies]]
name = "b"
mass = 3.0
inertia = [1, 1, 1]
joint = "free"
[start.b]
position = [1, 0, 0]
velocity = [0, 1, 0]
[[forces]]
"""
FORCES = (
    'kind = "Gravitation"\nbodies = ["a", "b"]\nG = 0.5\n',
    """kind = "PairForce"
a = "a"
b = "b"
force = ["-k * x", "-k * y", "-k * z"]
potential = "-3 / r"
[forces.where]
x = "pb[0] - pa[0]"
y = "pb[1] - pa[1]"
z = "pb[2] - pa[2]"
r = "sqrt(x * x + y * y + z * z)"
k = "3 / (r * r * r)"
""",
)


def test_both_in_files(tmp_path):
    runs = []
    for text in FORCES:
        path = tmp_path / "two.toml"
        path.write_text(FILE + text)
        s = ps.scenario(path)
        runs.append(ps.simulate(s.mechanism, s.start, s.method, step=s.step, until=s.until))
        runs[-1].save(tmp_path / "two.poinsot")
        again = ps.load(tmp_path / "two.poinsot").mechanism
        assert len(again.forces) == 1
        assert again.missing == ()
    same(*runs, 1e-13)
    assert runs[0].potential[0] == pytest.approx(-3.0, rel=1e-14)


def test_what_is_wrong_with_gravitation_is_said():
    m = mechanism().add("weld", ps.Body(1.0, (1, 1, 1)), ps.Fixed(), "a")
    for make, what in (
        (lambda: ps.Gravitation("abc"), "must be a list of names of bodies"),
        (lambda: ps.Gravitation(["a"]), "two or more different names"),
        (lambda: ps.Gravitation(["a", "b", "a"]), "two or more different names"),
        (lambda: ps.Gravitation(["a", "b"], G=-1.0), "G must"),
        (lambda: m.apply(ps.Gravitation(["a", "world"])), "'world' has no mass"),
        (lambda: m.apply(ps.Gravitation(["b", "weld"])), "'weld' is a part of 'a'"),
        (lambda: m.apply(ps.Gravitation(["a", "moon"])), "unknown body 'moon'"),
    ):
        with pytest.raises(ps.ModelError, match=what):
            make()
    eight, _ = figure_eight()
    with pytest.raises(ps.ModelError, match="'a' and 'b' are at the same place"):
        ps.simulate(eight, eight.state(), "rk4", step=0.01, steps=1)
