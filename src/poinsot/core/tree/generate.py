"""Writes the dispatch over kinds, by if and elif: python -m poinsot.core.tree.generate.

A new kind is its functions, a word in a list here, and a run of this file.  The first branch below `# LIST`
is copied for each kind of the list; lines of constants, and imports of the files of a list, are renewed.
A test compares the files with what is written.  (Chains of closures have the same bits; they compile 25 %
longer and run 6 % slower.)
"""

import re
from pathlib import Path

LISTS = {
    # joints, common kinds first: a file each; the curved ones have rate, move, dexpinv, dexp and unit too
    "JOINTS": "spherical revolute prismatic universal cylindrical planar helical free",
    "CURVED": "spherical free",
    # forces between two bodies: a file with `act` each; forces at a joint: functions of `single.py`
    "PAIRS": "spring damper stiffness damping",
    "SINGLE": "joint_spring joint_damper joint_stop joint_friction ball_log ball_trace ball_euler hold",
    # loop constraints: functions of `constraint.py`; of points of contact: those of `contact.py`
    "LOOPS": "point angle distance",
    "CONTACTS": "rolling skate",
}
FILES = ("joints/table.py", "forces/kinds.py", "loops/kinds.py")
FOLDERS = {"joints": "JOINTS", "forces": "PAIRS"}  # with a file a kind
IMPORT = re.compile(r"from poinsot\.core\.tree\.(\w+) import (\([^)]*\)|[\w, ]+)\n")
WIDTH = 110
CHAIN = re.compile(
    r"    # (\w+)\n    if (\S+) == (\w+):\n        (.*)\n(?:    elif \2 == \w+:\n        .*\n)*"
)


def written(text: str) -> str:
    """The text of a file with a branch, and a name, for each kind."""

    def chain(found: re.Match[str]) -> str:
        name, compared, first, call = found.groups()
        branches = (
            f"if {compared} == {kind.upper()}:\n        {re.sub(first.lower(), kind, call)}\n"
            for kind in LISTS[name].split()
        )
        return f"    # {name}\n    " + "    el".join(branches)

    def imports(found: re.Match[str]) -> str:
        folder, names = found.groups()
        own = sorted({*re.findall(r"\w+", names), *LISTS.get(FOLDERS.get(folder, ""), "").split()})
        head = f"from poinsot.core.tree.{folder} import "
        line = f"{head}{', '.join(own)}"
        return (
            f"{line}\n" if len(line) <= WIDTH else head + "(\n" + "".join(f"    {x},\n" for x in own) + ")\n"
        )

    text = CHAIN.sub(chain, IMPORT.sub(imports, text))
    for name, kinds in LISTS.items():
        words = kinds.split()
        strings = [f'"{word}"' for word in words]
        line = f"{name} = [{', '.join(strings)}]"
        if len(line) > WIDTH:
            line = f"{name} = [\n" + "".join(f"    {one},\n" for one in strings) + "]"
        text = re.sub(rf"\b{name} = \[[^]]*\]", line, text)
        text = re.sub(rf"(?m)^[A-Z_, ]+( = .*  # {name}$)", rf"{', '.join(words).upper()}\1", text)
    return text


if __name__ == "__main__":
    for file in FILES:
        path = Path(__file__).parent / file
        path.write_text(written(path.read_text()))
