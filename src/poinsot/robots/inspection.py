"""`ps.check`: what is wrong with a robot file, and a repaired copy of it."""

import re
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.elementary.linear import eigh, product
from poinsot.errors import ModelError
from poinsot.formats.paths import PathLike, file_path
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.robots.document import Element, file_bytes, parse
from poinsot.robots.findings import LEVELS, Finding
from poinsot.robots.reading import record_of
from poinsot.robots.rules import judge
from poinsot.robots.urdf import INERTIA, parse_numbers

PLACE = re.compile(r"^(?P<file>.*?):(?P<line>\d+): (?P<text>.*)$", re.DOTALL)
REPAIRED = ("xyz", "rpy", "size", "scale")  # attributes with several numbers


def check(
    path: PathLike, *, base: str = "fixed", packages: Any = (), step: float | None = None
) -> list[Finding]:
    """Return what is wrong with a robot file (URDF or MJCF), the worst first; an empty list if nothing is.

    `path`, `base`, `packages`: as `ps.read` takes them; `step`: step of time that a run will have, by default
    that of the file [s].  A link that no real body could be is an error or a
    warning if the body to which it belongs moves and is no better, else a remark.

    >>> with open("bad.urdf", "w") as file:
    ...     _ = file.write('<robot name="r"><link name="a"/>\\n<joint name="j" type="hinge"/></robot>')
    >>> for finding in ps.check("bad.urdf")[:1]:
    ...     print(finding)
    bad.urdf:2: error: joint 'j': unknown type 'hinge': one of revolute, continuous, prismatic, planar, \
spherical, floating, fixed [type]
    """
    checks.choice("check", "base", base, ("fixed", "free"))
    given = None if step is None else checks.number("check", "step", step, positive=True)
    place = str(file_path(path))
    try:
        robot = record_of(path, packages)
    except ModelError as error:
        found = PLACE.match(str(error))
        line, text = (int(found["line"]), found["text"]) if found else (0, str(error))
        return [Finding("error", "file", line, "file", text.removeprefix(f"{place}: "), place)]
    judge(robot, base, given)
    return sorted(robot.findings, key=lambda one: (LEVELS.index(one.level), one.line))


def repair(path: PathLike, target: PathLike) -> list[str]:
    """Write a copy of a URDF file with its plain mistakes mended; return what was changed, by line.

    Commas between numbers become blanks, limits that are exchanged change places, and an inertia that no body
    has becomes the nearest that a body has.  The original is never touched.
    """
    source, goal = file_path(path), file_path(target)
    if goal.exists():
        raise ModelError(f"{goal}: the file exists; choose another name or remove it")
    data = file_bytes(source)
    root, remarks = parse(source, data)
    if root.name != "robot":
        raise ModelError(f"{source}: only URDF files can be repaired")
    text = data.rstrip(b"\0 \t\r\n").lstrip(b" \t\r\n").decode("utf-8", errors="surrogateescape") + "\n"
    skipped = data[: len(data) - len(data.lstrip(b" \t\r\n"))].count(b"\n")
    edits = [*_comma_edits(root), *_limit_edits(root), *_inertia_edits(root)]
    lines, done = text.split("\n"), [f"line 1: {one}" for one in remarks]
    for element, changes in edits:
        if _edit(lines, element, changes, skipped):
            shown = ", ".join(f'{key}="{value}"' for key, value in changes.items())
            done.append(f"line {element.line}: <{element.name}> {shown}")
    with Path(goal).open("x", encoding="utf-8", errors="surrogateescape") as out:
        out.write("\n".join(lines))
    return done


Edit = tuple[Element, dict[str, str]]


def _elements(root: Element) -> list[Element]:
    found, waiting = [], [root]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += reversed(one.children)
    return found


def _comma_edits(root: Element) -> list[Edit]:
    found = []
    for one in _elements(root):
        changes = {
            key: " ".join(one.attributes[key].replace(",", " ").split())
            for key in REPAIRED
            if "," in one.attributes.get(key, "")
        }
        if changes and all(not parse_numbers(x, len(x.split()))[0] for x in changes.values()):
            found.append((one, changes))
    return found


def _limit_edits(root: Element) -> list[Edit]:
    found = []
    for one in (limit for joint in root.all("joint") for limit in joint.all("limit")):
        ends = [parse_numbers(one.attributes.get(key, ""), 1) for key in ("lower", "upper")]
        if not any(problem for problem, _ in ends) and ends[0][1][0] > ends[1][1][0]:
            found.append((one, {"lower": one.attributes["upper"], "upper": one.attributes["lower"]}))
    return found


def _inertia_edits(root: Element) -> list[Edit]:
    found = []
    for link in root.all("link"):
        inertial = link.first("inertial")
        one = inertial.first("inertia") if inertial is not None else None
        if one is None:
            continue
        read = [parse_numbers(one.attributes.get(key, "0"), 1) for key in INERTIA]
        if any(problem for problem, _ in read):
            continue
        xx, xy, xz, yy, yz, zz = (float(x[0]) for _, x in read)
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        near = nearest_inertia(J)
        if near is not J:
            values = near[np.triu_indices(3)].tolist()
            found.append((one, {key: repr(x) for key, x in zip(INERTIA, values, strict=True)}))
    return found


def nearest_inertia(J: Array) -> Array:
    """Return J if a body has it, else the inertia of the nearest distribution of mass.

    The second moments of the mass are C = tr(J)/2 1 - J; J is that of a body if C has no negative eigenvalue.
    """
    values, axes = eigh(np.trace(J) / 2 * np.eye(3) - J)
    if values[0] >= -1e-9 * abs(values[2]):
        return J
    kept = np.maximum(values, 0.0)
    C = product(axes * kept, axes.T)
    return np.asarray(np.trace(C) * np.eye(3) - (C + C.T) / 2)


def _edit(lines: list[str], element: Element, changes: dict[str, str], skipped: int) -> bool:
    """Change attributes of an element in the lines of a text; return whether they were found."""
    first = element.line - 1 - skipped
    rest = "\n".join(lines[first:])
    pattern = re.compile(rf"<{re.escape(element.name)}\b[^>]*>")
    old = {key: element.attributes.get(key) for key in changes}
    for tag in pattern.finditer(rest):
        if all(value is None or value in tag[0] for value in old.values()):
            new = tag[0]
            for key, value in changes.items():
                if old[key] is None:
                    new = re.sub(r"\s*(/?)>$", rf' {key}="{value}"\1>', new)
                else:
                    new = re.sub(rf"\b{key}\s*=\s*(['\"])[^'\"]*\1", f'{key}="{value}"', new)
            lines[first:] = (rest[: tag.start()] + new + rest[tag.end() :]).split("\n")
            return True
    return False
