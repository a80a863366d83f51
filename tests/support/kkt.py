"""The motion of a closed mechanism by SciPy's DOP853 on its accelerations: for tests, slow and sure.

Only for joints whose coordinates are plain numbers.  An overconstrained mechanism (Bricard) moves only where
its loops are closed: there the states between are brought onto the loops first.
"""

import numpy as np
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.mechanics.assembly import assemble


def motion(m, start, until, projected=False, rtol=1e-11, atol=1e-12):
    """States at the end, and samples (k, nq), (k, nv) at the steps."""
    tree, n = compile_tree(m), len(start.v)

    def slope(t, y):
        state = ps.State(t, y[:n], y[n:])
        if projected:
            state = assemble(tree, state).state
        return np.concatenate([state.v, ps.dynamics.acceleration(m, state)])

    y = np.concatenate([start.q, start.v])
    found = solve_ivp(slope, (start.time, until), y, "DOP853", rtol=rtol, atol=atol)
    assert found.success
    return ps.State(until, found.y[:n, -1], found.y[n:, -1]), found.y[:n].T, found.y[n:].T
