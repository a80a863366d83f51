"""`ps.read`: robot files as mechanisms."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from poinsot.errors import ModelError
from poinsot.formats.paths import COLLECTIONS, PathLike, file_path
from poinsot.model import checks
from poinsot.model.mechanism import Mechanism
from poinsot.robots.conversion import EXACT, Conversion
from poinsot.robots.document import file_bytes, parse
from poinsot.robots.location import Locator
from poinsot.robots.record import RobotRecord

OTHER = {  # endings of files that are something else, and what to do with them
    ".toml": "is a scenario file: ps.scenario(path) reads it",
    ".poinsot": "is the archive of a run: ps.load(path) reads it",
    ".xacro": "is a xacro file: turn it into URDF with xacrodoc (pip install xacrodoc)",
    ".sdf": "is an SDF file, which is not read: convert it to URDF or MJCF",
    ".world": "is an SDF file, which is not read: convert it to URDF or MJCF",
    ".usd": "is a USD file, which is not read: export URDF or MJCF",
    ".usda": "is a USD file, which is not read: export URDF or MJCF",
    ".usdc": "is a USD file, which is not read: export URDF or MJCF",
    ".usdz": "is a USD file, which is not read: export URDF or MJCF",
}
ROOTS = {"sdf": OTHER[".sdf"], "mujocoinclude": "is a piece that MJCF files include, no model"}


def read(
    path: PathLike,
    *,
    base: str = "fixed",
    packages: Any = (),
    stops: float | str | None = None,
    friction: float | str | None = None,
) -> Mechanism:
    """Read a robot from a URDF or MJCF file and return it as a mechanism.

    Bodies have the names of the links that joints carry; links on fixed joints are part of these bodies, and
    their names are frames.  A link called "world" is the world.  Dampers and springs of joints act; what is
    not simulated is listed in `notes` of the mechanism.

    Parameters
    ----------
    path : the file; or "menagerie:NAME" for a model in a checkout of MuJoCo's Menagerie, which MENAGERIE_ROOT
        names, or "description:NAME" for one of the package `robot_descriptions`, if it is installed.
    base : "fixed" stands the root link of a URDF on the world, "free" lets it float: its joint is called
        "base".  MJCF files say it themselves.
    packages : folders in which `package://` is looked for, or a folder for each name of a package; the
        folders above the file are tried first.
    stops : "exact" puts a hard `JointStop` at the limits of each joint, a number an elastic one of this
        stiffness [N m/rad or N/m]; None leaves limits out.
    friction : "exact" gives each joint with friction a `JointFriction` that sticks and slips, a number one
        that is smooth below this speed [rad/s or m/s]; None leaves friction out.

    >>> text = '<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia '
    >>> text += 'ixx="1" iyy="1" izz="1"/></inertial></link><joint name="elbow" type="continuous">'
    >>> text += '<parent link="base"/><child link="arm"/></joint></robot>'
    >>> with open("robot.urdf", "w") as file:
    ...     _ = file.write(text)
    >>> m = ps.read("robot.urdf")
    >>> m.names, m.joint_names
    (['base', 'arm'], {'elbow': 'arm'})
    """
    checks.choice("read", "base", base, ("fixed", "free"))
    robot = record_of(path, packages)
    if base == "free" and robot.starts:
        raise ModelError(f"{robot.file}: base is for URDF files: an MJCF file says itself what floats")
    m = Conversion(robot, base, _resistance("stops", stops), _resistance("friction", friction)).mechanism()
    m.notes = notes_of(robot, stops is None, friction is None)
    return m


def _resistance(name: str, given: float | str | None) -> float | str | None:
    """Return "exact", a number or None, checked."""
    if given is None or (isinstance(given, str) and given == EXACT):
        return given
    if isinstance(given, str):
        raise ModelError(f"read: {name} must be 'exact', a number or None, got {checks.show(given)}")
    return checks.number("read", name, given, positive=True)


def record_of(path: PathLike, packages: Any = ()) -> RobotRecord:
    """Return a robot file as a record; a ModelError says which door is the right one for other files."""
    place = file_path(path)
    if str(path).startswith(COLLECTIONS):
        place = named_file(str(path))
    ending = place.suffix.lower()
    if ending in OTHER:
        raise ModelError(f"{place}: {OTHER[ending]}")
    root, remarks = parse(place, file_bytes(place))
    if root.name in ROOTS:
        raise ModelError(f"{place}:{root.line}: {ROOTS[root.name]}")
    if root.name == "mujoco":
        from poinsot.robots.mjcf import MjcfReader

        return MjcfReader(place).read()
    if root.name != "robot":
        raise ModelError(
            f"{place}:{root.line}: expected <robot> of URDF or <mujoco> of MJCF, got <{root.name[:40]}>"
        )
    from poinsot.robots.urdf import UrdfReader

    robot = UrdfReader(root, Path(place), Locator(place, packages)).read()
    for text in remarks:
        robot.find("remark", "file", 1, "text", text)
    return robot


def named_file(name: str) -> Path:
    """Return the file of "menagerie:NAME" or "description:NAME"."""
    collection, _, model = name.partition(":")
    if collection == "menagerie":
        root = os.environ.get("MENAGERIE_ROOT", "")
        folder = Path(root) / model
        files = [
            folder / f"{model.split('_', 1)[-1]}.xml",
            folder / f"{model}.xml",
            *sorted(folder.glob("*.xml")),
        ]
        found = next((one for one in files if root and one.is_file() and "scene" not in one.name), None)
        if found is None:
            hint = "set MENAGERIE_ROOT to a checkout of MuJoCo's Menagerie"
            raise ModelError(f"{name}: no such model of the Menagerie is found: {hint}")
        return found
    try:
        module = import_module(f"robot_descriptions.{model.removesuffix('_description')}_description")
    except ImportError as error:
        hint = (
            "pip install robot_descriptions" if error.name == "robot_descriptions" else "no such description"
        )
        raise ModelError(f"{name}: {hint}") from None
    return Path(getattr(module, "URDF_PATH", "") or module.MJCF_PATH)


def notes_of(robot: RobotRecord, without_stops: bool, without_friction: bool) -> tuple[str, ...]:
    """Return what is not simulated, by name and count."""
    frictions = sum(joint.friction > 0 for joint in robot.joints) if without_friction else 0
    counts = {**robot.notes, "joint friction": frictions}
    limits = sum(joint.upper < float("inf") or joint.lower > float("-inf") for joint in robot.joints)
    counts["joint limits"] = limits if without_stops else 0
    return tuple(f"{what}: {count}" for what, count in counts.items() if count)
