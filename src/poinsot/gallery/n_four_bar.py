"""N four-bar linkages in a row: benchmark A02 of the IFToMM library (González et al. 2006).

N + 1 vertical rods and N horizontal bars, 1 m and 1 kg each, thin and uniform; at the start the rods are
upright, and their upper points move with 1 m/s to the right.  With the angle f of the rods against x,

    ((N + 1)/6 + N/2) f.^2 + ((N + 1)/2 + N) g sin f  is constant                               (1)

so that one quadrature gives the motion.  Where all rods lie on one line, all loops are singular at once, and
two motions branch.  The last hinge of each loop is closed in the plane, by two constraints: the three others
of a hinge would be redundant.
"""

from poinsot.errors import ScenarioError
from poinsot.model.checks import show
from poinsot.model.loops import Axis, Loop
from poinsot.model.shapes.solids import Box
from poinsot.scenario.scenario import Recipe

Y = (0.0, 1.0, 0.0)
HINGE = {"kind": "revolute", "axis": Y}
ROD = {
    "mass": 1.0,
    "inertia": (1 / 12, 1 / 12, 0.0),
    "shape": Box((0.04, 0.04, 1.0)),
    "joint": HINGE,
    "body_at": (0.0, 0.0, 0.5),
}
BAR = {
    "mass": 1.0,
    "inertia": (0.0, 1 / 12, 1 / 12),
    "shape": Box((1.0, 0.04, 0.04)),
    "joint": HINGE,
    "body_at": (0.5, 0.0, 0.0),
}
MOST = 100_000  # linkages: 200 001 bodies
B0 = (0.32845811154, 0.94451853818)  # x and height of the first upper point at 10 s for N = 2, published


def loops(n: int) -> list[Loop]:
    """Return the last hinge of each loop."""
    a, b = (0.5, 0.0, 0.0), (0.0, 0.0, 0.5)
    return [Loop(f"bar{k}", f"rod{k}", Axis(Y), at_a=a, at_b=b) for k in range(1, n + 1)]


def family(N: int) -> Recipe:
    """Return the row of N linkages."""
    if not isinstance(N, int) or isinstance(N, bool) or not 1 <= N <= MOST:
        raise ScenarioError(f"n-four-bar: N must be a whole number from 1 to {MOST}, got {show(N)}")
    rods = {f"rod{k}": {**ROD, "at": (float(k), 0.0, 0.0)} for k in range(N + 1)}
    bars = {f"bar{k}": {**BAR, "parent": f"rod{k - 1}", "at": (0.0, 0.0, 0.5)} for k in range(1, N + 1)}
    return Recipe(
        title=f"{N} four-bar linkages in a row",
        bodies={**rods, **bars},
        start={**{name: {"rate": 1.0} for name in rods}, **{name: {"rate": -1.0} for name in bars}},
        step=0.001,
        until=10.0,
        method="variational4",
        loops=lambda: loops(N),
        notes="Passes the singular position in which all rods lie on one line.",
        reference={"R33 at 10": B0[1]} if N == 2 else {},
        options={"N": N},
        family=family,
    )


RECIPE = family(2)
RECIPES = {"n-four-bar": RECIPE}
