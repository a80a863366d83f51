"""The reproductions of the two theses: shipped records, what they must say, checks of closed forms."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import poinsot as ps
import poinsot_papers as papers
from poinsot.analytical import spaces, torsion
from poinsot.analytical.moving_frame import joint_moments
from poinsot.bibliography import bibliography
from poinsot.gallery.reproduction import experiment, experiments, reproduce, stored_record
from poinsot.model.checks import quaternion
from poinsot.plots.figure import new_figure, write
from poinsot_papers.claims import relative_change
from poinsot_papers.figures import draw
from poinsot_papers.konz2024 import _tricopter, formulations
from poinsot_papers.movingframe import _chain, _gauss, torsional_springs

NAMES = [name for name in experiments() if name.split("/")[0] in ("konz2024", "movingframe")]
SHIPPED = [*NAMES, *(name for name in experiments() if name.startswith("beckman2023/"))]
DIFFER = {
    "beckman2023/adjoint",
    "beckman2023/disp4",
    "beckman2023/dlog",
    "beckman2023/dlog-integrator",
    "beckman2023/dzhanibekov-step",
    "beckman2023/errata",
    "beckman2023/planar-cart",
    "beckman2023/rig",
    "beckman2023/start",
    "beckman2023/tkstar",
    "beckman2023/whiplash",
    "konz2024/errata",
    "movingframe/errata",
    "movingframe/torsional-springs",
}
REMARKS = {  # opinions, plans, a counting model, a step that we assume, a word without a number
    "beckman2023/dele-step",
    "beckman2023/forced",
    "movingframe/coil-drop",
    "movingframe/constraints-and-hamiltonian",
    "movingframe/symbolic-limit",
}
QUICK = [
    name
    for name in NAMES
    if name.split("/")[1]
    in (
        "operators",
        "commutation",
        "connection",
        "tricopter",
        "linearisation",
        "errata",
        "further-work",
        "b-matrix",
        "symbolic-limit",
    )
]


def measured(name: str) -> Any:
    record = stored_record(name)
    assert record is not None
    return record["measured"]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_verdict_follows_from_the_shipped_numbers(name: str) -> None:
    record, module = stored_record(name), experiment(name)
    assert record is not None
    verdict = module.verdict(record["measured"])
    assert (record["verdict"], record["because"]) == (verdict.word, verdict.because)
    assert (verdict.word == "differs") == (name in DIFFER)
    assert (verdict.word == "remark") == (name in REMARKS)
    assert module.CLAIM.paper in bibliography()
    paper, stem = name.replace("-", "_").split("/")
    assert 0 < len(files(papers).joinpath(paper, "results", f"{stem}.json").read_bytes()) < 20_000


@pytest.mark.parametrize("name", SHIPPED)
def test_the_figure_is_drawn_from_the_record_alone(name: str, tmp_path: Any) -> None:
    figure = new_figure(8.0, 4.5)
    draw(experiment(name), measured(name), figure)
    assert all(axes.has_data() for axes in figure.axes)
    text = write(figure, tmp_path / "figure.svg").read_text()
    assert experiment(name).CLAIM.title.replace("&", "&amp;") in text


@pytest.mark.parametrize("name", QUICK)
def test_quick_experiments_have_not_moved(name: str) -> None:
    """But for rounding: remainders of differences depend on the processor."""
    moved = reproduce(name).moved
    pairs = [line.rsplit(": ", 1)[1].split(" -> ") for line in moved if name == "konz2024/linearisation"]
    assert len(pairs) == len(moved)
    assert all(0.5 < float(new) / float(old) < 2.0 for old, new in pairs)


def test_identities_are_met_to_1e_14() -> None:
    for name in ("operators", "commutation", "connection"):
        assert max(measured(f"konz2024/{name}")["residuals"].values()) < 1e-14


def test_newton_finds_all_critical_sets_and_nothing_else() -> None:
    for case in measured("konz2024/critical-points")["cases"].values():
        assert case["farthest"] < 1e-6
        assert min(case["hits"]) > 0
        assert case["converged"] >= 380


def test_withdrawn_errata_stay_withdrawn() -> None:
    """A conversion of the PDF lost them; the author's source has the formulas right."""
    record = measured("konz2024/errata")
    said = " ".join([*record["as printed"], *record["by inspection"]])
    assert not [n for n in ("(2.6)", "(2.7)", "(2.24)", "(2.25)", "(3.93", "(3.110)", "(3.118)") if n in said]
    genuine = ("(2.20)", "(2.43b)", "(2.44b)", "(2.58)", "(2.67i)", "(3.7)", "(3.77)", "(3.94", "(3.116)")
    assert all(n in said for n in genuine)
    assert "in the copy at hand" in experiment("konz2024/errata").CLAIM.words


