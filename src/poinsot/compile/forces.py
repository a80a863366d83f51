"""The forces of a mechanism as data of the core: elements, and data of the user's functions."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.functions import tree as tree_functions
from poinsot.core.tree.forces.table import ELEMENT, HEAD, HOLD, KINDS
from poinsot.core.tree.records import Packed
from poinsot.model.forces.elements import Places
from poinsot.model.forces.force import Force
from poinsot.model.mechanism import Mechanism


def packed_forces(
    mechanism: Mechanism,
    forces: Sequence[Force],
    groups: Sequence[Sequence[tree_functions.UserForce]],
    places: Places,
) -> Packed:
    """Return the forces as `forces` of `core.tree.records`."""
    elements = [element for force in forces for element in force.elements(places)]
    offsets = np.cumsum([0, *(len(element.numbers) for element in elements)]).tolist()
    ints = [int(bool(forces)), len(elements)]
    for element, offset in zip(elements, offsets, strict=False):
        ints += [KINDS[element.kind], element.a, element.b, offset]
    numbers = [x for element in elements for x in element.numbers]
    rows, more = tree_functions.rows(groups, mechanism, places, len(ints), len(numbers))
    return Packed(np.array(ints + rows, dtype=np.int32), np.array([*numbers, *more, 0.0]))


def driven(forces: Packed) -> list[int]:
    """Return the velocities along which controllers hold forces, in the order of `hold_places`."""
    return [int(row[2]) for row in _elements(forces) if row[0] == HOLD]


def _elements(forces: Packed) -> NDArray[np.int32]:
    """Return the ints of the elements, a row each."""
    return forces.ints[HEAD : HEAD + ELEMENT * int(forces.ints[1])].reshape(-1, ELEMENT)


def hold_places(forces: Packed) -> list[int]:
    """Return the places in the floats of the values that controllers hold, in order."""
    return [int(row[3]) for row in _elements(forces) if row[0] == HOLD]
