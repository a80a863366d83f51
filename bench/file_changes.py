"""How often a run goes from one file of the package to another: what whoever reads along has to follow.

    python bench/file_changes.py            the numbers; exit code 1 if one is larger than wanted
        --pairs                             also the pairs of files that are passed most often
        --sequence                          also the files in order, with the functions called

Counts `call` events of `sys.setprofile` whose code lies in another file of src/poinsot than the one before;
code outside the package is passed over, and so is arithmetic (products, lengths: what NumPy's operators would
be).  A run of two steps, the second of its kind in the process: compiling
and importing are done.
"""

import sys
from collections import Counter
from itertools import groupby, pairwise
from pathlib import Path

import poinsot as ps

FOLDER = f"{Path(ps.__file__).parent}/"
ARITHMETIC = (f"{FOLDER}elementary/", f"{FOLDER}core/solve/dense.py")
SHOWN = 15  # pairs
RUNS = {  # scenario, method, changes that there should be at most
    "one body": ("fast-top", "auto", 70),
    "tree": ("double-pendulum", "gauss3", 85),
    "loop": ("four-bar", "variational", 146),
    "controlled": ("revolute-tracking", "rk4", 123),
}


def calls(run):
    """(file, function) of the package, in the order in which they are called."""
    found = []

    def event(frame, kind, _):
        code = frame.f_code
        file = code.co_filename
        if kind == "call" and file.startswith(FOLDER) and not file.startswith(ARITHMETIC):
            found.append((code.co_filename.removeprefix(FOLDER), code.co_name))

    before = sys.getprofile()
    sys.setprofile(event)
    try:
        run()
    finally:
        sys.setprofile(before)
    return found


def sequence(scenario, method):
    """(file, functions called there without leaving it), of the second run."""
    s = ps.scenario(scenario)
    options = dict(step=s.step, steps=2, controller=s.controller)
    run = lambda: ps.simulate(s.mechanism, s.start, method, **options)  # noqa: E731
    run()
    return [(file, [name for _, name in group]) for file, group in groupby(calls(run), lambda call: call[0])]


def pairs(found):
    """How often one file follows another."""
    return Counter(pairwise(file for file, _ in found))


def main():
    """Print the numbers; return how many are larger than wanted."""
    print("changes of file in one simulate of two steps")
    large = 0
    for name, (scenario, method, most) in RUNS.items():
        found = sequence(scenario, method)
        large += len(found) - 1 > most
        print(f"  {name:12}{scenario:20}{method:14}{len(found) - 1:5}   (wanted: at most {most})")
        if "--pairs" in sys.argv:
            for (a, b), count in pairs(found).most_common(SHOWN):
                print(f"    {count:4}  {a} -> {b}")
        if "--sequence" in sys.argv:
            for file, functions in found:
                print(f"          {file}: {', '.join(dict.fromkeys(functions))}")
    return large


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