def test_energies_of_sixteen_links_are_relative_to_what_moves() -> None:
    """From a right angle the energy starts at zero: the error is that of the largest kinetic energy."""
    runs = measured("movingframe/sixteen-bodies")["runs"]
    coarse, fine = (runs[f"π/2, h={h}"]["energy"] for h in ("0.01", "0.001"))
    assert 1e-5 < coarse < 1e-2
    assert fine < 1e-3 * coarse  # order four: 1e-4, in chaos


def test_no_experiment_divides_by_the_first_energy_unseen() -> None:
    chain = ps.State(0.0, _chain.first_rotated(16, np.pi / 2), np.zeros(48))
    path = ps.simulate(_chain.mechanism(16), chain, "gauss2", step=0.01, steps=5)
    with pytest.raises(ValueError, match="divide by their size"):
        relative_change(path.energy, path.kinetic.max())
    assert relative_change(np.array([2.0, 3.0]), 4.0).tolist() == [0.0, 0.5]
    folder = Path(str(files(papers)))
    by_hand = [p.name for p in folder.rglob("*.py") if re.search(r"/ (\w+\.)?energy\[0\]", p.read_text())]
    assert set(by_hand) <= {"stability.py", "figure_06.py", "figure_12.py"}, "use relative_change"


def test_every_erratum_is_seen_and_cured() -> None:
    for paper in ("konz2024", "movingframe"):
        record = measured(f"{paper}/errata")
        assert min(record["as printed"].values()) > 0.1
        assert max(record["corrected"].values()) < 1e-12
        assert record["by inspection"]


def plane_pendulum(lengths: Any, centers: Any, masses: Any, moments: Any) -> Any:
    """SymPy's accelerations of two links in a plane, angles against the vertical."""
    t, q = dynamicsymbols._t, dynamicsymbols("a b")
    x1, z1 = centers[0] * sympy.sin(q[0]), -centers[0] * sympy.cos(q[0])
    x2 = lengths[0] * sympy.sin(q[0]) + centers[1] * sympy.sin(q[1])
    z2 = -lengths[0] * sympy.cos(q[0]) - centers[1] * sympy.cos(q[1])
    T = (
        sum(m * (x.diff(t) ** 2 + z.diff(t) ** 2) for m, x, z in zip(masses, (x1, x2), (z1, z2), strict=True))
        / 2
    )
    T += sum(i * angle.diff(t) ** 2 for i, angle in zip(moments, q, strict=True)) / 2
    method = LagrangesMethod(T - 9.81 * (masses[0] * z1 + masses[1] * z2), q)
    method.form_lagranges_equations()
    M, f = (
        sympy.lambdify([q, [a.diff(t) for a in q]], part) for part in (method.mass_matrix, method.forcing)
    )
    return lambda a, w: np.linalg.solve(M(a, w), np.ravel(f(a, w)))


def test_closed_forms_of_double_pendulums_are_those_of_sympy() -> None:
    rng = np.random.default_rng(1)
    masses, lengths = formulations.MASSES, formulations.LENGTHS
    particles = plane_pendulum(lengths, lengths, masses, (0, 0))
    half, moment = _chain.LENGTH / 2, _chain.PRISM[0, 0]
    prisms = plane_pendulum((_chain.LENGTH,), (half, half), (_chain.MASS,) * 2, (moment, moment))
    for _ in range(10):
        a, w = rng.uniform(-3, 3, 2), rng.uniform(-2, 2, 2)
        np.testing.assert_allclose(formulations.closed_form(a, w), particles(a, w), rtol=1e-12, atol=1e-12)
        found = _chain.double_pendulum(0.0, np.concatenate([a, w]))[2:]
        np.testing.assert_allclose(found, prisms(a, w), rtol=1e-12, atol=1e-12)


