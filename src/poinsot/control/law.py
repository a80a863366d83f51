"""Laws that track a reference: Python and the time loops call the same compiled law."""

import hashlib
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from poinsot.compile.laws import CompiledLaw, ContinuousLaw, LawCall
from poinsot.control.plant import Plant
from poinsot.control.references.motions import Reference, reference_at
from poinsot.core.control.records import DECIDED, NOT_FINITE
from poinsot.core.control.reference_table import pack_table
from poinsot.core.jit import COMPILED
from poinsot.errors import ModelError, PoinsotError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.inputs.input import Input
from poinsot.model.state import State

REMEMBERED = 100_000  # ticks whose reference is kept for the next run
LIBRARY = "poinsot.", "poinsot_papers."  # references from there depend on the time alone
SAMPLES = 32  # of a table in a period of the law: of its slowest rate at first, of its fastest one if needed
SHORTEST = 1e-140  # s: squares of the steps of a table must not vanish
MOST = 1 << 17  # samples of a table
VALUE, SECOND = 1e-9, 1e-6  # relative errors of a table, of its numbers and of their second derivatives
ROUNDING = 1e-13  # relative
RANK = 1e-10  # relative: smaller moments, damping and stiffness are zero


class ReferenceLaw(ABC):
    """A law that tracks a reference, as a function of time and state."""

    __name__: str
    groups: int  # of its samples: numbers with two derivatives
    blocks: tuple[slice, ...]  # numbers of a group that have one unit
    reference: Reference
    plant: Plant
    inputs: tuple[Input, ...]

    def reference_at(self, t: float) -> tuple[State, Array]:
        """Return state and acceleration of the reference at a time [s], checked."""
        return reference_at(self.plant.mechanism, self.reference, t)

    @property
    @abstractmethod
    def identity(self) -> str:
        """Digest of all that the law depends on."""

    @cached_property
    @abstractmethod
    def rates(self) -> tuple[float, float]:
        """The smallest and the largest rate of the wanted motion [rad/s]; zero if there is none."""

    @cached_property
    @abstractmethod
    def compiled(self) -> CompiledLaw:
        """The compiled law with its data."""

    @abstractmethod
    def sample(self, t: float) -> Array:
        """Return the time, and what the compiled law knows of the reference there."""

    @abstractmethod
    def _fault(self, status: int, call: LawCall) -> ModelError:
        """Return the error of a status of `core.control.records`."""

    @cached_property
    def _own(self) -> threading.local:
        return threading.local()

    def call_at(self, sample: Array, state: State) -> Array:
        """Return the input at a state, for a sample of the reference; NaN if it is not finite."""
        own = self._own
        if not hasattr(own, "call"):
            own.call = LawCall(self.compiled)
        call: LawCall = own.call
        status = call(sample, state.q, state.v)
        if status == NOT_FINITE:
            return np.full(len(call.u), np.nan)
        if status != DECIDED:
            raise self._fault(status, call)
        return call.u.copy()

    def __call__(self, t: float, state: State) -> Array:
        return self.call_at(self.sample(t), state)


L = TypeVar("L", bound=ReferenceLaw)


class Ticks(NamedTuple):
    """The reference at ticks as numbers, from the first of them on."""

    key: tuple[float, float, int]  # origin, step, steps in a period
    first: int
    rows: Array


class SampledLaw(Generic[L]):
    """A law as the function of a `Controller`.

    The time loop calls the compiled law by itself if its reference is known to depend on the time alone:
    because the library made it, or because a horizon is given.
    """

    compiled: CompiledLaw | None = None

    def __init__(self, law: L, horizon: float | None = None) -> None:
        self.law, self.__name__ = law, law.__name__
        self.horizon = np.inf if horizon is None else horizon
        self._known: Ticks | None = None  # replaced as a whole: threads may share the law
        own = (getattr(law.reference, "__module__", None) or "").startswith(LIBRARY)
        if (horizon is not None or own) and COMPILED:
            with suppress(ModelError):
                self.compiled = law.compiled

    @cached_property
    def _identity(self) -> str:
        return self.law.identity

    @property
    def identity(self) -> str:
        """Digest of the law; a compiled one, whose reference is kept, does not change."""
        return self._identity if self.compiled is not None else self.law.identity

    def _compiled_law(self, mechanism: Any, inputs: Any) -> CompiledLaw | None:
        """Return the compiled law for the time loop, if there is one."""
        return self.compiled

    def decide(self, t: float, state: State) -> Any:
        """Return the decision of a tracking law (`TrackingLaw.decide`)."""
        return self.law.decide(t, state)  # type: ignore[attr-defined]

    def check_flight(self, begin: float, end: float) -> None:
        """Check that the inputs can fly the reference between two times (`TrackingLaw.check_flight`)."""
        check: Any = getattr(self.law, "check_flight", None)
        if check is not None:
            check(begin, end)

    def samples(self, origin: float, h: float, period: int, first: int, last: int) -> tuple[int, Array]:
        """Return the reference at ticks as numbers, and the number of the first of them.

        Tick k is at the time origin + k period h.  There are fewer than asked where the reference ends.
        """
        assert self.compiled is not None, "the law is compiled"
        key, known = (origin, h, period), self._known
        if known is None or known.key != key or not 0 <= first - known.first <= len(known.rows) <= REMEMBERED:
            known = Ticks(key, first, np.zeros((0, self.compiled.width)))
        more = []
        for tick in range(known.first + len(known.rows), last + 1):
            t = origin + tick * period * h
            try:
                if t > self.horizon:
                    break
                more.append(self.law.sample(t))
            except PoinsotError:
                break  # the law in Python says why, when it comes there
        if more:
            known = Ticks(key, known.first, np.vstack([known.rows, more]))
        self._known = known
        return known.first, known.rows

    def __call__(self, t: float, state: State, memory: Any) -> tuple[Array, Any]:
        return self.law(t, state), memory


