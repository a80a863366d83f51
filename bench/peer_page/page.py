"""docs/peers.md, from bench/peer_page/results.json, which `make bench-peers` writes.

python bench/peer_page/page.py NUMBERS SIMULATORS    one file of all numbers; the page
python bench/peer_page/page.py                         the page again
"""

import json
import os
import platform
import sys
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE.parents[1] / "docs" / "peers.md"
PACKAGES = {
    "Poinsot": "poinsot",
    "MuJoCo": "mujoco",
    "pinocchio": "pin",
    "SciPy": "scipy",
    "Drake": "drake",
    "DART": "dartpy",
    "PyBullet": "pybullet",
    "NumPy": "numpy",
    "Numba": "numba",
}
SECTIONS = {  # title: (the table in the file, what it says, the command)
    "A step": (
        "step",
        "One step of the classical Runge-Kutta method. MuJoCo by `mujoco.rollout`, whose loop is compiled; "
        "pinocchio by `aba` from a loop in Python.",
        "bench/time_to_accuracy.py",
    ),
    "Forward dynamics": (
        "forward dynamics",
        "One evaluation on chains. Poinsot inside a compiled loop, as in every simulation; `pin.aba` and "
        "`mj_forward` called from Python, as their users do. The memory of pinocchio's data grows like "
        "the cube of the number of joints, so that it ends at 128.",
        "bench/trees.py peers",
    ),
    "Robots": (
        "robots",
        "Forward dynamics of robots from files, called from Python.",
        "bench/robots.py peers",
    ),
    "Calls from Python": (
        "calls",
        "A call with a State, which is checked, against calls of the peers with arrays. `linearize` also "
        "knows forces and inputs, `computeABADerivatives` rigid bodies only; `simulate` makes a whole run of "
        "one step, `mj_step` only the step.",
        "bench/users.py",
    ),
    "Calls of a bound mechanism": (
        "bound calls",
        "`ps.dynamics.bind(m)` takes arrays as the peers do; it checks them and returns arrays of its own.",
        "bench/calls.py peers",
    ),
    "Time to accuracy": (
        "time to accuracy",
        "Until the final coordinates have this error. Of Poinsot the best method with a fixed step, which is "
        "named; of the others every contender.",
        "bench/time_to_accuracy.py",
    ),
    "Ensembles": (
        "ensembles",
        "Time a member on one thread, against `mujoco.rollout` (RK4): at equal order, and at equal accuracy "
        "with the best of four methods of ours. 400 members, but 4000 free bodies of ours, because a call of "
        "`ps.ensemble` has a cost of its own; with 400 of them the ratio is smaller.",
        "bench/ensemble.py",
    ),
    "Start": (
        "start",
        "A new process that imports, builds a double pendulum and makes ten steps. A pure wheel compiles its "
        "kernels at the first run of a method and keeps them; a platform wheel has them inside.",
        "bench/users.py",
    ),
}
REASONS = {  # why Poinsot is not first: of a table, and of a word in the case
    ("calls", "jacobian"): "a Jacobian as the user asks for it: of any point, in space axes, checked",
    ("calls", "energy"): "the call is checked",
    ("calls", "mass_matrix"): "the call is checked",
    ("calls", "inverse_dynamics"): "the call is checked",
    ("calls", "acceleration"): "the call is checked",
    ("calls", "linearize"): "dual numbers through all forces, against formulas for rigid bodies",
    ("calls", "simulate"): "a run with samples, records and provenance",
    ("bound calls", ""): "six joints: the call costs more than the dynamics",
    ("robots", "bound"): "the arrays of a call are checked",
    ("start", "compiles"): "compiles",
    ("start", ""): "Numba's run-time is loaded",
    (
        "time to accuracy",
        "0.001",
    ): "few steps: `simulate` takes about half a millisecond before its first one",
}
TOP = """# Beside the peers

<!-- written by bench/peer_page/page.py: do not edit -->

Numbers are ratios: how many times as long the other takes, in CPU time, the smallest of several repeats,
in one process on one thread. Above 1 Poinsot is faster. Where it is not, the last column has our
explanation, which was not measured by itself. One command measures everything and writes this page:

```
make bench-peers
```

"""
DRIFT = """## Drift

Largest change of the energy at the times of the case (one to five in a run),
relative to the largest kinetic energy, of the cases of
[Test your simulator](simulators.md), where the errors of the motions stand too (`bench/simulators/trial.py`).
The first two rows are Poinsot: `auto` with MuJoCo's default step, and with `accuracy=1e-10`.

"""


