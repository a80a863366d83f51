"""What one may ask of a run of a tree: motions of all bodies, energies, momenta, files, references."""

import json
import pickle

import numpy as np
import pytest

import poinsot as ps
from poinsot.accuracy.reference import reference_solution
from poinsot.formats.data import from_data, to_data
from support import oracle, zoo

H, T = 0.002, 41
CASES = ["quiet", "forced"]


@pytest.fixture(scope="module")
def runs():
    """A tree with every joint, alone and with every force; gauss4, exact for these motions."""
    found = {}
    for name, m in (("quiet", zoo.bodies()), ("forced", zoo.everything())):
        found[name] = ps.simulate(m, zoo.start(m, time=1.0), "gauss4", step=H, steps=T - 1)
    return found


cases = pytest.mark.parametrize("case", CASES)
bodies = pytest.mark.parametrize("name", zoo.PARENTS)


@cases
@bodies
def test_every_body_has_arrays_of_documented_shape(runs, case, name):
    run, joint = runs[case], runs[case].mechanism.link(name).joint
    assert run.time == pytest.approx(1.0 + H * np.arange(T), rel=1e-15)
    for word, shape in (
        ("rotation", (3, 3)),
        ("quaternion", (4,)),
        ("position", (3,)),
        ("velocity", (3,)),
        ("angular_velocity", (3,)),
        ("joint", (joint.nq,)),
        ("rate", (joint.nv,)),
    ):
        found = getattr(run, word)(name)
        assert found.shape == (T, *shape)
        assert found.dtype == np.float64
        assert not found.flags.writeable
        with pytest.raises(ps.ModelError, match="run: unknown body 'hing', did you mean 'hinge'"):
            getattr(run, word)("hing")


@cases
def test_poses_velocities_energies_and_momenta_are_those_of_the_oracle(runs, case):
    run = runs[case]
    data = to_data(run.mechanism)
    for k in (0, 7, T - 1):
        q, v = run.trajectory.q[k], run.trajectory.v[k]
        for body in oracle.place(data, q, v):
            name, R = body.name, run.rotation(body.name)[k]
            assert np.abs(body.R - R).max() < 1e-14
            assert body.c == pytest.approx(run.part(name).position[k], abs=1e-14)
            assert body.dc == pytest.approx(run.part(name).velocity[k], abs=1e-13)
            assert R.T @ body.w == pytest.approx(run.angular_velocity(name)[k], abs=1e-13)
        total = oracle.totals(data, q, v)
        assert run.kinetic[k] == pytest.approx(total.kinetic, rel=1e-14)
        if case == "quiet":
            assert run.potential[k] == pytest.approx(total.potential, rel=1e-14)
        assert run.linear_momentum[k] == pytest.approx(total.linear_momentum, abs=1e-13)
        assert run.angular_momentum[k] == pytest.approx(total.angular_momentum, abs=1e-13)
    assert np.array_equal(run.energy, run.kinetic + run.potential)


@cases
@bodies
def test_velocities_are_the_rates_of_positions(runs, case, name):
    """Central differences of fourth order: an error of h^4 x^(5)/30, with rates of some 10/s 1e-8."""
    run = runs[case]

    def slope(x):
        return (8 * (x[3:-1] - x[1:-3]) - (x[4:] - x[:-4])) / (12 * H)

    assert slope(run.position(name)) == pytest.approx(run.velocity(name)[2:-2], abs=1e-6)
    R = run.rotation(name)
    hat = np.swapaxes(R[2:-2], 1, 2) @ slope(R)
    spin = np.stack([hat[:, 2, 1], hat[:, 0, 2], hat[:, 1, 0]], axis=1)
    assert spin == pytest.approx(run.angular_velocity(name)[2:-2], abs=1e-6)


@cases
def test_energy_less_work_stays(runs, case):
    run = runs[case]
    assert run.energy - run.work == pytest.approx(run.energy[0], abs=1e-12)
    assert (np.abs(run.work).max() > 0.01) == (case == "forced")
    assert np.array_equal(run.work == 0, np.full(T, case == "quiet")) or case == "forced"


def test_a_report_of_a_tree_is_a_table_and_knows_what_is_kept(runs):
    report = runs["forced"].report()
    title, head, *rows, changed, estimate, cost = str(report).splitlines()
    assert "estimated" in estimate
    assert title == "gauss4: Gauss, 4 stages, step 0.002, until t = 1.08"
    assert head.split() == ["band", "relative", "slope", "x", "T"]
    assert [row.split()[0] for row in rows] == ["energy", "orthogonality"]
    assert changed.startswith("not conserved here: angular momentum (gravity, applied forces")
    assert report.energy.relative_band < 1e-13
    assert report.orthogonality.band < 1e-14
    assert f"{T - 1} steps, {report.evaluations} torque evaluations, {report.iterations} iterations" in cost


