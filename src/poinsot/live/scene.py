"""What a page is told about a live simulation: the scene as that of a page of runs, and what can be done."""

import base64
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from poinsot.compile.catalogue import methods
from poinsot.compile.method_choice import objection
from poinsot.diagnostics.apparatus import SEQUENCES
from poinsot.live.messages import PROTOCOL
from poinsot.live.motion import Motion, Settings
from poinsot.live.numbers import Numbers
from poinsot.live.parameters import Parameters
from poinsot.model.feedback import Feedback
from poinsot.model.loop_history import ALWAYS_CLOSED
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.simulation.simulate import simulate
from poinsot.view.codec import Packer
from poinsot.view.contacts import contacts
from poinsot.view.payload import payload
from poinsot.view.scene import bodies, joints, rods, springs


def appearance(mechanism: Mechanism, numbers: Numbers, count: int) -> str:
    """Return a text that changes when the scene looks different, or when frames hold other numbers."""
    shapes = [*(part(mechanism) for part in (joints, rods, springs)), contacts(mechanism, ALWAYS_CLOSED)]
    return repr((count, numbers.describe(), bodies(mechanism, Packer()), shapes))


def page_of(motions: Sequence[Motion], base: Settings, title: str, notes: str, numbers: Numbers) -> Any:
    """Return header and data of a page (`view.payload`), with a run of one sample for each motion."""
    runs: dict[str, Any] = {}
    for one in motions:
        here, method = one.recent[-1], one.stream.method
        state, name = State(here.time, here.q, here.v), method.label
        name += " (2)" if name in runs else ""
        runs[name] = simulate(
            base.mechanism,
            state,
            method,
            step=base.step,
            steps=0,
            controller=base.controller,
            record=numbers.tracked or None,
            progress=False,
        )
    found = payload(runs, title, notes)
    return {"page": found.header, "data": base64.b64encode(found.data).decode("ascii")}


def controls(parameters: Parameters, folder: bool) -> dict[str, Any]:
    """Return sliders, methods and features of a hello."""
    s = parameters.scenario
    sliders = [asdict(one) for one in parameters.sliders()]
    panels = list(dict.fromkeys(one["panel"] for one in sliders))
    opened = parameters.given.sliders.get("panel", "")
    fits = [one for one in methods() if not objection(one, s.mechanism)]
    by_hand = not isinstance(s.controller, Feedback)
    return {
        "protocol": PROTOCOL,
        "title": s.title,
        "sliders": sliders,
        "panels": panels,
        "panel": opened if opened in panels else panels[0],
        "methods": [{"name": one.label, "title": one.title} for one in fits],
        "sequences": list(SEQUENCES),
        "features": {
            "drag": by_hand,
            "impulse": by_hand,
            "target": bool(parameters.target()),
            "random": False,
            "record": by_hand and folder,
            "scrub": True,
            "compare": len(fits) > 1,
        },
    }


def values(parameters: Parameters) -> dict[str, Any]:
    """Return the values of all sliders: numbers, or lists of numbers, by path."""
    found: dict[str, Any] = {}
    for one in parameters.sliders():
        if one.index is None:
            found[one.path] = one.value
        else:
            found.setdefault(one.path, []).append(one.value)
    return found
