"""Ticks at the step sizes of an experiment, for its figure."""

from collections.abc import Sequence
from typing import Any


def label_steps(axes: Any, steps: Sequence[float]) -> None:
    """Put a tick at each step on the x axis, and no other ticks."""
    axes.set_xticks(steps, [f"{h:g}" for h in steps])
    axes.set_xticks([], minor=True)