def floating(*forces, gravity=(0, 0, 0)):
    """A free chain: base, arm, hand."""
    m = ps.Mechanism(gravity=gravity).add("base", ps.Body(2.0, (0.3, 0.4, 0.5), (0.1, 0, 0)), ps.Free())
    m.add(
        "arm", ps.Body(1.0, (0.1, 0.2, 0.25), (0, 0.3, 0)), ps.Revolute((1, 0, 1)), "base", at=(0.2, 0.3, 0)
    )
    m.add("hand", ps.Body(0.5, (0.1, 0.1, 0.05)), ps.Spherical(), "arm", at=(0, 0.6, 0), body_at=(0.2, 0, 0))
    return m.apply(*forces)


def afloat(m, **options):
    spins = {"base": (1, 2, 3), "hand": (0, 4, 0)}
    values = {name: dict(angular_velocity=w) for name, w in spins.items()} | {"arm": dict(rate=-2.0)}
    return ps.simulate(m, m.state(values), **{"method": "gauss4", "step": 0.005, "steps": 40, **options})


def inner():
    return [
        ps.Spring("base", "hand", 30.0, 0.2),
        ps.Damper("base", "hand", 0.5),
        ps.JointSpring("arm", 3.0),
        ps.JointDamper("hand", 0.2),
        ps.Damping("base", "arm", 0.1 * np.eye(6)),
    ]


@pytest.mark.parametrize("forces", [[], inner()], ids=["none", "inner"])
def test_a_floating_tree_keeps_its_momenta_under_inner_forces(forces):
    run = afloat(floating(*forces))
    report = run.report()
    assert (report.linear_momentum.kept, report.angular_momentum.kept) == (True, True)
    assert report.linear_momentum.band < 1e-13
    assert report.angular_momentum.band < 1e-12


def test_forces_from_outside_are_marked():
    for force in (ps.Spring("world", "hand", 1.0), ps.Drag("hand", np.eye(6)), ps.JointSpring("arm", 1.0)):
        m = floating(force)
        kept = isinstance(force, ps.JointSpring)
        assert afloat(m).report().linear_momentum.kept is kept


# impulses and switches


@pytest.mark.parametrize("frame", ["space", "body"])
@pytest.mark.parametrize("body", ["base", "arm", "hand"])
def test_an_impulse_on_a_floating_tree_adds_to_its_momenta(body, frame):
    torque, force = np.array((0.3, -0.2, 0.5)), np.array((1.0, 2.0, -0.5))
    struck = afloat(floating(ps.Impulse(body, 0.1, torque, force, frame)))
    R, c = struck.rotation(body)[20], struck.position(body)[20]
    t, f = (R @ torque, R @ force) if frame == "body" else (torque, force)
    for momentum, jump in ((struck.linear_momentum, f), (struck.angular_momentum, t + np.cross(c, f))):
        before, after = momentum[:21], momentum[21:]  # the sample at the impulse is before it
        assert before - momentum[0] == pytest.approx(0 * before, abs=1e-13)
        assert after - momentum[0] == pytest.approx(np.broadcast_to(jump, after.shape), abs=1e-12)


@pytest.mark.parametrize("body", zoo.PARENTS)
def test_an_impulse_on_a_held_tree_solves_the_equations_of_the_oracle(body):
    """v+ = v- + M^-1 J^T (torque, force), at the first step; the step itself is tiny."""
    torque, force, h = np.array((0.3, -0.2, 0.5)), np.array((1.0, 2.0, -0.5)), 1e-9
    m = zoo.bodies()
    start, data = zoo.start(m), to_data(m)
    M, _ = oracle.equations(data, start.q, start.v)
    placed = next(x for x in oracle.place(data, start.q, start.v) if x.name == body)
    Jw, Jc, _, _ = oracle.jacobian(placed, start.v)
    whole = placed.origin + placed.R @ m.rigid_links[body].body.center_of_mass  # with what is welded to it
    jump = oracle.solve(M, Jw.T @ (torque + np.cross(whole - placed.c, force)) + Jc.T @ force)
    run = ps.simulate(m.apply(ps.Impulse(body, 0.0, torque, force)), start, "gauss2", step=h, steps=1)
    assert np.array_equal(run.trajectory.v[0], start.v)
    assert run.final.v - start.v == pytest.approx(jump, abs=1e-7 + 1e-12)  # h times an acceleration of 100


def pulse(t, q, v):
    return 5.0 if t < 0.1 else 0.0


