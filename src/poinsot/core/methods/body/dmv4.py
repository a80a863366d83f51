"""DMV4: discrete Moser-Veselov with rescaled moments, order 4 (McLachlan & Zanna 2005).

    1/I' = (1 + h^2 s) / I + h^2 d                                                          (1)
    s = -S(1/I) H/3 + S(I) C/(6 Pr(I)),       d = S(I) H/(6 Pr(I)) - C/(3 Pr(I))                 (2)

S is the sum and Pr the product over the moments, H the energy and C = |P|^2/2.  DMV moves exactly as
a body with other moments would; (1) makes those moments the true ones up to O(h^4).
"""

from poinsot.core.body.records import Load, State, System
from poinsot.core.jit import jit
from poinsot.core.lie.vec3 import Vec3, dot, times
from poinsot.core.methods.body.dmv import fall_and_turn
from poinsot.core.methods.body.kick import MEMORY, remember
from poinsot.core.methods.method import Method


@jit
def sums(I: Vec3, a: Vec3) -> tuple[float, float, float]:
    """S(I), S(1/I), 1/Pr(I)."""
    return I[0] + I[1] + I[2], a[0] + a[1] + a[2], a[0] * a[1] * a[2]


@jit
def second_order(I: Vec3, a: Vec3, P: Vec3) -> tuple[float, float]:
    """(2): s and d."""
    S, Sa, Pa = sums(I, a)
    H, C = 0.5 * dot(P, times(a, P)), 0.5 * dot(P, P)
    return (0.5 * S * Pa * C - Sa * H) / 3.0, Pa * (0.5 * S * H - C) / 3.0


@jit
def rescaled(a: Vec3, s: float, d: float) -> Vec3:
    """(1): I' from 1/I, where s and d include their powers of h."""
    return (
        1.0 / (a[0] * (1.0 + s) + d),
        1.0 / (a[1] * (1.0 + s) + d),
        1.0 / (a[2] * (1.0 + s) + d),
    )


@jit
def step(system: System, t: float, h: float, x0: State, f: Load) -> tuple[State, Load, int, int, bool]:
    I, a, z = system.body.I, system.body.a, h * h
    s, d = second_order(I, a, x0.P)  # (2)
    return fall_and_turn(system, rescaled(a, z * s, z * d), h, x0, f)  # (1)


METHOD = Method(
    name="dmv4", title="Discrete Moser-Veselov, rescaled to order 4", order=4, scope="free", symplectic=True,
    reversible=True, keeps=("momentum",), implicit=True, velocity_forces=False,
    reference="mclachlan2005discrete", turn=1.0, step=step, remember=remember, memory=MEMORY,
)  # fmt: skip
