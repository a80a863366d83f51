"""The order law: errors at the end of a run fall with the declared power of the number of steps."""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from poinsot.core.methods.method import Kernels
from support.euler_records import METHODS

COUNTS = np.array([4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024])
COARSEST = {1: 64, 2: 32, 3: 24, 4: 16, 5: 8, 6: 6, 7: 5, 8: 4}  # coarser steps need not converge
FLOOR = 1e-11  # above the error of the reference and of rounding


def assert_order(order, error, tolerance=0.05):
    """`error(n)` is the error of n steps: the three finest above the floor have the slope `order`."""
    counts = COUNTS[COARSEST[order] <= COUNTS]
    errors = np.array([error(n) for n in counts])
    seen = errors > FLOOR  # below it a fit would measure noise
    assert seen[:3].all(), "too few points above round-off"
    slope = -np.polyfit(np.log(counts[seen][-3:]), np.log(errors[seen][-3:]), 1)[0]
    assert abs(slope - order) < tolerance, f"slope {slope:.3f} is not of order {order}"


def own_method(module):
    """A method of the tests under names that follow its source: the cache knows kernels by name only."""
    text = "".join(path.read_text() for path in sorted(Path(__file__).parent.glob("*.py")))
    (kind, kernels), *_ = module.KERNELS.items()
    method = next(one for one in METHODS if one.name == kind)
    name = f"{kind}_{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    return replace(
        method, name=name, own_kernels=Kernels(*(one and replace(one, name=name) for one in kernels))
    )
