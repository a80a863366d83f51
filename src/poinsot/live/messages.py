"""The protocol between the page and a live simulation.  This file defines it.

    changes    version 1
               hello: `panel`, the panel that is open at first; a simulation begins paused

Address: http://127.0.0.1:PORT/TOKEN/ is the page, ws://127.0.0.1:PORT/TOKEN/socket the socket.  The page is
that of a run (`view.page`), whose header is {"format": 1, "live": true, "title": ...} without runs.

From the page: JSON objects in text messages of at most 4096 bytes.  `do` says what; `id` (optional, a whole
number below 2**32) comes back in the header of the first frame that has seen the message; when another page
drives, ids begin anew.

    play | pause | reset | random | release     without fields.  random: another start, see `features`
    step        count (1)                       steps of the method; pauses.  Every step is a frame
    speed       value                           seconds of the motion per second, positive; 1: real time
    set         path, value, index (none)       a slider; `index`: the component of a vector
    method      name
    drag        body, point[3], target[3]       a spring pulls `point` of a body (body axes, from its center
                                                of mass) to `target` in space, until release or another drag
    target      point[3]                        where the scenario is to go, in space
    impulse     body, point[3], impulse[3]      a push [N s] in space axes, within one step
    scrub       time                            back to the last sample at or before `time` [s]; pauses
    compare     method (null: end)              the same start with a second method
    record      on                              begin, or write the archive
    drive       on                              take over, or hand over to the client that waits longest
    apparatus   body, sequence                  whose numbers are shown; angles such as "zyx"

Only the client that drives may do more than `drive` and `apparatus`; a message that cannot be obeyed is
answered with an `error`, one that is no message of this list closes the connection (code 1008).

From the server: JSON objects in text messages with the key `is`.

    hello       at first, and whenever the scene changes (restart, other numbers, compare); it resets the page
                protocol 1, scene (a counter), title, page and data: header and base64 data of a page as in
                `view.payload`, of a run of one sample for each method (`runs` has 1 or 2 entries)
                numbers [{key, title, unit, labels, at, count, log, curve}]: columns `at .. at + count` of the
                float64 numbers of a frame; `curve`: a curve is offered; `log`: with a logarithmic axis
                sliders [{path, index, label, unit, value, low, high, log, whole, restart, panel}]
                panels [name]: in the order of the page;  panel: open at first;  methods [{name, title}]
                sequences ["zyx", ...];  features {drag, impulse, target, random, record, scrub, compare}
    status      playing, speed, drives (this client does), clients, recording, method, step, compare (a
                method or null), body and sequence of the apparatus, values {path: value} of all sliders
    segment     time, text, restart: energy - work begins anew at `time`; `text` says what changed
    light       asked, reached: the simulation is slower than asked for; `reached` = null: it keeps up again
    notice      text: for the person, such as the names of archives that were written
    error       text, dead: what was refused; dead: the motion ended, until reset, scrub or another number

From the server, binary: a frame, little-endian.  A client that is slow misses frames; there is no queue.

    byte  0     uint32     0x314E4950 ("PIN1")
    byte  4     uint32     number of the frame, from 1 on; those that were left out are missing
    byte  8     uint32     scene: frames of another scene than that of the last hello are to be ignored
    byte 12     uint32     id of the newest message that the frame has seen, 0: none
    byte 16     uint16     flags: 1 playing, 2 slower than asked, 4 recording, 8 dead, 16 dragged
    byte 18     uint16     runs k: 1, or 2 while methods are compared
    byte 20     uint16     poses p of a run: its bodies in their order, then its ghosts if there are any
    byte 22     uint16     numbers m of a run
    byte 24     float64    k * m numbers, run by run, in the order of `numbers` of the hello; NaN: not known
    then        float32    k * p * 7: quaternion (w, x, y, z) and position of each pose, as in `view.payload`

Keys of `numbers`: time; span (first and last time that scrub can reach); energy, work, energy-work (since the
start of the segment); linear-momentum, angular-momentum (about the origin); loops (gap of the loop
constraints); error (of tracking); inputs; thrusts (force in body axes for each entry of `thrusts` of the
run); q, v; and of the body of the apparatus: L-space, L-body, w-space, w-body, L-sizes (of L in space, in the
body), kinetic (1/2 w.Iw, 1/2 L.w, 1/2 L.I^-1 L), angles (of `sequence`), residual (norm of the discrete
Euler-Poincare equations at the last three poses; while the motion goes on, that of some frames before if it
takes long).  Those that a scenario does not have are left out.
"""

