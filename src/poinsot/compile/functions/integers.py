"""Integers as compiled code has them, of 64 bits: in Python a longer one is an error here."""

from collections.abc import Callable
from typing import Any

LIMIT = 2**63
OPERATIONS = "add radd sub rsub mul rmul pow rpow lshift rlshift neg floordiv rfloordiv mod rmod abs"


class Integer(int):
    """An integer whose sums, products and powers raise an OverflowError beyond 64 bits."""


def _operation(name: str) -> Callable[..., Any]:
    def operation(self: int, *others: Any) -> Any:
        found = getattr(int, name)(self, *others)
        if type(found) is not int:
            return found
        if not -LIMIT <= found < LIMIT:
            raise OverflowError(
                "an integer grows beyond 64 bits, which compiled code does not notice: use floats"
            )
        return Integer(found)

    return operation


for _name in OPERATIONS.split():
    setattr(Integer, f"__{_name}__", _operation(f"__{_name}__"))


def limit(value: Any) -> Any:
    """Return an integer as one of 64 bits, anything else as it is."""
    return Integer(value) if type(value) is int else value
