"""`out=` in the same memory as the inputs, at any distance.

What must hold: the numbers of a call whose result has memory of its own, bit for bit.
"""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import poinsot as ps
from attacks.arguments import told
from attacks.attempt import Attempt, Attempts


def mechanisms() -> dict[str, Any]:
    """Return the equations of mechanisms, by name."""
    bar, hinge = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0), ps.Revolute((0, 1, 0))
    arm = ps.Mechanism().add("a", bar, hinge, body_at=(0, 0, -0.5))
    arm.add("b", bar, hinge, parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5))
    looped = arm.snapshot().close(ps.Loop("b", "world", ps.Distance(1.0), at_b=(1.0, 0, -0.5)))
    return {"tree": ps.dynamics.bind(arm), "loop": ps.dynamics.bind(looped)}


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield calls without end."""
    known = mechanisms()
    while True:
        name, n = rng.choice(list(known)), rng.choice((1, 2, 3, 4, 5, 9, 17))
        d, what = known[name], rng.choice(("acceleration", "inverse_dynamics", "mass_matrix"))
        memory = np.array([rng.uniform(-1, 1) for _ in range(16 * n + 16)])
        shape = (n, 2) if n > 1 or rng.random() < 0.5 else (2,)
        result = (*shape, 2) if what == "mass_matrix" else shape
        places = [rng.randrange(4 * n + 4) for _ in range(1 if what == "mass_matrix" else 3)]
        place = rng.randrange(4 * n + 4)

        def part(numbers: Any, at: int, form: tuple[int, ...]) -> Any:
            return numbers[at : at + int(np.prod(form))].reshape(form)

        function = getattr(d, what)
        try:
            right = function(*(part(memory, at, shape).copy() for at in places))
            out = part(memory, place, result)
            found = function(*(part(memory, at, shape) for at in places), out=out)
            failure = "" if found is out and out.tobytes() == right.tobytes() else "other numbers"
        except Exception as error:
            failure = told(error)
        yield Attempt(f"{what} of a {name}, {n} states at {places}, out at {place}", failure)
