"""Checks of the arguments of this package, declared above each function so that its body stays the formula.

    @takes(P=(3, 3), R=(3, 3))
    def potential(P, R): ...

    @takes(x=("size",), strength=number)           # `size` is an attribute of self
    def drift(self, x, strength): ...

A tuple is the shape of an array of finite numbers, real or complex; an entry may be None (any length) or the
name of an attribute of self.  `of_shape` takes several shapes, `reals` no complex numbers; `number`, `whole`
and `function` are what they say, and a class wants an instance of it.  None is allowed where it is the
default.

Only the call that a user makes is checked: calls between the functions of this package, and from functions
of users inside of them, are the formulas themselves.  A result that is not finite, a singular matrix, and a
function of a user that raises or returns no numbers become a ModelError that names the function.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.model import checks
from poinsot.model.checks import show

F = TypeVar("F", bound=Callable[..., Any])
Shape = tuple[int | str | None, ...]
Kind = Callable[[str, str, Any, Any], Any]  # name of the function, argument, value, self


class _Here(threading.local):
    """Whether this thread is inside a checked call, and whether a time loop made it."""

    checked = False
    trusted = False


_here = _Here()


class Guarded:
    """A function of a user: what it raises, or returns besides numbers, is told with its name."""

    def __init__(self, name: str, what: str, f: Callable[..., Any]) -> None:
        self.name, self.what, self.f = name, what, f

    def __call__(self, *arguments: Any) -> Any:
        if _here.trusted:
            return self.f(*arguments)
        try:
            found = self.f(*arguments)
        except PoinsotError:
            raise
        except Exception as error:
            told = f"{type(error).__name__}: {error}".splitlines()[0]
            raise ModelError(f"{self.name}: {self.what} raised {told}") from error
        if not _numeric(found):
            raise ModelError(f"{self.name}: {self.what} must return numbers, got {show(found)}")
        return found


def _numeric(value: Any) -> bool:
    """Return whether a value is a number, an array of numbers, or a list of these."""
    try:
        return np.asarray(value).dtype.kind in "iufcb"
    except Exception:  # whatever `__array__` of a foreign object raises
        return isinstance(value, tuple | list) and all(map(_numeric, value))


def reals(*shapes: Shape) -> Kind:
    """Return the check of an array of finite real numbers with one of these shapes."""
    return of_shape(*shapes, dtypes="iuf")


def of_shape(*shapes: Shape, dtypes: str = "iufc") -> Kind:
    """Return the check of an array of finite numbers, real or complex, with one of these shapes."""

    def check(name: str, what: str, value: Any, owner: Any) -> Any:
        try:
            found = np.asarray(value)
        except Exception:  # whatever `__array__` of a foreign object raises
            found = np.asarray(None)
        wanted = [tuple(getattr(owner, n) if isinstance(n, str) else n for n in shape) for shape in shapes]
        masked = isinstance(value, np.ma.MaskedArray)
        if masked or found.dtype.kind not in dtypes or not any(_fits(found, shape) for shape in wanted):
            texts = [str(shape).replace("None", "n") for shape in wanted]
            expected = f"an array {' or '.join(texts)}" if wanted != [()] else "a number"
            expected += "" if dtypes == "iufc" else " of real numbers"
            raise ModelError(f"{name}: {what} must be {expected}, got {_brief(found, value)}")
        if not np.isfinite(found).all():
            raise ModelError(f"{name}: {what} must be finite, got {show(value)}")
        return found

    return check


def _fits(found: Any, shape: tuple[Any, ...]) -> bool:
    return found.ndim == len(shape) and all(
        n is None or n == m for n, m in zip(shape, found.shape, strict=True)
    )


def _brief(found: Any, value: Any) -> str:
    """Return the shape of an array of numbers, or else the value."""
    return f"shape {found.shape}" if found.dtype.kind in "iufc" and found.ndim else show(value)


def number(name: str, what: str, value: Any, owner: Any) -> float:
    """Check a finite real number."""
    return checks.number(name, what, value)


def positive(name: str, what: str, value: Any, owner: Any) -> float:
    """Check a positive number."""
    return checks.number(name, what, value, positive=True)


def whole(least: int, most: float = 1e6) -> Kind:
    """Return the check of a whole number."""
    return lambda name, what, value, owner: checks.whole(name, what, value, least, most)


def function(name: str, what: str, value: Any, owner: Any) -> Callable[..., Any]:
    """Check a function, and guard it."""
    if not callable(value):
        raise ModelError(f"{name}: {what} must be a function, got {show(value)}")
    return value if isinstance(value, Guarded) else Guarded(name, what, value)


def _kind(given: Any) -> Kind:
    """Return the check that a declaration means."""
    if isinstance(given, tuple):
        return of_shape(given)
    if isinstance(given, type):

        def check(name: str, what: str, value: Any, owner: Any) -> Any:
            if not isinstance(value, given):
                raise ModelError(f"{name}: {what} must be a {given.__name__}, got {show(value)}")
            return value

        return check
    kind: Kind = given
    return kind


def takes(**declared: Any) -> Callable[[F], F]:
    """Return a decorator that checks these arguments of a function or method."""
    kinds = {what: _kind(given) for what, given in declared.items()}

    def decorate(f: F) -> F:
        form, name = signature(f), f.__qualname__.removesuffix(".__init__")
        assert set(kinds) <= set(form.parameters), f"{name}: unknown argument in {sorted(kinds)}"

        @wraps(f)
        def checked(*arguments: Any, **options: Any) -> Any:
            if _here.checked:
                return f(*arguments, **options)
            given = form.bind(*arguments, **options)  # a TypeError where Python would raise one
            owner = given.arguments.get("self")
            for what, value in given.arguments.items():
                if what in kinds and not (value is None and form.parameters[what].default is None):
                    given.arguments[what] = kinds[what](name, what, value, owner)
            with _inside(name):
                found = f(*given.args, **given.kwargs)
            return _finite(name, found)

        return checked  # type: ignore[return-value]

    return decorate


def check_fields(record: Any, **declared: Any) -> None:
    """Check the fields of a frozen dataclass that a user makes, and guard its functions."""
    if _here.checked:
        return
    for what, given in declared.items():
        value, default = getattr(record, what), type(record).__dataclass_fields__[what].default
        if value is None and default is None:
            continue
        found = _kind(given)(type(record).__name__, what, value, record)
        if given is function:
            object.__setattr__(record, what, found)


@contextmanager
def _inside(name: str) -> Iterator[None]:
    """Make no further checks in this block; errors of linear algebra and of shapes name the function."""
    _here.checked = True
    try:
        with np.errstate(all="ignore"):  # a result that is not finite is an error
            yield
    except PoinsotError:
        raise
    except (ValueError, ArithmeticError, IndexError) as error:  # also LinAlgError
        raise ModelError(f"{name}: {str(error).splitlines()[0]}") from error
    finally:
        _here.checked = False


def _finite(name: str, found: Any) -> Any:
    """Return a result; raise a ModelError if there are numbers in it that are not finite."""
    parts = found if isinstance(found, tuple | list) else (found,)
    for part in parts:
        numeric = isinstance(part, float | np.ndarray | np.number) and np.asarray(part).dtype.kind in "fc"
        if numeric and not np.isfinite(part).all():
            raise ModelError(f"{name}: the result is not finite")
    return found


@contextmanager
def trusted() -> Iterator[None]:
    """Make no checks in this block: a time loop looks at what comes out."""
    before = _here.checked, _here.trusted
    _here.checked = _here.trusted = True
    try:
        yield
    finally:
        _here.checked, _here.trusted = before
