"""One law in the runs of several threads: every run has the bits that it has alone."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import poinsot as ps
from poinsot.gallery import copters

C = ps.control


@pytest.mark.parametrize("options", [{}, {"period": 0.02}, {"horizon": 0.1}])
def test_a_law_is_shared_by_threads(options):
    c = copters.quadcopter()
    m, start = c.mechanism, c.mechanism.state({"copter": dict(position=(0.1, 0, 0.05))})

    def law():
        loop = C.references.flat_quadcopter(m, "copter", C.references.loop_the_loop(1.0, 3.6))
        return C.track(m, C.Template("particle", [c.pair]), loop, c.inputs, **options)

    def bits(shared, begin):
        at = ps.State(begin, start.q, start.v)
        run = ps.simulate(m, at, "rk4", step=0.01, steps=4, controller=shared)
        return run.trajectory.q.tobytes()

    begins, shared = [0.0, 0.02, 0.0, 0.04], law()
    alone = [bits(law(), begin) for begin in begins]
    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(3):
                assert list(pool.map(lambda begin: bits(shared, begin), begins)) == alone
    finally:
        sys.setswitchinterval(old)
