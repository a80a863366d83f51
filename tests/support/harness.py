"""The compiled loop of a method, driven directly: any number type, any sign of the step.

A state is 13 numbers (q, P, r, p); its tangent in the trivialisation of the body frame 12 numbers
(x, m, y, n): dq = q (0, x/2), dP = m, dr = y, dp = n.
"""

import math
from functools import cache

import numpy as np
from numba import float64

import poinsot as ps
from poinsot.compile.one_body import compile_body
from poinsot.core.body.load import no_force
from poinsot.core.body.records import STATE
from poinsot.core.body.time_loop import OK, SAMPLE, Counters, LoopMemory, time_loop
from poinsot.core.methods import ALL as METHODS
from poinsot.core.numbers.arrays import flat
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import v4d
from poinsot.model.rotations import compose, inverse

NX = len(flat(STATE))
LANES, TANGENTS = 4, 4
ALL = [method for method in METHODS if method.body is not None]  # those with a kernel for one body
FORCED = [method for method in ALL if method.scope != "free"]


def pull(t, R, w, p, v):
    """A spring from the point (0.1, 0, 0.3) of the body to the origin, k = 5: bends and turns."""
    a, b, c = (
        p[0] + 0.1 * R[0][0] + 0.3 * R[0][2],
        p[1] + 0.1 * R[1][0] + 0.3 * R[1][2],
        p[2] + 0.1 * R[2][0] + 0.3 * R[2][2],
    )
    f, g, h = -5.0 * a, -5.0 * b, -5.0 * c
    x, y, z = a - p[0], b - p[1], c - p[2]
    return y * h - z * g, z * f - x * h, x * g - y * f, f, g, h


def pull_potential(R, p):
    a, b, c = (
        p[0] + 0.1 * R[0][0] + 0.3 * R[0][2],
        p[1] + 0.1 * R[1][0] + 0.3 * R[1][2],
        p[2] + 0.1 * R[2][0] + 0.3 * R[2][2],
    )
    return 2.5 * (a * a + b * b + c * c)


@cache
def heavy():
    """An asymmetric heavy body on a spherical joint: nothing about it is special."""
    m = ps.Mechanism()
    m.add("body", ps.Body(1.0, (1.0, 2.0, 2.5), center_of_mass=(0.1, 0.2, 0.3)), ps.Spherical())
    turn = ps.quaternion.exp((0.3, -0.5, 0.7))
    return m, m.state({"body": dict(rotation=turn, angular_velocity=(0.4, 1.0, 0.7))})


@cache
def tethered():
    """An asymmetric free body on a spring: turning and flying are coupled."""
    m = ps.Mechanism(gravity=(0, 0, -1.0))
    m.add("body", ps.Body(1.5, (1.0, 2.0, 2.5)), ps.Free())
    m.apply(ps.Wrench("body", pull, potential=pull_potential))
    motion = dict(angular_velocity=(0.4, 1.0, 0.7), velocity=(0.5, 0.1, -0.2), position=(0.1, 0.5, 0.2))
    return m, m.state({"body": motion})


@cache
def free():
    """The same without forces; the pose of the point moves straight on."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("body", ps.Body(1.5, (1.0, 2.0, 2.5)), ps.Free())
    return m, m.state({"body": dict(angular_velocity=(0.4, 1.0, 0.7), velocity=(0.5, 0.1, -0.2))})


def brake(t, R, w, p, v):
    """Drag on turning and flying, and a torque that changes with time."""
    return -0.3 * w[0], -0.2 * w[1], math.sin(t) - 0.4 * w[2], -0.5 * v[0], -0.5 * v[1], -0.5 * v[2]


@cache
def damped():
    """The body on a spring with drag: a force that depends on velocity and time."""
    m = ps.Mechanism(gravity=(0, 0, -1.0))
    m.add("body", ps.Body(1.5, (1.0, 2.0, 2.5)), ps.Free())
    m.apply(ps.Wrench("body", pull), ps.Wrench("body", brake))
    return m, tethered()[1]


SYSTEMS = {"heavy": heavy, "tethered": tethered, "free": free, "damped": damped}


class Driver:
    """A mechanism and a method for one number type; rows of doubles in, rows of doubles out."""

    def __init__(self, mechanism, method, number=float64):
        self.method, self.number = method, number
        self.doubles = {float64: 1, v4d: LANES, dual4: 1 + TANGENTS}[number]
        self.body = compile_body(mechanism)
        self.force = self.body.force(number)
        self.record = np.array(flat(self.body.record))

    def spread(self, numbers):
        """Each number as a number of our type: in all lanes, or without tangent."""
        if self.number is v4d:
            return np.repeat(numbers, LANES).reshape(-1, LANES)
        table = np.zeros((len(numbers), self.doubles))
        table[:, 0] = numbers
        return table

    def __call__(self, x, h, steps, every=0, bodies=None, t=0.0):
        """x (13, doubles) after so many steps, the samples (n, 14, doubles), and the counters."""
        memory = self.spread(np.array(flat(LoopMemory(STATE, self.method.body.memory, 0.0))))
        memory[:NX] = np.asarray(x, dtype=float).reshape(NX, -1)
        body = self.spread(self.record) if bodies is None else bodies
        counters = np.zeros(len(Counters), dtype=np.int64)
        counters[Counters.FRESH], counters[Counters.STEPS], counters[Counters.EVERY] = 1, steps, every
        counters[Counters.FORCED] = bool(self.body.forces)
        out = np.zeros((steps // every if every else 0, len(flat(SAMPLE)), self.doubles))
        times = np.array([t, h, -math.inf, math.inf])
        kept = memory.reshape(-1)
        status = time_loop(self.method.body, self.number)(
            self.force,
            no_force(self.number),
            counters,
            times,
            body.reshape(-1).copy(),
            kept,
            out.reshape(-1),
        )
        assert status == OK, counters
        return kept.reshape(-1, self.doubles)[:NX].copy(), out, counters

    def start(self, state):
        return self.body.to_core(state.q, state.v)


def lift(x, tangent):
    """The 13 numbers of dx from its 12 coordinates."""
    turn = compose(x[:4], np.concatenate([[0.0], tangent[:3] / 2]))
    return np.concatenate([turn, tangent[3:]])


def lower(x, dx):
    """The 12 coordinates of dx."""
    return np.concatenate([2 * compose(inverse(x[:4]), dx[:4])[1:], dx[4:]])


def tangent_map(driver, x, h, steps=1):
    """The derivative of the step map in trivialised coordinates (12, 12), and its value, by dual numbers."""
    columns = []
    for first in range(0, 12, TANGENTS):
        table = np.zeros((NX, 1 + TANGENTS))
        table[:, 0] = x
        for k in range(TANGENTS):
            table[:, 1 + k] = lift(x, np.eye(12)[first + k])
        y, _, _ = driver(table, h, steps)
        columns += [lower(y[:, 0], y[:, 1 + k]) for k in range(TANGENTS)]
    return np.array(columns).T, y[:, 0]
