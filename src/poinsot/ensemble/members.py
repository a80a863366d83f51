"""What varies from member to member: starts, or values of parameters by path, with the number of each member.

starts          arrays q (members, nq) and v (members, nv), or a list of States
a grid          every value of each path with every value of the others; the last path runs fastest
pairs           `zip=True`: the values of all paths side by side
draws           texts such as "normal(1, 0.1)": `samples` members (`distributions`), for each point of a grid
a table         a CSV file, a pandas DataFrame or an xarray Dataset: a column a path, a row a member
"""

import csv
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.ensemble.distributions import MOST, Draw, read, unit_numbers
from poinsot.errors import ScenarioError
from poinsot.formats.paths import file_path
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

pairs = zip  # `zip` is also the name of an option
START = ("time", "q", "v")
Column = Array | list[Any]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Members:
    """The values of all members: a column (members first) for each path."""

    count: int
    columns: Mapping[str, Column]
    starts: bool = False  # the columns are time, q and v of starts
    draws: tuple[str, ...] = ()  # paths that were drawn

    def take(self, numbers: Numbers) -> "Members":
        """Return some of the members, in this order."""
        found = {
            path: one[numbers] if isinstance(one, np.ndarray) else [one[k] for k in numbers]
            for path, one in self.columns.items()
        }
        return Members(len(numbers), found, self.starts)

    def values(self, member: int) -> dict[str, Any]:
        """Return the values of a member by path, as a scenario takes them."""
        return {
            path: one[member].tolist() if isinstance(one, np.ndarray) else one[member]
            for path, one in self.columns.items()
        }

    def state(self, member: int) -> State:
        """Return the start of a member, if starts vary."""
        return State(*(self.columns[name][member] for name in START))


def members_of_starts(starts: Any, mechanism: Mechanism) -> Members:
    """Return the members of arrays (q, v) or of a list of States."""
    nq, nv = mechanism.lengths
    if isinstance(starts, Sequence) and starts and all(isinstance(one, State) for one in starts):
        for k, one in enumerate(starts):
            if (len(one.q), len(one.v)) != (nq, nv):
                raise ScenarioError(
                    f"starts: state {k} has {len(one.q)} and {len(one.v)} numbers in q and v, "
                    f"expected {nq} and {nv} (make it with m.state)"
                )
        columns = [np.array([getattr(one, name) for one in starts]) for name in START]
        return Members(len(starts), dict(zip(START, columns, strict=True)), True)
    if not isinstance(starts, Sequence) or isinstance(starts, str) or len(starts) != 2:
        raise ScenarioError(
            f"starts must be two arrays q (members, {nq}) and v (members, {nv}), or a list of States, "
            f"got {show(starts)}"
        )
    q, v = (checks.real(one) for one in starts)
    if q.ndim != 2 or v.ndim != 2 or len(q) != len(v) or (q.shape[1], v.shape[1]) != (nq, nv):
        raise ScenarioError(
            f"starts: q must have the shape (members, {nq}) and v (members, {nv}), "
            f"got {q.shape} and {v.shape}"
        )
    return Members(_count(len(q)), {"time": np.zeros(len(q)), "q": np.array(q), "v": np.array(v)}, True)


def _count(members: int) -> int:
    if not 1 <= members <= MOST:
        raise ScenarioError(
            "an ensemble needs at least one member"
            if members < 1
            else f"an ensemble has at most {MOST} members"
        )
    return members


