"""A run as labelled arrays: what an xarray Dataset is made of."""

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError

if TYPE_CHECKING:
    from poinsot.run.run import Run

QUANTITIES = {"quaternion": "wxyz", "position": "axis", "angular_velocity": "axis", "velocity": "axis"}


def contents(run: "Run") -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the variables with their axes, the coordinates, and the attributes."""
    scalars = {
        "kinetic": run.kinetic,
        "potential": run.potential,
        "energy": run.energy,
        "work": run.work,
    }
    data: dict[str, Any] = {name: ("time", x) for name, x in scalars.items()}
    data["angular_momentum"] = (("time", "axis"), run.angular_momentum)
    data["linear_momentum"] = (("time", "axis"), run.linear_momentum)
    for quantity, axis in QUANTITIES.items():
        stacked = np.stack([getattr(run, quantity)(name) for name in run.mechanism.names], axis=1)
        data[quantity] = (("time", "body", axis), stacked)
    if run.trajectory.driven:
        data["input"] = (("time", "driven"), run.trajectory.inputs)
    coordinates = {
        "time": run.time,
        **({"driven": list(run.trajectory.driven)} if run.trajectory.driven else {}),
        "body": run.mechanism.names,
        "axis": list("xyz"),
        "wxyz": list("wxyz"),
    }
    return data, coordinates, {"method": run.method.label, "step": run.step, **run.versions}


def dataset(run: "Run") -> Any:
    """Return a run as an xarray Dataset."""
    try:
        import xarray
    except ImportError:
        raise ModelError("to_xarray needs xarray: pip install 'poinsot[files]'") from None
    return xarray.Dataset(*contents(run))
