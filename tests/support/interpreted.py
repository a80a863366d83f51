"""Numbers of a test module, computed by the interpreter instead of the compiled kernels."""

import json
import os
import subprocess
import sys
from pathlib import Path


def interpreted(environment, file, expression):
    """The value of an expression in the names of the test module `file`, with NUMBA_DISABLE_JIT=1."""
    module = Path(file)
    code = f"import json; from {module.stem} import *; print(json.dumps({expression}))"
    path = os.pathsep.join([str(module.parent), environment["PYTHONPATH"]])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)
