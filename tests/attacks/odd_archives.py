"""Archives that are not what they should be, made from a good one."""

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from poinsot.run.archive.blocks import CHECK, HEAD, MAGIC, SYNC, blocks

ODD_NUMBERS = (-1, 0, 1e300, float("nan"), float("inf"), 2**70, -0.0, 10**400)
ODD: tuple[Any, ...] = (*ODD_NUMBERS, None, True, "", "x", "\udcff", [], {}, [[]], {"x": {}}, [None], "\x00")


def block(kind: str, payload: bytes) -> bytes:
    """Return an intact block."""
    head = HEAD.pack(kind.encode(), len(payload))
    return SYNC + head + CHECK.pack(zlib.crc32(payload, zlib.crc32(head))) + payload


def archive(parts: Any) -> bytes:
    """Return a file of blocks, given as pairs of kind and payload."""
    return MAGIC + b"".join(block(kind, payload) for kind, payload in parts)


def flipped(data: bytes, rng: Random) -> bytes:
    """Return the data with some bits flipped."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 8, 100))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def truncated(data: bytes, rng: Random) -> bytes:
    """Return the beginning of the data."""
    return data[: rng.randrange(len(data))]


def spliced(data: bytes, rng: Random) -> bytes:
    """Return the data with a part of it removed, repeated or moved."""
    a, b = sorted(rng.randrange(len(data)) for _ in range(2))
    at = rng.randrange(len(data))
    return rng.choice((data[:a] + data[b:], data[:b] + data[a:], data[:at] + data[a:b] + data[at:]))


def shuffled(data: bytes, rng: Random, path: Path) -> bytes:
    """Return the intact blocks in another order, some left out, some twice."""
    parts = list(blocks(path))
    return archive(rng.choices(parts, k=rng.randrange(len(parts) + 2)))


def edited(data: bytes, rng: Random, path: Path) -> bytes:
    """Return the file with one value in its header, checkpoint or end replaced; all checksums are right."""
    parts = [(kind, payload) for kind, payload in blocks(path)]
    k = rng.choice([i for i, (kind, _) in enumerate(parts) if kind in "HE"])
    value = json.loads(parts[k][1])
    _replace(value, rng)
    parts[k] = (parts[k][0], json.dumps(value).encode())
    return archive(parts)


def resized(data: bytes, rng: Random, path: Path) -> bytes:
    """Return the file with payloads of other lengths or with other numbers; all checksums are right."""
    parts = [(kind, bytearray(payload)) for kind, payload in blocks(path)]
    payload = rng.choice(parts)[1]
    if rng.random() < 0.5 or not payload:
        del payload[rng.randrange(len(payload) + 1) :]
    else:
        for _ in range(rng.choice((1, 3))):
            payload[rng.randrange(len(payload))] = rng.randrange(256)
    return archive((kind, bytes(payload)) for kind, payload in parts)


def _replace(value: Any, rng: Random) -> None:
    """Replace, remove or add one value somewhere in nested dictionaries and lists."""
    places: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one))
        for key in keys:
            places.append((one, key))
            if isinstance(one[key], dict | list):
                waiting.append(one[key])
    holder, key = rng.choice(places)
    if rng.random() < 0.2:
        del holder[key]
    elif rng.random() < 0.1 and isinstance(holder, dict):
        holder[rng.choice(["", "x", "__class__", "../x", "kind"])] = rng.choice(ODD)
    else:
        holder[key] = rng.choice(ODD)


SIMPLE: dict[str, Callable[[bytes, Random], bytes]] = {
    "flipped bits": flipped,
    "truncation": truncated,
    "splice": spliced,
}
WITH_BLOCKS: dict[str, Callable[[bytes, Random, Path], bytes]] = {
    "blocks in another order": shuffled,
    "edited header": edited,
    "payload of another length": resized,
}


def write_all(folder: Path, good: Path) -> list[str]:
    """Write one of each kind to the folder, and return the names."""
    data, rng = good.read_bytes(), Random(1)
    parts = list(blocks(good))
    files = {
        "empty": b"",
        "text": b"hello\n",
        "header-only": archive(parts[:1]),
        "magic-only": MAGIC,
        "no-header": archive(parts[1:]),
        "no-end": archive(parts[:-1]),
        "newer": b"POINSOT9\n" + data[len(MAGIC) :],
        "json": b'{"mechanism": []}',
        "png": b"\x89PNG\r\n\x1a\n" + bytes(100),
        "zip": b"PK\x03\x04" + bytes(100),
        "zeros": bytes(1000),
        **{name.replace(" ", "-"): change(data, rng) for name, change in SIMPLE.items()},
        **{name.replace(" ", "-"): change(data, rng, good) for name, change in WITH_BLOCKS.items()},
    }
    for name, content in files.items():
        (folder / f"{name}.poinsot").write_bytes(content)
    return [f"{name}.poinsot" for name in files]
