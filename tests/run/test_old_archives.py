"""Archives written before the source was reorganised load, hold the numbers of today, and can be continued.

tests/data/archives/*.poinsot were written by commit c884c07, `welded` by cf3cfc4.
"""

import numpy as np
import pytest

import poinsot as ps
from support.data import ARCHIVES

METHODS = {  # of the gallery's scenarios: method, steps
    "4disp-balance": ("variational", 12),
    "dzhanibekov": ("srkn4", 20),
    "fast-top": ("hstagm", 20),
    "four-bar": ("variational", 10),
    "robot-arm": ("gauss3", 10),
}
NAMES = [*METHODS, "mixed", "welded"]
CONTINUED = 4  # steps
ROUNDED = {  # the runs of today that have other roundings
    "4disp-balance": "depends on the gains, which LAPACK computes",
    "dzhanibekov": "srkn4 flies without bias since: it keeps the invariants of flight",
    "four-bar": "the iterations of variational end by another rule since",
    "mixed": "the sweeps of gauss2 end by another rule since",
    "robot-arm": "the sweeps of gauss3 end by another rule since",
}
pytestmark = pytest.mark.filterwarnings("ignore:hstagm. the body rotates by 1 rad:poinsot.StepWarning")


def old(name):
    return ps.load(ARCHIVES / f"{name}.poinsot")


def again(name, run, steps):
    """The same simulation with the code of today."""
    if name in ("mixed", "welded"):
        return ps.simulate(run.mechanism, run.at(0.0), "gauss2", step=0.01, steps=steps)
    s, method = ps.scenario(name), METHODS[name][0]
    return ps.simulate(
        s.mechanism, s.start, method, step=s.step, steps=steps, every=2, controller=s.controller
    )


def test_every_archive_is_looked_at():
    assert sorted(path.stem for path in ARCHIVES.glob("*.poinsot")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_old_archive_holds_what_a_run_gives_today(name):
    """The same bits, or the same to rounding where `ROUNDED` says why."""
    run = old(name)
    method, steps = METHODS.get(name, ("gauss2", 10))
    assert (run.method.name, run.steps) == (method, steps)
    new = again(name, run, steps)
    assert np.array_equal(run.time, new.time)
    for column in ("q", "v"):
        ours, theirs = getattr(new.trajectory, column), getattr(run.trajectory, column)
        assert ours.shape == theirs.shape
        if name in ROUNDED:
            assert ours == pytest.approx(theirs, rel=0, abs=1e-12)  # LAPACK: 3e-13 between processors
        else:
            assert np.array_equal(ours, theirs), column
    size = np.abs(new.energy).max() + np.abs(new.kinetic).max()
    slack = 1e-11 if name == "4disp-balance" else 1e-14  # other gains do other work
    assert np.abs(run.energy - new.energy).max() < slack * size
    assert np.abs(run.work - new.work).max() < slack * size


@pytest.mark.parametrize("name", NAMES)
def test_a_run_goes_on_from_an_old_archive(name):
    """What a method remembers belongs to the kernels that wrote it: others start it afresh."""
    run = old(name)
    s = None if name in ("mixed", "welded") else ps.scenario(name)
    controlled = s is not None and s.controller is not None
    m = s.mechanism if controlled else run.mechanism  # a file cannot hold a controller
    more = ps.simulate(
        m,
        run.final,
        run.method.name,
        step=run.step,
        steps=CONTINUED,
        controller=s.controller if controlled else None,
    )
    assert more.time[0] == run.time[-1]
    assert np.array_equal(more.trajectory.q[0], run.trajectory.q[-1])
    assert np.array_equal(more.trajectory.v[0], run.trajectory.v[-1])
    whole = again(name, run, run.steps + CONTINUED).final
    assert more.final.time == pytest.approx(whole.time, rel=1e-15)
    apart = max(np.abs(more.final.q - whole.q).max(), np.abs(more.final.v - whole.v).max())
    bound = 5e-3 if name == "fast-top" else 1e-12  # hstagm, at 50 rad/s: O(h^2) for its new start
    assert apart < bound
