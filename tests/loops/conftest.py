"""Tests of loops share their mechanisms with the tests of dynamics."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "dynamics"))
