"""A pair of bodies between which a template has inertia, damping and stiffness."""

from typing import Any

import numpy as np

from poinsot.control.matrices import Vee, moments
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.mechanism import WORLD, Mechanism

SYMMETRIC = 1e-9  # largest asymmetry of a matrix, relative to its largest element


class Pair:
    """Inertia, damping and stiffness of a template between two bodies.

    Each of the three is a 4x4 matrix of moments in the frame of `body`, or (total, centre, moments about the
    centre), where the moments are three principal ones or a 3x3 matrix.

    Parameters
    ----------
    body : str
        Name of the body.
    relative_to : str, default "world"
        Name of the other body, relative to which the body is to move.
    inertia, damping, stiffness : array_like, optional
        Matrix (4, 4), or (total, centre, moments): kg, kg/s, N/m and kg m², N m s, N m.  Default: zero.
        Single pairs may have negative values, as long as the sum over all pairs is definite.

    Attributes
    ----------
    inertia, damping, stiffness : ndarray, shape (4, 4)
        Matrices of moments about the origin of the body frame.

    Raises
    ------
    ModelError
        If a name is not a text, or a matrix is not symmetric.

    Examples
    --------
    >>> import poinsot as ps
    >>> pair = ps.control.Pair("drone", inertia=(2.0, (0, 0, 0.1), (0.1, 0.1, 0.2)))
    >>> pair
    Pair('drone')
    >>> pair.inertia[3]
    array([0. , 0. , 0.2, 2. ])
    """

    def __init__(
        self,
        body: str,
        relative_to: str = WORLD,
        inertia: Any = None,
        damping: Any = None,
        stiffness: Any = None,
    ) -> None:
        self.body = checks.text("pair", "body", body)
        self.relative_to = checks.text(f"pair of '{body}'", "relative_to", relative_to)
        self.inertia = self._matrix("inertia", inertia)
        self.damping = self._matrix("damping", damping)
        self.stiffness = self._matrix("stiffness", stiffness)
        self.M, self.D, self.K = Vee(self.inertia), Vee(self.damping), Vee(self.stiffness)

    def __repr__(self) -> str:
        other = "" if self.relative_to == WORLD else f", relative_to={self.relative_to!r}"
        return f"Pair({self.body!r}{other})"

    @property
    def label(self) -> str:
        """Name of the pair for messages."""
        return f"pair of '{self.body}' and '{self.relative_to}'"

    @property
    def centre(self) -> Array:
        """Centre of stiffness in the body frame; the origin where the total stiffness is zero."""
        k = self.stiffness[3, 3]
        return self.stiffness[:3, 3] / k if k != 0 else np.zeros(3)

    def _matrix(self, what: str, value: Any) -> Array:
        if value is None:
            return np.zeros((4, 4))
        if isinstance(value, list | tuple) and len(value) == 3:
            total = checks.number(self.label, f"total {what}", value[0])
            centre = checks.vector(self.label, f"centre of {what}", value[1])
            three = "3 moments or a 3x3 matrix"
            about = checks.array(self.label, f"moments of {what}", value[2], three, (3,), (3, 3))
            found = moments(total, centre, np.diag(about) if about.ndim == 1 else about)
        else:
            wanted = "a 4x4 matrix or (total, centre, moments)"
            found = np.array(checks.array(self.label, what, value, wanted, (4, 4)))
        with np.errstate(over="ignore", invalid="ignore"):
            off = float(np.abs(found - found.T).max())
            if not off <= SYMMETRIC * float(np.abs(found).max()):
                raise ModelError(f"{self.label}: {what} must be symmetric and finite, got {show(value)}")
        found.setflags(write=False)
        return found


def check_pair(pair: Pair, mechanism: Mechanism) -> None:
    """Raise a ModelError unless the mechanism has both bodies of a pair."""
    for name in (pair.body, pair.relative_to):
        if name != WORLD:
            mechanism.link(name, pair.label)
    if pair.body == WORLD or pair.body == pair.relative_to:
        raise ModelError(f"{pair.label}: a pair has two different bodies, the first one not the world")
