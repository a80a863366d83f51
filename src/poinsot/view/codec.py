"""Tables of numbers as bytes that compress well; `viewer/src/codec.ts` decodes them.

    fixed     x = offset + scale * integer, to half a unit of `scale`; each column has its offset
    float32   the bits of the number as an integer
    float64   the eight bytes of the number as they are

Integers (32 bits, column by column) are replaced by their differences along time, `order` times, modulo
2**32; the differences 0, -1, 1, -2, ... are written as 0, 1, 2, 3, ... (zigzag); all first bytes come first,
then all second bytes, and so on (of float64 too).  For a smooth motion, most of the upper bytes are zero.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.model.checks import Array

BITS = 24  # of the largest number, in fixed tables
ORDERS = range(4)  # orders of differences that are tried
Words = NDArray[np.uint32]


class Packer:
    """Collects tables; `header` describes them, `data` holds them."""

    def __init__(self) -> None:
        self.header: list[dict[str, Any]] = []
        self.data = bytearray()

    def fixed(self, x: Array, size: float | None = None) -> int:
        """Add a table (n, k) of finite numbers, to 2**-BITS of `size` (default: half their range).

        Return the number of the table.
        """
        table = _table(x)
        middle = _middle(table) if size is None else np.zeros(table.shape[1])
        return self._fixed(table, middle, BITS, size)

    def integers(self, x: NDArray[np.int64]) -> int:
        """Add a table of integers; return its number."""
        return self._add("fixed", _table(x).astype(np.int32), 1.0, None, ORDERS)

    def times(self, x: Array) -> int:
        """Add times, to 2**-30 of their span; return the number of the table."""
        table = _table(x)
        return self._fixed(table, _middle(table), 30, None)

    def _fixed(self, table: Array, offset: Array, bits: int, size: float | None) -> int:
        """Add a table of numbers offset + scale * integer; return its number."""
        away = table - offset
        largest = float(np.abs(away).max(initial=0.0)) if size is None else size
        scale = largest / 2**bits or 1.0  # 1 if the quotient underflows
        return self._add("fixed", np.rint(away / scale).astype(np.int32), scale, offset, ORDERS)

    def floats(self, x: Array) -> int:
        """Add a table (n, k) in single precision, which may hold NaN; return its number."""
        with np.errstate(over="ignore", under="ignore"):
            bits = _table(x).astype(np.float32).view(np.int32)
        return self._add("float32", bits, 1.0, None, (1,))

    def doubles(self, x: Array) -> int:
        """Add a table (n, k) with all its digits, which may hold NaN; return its number."""
        table = np.asarray(_table(x), dtype=np.float64)
        planes = np.ascontiguousarray(table.T).astype("<f8").reshape(-1).view(np.uint8).reshape(-1, 8).T
        return self._describe("float64", table.shape, planes.tobytes())

    def _add(
        self, kind: str, integers: NDArray[np.int32], scale: float, offset: Array | None, orders: Any
    ) -> int:
        """Add a table of integers with its description; return its number."""
        order, words = _smallest(np.ascontiguousarray(integers.T).view(np.uint32), orders)
        planes = words.astype("<u4").reshape(-1).view(np.uint8).reshape(-1, 4).T
        return self._describe(kind, integers.shape, planes.tobytes(), order, scale, offset)

    def _describe(
        self,
        kind: str,
        shape: tuple[int, ...],
        data: bytes,
        order: int = 0,
        scale: float = 1.0,
        offset: Array | None = None,
    ) -> int:
        """Add the bytes of a table with its description; return its number."""
        rows, columns = shape
        self.header.append(
            {
                "kind": kind,
                "rows": rows,
                "columns": columns,
                "order": order,
                "scale": scale,
                "offset": [0.0] * columns if offset is None else offset.tolist(),
                "at": len(self.data),
            }
        )
        self.data += data
        return len(self.header) - 1


def _table(x: Any) -> NDArray[Any]:
    """Return x as a table (n, k)."""
    array = np.asarray(x)
    return (
        array.reshape(len(array), -1)
        if array.size
        else array.reshape(len(array), array.shape[1] if array.ndim > 1 else 1)
    )


def _middle(table: Array) -> Array:
    """Return the middle of the range of each column: numbers are sent as differences from it."""
    if not len(table):
        return np.zeros(table.shape[1])
    low, high = table.min(axis=0), table.max(axis=0)
    return np.asarray(low + (high - low) / 2)


def _smallest(words: Words, orders: Any) -> tuple[int, Words]:
    """Return the order of differences that needs the fewest bits, and its zigzag numbers."""
    best: tuple[float, int, Words] | None = None
    for order in range(max(orders) + 1):
        if order:
            words = np.diff(words, axis=1, prepend=np.zeros((len(words), 1), np.uint32))
        if order not in orders:
            continue
        zigzag = (words << np.uint32(1)) ^ (words.view(np.int32) >> 31).view(np.uint32)
        bits = float(np.log2(zigzag.astype(np.float64) + 1).sum())
        if best is None or bits < best[0]:
            best = (bits, order, zigzag)
    assert best is not None
    return best[1], best[2]
