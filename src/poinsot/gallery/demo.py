"""The demonstration: one spinning body, three methods, and the drift of its energy."""

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from poinsot.plots.figure import COLORS, new_figure, style_axes, write
from poinsot.plots.run_figures import drift_axes, energy_error, momentum_error
from poinsot.run.run import Run
from poinsot.scenario.scenario import scenario
from poinsot.simulation.driver import require_end
from poinsot.simulation.messages import StepWarning
from poinsot.simulation.simulate import simulate
from poinsot.view.page import to_html

METHODS = ("rk4", "nmb", "srkn4")
ROUNDING = 1e-11  # a relative band below this is rounding
STEP, UNTIL, SHOWN = 0.08, 1000.0, 14.0
STORY = (
    "A body like a wing nut floats in weightlessness and spins about its intermediate axis: it flips over",
    f"again and again.  Its energy and its angular momentum are conserved.  {UNTIL:g} seconds with a step",
    f"of {STEP:g} s:",
)


class DemoRow(NamedTuple):
    """The result of one method."""

    method: str
    energy_change: float  # relative, at the end
    energy_band: float  # relative, in the whole run
    steady: bool  # the trend is below a tenth of the band
    momentum_change: float  # relative, the largest in the run
    flips: int
    expected_flips: int
    seconds: float


def demo(say: Callable[[str], None]) -> tuple[list[DemoRow], dict[str, Run]]:
    """Run the methods; return their results and the runs by name.  `say` is called before each run."""
    s = scenario("dzhanibekov", until=UNTIL, step=STEP)
    first, second = s.reference["flips"][:2]
    expected = int((UNTIL - first) // (second - first)) + 1
    rows, runs = [], {}
    for name in METHODS:
        say(f"running {name} ...")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StepWarning)  # the step is too large for rk4, on purpose
            run = require_end(simulate(s.mechanism, s.start, name, step=s.step, until=s.until))
        runs[name] = run
        energy = run.report().energy
        change = float(run.energy[-1] / run.energy[0] - 1)
        flips = len(run.flips("nut"))
        rows.append(
            DemoRow(
                name,
                change,
                energy.relative_band,
                energy.trend < 0.1 * energy.band,
                float(momentum_error(run.trajectory).max()),
                flips,
                expected,
                run.seconds,
            )
        )
    return rows, runs


def lines(rows: list[DemoRow]) -> list[str]:
    """Return the lines of the table."""
    result = [*STORY, "", f"{'':8}{'energy':30}{'momentum':>10}{'flips':>14}{'computed in':>14}"]
    for row in rows:
        if row.energy_band < ROUNDING:
            energy = "kept to the last digits"
        elif row.steady:
            energy = f"stays within {100 * row.energy_band:.2g} %"
        else:
            verb = "lost" if row.energy_change < 0 else "gained"
            energy = f"{verb} {100 * abs(row.energy_change):.2g} %, still drifting"
        flips = f"{row.flips} of {row.expected_flips}"
        momentum = f"{row.momentum_change:.0e}"
        result.append(f"{row.method:8}{energy:30}{momentum:>10}{flips:>14}{row.seconds:>12.2f} s")
    return result


def page(runs: Mapping[str, Run], path: Path) -> Path:
    """Write the page with the three runs side by side."""
    title = "Dzhanibekov body: the same physics, three methods"
    return to_html(path, runs, title=title, notes=" ".join(STORY).rstrip(":") + ".")


def figure(runs: Mapping[str, Run], path: Path) -> Path:
    """Draw the flips at the start and at the end, and the drift of energy and angular momentum."""
    page = new_figure(10.0, 6.4)
    axes = page.subplots(2, 2)
    for column, title in ((0, "first seconds"), (1, "last seconds")):
        for color, (name, run) in zip(COLORS, runs.items(), strict=False):
            inside = run.time <= SHOWN if column == 0 else run.time >= run.time[-1] - SHOWN
            spin = run.angular_velocity("nut")[inside, 0]
            axes[0, column].plot(run.time[inside], spin, color=color, linewidth=1.4, label=name)
        axes[0, column].set_title(f"spin about the intermediate axis, {title}", fontsize=11, loc="left")
        axes[0, column].set_ylabel("rad/s", fontsize=9)
        style_axes(axes[0, column])
    trajectories = {name: run.trajectory for name, run in runs.items()}
    drift_axes(axes[1, 0], trajectories, energy_error, "energy error, relative")
    drift_axes(axes[1, 1], trajectories, momentum_error, "angular momentum error, relative")
    axes[1, 0].legend(frameon=False, fontsize=9, loc="center right")
    page.suptitle("Dzhanibekov body: the same physics, three methods", fontsize=13, x=0.01, ha="left")
    return write(page, path)
