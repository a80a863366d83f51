"""The apparatus and "what if" on the page of a finished run."""

import numpy as np
import pytest

import poinsot as ps
from view.test_what_if import CLOSE

CHOOSE = """((id, value) => {
    const field = document.querySelector(id);
    field.value = value;
    field.dispatchEvent(new Event("change"));
})(%r, %r)"""


@pytest.fixture(scope="module")
def nut():
    s = ps.scenario("dzhanibekov")
    return ps.simulate(s.mechanism, s.start, "rk4", step=0.03, steps=200)


def test_the_apparatus_shows_the_numbers_of_the_run(nut, shown):
    """At t = 0.03, the first step; and "what if" with the same numbers is the closed form of the run."""
    page = shown(nut, address="frame=1&apparatus=1&what-if=1")
    read = page("poinsot.apparatus")
    assert read["w-body"] == nut.angular_velocity("nut")[1].tolist()
    assert read["L-space"] == pytest.approx(nut.angular_momentum[1].tolist(), abs=1e-16)
    assert read["kinetic"] == pytest.approx([nut.kinetic[1]] * 3, rel=1e-15)
    assert f"{nut.kinetic[1]:.14f}"[:14] in page("document.querySelector('#apparatus table').textContent")
    page(CHOOSE % ("#apparatus-sequence", "ZXZ"))
    angles = ps.so3.to_euler("ZXZ", nut.rotation("nut")[1])  # by way of the matrix: some roundings
    assert page("poinsot.apparatus")["angles"] == pytest.approx(angles.tolist(), abs=1e-15)
    page("poinsot.set(150)")
    r = ps.dynamics.discrete_residual(nut.mechanism, *nut.trajectory.states()[148:151], step=0.03)
    assert page("poinsot.apparatus.residual") == [np.sqrt((r**2).sum())]
    page("[...document.querySelectorAll('#apparatus .chips button')].at(-1).click()")
    assert "residual" not in page("document.querySelector('#apparatus table').textContent")
    page(CHOOSE % ("#what-if input[type=text]", str(nut.mechanism.links[0].body.principal_moments[0])))
    exact = ps.simulate(nut.mechanism, nut.at(0.0), "exact", step=0.03, steps=150)
    assert np.abs(np.array(page("poinsot.quaternion()")) - exact.quaternion("nut")[-1]).max() < CLOSE
