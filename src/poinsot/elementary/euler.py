"""Euler angles: three rotations about coordinate axes, one after the other, and unit quaternions.

Capital letters are axes of the body (intrinsic), small ones axes of space (extrinsic); rotations about axes
of space are those about axes of the body in the opposite order.  With the extrinsic axes i, j, k,

    q = e_k(c) e_j(b) e_i(a),    e_n(x) = cos(x/2) + sin(x/2) n                                   (1)

and, for k = i (proper Euler angles; m is the third axis, s = +1 or -1 the sign of the permutation i j m),

    cos(b/2) (cos (a+c)/2, sin (a+c)/2) = (q_0, q_i)                                              (2)
    sin(b/2) (cos (a-c)/2, sin (c-a)/2) = (q_j, s q_m)                                            (3)

Of three different axes (Tait-Bryan angles) the same holds for b + pi/2 in place of b and s c in place of c,
and for q_0 - q_j, q_i + s q_k, q_j + q_0, s q_k - q_i in place of q_0, q_i, q_j, s q_m, up to a common factor
(Bernardes & Viollet 2022).  Where a side of (2) or (3) vanishes, only a + c or a - c is known.
"""

import reprlib
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.elementary.arctangent import atan2
from poinsot.elementary.trigonometry import sincos
from poinsot.errors import ModelError, warn

Array = NDArray[np.float64]
AXES = "xyz"
LOCKED = 1e-7  # of the middle angle, in radians: nearer to its limits the outer angles are one
DEGREE = np.pi / 180.0


def axes_of(who: str, sequence: Any, three: bool = False) -> tuple[list[int], bool]:
    """Return the axes of a sequence such as "ZYX" as numbers, and whether they are those of the body."""
    fits = isinstance(sequence, str) and 1 <= len(sequence) <= 3 and (not three or len(sequence) == 3)
    letters = sequence.lower() if fits else ""
    if not letters or set(letters) - set(AXES) or sequence not in (letters, letters.upper()):
        count = "three" if three else "one to three"
        raise ModelError(
            f"{who}: the sequence must be {count} of XYZ (axes of the body) or of xyz (of space), "
            f"got {reprlib.repr(sequence)}"
        )
    if any(a == b for a, b in pairwise(letters)):
        raise ModelError(f"{who}: neighboring axes of a sequence must differ, got '{sequence}'")
    return [AXES.index(letter) for letter in letters], sequence != letters


def filled(shape: tuple[int, ...], parts: list[Array]) -> Array:
    """Stack the parts along a last axis (np.stack takes ten times as long on a few numbers)."""
    out = np.empty((*shape, len(parts)))
    for k, part in enumerate(parts):
        out[..., k] = part
    return out


def quaternion_product(a: Array, b: Array) -> Array:
    """Return the product a b of quaternions (..., 4): first b, then a."""
    w, x, y, z = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    s, i, j, k = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    parts = [
        w * s - x * i - y * j - z * k,
        w * i + x * s + y * k - z * j,
        w * j - x * k + y * s + z * i,
        w * k + x * j - y * i + z * s,
    ]
    return filled(parts[0].shape, parts)


def from_angles(who: str, sequence: Any, angles: Any, degrees: Any) -> Array:
    """Return the unit quaternions (..., 4) of angles (..., n), checked."""
    given = _real(who, angles)
    if given.ndim == 0:
        given = given[None]
    return quaternion(who, sequence, given * DEGREE if _flag(who, degrees) else given)


def to_angles(who: str, sequence: Any, q: Array, degrees: Any) -> Array:
    """Return the angles (..., 3) of unit quaternions; warn where they are not unique."""
    found, locked = angles(who, sequence, q)
    if locked:
        warn(
            f"{who}: the angles '{sequence}' of a rotation are not unique (gimbal lock); the third is zero",
            UserWarning,
        )
    return found / DEGREE if _flag(who, degrees) else found


def _flag(who: str, degrees: Any) -> bool:
    if not isinstance(degrees, bool | np.bool_):
        raise ModelError(f"{who}: degrees must be True or False, got {reprlib.repr(degrees)}")
    return bool(degrees)


def _real(who: str, value: Any) -> Array:
    try:
        found = np.asarray(value)
        fits = found.dtype.kind in "iuf" and not isinstance(value, np.ma.MaskedArray)
    except Exception:  # ragged lists, and whatever `__array__` of a foreign object raises
        fits = False
    if not fits or not np.isfinite(found).all():
        raise ModelError(f"{who}: the angles must be finite real numbers, got {reprlib.repr(value)}")
    return found.astype(np.float64)


def quaternion(who: str, sequence: Any, angles: Array) -> Array:
    """Return the unit quaternions (..., 4) of angles (..., n) in radians (1)."""
    axes, of_body = axes_of(who, sequence)
    if angles.shape[-1:] != (len(axes),):
        raise ModelError(f"{who}: '{sequence}' takes {len(axes)} angles, got an array {angles.shape}")
    found = np.zeros((*angles.shape[:-1], 4))
    found[..., 0] = 1.0
    for k, axis in enumerate(axes):
        turn = np.zeros_like(found)
        turn[..., 1 + axis], turn[..., 0] = sincos(angles[..., k] / 2.0)
        found = quaternion_product(found, turn) if of_body else quaternion_product(turn, found)
    return found


def angles(who: str, sequence: Any, q: Array) -> tuple[Array, bool]:
    """Return the angles (..., 3) of unit quaternions in radians, and whether they are not unique somewhere.

    The middle angle is in [0, pi] for proper Euler angles, else in [-pi/2, pi/2], the others in [-pi, pi].
    Where they are not unique, the third one is zero.
    """
    axes, of_body = axes_of(who, sequence, three=True)
    i, j, k = axes[::-1] if of_body else axes
    proper = i == k
    third = 3 - i - j
    sign = float((j - i) * (third - j) * (third - i)) / 2.0
    s, x, y, z = q[..., 0], q[..., 1 + i], q[..., 1 + j], sign * q[..., 1 + third]
    top = (s, x, y, z) if proper else (s - y, x + z, y + s, z - x)
    middle = 2.0 * atan2(_length(top[2], top[3]), _length(top[0], top[1]))  # (2), (3)
    total, difference = 2.0 * atan2(top[1], top[0]), 2.0 * atan2(top[3], top[2])
    low, high = np.abs(middle) <= LOCKED, np.abs(middle - np.pi) <= LOCKED
    locked = low | high
    first, last = (total - difference) / 2.0, (total + difference) / 2.0
    if of_body:
        first, last = last, first  # in the order of the sequence
    lone = np.where(low, total, difference if of_body else -difference)
    first, last = np.where(locked, lone, first), np.where(locked, 0.0, last)
    if not proper:
        middle = middle - np.pi / 2.0
        first, last = (sign * first, last) if of_body else (first, sign * last)
    return np.stack([_wrapped(first), middle, _wrapped(last)], axis=-1), bool(np.any(locked))


def _length(a: Array, b: Array) -> Array:
    return np.sqrt(a * a + b * b)


def _wrapped(x: Array) -> Array:
    """Return angles in [-pi, pi]."""
    above = np.where(x > np.pi, x - 2.0 * np.pi, x)
    return np.where(above < -np.pi, above + 2.0 * np.pi, above)
