"""The forces of a mechanism as data of the core: elements, and data of the user's functions."""

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.functions import tree as tree_functions
from poinsot.compile.functions.tree import ROW
from poinsot.core.tree.forces.kinds import HOLD, KINDS, SINGLE
from poinsot.core.tree.forces.table import AT_JOINTS, ELEMENT, HEAD, ON_BODIES
from poinsot.core.tree.records import Packed
from poinsot.model.forces.force import Force, Seats
from poinsot.model.forces.joint import JointTorque
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.inputs.hold import Hold, HoldWrench
from poinsot.model.mechanism import Mechanism


def pack_forces(
    mechanism: Mechanism,
    forces: Sequence[Force],
    groups: Sequence[Sequence[tree_functions.UserForce]],
    places: Seats,
) -> Packed:
    """Return the forces as `forces` of `core.tree.records`."""
    elements = [element for force in forces for element in force.elements(places)]
    offsets = np.cumsum([0, *(len(element.numbers) for element in elements)]).tolist()
    at_joints = all(element.kind in SINGLE for element in elements) and all(
        isinstance(group[0], JointTorque) for group in groups
    )
    ints = [0 if not forces else AT_JOINTS if at_joints else ON_BODIES, len(elements)]
    for element, offset in zip(elements, offsets, strict=False):
        ints += [KINDS[element.kind], element.a, element.b, offset]
    numbers = [x for element in elements for x in element.numbers]
    rows, more = tree_functions.rows(groups, mechanism, places, len(ints), len(numbers))
    return Packed(np.array(ints + rows, dtype=np.int32), np.concatenate([numbers, more, [0.0]]))


def held_velocities(forces: Packed) -> list[int]:
    """Return the velocities along which controllers hold forces, in the order of `hold_places`."""
    return [int(row[2]) for row in _elements(forces) if row[0] == HOLD]


def _elements(forces: Packed) -> NDArray[np.int32]:
    """Return the ints of the elements, a row each."""
    return forces.ints[HEAD : HEAD + ELEMENT * int(forces.ints[1])].reshape(-1, ELEMENT)


def hold_places(forces: Sequence[Force], groups: Sequence[Sequence[Force]], packed: Packed) -> list[int]:
    """Return the places in the floats of the values that controllers hold, in the order of the inputs."""
    at_joints = iter([int(row[3]) for row in _elements(packed) if row[0] == HOLD])
    on_bodies = iter([int(packed.ints[row + 1]) for row in _rows(groups, packed.ints, HoldWrench)])
    found: list[int] = []
    for force in forces:
        if isinstance(force, Hold | HoldWrench):
            found += islice(at_joints if isinstance(force, Hold) else on_bodies, len(force.names))
    return found


def law_places(groups: Sequence[Sequence[Force]], ints: NDArray[np.int32]) -> list[int]:
    """Return the places in the ints of the forces of the keys of continuous controllers."""
    return _rows(groups, ints, FeedbackForce)


def _rows(groups: Sequence[Sequence[Force]], ints: NDArray[np.int32], kind: type[Force]) -> list[int]:
    """Return the places of the rows of the groups of a kind; the table of groups follows the elements."""
    table = HEAD + ELEMENT * int(ints[1])
    found: list[int] = []
    for slot, group in enumerate(groups):
        if isinstance(group[0], kind):
            first, count = ints[table + 2 * slot : table + 2 * slot + 2].tolist()
            found += range(first, first + ROW * count, ROW)
    return found