def members_of(
    vary: Any, *, zip: bool = False, samples: int | None = None, seed: int = 0, design: str = "random"
) -> Members:
    """Return the members of values by path, of a table, or of draws."""
    zip = checks.flag("ensemble", "zip", zip)
    seed = checks.whole("ensemble", "seed", seed, 0, 2**63)
    if samples is not None:
        samples = _count(checks.whole("ensemble", "samples", samples, 0))
    table = _table(vary)
    if table is not None:
        vary, zip = table, True
    if not isinstance(vary, Mapping) or not all(isinstance(path, str) for path in vary):
        raise ScenarioError(f"vary must be a dictionary of values by path, or a table, got {show(vary)}")
    if not vary:
        raise ScenarioError("vary is empty: name at least one path with its values")
    grids: dict[str, Column] = {}
    draws: dict[str, Draw] = {}
    for path, given in vary.items():
        found = read(path, given) if isinstance(given, str) else _values(path, given)
        if isinstance(found, Draw):
            draws[path] = found
        else:
            grids[path] = [given] if found is None else found
    if not draws and samples is not None:
        raise ScenarioError('samples counts draws, and nothing is drawn: write "uniform(low, high)", say')
    columns = _grid(grids, zip)
    points = len(next(iter(columns.values()))) if columns else 1
    if draws and samples is None and not (zip and columns):
        raise ScenarioError(f"vary '{next(iter(draws))}' is drawn: say how many members with samples=NUMBER")
    each = 1 if samples is None or (zip and columns) else samples
    if draws and zip and columns and samples not in (None, points):
        raise ScenarioError(f"zip pairs {points} values with samples = {samples}: they must be equal")
    count = _count(points * each)
    if each > 1:
        place = np.repeat(np.arange(points), each)
        columns = dict(Members(points, columns).take(place).columns)
    units = unit_numbers(list(draws), count, seed, design)
    drawn: dict[str, Column] = {path: one.quantile(units[path]) for path, one in draws.items()}
    order: dict[str, Column] = {**columns, **drawn}
    return Members(count, {path: order[path] for path in vary}, draws=tuple(draws))


def _values(path: str, given: Any) -> Column:
    """Return the values of a path as an array, if they are numbers, else as a list."""
    if hasattr(given, "values") and not isinstance(given, Mapping):
        given = given.values  # of a Series or DataArray
    if not isinstance(given, Sequence | np.ndarray) or (len(np.shape(given)) == 0 and not len(given)):
        raise ScenarioError(f"vary '{path}': expected a list of values, got {show(given)}")
    if len(given) == 0:
        raise ScenarioError(f"vary '{path}': there are no values: an ensemble needs at least one member")
    try:
        found = np.asarray(given)
    except ValueError:  # lists of different lengths
        return list(given)
    if found.dtype.kind == "f":
        return found.astype(float)
    return list(given) if not isinstance(given, np.ndarray) else given.tolist()


def _grid(columns: dict[str, Column], zip: bool) -> dict[str, Column]:
    """Return the points of a grid, or the pairs: columns of one length."""
    if not columns:
        return {}
    lengths = [len(one) for one in columns.values()]
    if zip:
        if len(set(lengths)) > 1:
            text = ", ".join(f"{path} {n}" for path, n in pairs(columns, lengths, strict=True))
            raise ScenarioError(f"zip pairs values, but there are different numbers of them: {text}")
        return columns
    total = 1
    for n in lengths:
        total = _count(total * n)
    places = np.unravel_index(np.arange(total), lengths)
    return {
        path: Members(len(one), {path: one}).take(place).columns[path]
        for (path, one), place in pairs(columns.items(), places, strict=True)
    }


def _table(vary: Any) -> dict[str, Column] | None:
    """Return the columns of a CSV file, a DataFrame or a Dataset by path; None if it is none of these."""
    if isinstance(vary, str | os.PathLike):
        return _csv(vary)
    if hasattr(vary, "data_vars"):  # of xarray
        return {str(name): _values(str(name), one.values) for name, one in vary.data_vars.items()}
    if hasattr(vary, "columns") and hasattr(vary, "to_numpy"):  # of pandas
        return {str(name): _values(str(name), vary[name].to_numpy()) for name in vary.columns}
    return None


def _csv(path: Any) -> dict[str, Column]:
    """Return the columns of a CSV file; cells are numbers, JSON, or texts."""
    source = file_path(path)
    try:
        with source.open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise ScenarioError(f"{source}: cannot be read as a table: {why}") from None
    if len(rows) < 2:
        raise ScenarioError(
            f"{source}: the table has no members: a line of paths, then a line for each member"
        )
    for line, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise ScenarioError(f"{source}: line {line} has {len(row)} cells, expected {len(rows[0])}")
    found: dict[str, Column] = {}
    for k, name in enumerate(rows[0]):
        found[name.strip()] = _values(name, [_cell(row[k]) for row in rows[1:]])
    return found


def _cell(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