def test_a_switch_makes_a_jump_exact():
    """A hinge without gravity, pushed for 0.1 s and then left alone: rate = torque t / I, then constant."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("bar", ps.Body(1.0, (0.5, 0.5, 0.5)), ps.Revolute((1, 0, 0)))
    m.apply(ps.JointTorque("bar", pulse, switches=(0.1,)))
    run = ps.simulate(m, m.state(), "gauss3", step=0.05, steps=8)
    assert run.rate("bar")[:, 0] == pytest.approx(np.minimum(run.time, 0.1) * 10, abs=1e-14)
    assert run.work == pytest.approx(run.kinetic, abs=1e-14)


# states, records, files


def test_states_and_records(runs):
    run = runs["quiet"]
    assert run.at(1.0209).time == 1.0209
    assert np.array_equal(run.at(1.02).q, run.trajectory.q[10])
    assert run.at(run.time[-1]) is run.final
    m = zoo.bodies()
    seen = ps.simulate(
        m,
        zoo.start(m),
        "gauss2",
        step=H,
        steps=4,
        every=2,
        record={"angle": lambda t, x: x.q[m.slices("hinge")[0]][0], "both": lambda t, x: x.v[:2]},
    )
    assert seen.recorded["angle"].tolist() == seen.joint("hinge")[:, 0].tolist()
    assert seen.recorded["both"].shape == (3, 2)


def test_auto_takes_a_method_that_keeps_the_energy():
    run = afloat(floating(), method="auto")
    assert run.method.name == "sgauss3"
    assert run.reason.startswith("auto: ")
    assert run.reason in str(run.report())


@cases
def test_a_run_comes_back_from_a_file(runs, case, tmp_path):
    run = runs[case]
    back = ps.load(run.save(tmp_path / "tree.poinsot"))
    for name in ("time", "energy", "work", "linear_momentum", "angular_momentum"):
        assert getattr(back, name) == pytest.approx(getattr(run, name), abs=1e-13)
    assert np.array_equal(back.trajectory.q, run.trajectory.q)
    assert back.mechanism.names == run.mechanism.names
    labels = {force.label for force in back.mechanism.forces} | set(back.mechanism.missing)
    assert labels == {force.label for force in run.mechanism.forces}
    if case == "forced":
        with pytest.raises(ps.ModelError, match=r"cannot hold forces .*build it again"):
            ps.simulate(back.mechanism, back.final, "gauss4", step=H, steps=1)


def test_the_data_of_a_mechanism_is_exact(runs):
    """Every number comes back with all its bits: axes and rotations are not normalised again."""
    data = to_data(runs["quiet"].mechanism)
    assert to_data(from_data(json.loads(json.dumps(data)))) == data


def test_a_run_goes_on_from_a_file_to_the_same_bits(runs, tmp_path):
    run = runs["quiet"]
    back = ps.load(run.save(tmp_path / "tree.poinsot"))
    a, b = (ps.simulate(x.mechanism, x.final, "gauss4", step=H, steps=5).final for x in (run, back))
    assert np.array_equal(a.q, b.q)
    assert np.array_equal(a.v, b.v)


def test_a_run_can_be_pickled_and_becomes_a_dataset(runs):
    run = runs["forced"]
    assert np.array_equal(pickle.loads(pickle.dumps(run)).energy, run.energy)
    x = run.to_xarray()
    sizes = {"time": T, "body": 10, "axis": 3, "wxyz": 4, "coordinate": run.x.shape[1]}
    assert x.sizes == {**sizes, "rate": run.trajectory.v.shape[1]}
    assert x["body"].values.tolist() == list(zoo.PARENTS)
    assert np.array_equal(x["velocity"].sel(body="screw").values, run.velocity("screw"))


# accuracy


def test_references_advice_and_comparison_work_on_trees():
    m = zoo.everything()
    start = zoo.start(m)
    truth = reference_solution(m, start, 0.2, 0.01)
    assert truth.error < 1e-11
    advice = ps.advise(m, start, 0.2, accuracy=1e-7)
    assert advice.method == "gauss3"
    end = ps.simulate(m, start, advice.method, step=advice.step, until=0.2).final
    assert end.q == pytest.approx(
        truth.q, abs=2e-6
    )  # angles between joints may be larger than the attitude's
    for name in ("gauss2", "newmark"):
        order = next(method.order for method in ps.methods() if method.name == name)
        errors = [
            np.abs(ps.simulate(m, start, name, step=h, until=0.2).final.q - truth.q).max()
            for h in (0.01, 0.005)
        ]
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def test_compare_takes_a_tree():
    m = floating(gravity=(0, 0, -9.81))
    start = m.state({"arm": dict(rate=3.0)})
    c = ps.compare(m, ["gauss2", "rk4", "nmb"], [0.02, 0.01], start=start, until=0.2, step=0.01)
    assert c.methods == ["gauss2", "rk4"]
    assert "nmb: is for one body" in str(c)
    assert all(row.error < 1e-4 for row in c.rows)
