"""Same bits: interpreted, resumed, in other chunks."""

import subprocess
import sys

import numpy as np
import pytest

SCRIPT = """
import os
import numpy as np
import poinsot as ps

m = ps.Mechanism()
m.add("a", ps.Body(1.0, (0.1, 0.2, 0.15), (0.1, 0.0, -0.5)), ps.Universal((1, 0, 0), (0, 1, 0)))
m.add("b", ps.Body(1.0, (0.1, 0.2, 0.15), (0.0, 0.1, -0.5)), ps.Spherical(), "a", at=(0, 0, -1))
m.add("c", ps.Body(0.5, (0.1, 0.2, 0.15)), ps.Free(), at=(0, 0.3, -2))
m.add("d", ps.Body(0.3, (0.1, 0.2, 0.15), (0.1, 0.0, 0.1)), ps.Helical((0, 1, 2), 0.7), "b", at=(0, 0.2, 0))
m.apply(ps.Spring("a", "b", 30.0, 0.5), ps.JointDamper("a", 0.1), ps.JointSpring("b", 2.0))
m.close(ps.Loop("b", "c", ps.Revolute((1, 0, 0)), at_a=(0, 0, -1), at_b=(0, 0.3, 0)))
ends = []
for method in ("variational", "variational_midpoint", "variational4"):
    run = ps.simulate(m, m.state({"a": dict(rates=(1.0, 2.0))}), method, step=0.01, steps=4)
    ends += [run.final.q, run.final.v, run.work]
np.save(os.environ["OUT"], np.concatenate(ends))
"""


@pytest.mark.slow
def test_the_interpreter_gives_the_bits_of_the_compiler(tmp_path, environment):
    ends = []
    for name, extra in (("compiled", {}), ("interpreted", {"NUMBA_DISABLE_JIT": "1"})):
        path = tmp_path / f"{name}.npy"
        environ = {**environment, "OUT": str(path), **extra}
        subprocess.run([sys.executable, "-W", "ignore", "-c", SCRIPT], env=environ, check=True)
        ends.append(np.load(path))
    assert np.isfinite(ends[0]).all()
    assert np.array_equal(*ends)
