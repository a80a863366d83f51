"""What an engine must answer to be tested: a class derived from `Adapter`, named in `ADAPTERS` of trial.py.

    class MyEngine(Adapter):
        engine = "my engine"
        settings = {"default, 1 ms": {"step": 1e-3}}           # a column of the table each

        @staticmethod
        def version(): ...

        def build(self, case): ...                             # make the model, put it into case["start"]
        def advance(self, seconds): ...                        # simulate so many seconds more
        def state(self): ...                                   # of all bodies: {name: State(...)}

`build` raises CannotError("no rolling constraint") where the engine cannot do what a case asks.  States are
those of the centers of mass; the script computes energies and errors from them, and refuses an adapter whose
first state is not the given start.
"""

from typing import ClassVar, NamedTuple

import numpy as np

STIFFNESS = 2e4  # 1/s², where a contact is a spring: it lasts 22 ms, eleven steps of 2 ms


class CannotError(Exception):
    """The engine has no means for this case; the text says which."""


class State(NamedTuple):
    """Of one body."""

    position: np.ndarray  # of the center of mass in space
    quaternion: np.ndarray  # (w, x, y, z), turns body axes into space axes
    velocity: np.ndarray  # of the center of mass, in space axes
    angular_velocity: np.ndarray  # in body axes


class Adapter:
    """An engine with one of its settings."""

    engine = ""
    settings: ClassVar[dict] = {}

    def __init__(self, **options):
        self.__dict__.update(options)

    def build(self, case):
        """Make the model of a case and put it into its start."""
        raise NotImplementedError

    def advance(self, seconds):
        """Simulate so many seconds more."""
        raise NotImplementedError

    def state(self):
        """The State of every body, by name."""
        raise NotImplementedError

    def eigenvalues(self, case):
        """For each speed of the case the eigenvalues of the linear equations, also those that are zero."""
        raise CannotError("no rolling constraint")

    def steps(self, seconds):
        """How many steps, and their size: a little smaller than wanted, so that the last ends in time."""
        count = max(1, int(np.ceil(seconds / self.step * (1 - 1e-12))))
        return count, seconds / count


def contacts(case):
    """The contacts of a case."""
    return case.get("contacts") or ([case["contact"]] if "contact" in case else [])


def by_friction(case):
    """The ball or ellipsoid that may roll on the floor (z = 0) by friction: (body, semi-axes, place)."""
    one = contacts(case)[0]
    shape = one.get("shape", {})
    if shape.get("kind") not in ("sphere", "ellipsoid") or "on" in one or "bowl" in one:
        raise CannotError("no rolling constraint")
    return one["body"], shape.get("semi_axes", [shape.get("radius")] * 3), one["at"]


def rotation(q):
    """The matrix of a quaternion."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
