"""Demonstrations: pages without a run, on which sliders move a picture (`viewer/src/` has one file for each).

`poinsot gallery NAME --out FILE` writes one.
"""

from typing import NamedTuple

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model.checks import show, suggestion
from poinsot.view.page import page, write
from poinsot.view.payload import FORMAT, Payload


class Demonstration(NamedTuple):
    """What a demonstration is called, and what it shows."""

    title: str
    notes: str


DEMONSTRATIONS = {
    "pitch-cone": Demonstration(
        "Pitch and cone: a chart of the sphere",
        "n = (sin δ, cos δ sin η, cos δ cos η).  Directions of equal pitch δ lie on a cone about the x "
        "axis (red), those of equal cone angle η on a great circle through the poles of the chart, the "
        "ends of the x axis (blue).  Near a pole a small motion changes η by much: |dn/dη| = cos δ.  See "
        "docs/charts.md.",
    ),
    "logarithm": Demonstration(
        "Branches of the logarithm of a rotation",
        "A rotation vector x (violet) and all x + 2πk x/|x| are logarithms of the same rotation "
        "(blue-green); the shortest, in the ball of radius π, is the principal one (red).  It jumps to "
        "the other side where the angle passes half a turn.  On the spheres of radius 2π and 4π exp is "
        "singular: all their points are the identity.  The frame in the middle is rotated by exp(x).",
    ),
    "momentum-surfaces": Demonstration(
        "Momentum surfaces of a discrete Lagrangian",
        "The spherical pendulum in pitch and cone angle: p₀ = -D₁L(q₀, q₁) as two surfaces over the end "
        "q₁ of a step (red: of δ, blue: of η, each in its own scale), with the level of the given "
        "momentum.  A step of the variational method is where both curves on the floor cross (violet, by "
        "Newton's method from q₀, gray).  With a long step or near a pole there are several crossings, "
        "or none.",
    ),
}


def demonstration_page(name: str) -> str:
    """Return the page of a demonstration; a ScenarioError says if there is none of this name."""
    one = DEMONSTRATIONS.get(name)
    if one is None:
        raise ScenarioError(f"there is no demonstration {show(name)}{suggestion(name, [*DEMONSTRATIONS])}")
    header = {"format": FORMAT, "demonstration": name, "title": one.title, "notes": one.notes}
    rest = {"overlay": False, "arrays": [], "runs": [], "others": []}
    return page(Payload({**header, **rest}, b""))


def write_demonstration(name: str, path: PathLike) -> str:
    """Write the page of a demonstration to a file; return its path."""
    return str(write(path, demonstration_page(name)))
