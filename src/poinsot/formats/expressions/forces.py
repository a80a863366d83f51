"""Forces given by formulas, as plain data and back: `Torque`, `Wrench`, `PairForce`, `JointTorque`, `Drive`.

    {"kind": "Torque", "body": "top", "torque": ["-k * w[0]", "0", "0"], "parameters": {"k": 0.1}}

A `Wrench` has `torque` and `force`, and so has a `PairForce` from `a` to `b`; a `JointTorque` has `joint` and
`torque`, a `Drive` `joint` and `value`, whose derivatives are not in the data: they follow from it.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from poinsot.formats.expressions.formula import (
    OF_POSE,
    OF_POSES,
    ON_BODY,
    ON_PAIR,
    Formula,
    FormulaError,
    Sizes,
    function_of,
)
from poinsot.formats.expressions.translation import formula_of
from poinsot.model.forces.applied import Applied, PairForce, Torque, Wrench
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import JointTorque
from poinsot.model.mechanism import Mechanism

KINDS = ("Torque", "Wrench", "PairForce", "JointTorque", "Drive")
SIX = ("Wrench", "PairForce")  # that return six numbers
OF_TIME: Sizes = {"t": ()}
WHOLE = -1  # the part of an error that concerns all values
NOTHING = ("0.0", "0.0", "0.0")
FindFormula = Callable[[Callable[..., Any], Sizes], Formula | None]


class PotentialError(FormulaError):
    """What is wrong with the formula of a potential."""


def own_formula(function: Callable[..., Any], sizes: Sizes) -> Formula | None:
    """Return the formula that a function was made from; None for a function written in Python."""
    found = getattr(function, "formula", None)
    return found if isinstance(found, Formula) else None


def on_joint(mechanism: Mechanism, name: str) -> Sizes:
    """Return the arguments of a formula at a joint."""
    joint = mechanism.link(name, "JointTorque").joint
    return {"t": (), "q": (joint.nq,), "v": (joint.nv,)}


def formula_force(data: Mapping[str, Any], mechanism: Mechanism, parameters: Mapping[str, float]) -> Force:
    """Return the force of its data; raise a FormulaError or a ModelError that says what is wrong."""
    kind, switches = data["kind"], data.get("switches", ())
    values = [*data.get("torque", NOTHING), *(() if kind not in SIX else data.get("force", NOTHING))]
    wanted = 6 if kind in SIX else 3
    if kind == "Drive":
        joint = mechanism.link(data["joint"], "Drive").joint
        if len(data["value"]) != joint.nq:
            raise FormulaError(f"needs {joint.nq} expressions, got {len(data['value'])}", WHOLE, 0)
        formula = _formula(data["value"], data, parameters)
        return Drive(data["joint"], function_of(formula, OF_TIME), switches=switches)
    formula = _formula(values, data, parameters)
    if kind == "JointTorque":
        sizes = on_joint(mechanism, data["joint"])
        if len(values) != sizes["v"][0]:
            raise FormulaError(f"needs {sizes['v'][0]} expressions, got {len(values)}", WHOLE, 0)
        return JointTorque(data["joint"], function_of(formula, sizes), switches)
    if len(values) != wanted:
        raise FormulaError("torque and force need 3 expressions each", WHOLE, 0)
    arguments, poses = (ON_PAIR, OF_POSES) if kind == "PairForce" else (ON_BODY, OF_POSE)
    function, potential = function_of(formula, arguments), None
    if "potential" in data:
        given = data["potential"]
        table = given if isinstance(given, Mapping) else {"value": given, "where": data.get("where", {})}
        inner = {**table, "parameters": {**data.get("parameters", {}), **table.get("parameters", {})}}
        try:
            potential = function_of(_formula([table["value"]], inner, parameters, pose=True), poses)
        except FormulaError as error:
            first = PotentialError(str(error), error.part, error.at)
            first.all = [PotentialError(str(one), one.part, one.at) for one in error.all]
            raise first from None
    if kind == "PairForce":
        return PairForce(data["a"], data["b"], function, potential, switches)
    frame = data.get("frame", "space")
    if kind == "Wrench":
        return Wrench(data["body"], function, data.get("at", (0.0, 0.0, 0.0)), frame, potential, switches)
    return Torque(data["body"], function, frame, potential, switches)


def _formula(
    values: Any, data: Mapping[str, Any], parameters: Mapping[str, float], pose: bool = False
) -> Formula:
    """Return a formula with the parameters that occur in it, and the definitions that its values need."""
    where = dict(data.get("where", {}))
    if pose:
        where = _needs(values, where)
    words = set(re.findall(r"[A-Za-z_]\w*", " ".join([*values, *where.values()])))
    known = {**parameters, **data.get("parameters", {})}
    used = {name: float(value) for name, value in known.items() if name in words and name not in where}
    return Formula(tuple(values), where, used, data.get("name", "potential" if pose else "expression"))


def _needs(values: Any, where: Mapping[str, str]) -> dict[str, str]:
    """Return the definitions that the values use, directly or through others."""
    needed: set[str] = set()
    waiting = list(values)
    while waiting:
        for name in set(re.findall(r"[A-Za-z_]\w*", waiting.pop())) & set(where) - needed:
            needed.add(name)
            waiting.append(where[name])
    return {name: text for name, text in where.items() if name in needed}


def formula_force_data(
    force: Force, mechanism: Mechanism, find: FindFormula = formula_of
) -> dict[str, Any] | None:
    """Return a force as data; None if a function of it is no formula (`find` looks for the formula)."""
    if isinstance(force, JointTorque):
        formula = find(force.function, on_joint(mechanism, force.joint))
        if formula is None:
            return None
        return {
            "kind": "JointTorque",
            "joint": force.joint,
            "torque": list(formula.values),
            **_rest(force, formula),
        }
    if isinstance(force, Drive):
        formula = find(force.function, OF_TIME) if force.rate is None else None
        if formula is None:
            return None
        return {"kind": "Drive", "joint": force.joint, "value": list(formula.values), **_rest(force, formula)}
    if not isinstance(force, Torque | Wrench | PairForce):
        return None
    pair = isinstance(force, PairForce)
    formula = find(force.function, ON_PAIR if pair else ON_BODY)
    potential = find(force.potential, OF_POSES if pair else OF_POSE) if force.potential is not None else None
    if formula is None or (potential is None) != (force.potential is None):
        return None
    names = dict(zip("ab", force.bodies, strict=True)) if pair else {"body": force.bodies[0]}
    found: dict[str, Any] = {"kind": type(force).__name__, **names, **_components(force, formula)}
    if not isinstance(force, PairForce) and force.frame != "space":
        found["frame"] = force.frame
    if potential is not None:
        found["potential"] = {"value": potential.values[0], "where": dict(potential.where)}
        shared = {**formula.parameters, **potential.parameters}
        clash = any(formula.parameters.get(name, x) != x for name, x in potential.parameters.items())
        if clash:
            return None
        return {**found, **_rest(force, formula), **({"parameters": shared} if shared else {})}
    return {**found, **_rest(force, formula)}


def _components(force: Applied | PairForce, formula: Formula) -> dict[str, Any]:
    if isinstance(force, Torque):
        return {"torque": list(formula.values)}
    at = {"at": force.at.tolist()} if isinstance(force, Applied) and force.at.any() else {}
    return {"torque": list(formula.values[:3]), "force": list(formula.values[3:]), **at}


def _rest(force: Any, formula: Formula) -> dict[str, Any]:
    found = {
        "switches": list(force.switches),
        "where": dict(formula.where),
        "parameters": dict(formula.parameters),
        "name": formula.name if formula.name != "expression" else "",
    }
    return {key: value for key, value in found.items() if value}
