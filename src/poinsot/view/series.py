"""The curves of a run as data of a page: errors, energies, momenta, motions, inputs, recorded functions."""

from typing import Any

import numpy as np

from poinsot.model.checks import Array
from poinsot.view.codec import Packer
from poinsot.view.condensed import Condensed
from poinsot.view.control import ERROR, REFERENCE, error_labels, error_unit
from poinsot.view.frames import thinned


def series(shown: Condensed, pack: Packer) -> list[dict[str, Any]]:
    """Return all curves of a run, the errors first."""
    result: list[dict[str, Any]] = []
    clock: dict[bytes, int] = {}

    def add(
        key: str, title: str, unit: str, labels: tuple[str, ...], log: bool, time: Array, values: Array
    ) -> None:
        same = time.tobytes()
        if same not in clock:
            clock[same] = pack.times(time)
        result.append(
            {
                "key": key,
                "title": title,
                "unit": unit,
                "log": log,
                "labels": list(labels),
                "time": clock[same],
                "values": pack.floats(values),
            }
        )

    for one, time, values in shown.curves:
        add(one.key, one.title, one.unit, one.labels, one.log, time, values)
    for name, recorded in shown.run.recorded.items() if shown.count else ():
        if name == REFERENCE:
            continue  # drawn as a ghost
        table = np.asarray(recorded)
        if table.dtype.kind in "fiub" and len(table) == shown.survey.total:
            table = np.asarray(table[: shown.count], dtype=np.float64).reshape(shown.count, -1)
            labels = error_labels(shown.run, table.shape[1]) if name == ERROR else ()
            unit = error_unit(labels)
            labels = labels or (("",) if table.shape[1] == 1 else tuple(map(str, range(table.shape[1]))))
            add(
                f"recorded {name}",
                str(name),
                unit,
                labels,
                False,
                *thinned(shown.run.time[: shown.count], table),
            )
    if REFERENCE in shown.run.recorded:  # a tracking controller: its error is what one looks for
        result.sort(key=lambda one: one["key"] != f"recorded {ERROR}")
    return result
