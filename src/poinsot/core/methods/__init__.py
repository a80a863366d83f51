"""Every method, in the order in which they are listed."""

from poinsot.core.methods.body import cg4, exact, exkick, lp2, nmb, nms, rk4, srkn4
from poinsot.core.methods.method import Method

ALL: tuple[Method, ...] = (
    nmb.METHOD,
    nms.METHOD,
    lp2.METHOD,
    exkick.METHOD,
    srkn4.METHOD,
    rk4.METHOD,
    cg4.METHOD,
    exact.METHOD,
)
