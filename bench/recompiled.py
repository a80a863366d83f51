"""How much an edit recompiles: the share of the kernels that can reach a file of the core.

    python bench/recompiled.py [--json]     mean over the files of core and elementary, and the worst files

Nothing is compiled: the entries that `poinsot warm --all` would compile are made, and what each of them can
reach is followed as its key does (`core/kernel_key.py`).  A file counts if anything in it is reached, so that
this is the share for an edit of the most used function in it.
"""

import json
import sys
from types import FunctionType

from poinsot.core import jit, kernel_key
from poinsot.core.kernel_cache import PACKAGE

KINDS = ("shared", "passes", "body", "body-derivative", "tree", "derivative", "fallback", "entry", "lie")
SHOWN = 25
reached = {}  # names of entries: the files that they reach


def files_of(*values):
    found = set()
    for value, _ in kernel_key.reached(*values):
        if isinstance(value, FunctionType):
            found.add(value.__code__.co_filename)
        elif isinstance(value, type) and value.__module__.startswith("poinsot."):
            found.add(sys.modules[value.__module__].__file__)
    return found


def entry(name, signature, nogil=False):
    """In the place of `jit.entry`: note what the function reaches; it cannot be called."""

    def decorate(function):
        reached[name] = files_of(function, signature)
        made = jit.njit(**jit.OPTIONS)(function)
        made.signature_wanted = signature
        return made

    return decorate


def shares():
    """The share of the entries that reach each file."""
    jit.entry, jit.ready = entry, lambda made: made
    from poinsot.warm import jobs, makers

    for job in jobs.all_jobs():
        if job.kind in KINDS:
            makers.make(job.line)
    always = set()
    for name in kernel_key._modules(kernel_key.ALWAYS):
        always.add(sys.modules[name].__file__)
    files = [path for folder in ("core", "elementary") for path in sorted((PACKAGE / folder).rglob("*.py"))]
    return {
        path.relative_to(PACKAGE).as_posix(): 1.0
        if str(path) in always
        else sum(str(path) in one for one in reached.values()) / len(reached)
        for path in files
        if path.name != "__init__.py"
    }


def main():
    found = shares()
    mean = sum(found.values()) / len(found)
    if "--json" in sys.argv:
        print(json.dumps({"entries": len(reached), "mean": mean, "shares": found}))
        return
    print(
        f"an edit recompiles {mean:.1%} of {len(reached)} kernels, mean over {len(found)} files; the worst:"
    )
    for name, share in sorted(found.items(), key=lambda pair: -pair[1])[:SHOWN]:
        print(f"  {share:5.0%}  {name}")


if __name__ == "__main__":
    main()
