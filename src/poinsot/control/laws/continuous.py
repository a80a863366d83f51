"""A law that acts continuously, compiled with its reference in a table."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.compile.functions.acting import ActingLaw
from poinsot.compile.functions.law import one_body
from poinsot.compile.functions.reference_table import table_numbers
from poinsot.compile.functions.tracked import tracked_numbers
from poinsot.core.jit import COMPILED

if TYPE_CHECKING:
    from poinsot.control.laws.sampled_law import Law

SPACING = 8e-3  # seconds between two nodes of the table


def acting_law(law: "Law", horizon: float, groups: int) -> ActingLaw | None:
    """Return the law with its reference until a time, in so many groups of numbers with two derivatives."""
    if not COMPILED:
        return None
    found, count = law.compiled(), int(np.ceil(horizon / SPACING)) + 2
    nodes = np.array([law.node(k * SPACING)[1:] for k in range(count)])
    table = table_numbers(0.0, SPACING, nodes, groups)
    more = tracked_numbers(found.numbers) if found.entry is one_body else np.zeros(0)
    return ActingLaw(found, table, more)
