"""Numbers that the notebook prints with six digits, and the distance of our numbers from them."""

from math import floor, log10
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot_papers.claims import Array

DIGITS = 6


class Dlog(NamedTuple):
    """One of the five matrices of Out[472]: the twist, the index at which the loop ended, and its blocks."""

    twist: tuple[float, ...]
    stop: int
    diagonal: tuple[tuple[float, ...], ...]  # the two equal blocks on the diagonal
    lower: tuple[tuple[float, ...], ...]  # the block below the diagonal

    @property
    def matrix(self) -> Array:
        """The whole 6x6 matrix."""
        diagonal = np.array(self.diagonal)
        return np.block([[diagonal, np.zeros((3, 3))], [np.array(self.lower), diagonal]])


DLOGS = (
    Dlog(
        (-0.226482, 0.857832, -1.4229, -69.6049, 70.0475, -65.826),
        28,
        ((0.770212, -0.722076, -0.398746), (0.689731, 0.827197, -0.213962), (0.452397, 0.0107538, 0.934476)),
        ((-25.5661, -38.2772, -24.8665), (25.7, -18.1945, -47.4082), (43.8297, 21.4414, -12.6193)),
    ),
    Dlog(
        (0.283407, -0.333708, -0.817296, -85.2618, -81.0356, 84.9081),
        26,
        ((0.935078, -0.415551, 0.14716), (0.399794, 0.937664, 0.164086), (-0.185751, -0.118645, 0.984032)),
        ((7.05298, 42.6585, 48.2913), (-41.7453, 15.5845, -39.3188), (-32.6741, 45.6349, -0.48042)),
    ),
    Dlog(
        (-0.614487, -0.406725, 0.307942, 80.0582, 44.5689, -37.2024),
        24,
        ((0.978318, 0.17452, 0.187237), (-0.132876, 0.960641, -0.317134), (-0.218767, 0.296265, 0.95476)),
        ((4.92797, -23.4941, -18.1986), (13.5077, 10.1035, 42.2272), (26.1135, -37.4205, 11.2147)),
    ),
    Dlog(
        (1.06276, -1.34069, 1.49898, -93.501, 92.3116, -56.6945),
        32,
        ((0.663657, 0.620258, 0.793224), (-0.857244, 0.71921, 0.356636), (-0.528259, -0.690895, 0.75659)),
        ((34.6378, -8.11121, -60.9883), (45.2208, 30.5942, -27.3887), (27.7198, 62.9647, 37.053)),
    ),
    Dlog(
        (1.24864, -1.30755, 0.221647, -53.2889, -85.6427, -48.3006),
        30,
        ((0.853626, -0.0260719, 0.670792), (-0.24568, 0.866156, 0.59446), (-0.624726, -0.642698, 0.727959)),
        ((-16.8531, -27.0466, 36.2989), (20.8523, 12.8609, -22.8425), (-48.3047, 30.1963, -7.55638)),
    ),
)


def units(printed: ArrayLike, found: ArrayLike) -> float:
    """Return the largest difference in units of the last printed digit; up to 1/2 the numbers agree."""
    worst = 0.0
    for a, b in zip(np.ravel(printed), np.ravel(found), strict=True):
        last = 10.0 ** (floor(log10(abs(a))) + 1 - DIGITS) if a else 10.0**-DIGITS
        worst = max(worst, abs(a - b) / last)
    return float(worst)
