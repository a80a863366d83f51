"""docs/simulators.md, from results.json and the cases."""

import json
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "simulators.md"
GROUPS = {
    "Bodies and pendulums": (
        "free-body",
        "nasa-brick",
        "pendulum-10",
        "pendulum-90",
        "pendulum-170",
        "chain-4",
    ),
    "Bounces": ("bounces", "bounces-with-loss"),
    "Rolling": (
        "ball-on-incline",
        "ball-in-bowl",
        "ball-on-turntable",
        "coin",
        "wheel",
        "ellipsoid",
        "euler-disc",
        "rattleback",
        "sleigh",
        "bicycle",
    ),
}
COLUMNS = ("title", "about", "source", "digits")
TOP = """# Test your simulator

<!-- written by bench/simulators/trial.py: do not edit -->

Motions of which the answer is known, as files (`bench/simulators/cases/*.json`), and a script that runs any
engine through them. The answers are closed forms in 40 digits (`bench/simulators/closed_forms.py`), or come
from two formulations that agree (`tests/data/rolling.json`). No number in the files was typed by hand:
`python bench/simulators/cases.py` writes them again.

```
make simulators                                                    # all engines that are installed; this page
python bench/simulators/trial.py --engines scipy --cases free-body --json results.json    # some
```

An engine is used as its manual says, with the step or the tolerance in the name of its row; a fixed step is
made a little smaller, so that steps end at the times of the case. Poinsot has two rows: `auto` with the step
that is the default of MuJoCo, and `accuracy=1e-10`, for which it chooses method and step itself.
"""
ERRORS = """
**{title}: error.** Largest difference of a position, quaternion, velocity or angular velocity from the answer
at the times of the case, relative to the largest number of its kind. Near 1 nothing is left of the answer.
"""
ENERGY = """
**{title}: energy.** Its largest change at these times, relative to the {size}.
"""
SIZES = {
    "Bodies and pendulums": "largest kinetic energy, or the depth of the fall if that is more",
    "Bounces": "energy at the start, and the energy at the end divided by that at the start",
    "Rolling": "largest kinetic energy, or the depth of the fall if that is more",
}
FRICTION = """
Where an engine has neither events nor a rolling constraint, a contact takes their place ({notes}). A contact
without loss is given as a spring, which lasts eleven steps of 2 ms.
"""
ADAPTER = """
## Add your engine

Write a class with `build`, `advance` and `state`, put its name into `ADAPTERS` of
`bench/simulators/trial.py`, and run `python bench/simulators/trial.py --engines NAME --json FILE`. The
script computes all errors and
energies from the states, and refuses an adapter whose first state is not the given start. An engine that has
no means for a case raises `CannotError("no rolling constraint")`. This is the whole adapter of SciPy, for one
free body (`bench/simulators/adapters/scipy.py`); that of MuJoCo, with hinges and contacts, is twice as long:

```
{code}```

A file has `bodies` (their frames lie at their centers of mass; `at` is the place of the joint in the parent,
`center` the body from its joint), `start` (pose and velocities of every body, in space but the angular
velocity, which is in body axes; quaternions are (w, x, y, z)), `contact`, `times` and `answers`. Units are
SI; `digits` says how many decimal digits of the answers are good.

## What the cases are

| case | what happens | answer from | digits |
|---|---|---|---|
{cases}
"""


def number(x):
    """Two digits at most."""
    return "0" if x == 0 else f"{x:.0e}".replace("e-0", "e-") if abs(x) < 0.01 else f"{x:.2g}"


def cell(found, key):
    """A number, or why there is none."""
    if found is None or "cannot" in found:
        return (found or {}).get("cannot", "")
    if key == "energy" and "ratio" in found:
        return number(found["energy"]) + f" (ratio {found['ratio']:.4g})"
    return number(found[key]) if key in found else ""


def table(results, group, cases, key):
    """Rows are engines with their settings; those without any number are listed below."""
    columns, absent = [name for name in group if has(results, name, key)], {}
    head = "| | " + " | ".join(cases[name]["title"] for name in columns) + " |"
    lines = [head, "|---" * (len(columns) + 1) + "|"]
    for engine in results["engines"]:
        for label, row in engine["settings"].items():
            if any(key in row.get(name, {}) for name in columns):
                cells = " | ".join(cell(row.get(name), key) for name in columns)
                lines.append(f"| {engine['engine']}, {label} | {cells} |")
            else:
                reasons = dict.fromkeys(row[name]["cannot"] for name in columns if name in row)
                absent[f"{engine['engine']}, {label}"] = ", ".join(reasons)
    below = "; ".join(f"{engine} ({reason})" for engine, reason in absent.items())
    return "\n".join(lines) + "\n" + (f"\nNo numbers: {below}.\n" if below else "")


def has(results, name, key):
    """Whether an engine has such a number of a case."""
    return any(key in row.get(name, {}) for one in results["engines"] for row in one["settings"].values())


def notes(results):
    """How engines roll and bounce without a constraint, in words."""
    found = {}
    for engine in results["engines"]:
        for row in engine["settings"].values():
            for one in row.values():
                if "contact" in one.get("note", ""):
                    found.setdefault(engine["engine"], set()).add(one["note"])
    return "; ".join(f"{engine}: {', '.join(sorted(words))}" for engine, words in found.items())


def page():
    """The whole text."""
    results = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    cases = {
        path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (HERE / "cases").glob("*.json")
    }
    there = ", ".join(f"{one['engine']} {one['version']}" for one in results["engines"] if one["version"])
    missing = ", ".join(one["engine"] for one in results["engines"] if not one["version"])
    parts = [
        TOP,
        f"\nVersions: {there}; Python {results['python']}."
        + (f" Not installed: {missing}." if missing else ""),
    ]
    for title, group in GROUPS.items():
        parts.append(f"\n\n## {title}\n{ERRORS.format(title=title)}\n")
        parts.append(table(results, group, cases, "error"))
        size = ENERGY.format(title=title, size=SIZES[title])
        parts.append(f"{size}\n{table(results, group, cases, 'energy')}")
        parts.append(FRICTION.format(notes=notes(results)) if title == "Bounces" else "")
    listed = [cases[name] for group in GROUPS.values() for name in group]
    rows = ["| " + " | ".join(str(one[key]) for key in COLUMNS) + " |" for one in listed]
    code = (HERE / "adapters" / "scipy.py").read_text(encoding="utf-8")
    return "".join(parts) + ADAPTER.format(code=code, cases="\n".join(rows))
