"""What one asks of a run over time, with names and units: one table for pages, figures, CSV files and arrays.

run_columns(run)         the numbers in q and in v, by joint: upper.angle [rad], upper.rate [rad/s]; of a
                         system by name
input_columns(run)       the inputs of controllers and the forces of drives
recorded_columns(run)    what `record=` asked for
panels(columns)          the same side by side where they have one meaning: the angles of all joints
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.model.checks import Array
from poinsot.model.inputs.hold import HoldWrench
from poinsot.model.joints.joint import UNITS, Joint
from poinsot.model.mechanism import Mechanism

REFERENCE = "reference"  # the recorded function whose values are coordinates of a reference
ERROR = "error"  # the recorded function whose values are deviations from the reference
TITLES = {
    "angle": "joint angles",
    "angles": "joint angles",
    "displacement": "joint displacements",
    "rate": "joint rates",
    "rates": "joint rates",
    "speed": "joint speeds",
}
ROUNDING = 1e-12  # of a torque, relative to the largest force times the longest arm
BODY = ("quaternion", "position", "angular_velocity", "velocity")  # names that bodies have too


class Column(NamedTuple):
    """A number over time: whose it is, its name and unit, and where it stands in q, in v or in the inputs."""

    owner: str
    name: str
    unit: str
    array: str  # of a trajectory: "q", "v" or "inputs"
    place: int

    @property
    def label(self) -> str:
        """Name in tables: "upper.angle"; of a joint with a quaternion "ball.joint.quaternion.w"."""
        joint = "joint." if self.name.partition(".")[0] in BODY else ""
        return f"{self.owner}.{joint}{self.name}" if self.owner else self.name

    def values(self, run: Trajectory) -> Array:
        """Return the number at the samples of a trajectory."""
        return np.asarray(getattr(run, self.array)[:, self.place])


def columns_of(mechanism: Mechanism) -> list[Column]:
    """Return what the coordinates q and the velocities v of all joints are, joint by joint."""
    found: list[Column] = []
    nq = nv = 0
    for link in mechanism.links:
        for array, names, at in (
            ("q", coordinate_names(link.joint), nq),
            ("v", velocity_names(link.joint), nv),
        ):
            found += [
                Column(link.name, one, UNITS.get(base_of(one), ""), array, at + i)
                for i, one in enumerate(names)
            ]
        nq, nv = nq + link.joint.nq, nv + link.joint.nv
    return found


def run_columns(run: Trajectory) -> list[Column]:
    """Return what the numbers in q and v are: of the joints, or the names that a system has for them."""
    own: list[Column] | None = getattr(run, "columns", None)
    return columns_of(run.mechanism) if own is None else own


def base_of(name: str) -> str:
    """Return the name of a coordinate without its component: "angles" of "angles[0]"."""
    return name.partition("[")[0].partition(".")[0]


def coordinate_names(joint: Joint) -> list[str]:
    """Return a name for each number in q, such as "angle"; a position stands before a quaternion."""
    if joint.quaternion is None:
        return joint.tangents(joint.coordinates)
    return [f"position.{x}" for x in "xyz"[: joint.quaternion]] + [f"quaternion.{x}" for x in "wxyz"]


def velocity_names(joint: Joint) -> list[str]:
    """Return a name for each number in v."""
    names = joint.tangents(joint.velocities)
    if joint.quaternion is None:
        return names
    return [f"{base_of(name)}.{'xyz'[i % 3]}" for i, name in enumerate(names)]


def input_columns(run: Trajectory) -> list[Column]:
    """Return what the columns of the inputs are."""
    count = {name: run.driven.count(name) for name in run.driven}
    seen: dict[str, int] = {}
    found = []
    for place, name in enumerate(run.driven):
        number = seen[name] = seen.get(name, -1) + 1
        label = "input" if count[name] == 1 else f"input[{number}]"
        found.append(Column(name, label, input_unit(run.mechanism, name), "inputs", place))
    return found


def input_unit(mechanism: Mechanism, name: str) -> str:
    """Return the unit of the inputs that a run knows by this name: "N", "N m", or both.

    At a joint it is that of all its velocities: a loaded run does not know which of them were driven.
    """
    found: list[str] = []
    for one in mechanism.control.holds(mechanism):
        if isinstance(one, HoldWrench) and one.key == name:
            found += ["N" if wrench[3:].any() else "N m" for wrench in one.wrenches]
    if not found and name in mechanism.names:
        joint = mechanism.link(name).joint
        found = [
            "N" if base_of(rate) in ("speed", "velocity") else "N m"
            for rate in joint.tangents(joint.velocities)
        ]
    return " or ".join(dict.fromkeys(found)) or "N or N m"


def recorded_columns(run: Any, count: int) -> dict[str, tuple[Array, tuple[str, ...], str]]:
    """Return what a run recorded as numbers at `count` samples: values (n, k), k labels and the unit."""
    found = {}
    for name, recorded in run.recorded.items():
        table = np.asarray(recorded)
        if table.dtype.kind in "fiub" and len(table) == count:
            table = np.asarray(table, dtype=np.float64).reshape(count, -1)
            labels = error_labels(run, table.shape[1]) if name == ERROR else ()
            unit = error_unit(labels)
            plain = ("",) if table.shape[1] == 1 else tuple(map(str, range(table.shape[1])))
            found[str(name)] = table, labels or plain, unit
    return found


def error_labels(run: Any, width: int) -> tuple[str, ...]:
    """Return the names and units of the deviations from a reference; nothing if they are something else."""
    m = run.mechanism
    if REFERENCE not in run.recorded or width != m.lengths[1]:
        return ()
    names = [(link.name, one) for link in m.links for one in link.joint.tangents(link.joint.coordinates)]
    words = ((one if len(m.links) == 1 else f"{link} {one}", base_of(one)) for link, one in names)
    return tuple(f"{word} [{UNITS.get(base, 'rad')}]" for word, base in words)


def error_unit(labels: tuple[str, ...]) -> str:
    """Return the units of the deviations with these names."""
    return ", ".join(dict.fromkeys(label[label.rindex("[") + 1 : -1] for label in labels))


def panels(columns: Iterable[Column]) -> dict[str, list[Column]]:
    """Return columns by what they are, with the unit: "joint angles [rad]"; quaternions by joint."""
    found: dict[str, list[Column]] = {}
    for one in columns:
        if not one.owner:
            found.setdefault("coordinates" if one.array == "q" else "velocities", []).append(one)
            continue
        base = base_of(one.name)
        title = TITLES.get(base) or f"{one.owner}: {base.replace('_', ' ')} in the joint"
        title = f"{one.owner}: input" if one.array == "inputs" else title
        found.setdefault(f"{title} [{one.unit}]" if one.unit else title, []).append(one)
    return found


def line_labels(columns: Iterable[Column]) -> list[str]:
    """Return a short label for each column of a panel: the joint, and the component if it has several."""
    columns = list(columns)
    if not any(one.owner for one in columns):
        return [one.name for one in columns]
    single = len({one.owner for one in columns}) == 1 and len(columns) > 1
    return [" ".join(filter(None, ("" if single else one.owner, _part(one.name)))) for one in columns]


def _part(name: str) -> str:
    return name.partition("[")[2].rstrip("]") or name.partition(".")[2]


def wrench_sizes(reactions: Mapping[str, Array], mechanism: Mechanism) -> dict[str, Array]:
    """Return the sizes of the forces and of the torques in joints and loops, (n, joints), by title.

    Torques that are rounding beside the forces times the lengths of the links are left out.
    """
    if not reactions:
        return {}
    wrenches = np.stack(list(reactions.values()), axis=1)
    forces, torques = (np.linalg.norm(wrenches[:, :, part], axis=2) for part in (slice(3, 6), slice(3)))
    arms = (x for link in mechanism.links for x in (link.at, link.body_at, link.body.center_of_mass))
    length = max((float(np.linalg.norm(x)) for x in arms), default=0.0)
    found = {"joint forces [N]": forces} if forces.any() else {}
    if torques.max(initial=0.0) > ROUNDING * length * forces.max(initial=0.0):
        found["joint torques [N m]"] = torques
    return found