def test_the_elliptic_pendulum_solves_its_equation() -> None:
    time, h = np.linspace(0.1, 5, 20), 1e-3
    angle = _chain.pendulum(time, 2.0)
    second = (_chain.pendulum(time + h, 2.0) - 2 * angle + _chain.pendulum(time - h, 2.0)) / h**2
    rate = _chain.MASS * 9.81 * _chain.LENGTH / 2 / _chain.ABOUT_JOINT
    np.testing.assert_allclose(second, -rate * np.sin(angle), atol=1e-4)
    assert _chain.pendulum(np.zeros(1), 2.0)[0] == pytest.approx(2.0)


def test_tableaus_are_gauss_legendre() -> None:
    """Collocation: Σⱼ aᵢⱼ cⱼᵖ⁻¹ = cᵢᵖ/p, Σ bⱼ cⱼᵖ⁻¹ = 1/p to twice the stages; quadratic invariants."""
    for A, b, c in _gauss.TABLEAUS.values():
        for p in range(1, len(c) + 1):
            np.testing.assert_allclose(A @ c ** (p - 1), c**p / p, atol=1e-15)
        for p in range(1, 2 * len(c) + 1):
            assert b @ c ** (p - 1) == pytest.approx(1 / p, abs=1e-15)
        np.testing.assert_allclose(b[:, None] * A + (b[:, None] * A).T, np.outer(b, b), atol=1e-15)


def test_springs_of_the_thesis() -> None:
    """The compiled chain against the oracle, from the turn about the first and then the second axis."""
    q, w = torsional_springs.start(0.3), np.random.default_rng(2).normal(size=12)
    system = _chain.chain(4)
    R = system.motion(q, w).relative[2]
    c, s = np.cos(0.3), np.sin(0.3)
    X, Y = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]), np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    np.testing.assert_allclose(R, X @ Y, atol=1e-15)
    springs = {
        "Euler angles": [torsion.angle_spring(k) for k in torsional_springs.STIFFNESS],
        "logarithm": [torsion.log_spring(k) for k in torsional_springs.STIFFNESS],
        "potential": [torsion.potential_spring(k * np.eye(3)) for k in torsional_springs.STIFFNESS],
    }
    for kind, parts in springs.items():

        def force(t: float, motion: Any, parts: Any = parts) -> Any:
            moments = np.stack([one[0](turn) for one, turn in zip(parts, motion.relative, strict=True)])
            return np.zeros((4, 3)), joint_moments(system, motion, moments)

        expected = system.acceleration(q, w, 0.0, force)
        found = ps.dynamics.acceleration(torsional_springs.chain(kind), ps.State(0.0, q, w))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_the_heavy_top_ends_where_another_program_ends() -> None:
    """The state after 10 s (u, w/2) of an independent GL3 with looser stages; spin 50 is the harder one."""
    ends = {
        "20": [
            0.9072852827384,
            0.1274088764146,
            -0.1024428923589,
            0.3874349593702,
            -0.0450905080623,
            0.2885058924283,
            10.0,
        ],
        "50": [
            0.5295073763690,
            0.1687225306886,
            0.0319764823694,
            -0.8307419277875,
            -0.3435281237070,
            0.1443538781562,
            25.0,
        ],
    }
    record = measured("movingframe/heavy-top")
    for spin, bound in (("20", 1e-8), ("50", 2e-6)):
        np.testing.assert_allclose(record["runs"][spin]["end"], ends[spin], atol=bound)
    assert record["mass"] == pytest.approx(28.27433388, rel=1e-8)
    assert record["moments"] == pytest.approx([1.1957687, 1.1957687, 2.0145463], rel=1e-7)