def ratio(theirs, ours):
    """How many times as long."""
    if theirs is None or ours is None:
        return "not reached" if ours is not None else ""
    x = theirs / ours
    return f"{x:.0f}" if x >= 20 else f"{x:.1f}" if x >= 2 else f"{x:.2f}"


def reason(table, row):
    """ "first", or why not."""
    slower = [name for name, x in row["others"].items() if x is not None and row["ours"] and x < row["ours"]]
    if not slower:
        return "first"
    found = next(
        (text for (name, word), text in REASONS.items() if name == table and word in row["case"]), ""
    )
    return f"behind {' and '.join(slower)}" + (f": {found}" if found else "")


def section(title, tables):
    """A table, or nothing where it was not measured."""
    name, text, command = SECTIONS[title]
    if name not in tables:
        return ""
    rows = tables[name]["rows"]
    peers = list(dict.fromkeys(peer for row in rows for peer in row["others"]))
    own = ["method"] if any(row["method"] for row in rows) else []
    head = "| | " + " | ".join([*own, *peers, "place"]) + " |"
    lines = [f"## {title}", "", f"{text} (`{command}`)", "", head, "|---" * (len(peers) + len(own) + 2) + "|"]
    for row in rows:
        cells = [f"`{row['method']}`"] if own else []
        cells += [ratio(row["others"][peer], row["ours"]) if peer in row["others"] else "" for peer in peers]
        lines.append(f"| {row['case']} | {' | '.join([*cells, reason(name, row)])} |")
    return "\n".join(lines) + "\n\n"


def number(x):
    """One digit and a power of ten, with its sign."""
    return "0" if x == 0 else f"{x:+.0e}".replace("e-0", "e-") if abs(x) < 0.01 else f"{100 * x:+.0f} %"


def drift(rows):
    """Engines down, cases across."""
    titles = list(dict.fromkeys(title for row in rows for title in row["energy"]))
    lines = ["| | " + " | ".join(titles) + " |", "|---" * (len(titles) + 1) + "|"]
    for row in rows:
        cells = (number(row["energy"][title]) if title in row["energy"] else "" for title in titles)
        lines.append(f"| {row['engine']} | {' | '.join(cells)} |")
    return DRIFT + "\n".join(lines) + "\n"


def page():
    """The whole text."""
    content = json.loads(RESULTS.read_text(encoding="utf-8"))
    there = ", ".join(f"{name} {number}" for name, number in content["versions"].items())
    about = (
        f"Measured on {content['machine']}, {content['date']}; {there}. {content.get('remark', '')}".strip()
    )
    parts = [section(title, content["tables"]) for title in SECTIONS]
    return TOP + about + "\n\n" + "".join(parts) + drift(content["drift"])


def energies(simulators):
    """Rows of the drift table, of what an engine can do."""
    rows = []
    for one in simulators["engines"]:
        for label, found in one["settings"].items():
            energy = {title(name): x["energy"] for name, x in found.items() if "energy" in x}
            if energy:
                rows.append({"engine": f"{one['engine']}, {label}", "energy": energy})
    return rows


def title(name):
    """Of a case."""
    file = HERE.parent / "simulators" / "cases" / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8"))["title"]


def machine():
    """The processor, in words."""
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text(encoding="utf-8").splitlines() if cpu.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor() or platform.machine()}, {os.cpu_count()} processors"


def versions():
    """Of what is installed."""
    found = {"Python": platform.python_version()}
    for name, package in PACKAGES.items():
        try:
            found[name] = version(package)
        except PackageNotFoundError:
            continue
    return found


def collect(numbers, simulators):
    """Put all that was measured into one file."""
    content = {"date": date.today().isoformat(), "machine": machine(), "versions": versions()}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load > 1.5:
        content["remark"] = f"**Placeholders: {load:.0f} processes were running.**"
    content["tables"] = json.loads(Path(numbers).read_text(encoding="utf-8"))["tables"]
    content["drift"] = energies(json.loads(Path(simulators).read_text(encoding="utf-8")))
    RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        collect(*sys.argv[1:])
    PAGE.write_text(page(), encoding="utf-8")
