"""What an attack reports."""

from collections.abc import Iterator
from typing import NamedTuple


class Attempt(NamedTuple):
    """Something that was tried; `failure` says what did not hold, and is empty if all did."""

    what: str
    failure: str = ""


Attempts = Iterator[Attempt]
