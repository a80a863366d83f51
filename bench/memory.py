"""Memory of long runs: the peak of each task, above that of the same task with few samples.

Each figure is a process of its own (its high-water mark).  Tasks that hold the samples are compared with
their size; figures and exports read an archive, and should need the same memory whatever its length.

    python bench/memory.py [--json] [--tiny] [SAMPLES]
"""

import json
import os
import subprocess
import sys
import tempfile

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
FEW, BLOCKS = (1000, 1000) if TINY else (1000, 130_000)  # exports: two blocks of an archive
TASK = """
import pathlib, resource, sys
import poinsot as ps

folder, name, samples, few = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
s = ps.scenario("dzhanibekov")

def run(n, **options):
    return ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=n - 1, **options)

def export(n, ending):
    from poinsot.cli import commands
    option, out = "--" + ending, folder / f"{n}.{ending}"
    commands.main(["export", str(folder / f"{n}.poinsot"), option, str(out)], standalone_mode=False)
    out.unlink()

TASKS = {
    "run": run,
    "run with archive": lambda n: run(n, archive=folder / f"{n}.journal"),
    "run and save": lambda n: run(n).save(folder / f"{n}.poinsot"),
    "run and report": lambda n: str(run(n).report()),
    "load": lambda n: ps.load(folder / f"{n}.poinsot"),
    "load and report": lambda n: str(ps.load(folder / f"{n}.poinsot").report()),
    "plot": lambda n: ps.load(folder / f"{n}.poinsot").plot(folder / f"{n}.svg"),
    "export csv": lambda n: export(n, "csv"),
    "export netcdf": lambda n: export(n, "netcdf"),
    "export html": lambda n: export(n, "html"),
}

def peak():
    status = pathlib.Path("/proc/self/status")  # ru_maxrss may be that of the process that started this one
    if status.exists():
        return 1024 * int(status.read_text().split("VmHWM:")[1].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

task = TASKS[name]
if not (folder / f"{few}.poinsot").exists():
    run(few).save(folder / f"{few}.poinsot")
task(few)
before = peak()
found = task(samples)
print(peak() - before)
"""
HOLDING = ["run", "run with archive", "run and save", "run and report", "load", "load and report"]
EXPORTS = ["plot", "export csv", "export netcdf", "export html"]
ROW = 16 * 8  # bytes of a sample of a free body: time, 7 coordinates, 6 velocities, work, potential


def measured(folder, name, samples, environment=os.environ):
    """Peak of a task in bytes."""
    few = BLOCKS if name in EXPORTS else FEW
    done = subprocess.run(
        [sys.executable, "-c", TASK, folder, name, str(samples), str(few)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(environment),
    )
    return int(done.stdout.split()[-1])


def main():
    given = [int(float(x)) for x in sys.argv[1:] if not x.startswith("-")]
    samples = given[0] if given else 2000 if TINY else 2_000_000
    result = {"samples": samples * ROW}
    with tempfile.TemporaryDirectory() as folder:
        for name in [*HOLDING, *EXPORTS]:
            if TINY and name in EXPORTS and name != "export csv":
                continue
            result[name] = measured(folder, name, samples)
    if "--json" in sys.argv:
        print(json.dumps(result))
        return
    print(f"{samples} samples of {ROW} bytes: {samples * ROW / 1e6:.1f} MB")
    for name in HOLDING:
        print(f"  {name:18} {result[name] / 1e6:9.1f} MB, {result[name] / samples / ROW:5.2f} of the samples")
    for name in EXPORTS:
        if name in result:
            print(f"  {name:18} {result[name] / 1e6:9.1f} MB")


if __name__ == "__main__":
    main()
