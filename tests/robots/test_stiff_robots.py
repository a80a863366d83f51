"""Stiff dampers and elastic stops of files: what "auto" takes, and what it says."""

import pytest

import poinsot as ps
from support.robots import ARM

DAMPER = ("", "JointDamper at 'upper' is stiff", {})
COUPLED = ('<mimic joint="shoulder" multiplier="0.1"/>', "JointDamper at 'upper' is stiff", {})
STOP = ("", "JointStop at 'upper' is stiff", {"stops": 1e6})


@pytest.mark.parametrize(("more", "words", "options"), [DAMPER, COUPLED, STOP])
def test_auto_takes_radau_where_a_file_is_stiff(tmp_path, more, words, options):
    text = ARM.replace('<limit lower="0"', f'{more}<limit lower="0"')
    path = tmp_path / "arm.urdf"
    path.write_text(text if options else text.replace('damping="0.4"', 'damping="4000"'))
    m = ps.read(path, **options)
    values = {"upper": dict(angle=1.495, rate=1.0), "slider": dict(displacement=0.1495, speed=0.1)}
    run = ps.simulate(m, m.state(values), step=0.01, until=0.05)
    assert run.method.name == "radau3"
    assert words in run.reason
    easy = ps.simulate(m, m.state(values), step=1e-4, until=3e-4)
    assert easy.method.name != "radau3"
