"""States of a mechanism, as forces see them."""

from poinsot.model.checks import Array
from poinsot.model.joint import Joint
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism


class Sampled:
    """n states: the motion of every body, and the coordinates of every joint."""

    def __init__(self, mechanism: Mechanism, q: Array, v: Array) -> None:
        self.mechanism, self.q = mechanism, q
        self.motions = motions(mechanism, q, v)

    def joint(self, name: str) -> tuple[Joint, Array]:
        return self.mechanism.link(name).joint, self.q[:, self.mechanism.slices(name)[0]]
