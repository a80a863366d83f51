"""The data of a page: a JSON header and a binary part.  This file defines the format.

    header   format 1, title, notes, overlay, arrays [table], runs [run], others [{name, address, shown}]
    table    kind "fixed" | "float32" | "float64", rows, columns, order, scale, offset, at (byte): codec.py
    run      name, title, command, error, note, gravity, samples, stride, versions, kept
             time, momentum          tables: (n, 1) seconds; (n, 3) angular momentum about the origin, or null
             bodies                  name, mass, shape, plain, rotation, glass, tip, moments, axes: scene.py
                                     quaternion (n, 4), position (n, 3), spin (n, 3) or null: tables
             joints, rods, marks, springs   see scene.py; body -1 is the world
             contacts                of bodies that roll or glide: see contacts.py
             trails, ground          points of bodies whose ways are drawn; height of the ground: see look.py
             thrusts                 forces of inputs: body, at (a point of it), values (n, 3), body axes
             ghosts                  poses of all bodies along a recorded reference, or none: two tables
             members                 other members of an ensemble, as glass: see crowd.py
             plots                   key, title, unit, log, labels, time, values (m, k): see extract.py
             apparatus, free         numbers as float64, and the start of a free body: see apparatus.py
             sliders                 frames of the joints of a robot that stands still: see sliders.py
             report                  rows [[name, band, relative, slope, note]], cost, contacts [text]
    binary   the tables one after the other, deflated (zlib), as base64 in the page

Points of a body are in body axes from its center of mass, quaternions are (w, x, y, z), body to space.
Frame k is sample min(k * stride, samples - 1).  Quaternions have length 1 and are exact to 2**-25, positions
to 2**-25 of the largest distance from the middle of their range.
"""

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from poinsot.diagnostics.motions import Motions
from poinsot.model.checks import Array
from poinsot.model.joints import Free, Spherical
from poinsot.model.mechanism import WORLD
from poinsot.view.apparatus import apparatus, free_start
from poinsot.view.codec import Packer
from poinsot.view.contacts import contacts
from poinsot.view.control import ghosts, thrusts
from poinsot.view.crowd import crowd
from poinsot.view.extract import Extract
from poinsot.view.look import USUAL, Look, trails, tune
from poinsot.view.scene import bodies, joints, marks, rods, springs

FORMAT = 1
MOST_FRAMES = 25_000
LIMIT = 8_800_000  # characters of base64: a page stays below ten million bytes
SPINS = 400_000  # body samples up to which angular velocities are sent


class Payload(NamedTuple):
    """Header and binary part of a page."""

    header: dict[str, Any]
    data: bytes

    def text(self) -> tuple[str, str]:
        """Return header and data as text without <, > or &, which is safe in a script element."""
        header = json.dumps(self.header, allow_nan=False)
        for character in "<>&":
            header = header.replace(character, f"\\u{ord(character):04x}")
        return header, base64.b64encode(self.data).decode("ascii")


