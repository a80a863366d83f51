"""The forces of a mechanism as data of the core: elements, and data of the user's functions."""

from collections.abc import Sequence
from itertools import islice

import numpy as np

from poinsot.compile.functions import tree as tree_functions
from poinsot.compile.functions.tree import ROW
from poinsot.core.tree.forces.kinds import KINDS, SINGLE
from poinsot.core.tree.forces.table import AT_JOINTS, ELEMENT, HEAD, ON_BODIES
from poinsot.core.tree.records import Packed
from poinsot.model.forces.force import Force, Seats
from poinsot.model.forces.joint import JointTorque
from poinsot.model.inputs.control import Control
from poinsot.model.inputs.hold import Hold
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


def hold_places(control: Control, packed: Packed) -> tuple[list[int], list[int]]:
    """Return the velocities along which motors act, and the places of all inputs in the floats of the forces.

    They are the last elements, and the last rows, of the forces.
    """
    if not control.held:
        return [], []
    motors = sum(len(force.components) for force in control.forces if isinstance(force, Hold))
    end, rows = HEAD + ELEMENT * int(packed.ints[1]), len(control.names) - motors
    elements = packed.ints[end - ELEMENT * motors : end].reshape(-1, ELEMENT)
    at_joints = iter(elements[:, 3].tolist())
    on_bodies = iter(packed.ints[len(packed.ints) - ROW * rows :].reshape(-1, ROW)[:, 1].tolist())
    numbers: list[int] = []
    for force in control.forces:
        numbers += islice(at_joints if isinstance(force, Hold) else on_bodies, len(force.names))
    return elements[:, 2].tolist(), numbers
