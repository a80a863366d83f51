"""Errors and energies of the states that an engine returns, from the numbers of a case."""

import numpy as np
from adapter import CannotError

NEAR = 1e-6  # relative difference of a first state that is still the given start


def energies(case, states):
    """Kinetic and potential energy of each state; that of a bouncing ball is from the floor."""
    gravity, found = np.array(case["gravity"]), []
    floor = case.get("contact", {}).get("radius", 0.0)
    for state in states:
        kinetic = potential = 0.0
        for body in case["bodies"]:
            one, mass = state[body["name"]], body["mass"]
            w = np.asarray(one.angular_velocity)
            kinetic += (
                0.5 * mass * np.dot(one.velocity, one.velocity) + 0.5 * w @ np.array(body["inertia"]) @ w
            )
            potential -= mass * gravity @ (np.asarray(one.position) - [0, 0, floor])
        found.append((kinetic, potential))
    return np.array(found)


def difference(found, answer):
    """The largest difference of each quantity, and the largest number of each, of one state."""
    rows = {}
    for name, wanted in answer.items():
        for key in ("position", "quaternion", "velocity", "angular_velocity"):
            if key in wanted:
                here, there = np.asarray(getattr(found[name], key), dtype=float), np.array(wanted[key])
                if key == "quaternion":
                    here = here * np.sign(here @ there)
                off, size = rows.get(key, (0.0, 0.0))
                rows[key] = max(off, np.abs(here - there).max()), max(size, np.abs(there).max())
    return rows


def worst(states, answers):
    """The largest difference of any quantity, relative to the largest number of this quantity."""
    rows = [difference(*pair) for pair in zip(states, answers, strict=True)]
    sizes = {key: max(row[key][1] for row in rows if key in row) for row in rows for key in row}
    return max(off / (sizes[key] or 1.0) for row in rows for key, (off, _) in row.items())


def motion(adapter, case):
    """The error at the times of the case, and the change of the energy relative to what there is of it."""
    adapter.build(case)
    states, now = [adapter.state()], 0.0
    if worst(states, [case["start"]]) > NEAR:
        raise AssertionError(f"the first state is not the start: {difference(states[0], case['start'])}")
    for time in case["times"]:
        adapter.advance(time - now)
        states.append(adapter.state())
        now = time
    result = {"error": float(worst(states[1:], case["answers"]))}
    if case["energy"] is not None:
        parts = energies(case, states)
        total = parts.sum(axis=1)
        wanted = 1.0 if case["energy"] == "constant" else np.array([1.0, *case["energy"]])
        bounce = case.get("contact", {}).get("kind") == "bounce"
        size = total[0] if bounce else max(parts[:, 0].max(), np.ptp(parts[:, 1]))
        change = (total - total[0] * wanted) / size
        result["energy"] = float(change[np.argmax(np.abs(change))])
        if bounce:
            result["ratio"] = float(total[-1] / total[0])
    return result


def eigenvalues(adapter, case):
    """The largest distance of an eigenvalue, relative to the larger of 1 and its size."""
    off = 0.0
    for found, row in zip(adapter.eigenvalues(case), case["eigenvalues"], strict=True):
        wanted = np.array([complex(*pair) for pair in row["eigenvalues"]])
        miss = np.abs(np.asarray(found)[:, None] - wanted).min(axis=0) / np.maximum(1, np.abs(wanted))
        off = max(off, float(miss.max()))
    return {"error": off}


def result(adapter, case):
    """What the engine makes of a case: numbers, or why it cannot."""
    try:
        found = eigenvalues(adapter, case) if "eigenvalues" in case else motion(adapter, case)
    except CannotError as reason:
        return {"cannot": str(reason)}
    if not all(np.isfinite(x) for x in found.values()):
        return {"cannot": "the state became infinite"}
    return found | ({"note": adapter.note} if getattr(adapter, "note", "") else {})