def payload(
    runs: Mapping[str, Any],
    title: str,
    notes: str = "",
    commands: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
    links: list[dict[str, Any]] | None = None,
    look: Look = USUAL,
    limit: int = LIMIT,
) -> Payload:
    """Return the data of a page with these runs; samples are left out until the page is small enough."""
    shown = {name: Extract(run, MOST_FRAMES) for name, run in runs.items()}
    thin = 1.0
    while True:
        pack = Packer()
        described = [
            describe(
                name,
                run,
                pack,
                thin,
                (commands or {}).get(name, "") or command(run.run),
                (errors or {}).get(name, "") or _notice(run),
                look,
            )
            for name, run in shown.items()
        ]
        data = zlib.compress(bytes(pack.data), 6)
        size = -(-len(data) // 3) * 4
        fewest = max((run.count for run in shown.values()), default=0) / thin
        if size <= limit or fewest < 100:
            break
        thin *= max(1.1, 1.05 * size / limit)
    header = {
        "format": FORMAT,
        "title": title,
        "notes": notes,
        "overlay": look.overlay,
        "arrays": pack.header,
        "runs": described,
        "others": links or [],
    }
    return Payload(header, data)


def describe(
    name: str, shown: Extract, pack: Packer, thin: float, made_by: str, error: str, look: Look
) -> dict[str, Any]:
    """Return one run as data; its numbers go into `pack`."""
    run, count, mechanism = shown.run, shown.count, shown.mechanism
    rows, stride = shown.rows(thin)
    drawn = bodies(mechanism, pack)
    closed = mechanism.snapshot()  # without the loops that events opened or closed
    closed.loops = [loop for loop in closed.loops if loop.name not in run.loop_history.ever_open]
    spinning = len(drawn) * len(rows) <= SPINS
    none = (np.zeros((0, n)) for n in mechanism.lengths)
    moving = shown.frames.motions if count else Motions(mechanism, *none)
    for one in drawn:
        x = moving[one["name"]]
        one["quaternion"] = pack.fixed(_unit(x.quaternion[rows]), 1.0)
        one["position"] = pack.fixed(x.part.position[rows])  # where its shape is
        turning = spinning and count and mechanism.carrier(one["name"]) == one["name"]
        one["spin"] = pack.fixed(x.angular_velocity[rows]) if turning else None
    tune(mechanism, drawn, {key: x.part.position[rows] for key, x in moving.items()})
    trailed = trails(mechanism, look.trail, drawn)
    table, cost, kept = _report(shown)
    title = f"{run.method.label}: {run.method.title}, step {run.step:g}"
    note = f"{count} samples, of which one in {stride} is shown" if stride > 1 else ""
    return {
        "name": name,
        "title": title,
        "command": made_by,
        "error": error,
        "note": note,
        "gravity": np.asarray(mechanism.gravity, dtype=float).tolist(),
        "samples": count,
        "stride": stride,
        "versions": dict(run.versions),
        "kept": kept,
        "time": pack.times(shown.frames.time[rows] if count else np.zeros(0)),
        "momentum": pack.fixed(shown.frames.angular_momentum[rows]) if count else None,
        "bodies": drawn,
        "joints": joints(closed),
        "rods": rods(closed),
        "marks": marks(mechanism),
        "springs": springs(closed),
        "contacts": contacts(mechanism, run.loop_history),
        "trails": trailed,
        "ground": look.ground,
        "thrusts": thrusts(mechanism, shown.frames.inputs[rows], pack)
        if count and shown.frames.inputs.size
        else [],
        "members": crowd(look.crowd, mechanism, shown.frames.time[rows], pack) if count else [],
        "ghosts": ghosts(run, shown.sample_rows(rows), count, pack),
        "plots": series(shown, pack),
        "apparatus": apparatus(shown.frames, shown.residual, pack) if count else None,
        "free": free_start(shown.frames, kept) if count else None,
        "report": {
            "rows": table,
            "cost": cost,
            "contacts": list(shown.report.contacts if shown.report else ()),
        },
    }


def _unit(q: Array) -> Array:
    """Return quaternions of length 1: with some methods the length drifts, and a picture needs a rotation."""
    length = np.linalg.norm(q, axis=1, keepdims=True)
    return np.asarray(q / np.where(length > 0, length, 1.0))


def command(run: Any) -> str:
    """Return how to repeat the run: the shell command, or the call in Python."""
    if run.command:
        return str(run.command)
    every = f", every={run.every}" if run.every != 1 else ""
    what = "mechanism" if getattr(run.trajectory, "facts", None) is None else "system"
    return f'ps.simulate({what}, start, "{run.method.label}", step={run.step!r}, steps={run.steps}{every})'


def _notice(shown: Extract) -> str:
    """Return what is wrong with a run that did not reach its end; empty if nothing is."""
    total, good = shown.survey.total, shown.count
    if not total:
        return "the run holds no samples"
    if good < total:
        begin = shown.survey.stopped
        return f"infinite or NaN from t = {begin:g} on: {good} of {total} samples are shown"
    return f"the run stopped before its end, at t = {shown.survey.end:g}" if shown.run.interrupted else ""


def _report(shown: Extract) -> tuple[list[list[str]], str, bool]:
    """Return the rows of the report, the text below them, and True if the whole momentum is conserved."""
    one, mechanism = shown.report, shown.mechanism
    if one is None:
        return [], "", False
    loose = all(
        isinstance(link.joint, Free | Spherical) if link.parent == WORLD else not link.joint.nv
        for link in mechanism.links
    )
    return one.rows(), one.ending, loose and one.angular_momentum.kept and not np.any(mechanism.gravity)


def series(shown: Extract, pack: Packer) -> list[dict[str, Any]]:
    """Return all curves of a run as data, in the order in which a page offers them."""
    result: list[dict[str, Any]] = []
    clock: dict[bytes, int] = {}
    for one, time, values in shown.curves:
        same = time.tobytes()
        if same not in clock:
            clock[same] = pack.times(time)
        result.append(
            {
                "key": one.key,
                "title": one.title,
                "unit": one.unit,
                "log": one.log,
                "labels": list(one.labels),
                "time": clock[same],
                "values": pack.floats(values),
            }
        )
    return result