import json
import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from poinsot.errors import ScenarioError
from poinsot.model.checks import Array

PROTOCOL = 1
LARGEST = 4096  # bytes of a message
MAGIC = 0x314E4950
HEADER = struct.Struct("<IIIIHHHH")
PLAYING, SLOW, RECORDING, DEAD, DRAGGED = 1, 2, 4, 8, 16  # flags of a frame
LONGEST = 200  # characters of a text
MOST = 1e100  # size of a number


def _number(x: Any) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) and abs(x) <= MOST


def _positive(x: Any) -> bool:
    return _number(x) and x > 0


def _vector(x: Any) -> bool:
    return isinstance(x, list) and len(x) == 3 and all(map(_number, x))


def _count(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool) and 0 <= x < 2**32


def _steps(x: Any) -> bool:
    return _count(x) and 1 <= x <= 1000


def _text(x: Any) -> bool:
    return isinstance(x, str) and 0 < len(x) <= LONGEST


def _flag(x: Any) -> bool:
    return isinstance(x, bool)


def _index(x: Any) -> bool:
    return x is None or _count(x)


def _method(x: Any) -> bool:
    return x is None or _text(x)


FIELDS: Mapping[str, Mapping[str, Any]] = {
    "play": {},
    "pause": {},
    "reset": {},
    "random": {},
    "release": {},
    "step": {"count": _steps},
    "speed": {"value": _positive},
    "set": {"path": _text, "value": _number, "index": _index},
    "method": {"name": _text},
    "drag": {"body": _count, "point": _vector, "target": _vector},
    "target": {"point": _vector},
    "impulse": {"body": _count, "point": _vector, "impulse": _vector},
    "scrub": {"time": _number},
    "compare": {"method": _method},
    "record": {"on": _flag},
    "drive": {"on": _flag},
    "apparatus": {"body": _count, "sequence": _text},
}
DEFAULTS: Mapping[str, Any] = {"count": 1, "index": None}
ANYONE = ("drive", "apparatus")  # what a client that does not drive may do


def read(text: str | bytes) -> dict[str, Any]:
    """Return a message of the page with all its fields; a ScenarioError says what is wrong with it."""
    if not isinstance(text, str) or len(text.encode("utf-8", "replace")) > LARGEST:
        raise ScenarioError("a message is a text of at most 4096 bytes")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ScenarioError("a message is JSON") from None
    what = found.get("do") if isinstance(found, dict) else None
    if not isinstance(what, str) or what not in FIELDS:
        raise ScenarioError("a message is an object whose 'do' is one of the protocol")
    fields = FIELDS[what]
    if not _count(found.get("id", 0)) or found.keys() - fields.keys() - {"do", "id"}:
        raise ScenarioError(f"a message '{what}' has the fields {', '.join(fields) or 'of none'}")
    whole = {"do": what, "id": found.get("id", 0)}
    for name, fits in fields.items():
        value = found.get(name, DEFAULTS.get(name))
        if (name not in found and name not in DEFAULTS) or not fits(value):
            raise ScenarioError(f"a message '{what}': its {name} does not fit")
        whole[name] = value
    return whole


def frame(head: Sequence[int], numbers: Array, poses: Array) -> bytes:
    """Return a frame: number, scene, id and flags; the numbers (k, m); the poses (k, p, 7)."""
    k, m = numbers.shape
    begin = HEADER.pack(MAGIC, *head[:3], head[3], k, poses.shape[1], m)
    with np.errstate(over="ignore", under="ignore"):
        return begin + numbers.astype("<f8").tobytes() + poses.astype("<f4").tobytes()


def numbers_of(data: bytes) -> tuple[dict[str, int], Array, Array]:
    """Return head, numbers and poses of a frame: the inverse of `frame`, for tests and other clients."""
    magic, number, scene, seen, flags, k, p, m = HEADER.unpack_from(data)
    assert magic == MAGIC, "it is a frame"
    numbers = np.frombuffer(data, "<f8", k * m, HEADER.size).reshape(k, m)
    poses = np.frombuffer(data, "<f4", k * p * 7, HEADER.size + 8 * k * m).reshape(k, p, 7)
    return {"number": number, "scene": scene, "id": seen, "flags": flags}, numbers, poses.astype(float)
