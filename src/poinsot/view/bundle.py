"""The script of the page.  An installed package contains it; a source checkout builds it."""

import subprocess
import sys
import warnings
from functools import cache
from pathlib import Path

from poinsot.errors import PoinsotError

BUNDLE = Path(__file__).parent / "bundle" / "view.js"
BUILDER = Path(__file__).parents[3] / "viewer" / "bundle.py"  # of a source checkout


class BundleError(PoinsotError):
    """The script of the page is missing and cannot be built."""


@cache
def script() -> str:
    """Return the text of the bundle, safe inside a script element."""
    if BUILDER.parents[1] / "src" == BUNDLE.parents[3] and BUILDER.is_file():
        _build()
    try:
        text = BUNDLE.read_text(encoding="ascii")
    except OSError:
        raise BundleError(f"the browser view is missing from this installation ({BUNDLE})") from None
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _build() -> None:
    """Build it from the TypeScript sources unless it is up to date; if that fails, use the old one."""
    done = subprocess.run([sys.executable, str(BUILDER)], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    reason = (done.stdout + done.stderr).strip()
    if not BUNDLE.is_file():
        raise BundleError(f"the browser view cannot be built: {reason}")
    warnings.warn(f"the browser view is older than its sources and cannot be built: {reason}", stacklevel=3)
