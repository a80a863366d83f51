"""The book toss: runs and drawing of figures 6 and 7, and the closed form of the motion after the impulse.

The paper does not print t_d (we take 2) and disturbs the book by a pulse of one step; the scenario uses
its limit, an impulse.
"""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Figure, Measured, short, thinned
from poinsot_papers.figures import COLORS, style_axes

RELEASE, UNTIL, PULSE = 2.0, 5.0, 0.05
MOMENTS = (5.0, 10.0, 1.0)
METHODS, STEPS = ("nmb", "sw"), (0.05, 0.001)


def pulse(t, R, w, p, v):  # type: ignore[no-untyped-def]
    """Return the torque as printed, for a step of 0.05."""
    if t < 2.0:
        return 20.0, 0.0, 0.0
    return 0.0, (4.0 if t < 2.05 else 0.0), 0.0


def toss(method: str, step: float, until: float = UNTIL) -> ps.Run:
    """Run the scenario, with an impulse."""
    s = ps.scenario("book-toss")
    return ps.simulate(s.mechanism, s.start, method, step=step, until=until)


def pulsed(method: str) -> ps.Run:
    """Run the book with the printed pulse instead of the impulse."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("book", ps.Body(1.0, MOMENTS, physical=False), ps.Free())
    m.apply(ps.Torque("book", pulse, switches=(RELEASE, RELEASE + PULSE)))
    return ps.simulate(m, m.state({}), method, step=PULSE, until=UNTIL)


def after_impulse(step: float, until: float) -> ps.Run:
    """Run the closed form from the release: rotated by 8 rad about axis 1, momentum (40, 0.2, 0) in space."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("book", ps.Body(1.0, MOMENTS, physical=False), ps.Free())
    angle = np.array([8.0, 0.0, 0.0])
    w = (ps.so3.exp(angle).T @ np.array([40.0, 0.2, 0.0])) / MOMENTS
    start = m.state({"book": {"rotation": ps.quaternion.exp(angle), "angular_velocity": tuple(w)}})
    return ps.simulate(m, start, "exact", step=step, until=until - RELEASE)


def curves(quantity: str, points: int = 100) -> Measured:
    """Return the curves of the paper, {"nmb h=0.05": {"time", "x" (3, n)}, ...}."""
    found = {}
    for method in METHODS:
        for step in STEPS:
            run = toss(method, step)
            x = run.angular_velocity("book") if quantity == "velocity" else run.angular_momentum
            i = thinned(len(run.time), points)
            found[f"{method} h={step:g}"] = {"time": short(run.time[i]), "x": short(x[i].T, 7)}
    return found


def draw(result: Measured, figure: Figure, title: str, symbol: str, quantity: str) -> None:
    """Draw three components of both methods: lines for the small step, dots for the large one."""
    for axes, method in zip(figure.subplots(1, 2, sharey=True), METHODS, strict=True):
        for k, color in enumerate(COLORS[:3]):
            coarse, fine = (result["curves"][f"{method} h={h}"] for h in ("0.05", "0.001"))
            label = f"{symbol}{k + 1}"
            axes.plot(fine["time"], fine["x"][k], color=color, linewidth=1.0, label=f"{label}, h=0.001")
            axes.plot(
                coarse["time"], coarse["x"][k], ".", color=color, markersize=4, label=f"{label}, h=0.05"
            )
        axes.set_title(method, loc="left", fontsize=11)
        axes.set_xlabel("time")
        style_axes(axes)
    axes.figure.axes[0].set_ylabel(quantity)
    handles = axes.get_legend_handles_labels()
    figure.legend(*handles, frameon=False, fontsize=9, ncols=3, loc="outside lower center")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
