"""The curves of a run: errors, energies, momenta, motions of bodies, inputs, and recorded functions."""

from typing import Any

import numpy as np

from poinsot.model.checks import Array
from poinsot.plots.drift import energy_error, momentum_error
from poinsot.view.codec import Packer
from poinsot.view.frames import envelope, thinned

BODIES = 6  # largest number of bodies with curves of their own
XYZ = ("x", "y", "z")


def series(run: Any, pack: Packer) -> list[dict[str, Any]]:
    """Return all curves of a run, the errors first."""
    result: list[dict[str, Any]] = []
    clock: dict[bytes, int] = {}
    trajectory, count = run.trajectory, len(run.time)

    def add(
        key: str, title: str, unit: str, values: Array, labels: tuple[str, ...], log: bool = False
    ) -> None:
        table = np.asarray(values, dtype=np.float64).reshape(count, -1)
        time, shown = (envelope if log else thinned)(run.time, table)
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
                "values": pack.floats(shown),
            }
        )

    if not count:
        return result
    with np.errstate(all="ignore"):
        add("energy-error", "energy error, relative", "", energy_error(trajectory), ("",), log=True)
        if run.report().angular_momentum.kept and momentum_error(trajectory).any():
            add(
                "momentum-error",
                "angular momentum error, relative",
                "",
                momentum_error(trajectory),
                ("",),
                log=True,
            )
        energies = [trajectory.kinetic, trajectory.potential, trajectory.kinetic + trajectory.potential]
        add("energy", "energy", "J", np.stack(energies, axis=1), ("kinetic", "potential", "total"))
        add("angular-momentum", "angular momentum", "kg m²/s", trajectory.angular_momentum, XYZ)
        add("linear-momentum", "linear momentum", "kg m/s", trajectory.linear_momentum, XYZ)
        add("orthogonality", "orthogonality error", "", trajectory.orthogonality, ("",), log=True)
        if trajectory.work.any():
            add("work", "work of forces", "J", trajectory.work, ("",))
    for name in run.mechanism.names[:BODIES]:
        add(
            f"spin of {name}",
            f"{name}: angular velocity, body frame",
            "rad/s",
            run.angular_velocity(name),
            XYZ,
        )
        add(f"place of {name}", f"{name}: centre of mass", "m", run.position(name), XYZ)
    for name in dict.fromkeys(trajectory.driven):
        inputs = run.input(name)
        labels = ("",) if inputs.shape[1] == 1 else tuple(map(str, range(inputs.shape[1])))
        add(f"input at {name}", f"{name}: force of the controller", "N or N m", inputs, labels)
    for name, values in run.recorded.items():
        table = np.asarray(values)
        if table.dtype.kind in "fiub" and len(table) == len(run.time):
            width = int(np.prod(table.shape[1:])) if table.ndim > 1 else 1
            labels = ("",) if width == 1 else tuple(str(i) for i in range(width))
            add(f"recorded {name}", str(name), "", table, labels)
    return result
