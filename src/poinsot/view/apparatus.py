"""What the apparatus of a page shows of a run, as float64, and where a free body starts, for "what if".

    apparatus    columns [[key, count]], sequences, time (m, 1), bodies [{name, values (m, columns)}]: see
                 `diagnostics.apparatus`, a sequence is the key of its angles;
                 residual {time (k, 1), values (k, 1)} or null
    free         body, quaternion, spin: the start of a single free body without forces; or null

The numbers are those of some frames; a page shows them with their time.
"""

from typing import Any

import numpy as np

from poinsot.diagnostics.apparatus import angles, readings, residual_norms, turning_bodies
from poinsot.diagnostics.motions import core_is_loaded
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.model.joints import Free
from poinsot.view.codec import Packer

SEQUENCES = ("ZYX", "XYZ", "ZXZ", "ZYZ")  # ZYX: yaw, pitch, roll
BODIES = 6  # largest number of bodies that are read
ROWS = 1500  # readings of all bodies together
RESIDUALS = 300  # samples at which the residual is computed


def apparatus(frames: Trajectory, residual: tuple[Any, Any] | None, pack: Packer) -> dict[str, Any] | None:
    """Return the readings of the first bodies as data, with the residual of `residual_of`."""
    names = turning_bodies(frames.mechanism)[:BODIES]
    if not names:
        return None
    some = frames.thin(max(1, ROWS // len(names)))
    with np.errstate(all="ignore"):  # of a run that diverged
        tables = [
            readings(some.mechanism, name, x) | {one: angles(one, x) for one in SEQUENCES}
            for name, x in some.motions.items()
            if name in names
        ]
    return {
        "columns": [[key, one.shape[1]] for key, one in tables[0].items()],
        "sequences": list(SEQUENCES),
        "time": pack.doubles(some.time),
        "bodies": [
            {"name": name, "values": pack.doubles(np.hstack([*table.values()]))}
            for name, table in zip(names, tables, strict=True)
        ],
        "residual": residual and {"time": pack.doubles(residual[0]), "values": pack.doubles(residual[1])},
    }


def residual_of(run: Any, frames: Trajectory) -> tuple[Any, Any] | None:
    """Return times and norms of the discrete residual at some frames, if all samples of the run are frames.

    Inputs of a controller and impulses are no forces of the mechanism: such a run has none.  A process that
    only shows a file does not load the compiler for it.
    """
    n, controlled = len(frames.time), run.trajectory.inputs.size or run.trajectory.forces.impulses
    if n < 3 or controlled or n != run.trajectory.count or run.every != 1 or not core_is_loaded():
        return None
    states, stride = frames.states(), -(-(n - 2) // RESIDUALS)
    triples = (states[k - 2 : k + 1] for k in range(2, n, stride))
    norms = np.array([residual_norms(run.mechanism, three, run.step)[-1] for three in triples])
    return None if np.isnan(norms).all() else (frames.time[2::stride], norms)


def free_start(frames: Trajectory, kept: bool) -> dict[str, Any] | None:
    """Return where a single free body starts, with all digits; `kept`: nothing changes its momentum."""
    m = frames.mechanism
    moving = turning_bodies(m)
    if not kept or len(moving) != 1 or not isinstance(m.link(moving[0]).joint, Free) or len(m.links) != 1:
        return None
    x = frames.part(0, 1).motions[moving[0]]
    if not np.isfinite([*x.quaternion[0], *x.angular_velocity[0]]).all():
        return None
    return {"body": 0, "quaternion": x.quaternion[0].tolist(), "spin": x.angular_velocity[0].tolist()}