def test_gallery_and_experiments_have_the_same_chains() -> None:
    """Frames of the gallery sit at the centres of links, those of the experiments at their joints."""
    q, w = torsional_springs.start(0.3), np.random.default_rng(3).normal(size=12)
    for kind, form in torsional_springs.KINDS.items():
        s = ps.scenario(f"torsion-{form}")
        np.testing.assert_allclose(s.start.q, q, atol=1e-15)
        found = ps.dynamics.acceleration(s.mechanism, ps.State(0.0, q, w))
        expected = ps.dynamics.acceleration(torsional_springs.chain(kind), ps.State(0.0, q, w))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13 * np.abs(expected).max())


def test_the_tricopter_of_the_gallery_is_that_of_the_thesis() -> None:
    """Without forces its accelerations are those of the independent engine, at its state."""
    s = ps.scenario("tricopter")
    m = s.mechanism
    bare = ps.Mechanism(gravity=m.gravity)
    for name in ("center", "load", *(f"{part}{n}" for n in (1, 2, 3) for part in ("arm", "propeller"))):
        link = m.link(name)
        places = {"at": link.at, "rotation": link.rotation, "body_at": link.body_at}
        if name == "center":
            del places["body_at"]
        bare.add(name, link.body, link.joint, link.parent, **places)
    x = _tricopter.X
    q = [
        x[:3],
        quaternion("test", "R", spaces.matrix(x[3:12])),
        quaternion("test", "R", spaces.matrix(x[12:21])),
    ]
    q += [np.array([x[21 + 3 * n], np.arctan2(x[23 + 3 * n], x[22 + 3 * n])]) for n in range(3)]
    state = ps.State(0.0, np.concatenate(q), _tricopter.STATE)
    found = ps.dynamics.acceleration(bare, state, _tricopter.FORCE)
    size = np.abs(_tricopter.ACCELERATION).max()
    assert len(s.start.v) == 15
    np.testing.assert_allclose(found, _tricopter.ACCELERATION, rtol=0, atol=1e-12 * size)


def test_the_coil_lies_in_a_plane_and_is_one_of_its_own_pitch() -> None:
    """Links have the height zero, and turns of the spiral keep their distance: no two centres meet."""
    s = ps.scenario("coil-drop")
    run = ps.simulate(s.mechanism, s.start, "gauss3", step=0.01, steps=0)
    places = np.array([run.position(name)[0] for name in s.mechanism.names])
    assert np.abs(places[:, 2]).max() < 1e-12
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(64, k=2)]
    assert gaps.min() > 0.5
    assert np.ptp(places[:, :2], axis=0).max() < 20


def test_the_coil_falls_without_ever_gaining_energy() -> None:
    record = measured("movingframe/coil-drop")
    assert record["fixed point lost in step"] == 1
    assert record["h rate"] > record["contracts below"][2] > record["contracts below"][1]
    assert record["contracts below"] == pytest.approx([2, 2 * np.sqrt(3), 4.644], abs=1e-3)
    for one in record["runs"].values():
        assert one["Newton"]
        assert one["length"] < 1e-13
        assert one["largest rise of the energy"] < 0


def test_one_figure_shows_which_springs_gain_energy() -> None:
    """The peak and the end from 0.3 rad are those of another program with h = 0.002."""
    record = measured("movingframe/torsional-springs")
    gain = record["largest gain"]
    assert gain["Euler angles"] == pytest.approx(618.6, abs=0.1)
    assert record["gain at the end"]["Euler angles"] == pytest.approx(343.2, abs=0.1)
    assert max(gain["logarithm"], gain["potential"]) < 1e-4
    assert record["converged to"] < 1e-3 * gain["Euler angles"]


def test_tables_stand_beside_those_of_the_thesis() -> None:
    record = measured("movingframe/table-3-2")
    theirs, ours = record["theirs"], record["ours"]
    assert (theirs["RK45"]["evaluations"], theirs["GL2"]["evaluations"]) == (15794, 11334)
    assert ours["GL2, fixed point to 1e-9"]["evaluations"] < ours["RK45, SciPy"]["evaluations"]
    times = measured("movingframe/table-3-3")
    assert times["links"] == [4, 8, 16, 32, 48, 64]
    assert all(len(row) == 6 for row in (times["theirs"], *times["seconds"].values()))
    assert 20 * max(times["seconds"]["GL3"]) < times["theirs"][-1]
