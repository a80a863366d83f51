"""Roots of a function between two places, to rounding, and its extremum if it comes close to zero.

Chandrupatla (1997): with a root between x1 and x2 and an older x3, inverse quadratic interpolation is safe if

    xi = (x1 - x2)/(x3 - x2),   phi = (g1 - g2)/(g3 - g2),     phi^2 < xi and (1 - phi)^2 < 1 - xi       (1)

and the bracket is halved otherwise.
"""

from collections.abc import Callable

Point = tuple[float, float]  # a place and the value there

EPS = 2.0**-52
CLOSE = 0.05  # of the smallest value: a parabola that comes so close to zero is looked at
INNER = 0.999  # an extremum farther out belongs to a neighbour
GOLDEN = 0.3819660112501051
ROUNDS = 80


def root(g: Callable[[float], float], side: int, a: float, b: float) -> float:
    """Return the first place after a root in (a, b] at which g is no longer on its side, to rounding.

    g(a) counts as on the side, whatever its value; g(b) is not.
    """
    near, far = a, b  # on the side, and not on it
    y_near, y_far = side * g(near), side * g(far)
    share = 0.5
    for _ in range(4 * ROUNDS):
        x = near + share * (far - near)
        if not near < x < far or far - near <= EPS * b:
            break
        y = side * g(x)
        if y > 0:
            share = _share((x, y), (far, y_far), (near, y_near))
            near, y_near = x, y
        else:
            share = 1 - _share((x, y), (near, y_near), (far, y_far))
            far, y_far = x, y
        edge = min(0.5, EPS * b / (far - near))
        share = min(max(share, edge), 1 - edge)
    return far


def _share(new: Point, other: Point, old: Point) -> float:
    """Return where to evaluate next between the newest point (0) and the other end of the bracket (1).

    `old` is the point that the newest one replaces.
    """
    (x1, y1), (x2, y2), (x3, y3) = new, other, old
    if y1 * y2 > 0 or y3 in (y1, y2) or y1 == y2:
        return 0.5
    xi, phi = (x1 - x2) / (x3 - x2), (y1 - y2) / (y3 - y2)
    if not (phi * phi < xi and (1 - phi) * (1 - phi) < 1 - xi):  # (1)
        return 0.5
    return y1 / (y2 - y1) * (y3 / (y2 - y3)) + y1 / (y3 - y1) * (y2 / (y3 - y2)) * ((x3 - x1) / (x2 - x1))


def extremum(g: Callable[[float], float], side: int, points: list[tuple[float, float]]) -> float | None:
    """Return a place at which g leaves its side between the outer points, all three being on it; or None.

    `points` are places and side * g at the beginning, the middle and the end.  Where the parabola through
    them comes close to zero, the least value is found by golden sections.
    """
    (a, ya), (m, ym), (b, yb) = points
    bend, slope = (ya - 2 * ym + yb) / 2, (yb - ya) / 2
    if bend <= 0 or abs(slope) >= 2 * bend * INNER:
        return None
    if ym - slope * slope / (4 * bend) > CLOSE * max(min(ya, yb), ym):
        return None
    low, y_low = (m, ym) if ym <= min(ya, yb) else ((a, ya) if ya < yb else (b, yb))
    guess = m - slope / (2 * bend) * (m - a)
    for _ in range(ROUNDS):
        if b - a <= EPS**0.5 * points[2][0] / 16:
            break
        if not a < guess < b or guess == low:
            guess = low + GOLDEN * ((b - low) if b - low > low - a else (a - low))
        y = side * g(guess)
        if y <= 0:
            return guess
        if y < y_low:
            a, b = (low, b) if guess > low else (a, low)
            low, y_low = guess, y
        else:
            a, b = (a, guess) if guess > low else (guess, b)
        guess = low + GOLDEN * ((b - low) if b - low > low - a else (a - low))
    return None
