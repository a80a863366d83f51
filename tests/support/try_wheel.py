"""Tries what is in a folder (wheels, an sdist) as a new user does: installed into an empty environment.

    python tests/support/try_wheel.py dist [PYTHON ...] [--compiles nothing]

Each file is installed with each Python, with an empty cache of kernels; then `poinsot --version`, `doctor`,
`demo` and a run.  A wheel with kernels must compile nothing; the others say what they compile, and how long
it takes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

RUN = """
import json, time
from poinsot.core import kernel_cache
import poinsot as ps
s = ps.scenario("double-pendulum")
begin = time.process_time()
run = ps.simulate(s.mechanism, s.start, step=0.01, until=1.0)
seconds = time.process_time() - begin
print(json.dumps({"kernels": len(kernel_cache.compiled), "seconds": seconds}))
"""


def call(command, environment, folder):
    """Run a command; return what it prints, or end with what it said."""
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def try_file(file, python, folder):
    """Install a file with a Python into an empty environment, use it, and return what happened."""
    home = folder / "home"
    if python == sys.executable:
        venv.create(home, with_pip=True)
    else:
        subprocess.run([python, "-m", "venv", str(home)], check=True)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    environment = {**os.environ, "POINSOT_CACHE_DIR": str(folder / "kernels"), "PYTHONPATH": ""}
    pip = [programs / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    call([*pip, str(file)], environment, folder)
    poinsot = programs / "poinsot"
    version, _ = call([poinsot, "--version"], environment, folder)
    call([poinsot, "doctor", "--json"], environment, folder)
    shown, said = call([poinsot, "demo"], environment, folder)
    assert "kept to the last digits" in shown
    assert (folder / "demo" / "dzhanibekov.html").stat().st_size > 100_000
    compiled = [line for line in said.splitlines() if "kernels compiled" in line]
    facts = json.loads(call([programs / "python", "-c", RUN], environment, folder)[0])
    return version.split()[-1], compiled, facts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("pythons", nargs="*", default=[sys.executable])
    parser.add_argument("--compiles", choices=["nothing"], help="Fail if anything is compiled.")
    options = parser.parse_args()
    files = sorted(
        path for path in options.folder.resolve().iterdir() if path.name.endswith((".whl", ".tar.gz"))
    )
    if not files:
        raise SystemExit(f"{options.folder}: no wheel and no sdist")
    for file in files:
        for python in options.pythons:
            with tempfile.TemporaryDirectory() as folder:
                version, compiled, facts = try_file(file, python, Path(folder).resolve())
            demo = compiled[0].split(";")[0] if compiled else "nothing compiled"
            line = f"demo: {demo}; a run: {facts['kernels']} kernels, {facts['seconds']:.1f} s of CPU"
            print(f"{file.name}, {python}: version {version}; {line}", flush=True)
            if options.compiles == "nothing" and (compiled or facts["kernels"]):
                raise SystemExit("a wheel with kernels must not compile")


if __name__ == "__main__":
    main()
