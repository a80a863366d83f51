"""An axis of step sizes for figures."""

from collections.abc import Sequence
from typing import Any


def step_axis(axes: Any, steps: Sequence[float]) -> None:
    """Make the x axis logarithmic, with a tick at each step."""
    axes.set_xscale("log")
    axes.set_xticks(steps, [f"{h:g}" for h in steps])
    axes.minorticks_off()
    axes.set_xlabel("step [s]")
