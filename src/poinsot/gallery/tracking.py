"""What the scenarios with a tracking controller share."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.run.run import Run

if TYPE_CHECKING:
    from poinsot.control import Pair
    from poinsot.control.references.motions import Reference

ORIGIN = (0.0, 0.0, 0.0)
Settings = Mapping[str, Any]
Law = Callable[[Mechanism, Settings, float | None], Controller | Feedback]


def point(total: float, at: Sequence[float] = ORIGIN) -> tuple[float, Sequence[float], Sequence[float]]:
    """Return a total at a point, without moments about it, for a pair."""
    return total, at, ORIGIN


def about(axis: Sequence[float], value: float) -> tuple[float, Sequence[float], Array]:
    """Return a moment about an axis, for a pair."""
    return 0.0, ORIGIN, value * np.outer(axis, axis)


def oscillator(inertia: float, frequency: float, damping: float = 1.0) -> tuple[float, float, float]:
    """Return inertia, damping and stiffness of an oscillator."""
    return inertia, 2 * damping * frequency * inertia, frequency**2 * inertia


def track(
    m: Mechanism, kind: str, pairs: "Sequence[Pair]", reference: "Reference", inputs: Any, **options: Any
) -> Controller | Feedback:
    """Return a tracking controller."""
    from poinsot.control import Template, track  # the gallery is listed without it

    return track(m, Template(kind, pairs), reference, inputs, **options)


def controller_of(law: Law) -> Callable[[Mechanism, str, float, Settings], Controller]:
    """Return the `controller` of a recipe from a law with its period."""

    def controller(m: Mechanism, method: str, step: float, settings: Settings) -> Controller:
        found = law(m, settings, settings["period"])
        assert isinstance(found, Controller)
        return found

    return controller


def deviations(run: Run, reference: "Reference") -> Array:
    """Return q - q_R at the samples of a run, for plain coordinates."""
    return np.array([q - reference(float(t))[0].q for t, q in zip(run.time, run.trajectory.q, strict=True)])


def choose(settings: Settings, name: str, *known: str) -> str:
    """Return a setting that is one of some words."""
    return checks.choice("scenario", f"control.{name}", settings[name], known)


def short(value: float) -> str:
    """Return a number with two digits; from 100 to a million it is whole."""
    return f"{value:.0f}" if 99.5 <= abs(value) < 1e6 else f"{value:.2g}"


def arrival(run: Run, error: Array, bound: float, unit: str = "m") -> str:
    """Tell from when on an error stays below a bound."""
    far = np.flatnonzero(error > bound)
    first = int(far[-1]) + 1 if len(far) else 0
    if first == len(error):
        return f"it does not stay within {bound:g} {unit}"
    return f"from t = {run.time[first]:.2f} s on it is within {bound:g} {unit}"
