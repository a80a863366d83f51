"""What linear models of a mechanism share: the mechanism with its inputs, compiled once, and prepared calls.

    d/dt dq = dv - [v, dq],    d/dt dv = D_q a dq + D_v a dv + D_u a u                           (1)

All directions go through the core in one call (`core.tree.dynamics.derivative`).  A thread keeps a few models
of a mechanism, by their inputs.
"""

from typing import Any

import numpy as np

from poinsot.compile.cache import cache_of, tree_for
from poinsot.compile.method_choice import system_for
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.time_loop import TimeLoop
from poinsot.compile.tree import Tree
from poinsot.core.call import Call
from poinsot.core.methods.method import Method
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.tree.dynamics.derivative import derivative, scratch_size
from poinsot.mechanics.tangent import lift, names
from poinsot.model.checks import Array
from poinsot.model.controller import Inputs, actuators, hold_inputs, without_control
from poinsot.model.inputs.control import Control
from poinsot.model.inputs.hold import Hold
from poinsot.model.mechanism import Mechanism

Outputs = tuple[Array, Array, tuple[str, ...]]  # C, D and names
MOST = 8  # models of a mechanism that a thread keeps


class FieldDerivative:
    """The derivative of the field of a tree along fixed directions: `call` reads and writes the arrays."""

    def __init__(self, tree: Tree, dy: Array, du: Array, lifted: bool) -> None:
        n = tree.width
        self.t, self.y, self.value, self.D = np.zeros(1), np.zeros(n), np.zeros(n), np.zeros((n, dy.shape[1]))
        places = np.array(tree.hold_places, dtype=np.int64)
        arrays = self.t, self.y, *map(np.ravel, (dy, du)), places, self.value, self.D.reshape(-1)
        functions = tree.field_with_loops(dual4), *tree.functions(dual4)
        scratch = np.zeros(scratch_size(n))
        self.call = Call(derivative(), *functions, int(lifted), *arrays, tree.model(dual4), scratch)


class LinearModel:
    """A mechanism with inputs, for derivatives in one thread."""

    def __init__(self, mechanism: Mechanism, inputs: Inputs | None) -> None:
        self.mechanism = copy = without_control(mechanism)
        if inputs is not None:
            copy.control = hold_inputs(copy, actuators(inputs, "linearize"))
        self.inputs, self.states = _labels(copy, copy.control), names(copy)
        self.count, n = len(self.inputs), len(self.states)
        C, D = np.eye(n), np.zeros((n, self.count))
        C.flags.writeable = D.flags.writeable = False
        self.outputs: Outputs = C, D, self.states
        self.zero = np.zeros(self.count)
        joints = [(link.joint, copy.slices(link.name)[1].start) for link in copy.links]
        self.curved = [(joint.nv, first) for joint, first in joints if joint.quaternion is not None]
        self.functions = any(hasattr(force, "function") for force in copy.forces)
        self._tree: Tree | None = None
        self._systems: dict[str, tuple[CompiledMechanism, Method]] = {}
        self._loops: dict[tuple[str, Any], TimeLoop] = {}
        self._raw: FieldDerivative | None = None
        self._lifted: FieldDerivative | None = None

    @property
    def tree(self) -> Tree:
        """The tree, whose inputs are those of this model."""
        if self._tree is None:
            self._tree = tree_for(self.mechanism)
        return self._tree

    def system(self, name: Any) -> tuple[CompiledMechanism, Method]:
        """Return the system for a method by name, and the method."""
        if not isinstance(name, str) or name not in self._systems:
            found = system_for(self.mechanism, name)[:2]
            self._systems[name] = self._systems[found[1].label] = found
        return self._systems[name]

    def time_loop(self, method: Method, number: Any) -> TimeLoop:
        """Return the time loop of a method."""
        key = method.label, number
        if key not in self._loops:
            self._loops[key] = self.system(method.label)[0].time_loop(method, number)
        return self._loops[key]

    def lift(self, q: Array) -> Array:
        """Return L (nq, nv) of `tangent`."""
        return lift(self.mechanism, q) if self.curved else np.eye(len(q))

    @property
    def raw(self) -> FieldDerivative:
        """The derivative with respect to the numbers of y and the inputs."""
        if self._raw is None:
            n, m = self.tree.width, self.count
            self._raw = FieldDerivative(self.tree, np.eye(n, n + m), np.eye(m, n + m, n), lifted=False)
        return self._raw

    def continuous(self, t: float, q: Any, v: Any, u: Any) -> tuple[Array, Array, int]:
        """Return A and B of (1) at float64 arrays, and 0 if the state is not valid or A not finite."""
        nv, m = len(v), self.count
        if self._lifted is None:
            k = 2 * nv + m
            self._lifted = FieldDerivative(self.tree, np.eye(2 * nv, k), np.eye(m, k, 2 * nv), lifted=True)
            self.places = np.array(self.tree.hold_places, dtype=np.int64)
            self._identity = np.eye(2 * nv, k, nv)[:nv]
        one = self._lifted
        if m:
            self.tree.floats[self.places] = u
        one.t[0], one.y[: len(q)], one.y[len(q) :] = t, q, v
        done = one.call()
        both = np.concatenate([self._identity, one.D[len(q) :]])
        for size, i in self.curved:
            a, b, c = v[i : i + 3].tolist()
            w = (0.0, c, -b), (-c, 0.0, a), (b, -a, 0.0)  # - w x
            both[i : i + 3, i : i + 3] = w
            if size == 6:
                a, b, c = v[i + 3 : i + 6].tolist()
                both[i + 3 : i + 6, i + 3 : i + 6] = w
                both[i + 3 : i + 6, i : i + 3] = (0.0, c, -b), (-c, 0.0, a), (b, -a, 0.0)
        return both[:, : 2 * nv], both[:, 2 * nv :], int(done)

    @property
    def acceleration(self) -> Array:
        """Accelerations (nv,) at the state of the last call of `continuous`."""
        assert self._lifted is not None
        return self._lifted.value[self.tree.nq :].copy()


def linear_model(mechanism: Mechanism, inputs: Inputs | None) -> LinearModel:
    """Return the linear model of a mechanism with these inputs, which this thread keeps."""
    models: dict[Any, LinearModel] = vars(cache_of(mechanism).linear).setdefault("models", {})
    try:
        key = inputs if inputs is None or isinstance(inputs, str) else tuple(inputs)
        found = models.get(key)
    except Exception:  # what cannot be iterated over, or has no hash
        return LinearModel(mechanism, inputs)
    if found is None:
        found = LinearModel(mechanism, inputs)
        if len(models) >= MOST:
            models.clear()
        models[key] = found
    return found


def _labels(mechanism: Mechanism, control: Control) -> tuple[str, ...]:
    """Return the names of the inputs: a joint with one velocity by its name, else with the component.
    Inputs on bodies are counted by their name: "drone[0]", "drone[1]"."""
    single = {link.name for link in mechanism.links if link.joint.nv == 1}
    labels: list[str] = []
    seen: dict[str, int] = {}
    for force in control.forces:
        for i, name in enumerate(force.names):
            if isinstance(force, Hold):
                labels.append(name if name in single else f"{name}[{force.components[i]}]")
            else:
                labels.append(f"{name}[{seen.setdefault(name, 0)}]")
                seen[name] += 1
    return tuple(labels)
