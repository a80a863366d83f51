"""Values of which `make test` takes a few; `make test-all` takes all."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def sample(values: Iterable[Any], *quick: Any, key: Callable[[Any], Any] = lambda one: one) -> list[Any]:
    """Mark as slow all values but those whose key is named, for `pytest.mark.parametrize`."""
    every = list(values)
    missing = set(quick) - {key(one) for one in every}
    assert not missing, f"no such values: {missing}"
    return [one if key(one) in quick else pytest.param(one, marks=pytest.mark.slow) for one in every]
