"""The compiled algorithms of a tree at one state, on NumPy arrays."""

import numpy as np
from numba import float64

from poinsot.compile.tree import Tree
from poinsot.core.tree.dynamics import entries
from poinsot.core.tree.records import Model
from poinsot.model.checks import Array


def rates(tree: Tree, q: Array, v: Array) -> Array:
    """Return dq/dt."""
    out = np.zeros(len(q))
    entries.rates()(tree.model(), np.array(q), np.array(v), out)
    return out


def mass_matrix(tree: Tree, q: Array, model: Model | None = None) -> Array:
    """Return the mass matrix (nv, nv) of the tree, or of another model of it."""
    M = np.empty((tree.nv, tree.nv))
    tree.states.masses(np.array(q)[None], M[None], model)
    return M


def applied_forces(tree: Tree, t: float, q: Array, v: Array) -> tuple[Array, Model]:
    """Return the joint forces of all forces of the mechanism, and the model with wrenches on the links."""
    tau, model = np.zeros(len(v)), tree.model(float64)
    if tree.forces:
        force, user = tree.functions(float64)
        force(t, np.concatenate([q, v, [0.0]]), tau, user, model)
    return tau, model


def forward_dynamics(tree: Tree, q: Array, v: Array, tau: Array, model: Model, gravity: bool = True) -> Array:
    """Return dv/dt under joint forces, the wrenches in the workspace of the model, and gravity."""
    out = np.zeros(len(v))
    entries.forward()(model, int(gravity), np.array(q), np.array(v), np.array(tau), out)
    return out


def acceleration(tree: Tree, t: float, q: Array, v: Array, torques: Array | None = None) -> Array:
    """Return dv/dt under gravity, all forces and additional joint torques, without the loops."""
    if tree.drives:
        out, tau = np.empty(len(v)), np.zeros(len(v)) if torques is None else np.array(torques)
        tree.states.accelerations(np.array([t]), np.array(q)[None], np.array(v)[None], tau[None], out[None])
        return out
    tau, model = applied_forces(tree, t, q, v)
    return forward_dynamics(tree, q, v, tau if torques is None else tau + torques, model)


def response(tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array, gravity: bool) -> Array:
    """Return dv/dt under joint forces and wrenches on the links (n + 1, 6), without any other force."""
    model = tree.model(float64)
    tree.wrenches(model)[:] = wrenches
    return forward_dynamics(tree, q, v, tau, model, gravity)
