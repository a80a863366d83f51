"""An axis of steps with the steps on it, and nothing else."""

from collections.abc import Sequence
from typing import Any


def step_axis(axes: Any, steps: Sequence[float]) -> None:
    axes.set_xscale("log")
    axes.set_xticks(steps, [f"{h:g}" for h in steps])
    axes.minorticks_off()
    axes.set_xlabel("step [s]")