class CompiledFeedback(Feedback):
    """A law that acts continuously, compiled or not."""

    continuous: ContinuousLaw | None = None

    @cached_property
    def identity(self) -> str:
        """Digest of the law; of a compiled one that of its numbers."""
        if self.continuous is None:
            return super().identity
        return hashlib.sha256(self.continuous.bits()).hexdigest()[:16]


def controller_of(
    law: ReferenceLaw,
    period: float | None,
    horizon: float | None,
    kind: type[CompiledFeedback] = CompiledFeedback,
) -> Controller | Feedback:
    """Return a law as a sampled controller, or without a period as one that acts continuously.

    Until the horizon, the reference of a continuous law is in a table.
    """
    end = None if horizon is None else checks.number(law.__name__, "horizon", horizon, positive=True)
    if period is not None:
        return Controller(SampledLaw(law, end), period, law.inputs)
    found = kind(law, law.inputs)
    if end is not None and COMPILED:
        found.continuous = ContinuousLaw(law.compiled, _table(law, end))
    return found


def natural_rates(M: Array, D: Array, K: Array) -> tuple[float, float]:
    """Return the smallest and the largest rate of M e'' + D e' + K e = 0."""
    size = np.sqrt(np.where(np.diag(M) > 0, np.diag(M), 1.0))  # coordinates have units of their own
    M, D, K = (x / size / size[:, None] for x in (M, D, K))
    weights, axes = np.linalg.eigh(M)
    axes = axes[:, weights > RANK * weights.max(initial=0.0)]
    axes = axes / np.sqrt(np.einsum("ij,ik,kj->j", axes, M, axes))
    d, k = axes.T @ D @ axes, axes.T @ K @ axes
    unit = max(float(np.abs(d).max(initial=0.0)), float(np.sqrt(np.abs(k).max(initial=0.0)))) or 1.0
    d, k = d / unit, k / unit / unit
    _, sizes, moved = np.linalg.svd(np.vstack([d, k]), full_matrices=False)
    some = moved[sizes > RANK * sizes.max(initial=0.0)]  # the others move freely: double zeros, noisy ones
    d, k, n = some @ d @ some.T, some @ k @ some.T, len(some)
    found = unit * np.abs(np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-k, -d]])))
    found = found[found > 1e-6 * found.max(initial=0.0)]
    return (float(found.min()), float(found.max())) if len(found) else (0.0, 0.0)


def _table(law: ReferenceLaw, end: float) -> Array:
    """Return the reference as a table until a time; samples are doubled until it is right between them."""
    if end < SHORTEST:
        raise ModelError(f"{law.__name__}: horizon {end:.6g} s is too short: its square is no number")
    least, enough = (max(8.0, SAMPLES * rate * end / (2 * np.pi)) for rate in law.rates)
    before, count = np.inf, int(np.ceil(min(least, MOST + 1)))
    end = end * (1 + ROUNDING)
    samples = np.array([law.sample(k * end / count)[1:] for k in range(count + 1)] if count <= MOST else [])
    while count <= MOST:
        h = end / count
        between = np.array([law.sample((k + 0.5) * h)[1:] for k in range(count)])
        miss = _miss(law, samples, between, h)
        both = np.empty((2 * count + 1, samples.shape[1]))
        both[::2], both[1::2] = samples, between
        samples, count = both, 2 * count
        if miss <= 1 or (count > enough and (miss > before / 2 or count > 8 * enough)):  # a jump of it stays
            return pack_table(0.0, end / count, samples, law.groups)
        before = miss
    raise ModelError(
        f"{law.__name__}: horizon {end:.6g} s needs more than {MOST} samples of the reference: "
        "take a shorter one"
    )


def _miss(law: ReferenceLaw, samples: Array, between: Array, h: float) -> float:
    """Return the errors of a table halfway between its samples, relative to what is allowed."""
    (y, d, a), (Y, _, A) = (
        np.moveaxis(x.reshape(len(x), law.groups, 3, -1), 2, 0) for x in (samples, between)
    )
    value = (y[:-1] + y[1:]) / 2 + 5 * h / 32 * (d[:-1] - d[1:]) + h * h / 64 * (a[:-1] + a[1:]) - Y
    second = 1.5 / h * (d[1:] - d[:-1]) - (a[:-1] + a[1:]) / 4 - A
    found = [0.0]
    for group in range(law.groups):
        for block in law.blocks:
            at = np.s_[:, group, block]
            size, speed, rate = (float(np.abs(x[at]).max()) for x in (y, d, a))
            allowed = VALUE * float(np.ptp(y[at], axis=0).max()) + ROUNDING * size
            beside = SECOND * rate + ROUNDING * (speed / h + size / (h * h))
            errors = (np.abs(value[at]).max(), allowed), (np.abs(second[at]).max(), beside)
            found += [float(error / limit) for error, limit in errors if limit > 0]
    return max(found)
