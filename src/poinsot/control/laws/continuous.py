"""Laws that act continuously, compiled with their reference in a table."""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from poinsot.compile.functions.laws.acting import ActingLaw
from poinsot.compile.functions.laws.law import one_body
from poinsot.compile.functions.laws.reference_table import table_numbers
from poinsot.compile.functions.laws.tracked import tracked_numbers
from poinsot.core.jit import COMPILED
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.controller import Inputs
from poinsot.model.feedback import Feedback

if TYPE_CHECKING:
    from poinsot.control.laws.sampled_law import Law

SPACING = 8e-3  # seconds between two nodes of a table
LONGEST = 1000.0  # seconds of a table


class CompiledFeedback(Feedback):
    """A law that acts continuously, compiled or not."""

    compiled: ActingLaw | None = None

    @cached_property
    def identity(self) -> str:
        """Digest of the law; of a compiled one that of its numbers."""
        if self.compiled is None:
            return super().identity
        return hashlib.sha256(self.compiled.bits()).hexdigest()[:16]


def checked_horizon(who: str, horizon: float | None) -> float | None:
    """Return a horizon as a number, or None."""
    return None if horizon is None else checks.number(who, "horizon", horizon, positive=True)


def continuous(
    law: "Law",
    inputs: Inputs,
    horizon: float | None,
    groups: int,
    kind: type[CompiledFeedback] = CompiledFeedback,
) -> CompiledFeedback:
    """Return a law as a controller that acts continuously.

    Until a horizon it is compiled; its reference is so many groups of numbers with two derivatives.
    """
    found, end = kind(law, inputs), checked_horizon(law.__name__, horizon)
    if end is not None and end > LONGEST:
        raise ModelError(
            f"{law.__name__}: horizon of a continuous law must be at most {LONGEST:g} s, "
            f"got {checks.show(horizon)}"
        )
    if end is not None and COMPILED:
        found.compiled = _with_table(law, end, groups)
    return found


def _with_table(law: "Law", horizon: float, groups: int) -> ActingLaw:
    """Return a law with the table of its reference."""
    found, count = law.compiled(), int(np.ceil(horizon / SPACING)) + 2
    nodes = np.array([law.node(k * SPACING)[1:] for k in range(count)])
    table = table_numbers(0.0, SPACING, nodes, groups)
    more = tracked_numbers(found.numbers) if found.entry is one_body else np.zeros(0)
    return ActingLaw(found, table, more)
