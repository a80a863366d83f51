"""The result of an ensemble: final states, reductions and failures of all members, members first."""

import importlib.util
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.diagnostics.quantities import columns_of
from poinsot.ensemble import journal
from poinsot.ensemble.members import Members
from poinsot.ensemble.problem import Problem
from poinsot.ensemble.table import Table
from poinsot.errors import ArchiveError, ModelError, ScenarioError
from poinsot.formats.paths import PathLike, file_path, replaced, writing
from poinsot.model import checks
from poinsot.model.checks import Array, show, suggestion
from poinsot.model.mechanism import Mechanism
from poinsot.run.run import Run

if TYPE_CHECKING:
    from poinsot.view.look import Ground, Look, Trail
    from poinsot.view.page import Page

SHOWN, MOST_SHOWN = 30, 200  # members on a page


class Ensemble:
    """The results of many members of one problem, each with the bits of its own run.

    `ps.ensemble` and `ps.load` return an Ensemble; users do not construct one.  Members are counted from 0,
    in the order of the starts or values that were given.

    Parameters
    ----------
    problem : What all members share; None: a file does not hold its Python functions.
    members : What varies.
    table : The results.
    head : What the file of the ensemble says of it.
    note : How many members ran in lanes, how long it took, and what else there is to know.

    >>> s = ps.scenario("double-pendulum")
    >>> e = ps.ensemble(s, vary={"start.upper.angle": [0.5, 1.0, 1.5]}, method="rk4", step=0.01, until=1.0)
    >>> e
    Ensemble(3 members, 0 failed)
    >>> run = e.rerun(1)
    >>> bool((run.final.q == e.final_q[1]).all())
    True
    """

    def __init__(
        self, problem: Problem | None, members: Members, table: Table, head: Mapping[str, Any], note: str = ""
    ) -> None:
        self._problem, self._members, self._table, self._head = problem, members, table, head
        self.note = note

    def __repr__(self) -> str:
        rest = len(self._table.rest)
        more = f", {rest} not run" if rest else ""
        return f"Ensemble({len(self)} members, {len(self.failed)} failed{more})"

    def __len__(self) -> int:
        return self._members.count

    @property
    def interrupted(self) -> bool:
        """True if members were not run: by Ctrl-C, or the file is that of a sweep that was killed."""
        return len(self._table.rest) > 0

    @property
    def failed(self) -> dict[int, str]:
        """Members that failed, with the reason, by number."""
        return {member: self._table.failed[member] for member in sorted(self._table.failed)}

    @property
    def final_q(self) -> Array:
        """Coordinates at the end, shape (members, nq); NaN where a member failed."""
        return self._column("final_q", 0)

    @property
    def final_v(self) -> Array:
        """Velocities at the end, shape (members, nv); NaN where a member failed."""
        return self._column("final_v", 1)

    @property
    def final_time(self) -> Array:
        """Times of the final states, shape (members,) [s]; NaN where a member failed."""
        return self._column("final_time", None)

    def _column(self, name: str, which: int | None) -> Array:
        found = self._table.columns.get(name)
        if found is None:  # every member failed
            size = () if which is None else (self._lengths[which],)
            return np.full((len(self), *size), np.nan)
        return found

    @property
    def _lengths(self) -> tuple[int, int]:
        return (0, 0) if self._problem is None else self._problem.base.mechanism.lengths

    @property
    def names(self) -> list[str]:
        """Names of the results, for `e[name]`."""
        return sorted(self._table.columns)

    def __getitem__(self, name: str) -> Array:
        """Return a result by name, members first; NaN where a member failed."""
        if not isinstance(name, str) or name not in self._table.columns:
            hint = suggestion(name, self.names) or f": there is {', '.join(self.names)}"
            raise ScenarioError(f"ensemble: unknown result {show(name)}{hint}")
        return self._table.columns[name]

    @property
    def values(self) -> dict[str, Any]:
        """What varies: values by path, or `time`, `q` and `v` of the starts, members first."""
        return dict(self._members.columns)

    def rerun(self, member: int, every: int | None = None) -> Run:
        """Run a member again and return its Run, with the bits that it had in the ensemble.

        Parameters
        ----------
        member : Its number.
        every : Steps between two samples.  Default: those of the ensemble, or each step.
        """
        if not isinstance(member, int | np.integer) or isinstance(member, bool):
            raise ScenarioError(f"member must be a whole number, got {show(member)}")
        if not 0 <= member < len(self):
            raise ScenarioError(f"there is no member {member}: they are counted from 0 to {len(self) - 1}")
        if self._problem is None:
            raise ArchiveError(
                "the file of the ensemble does not hold its Python functions: call ps.ensemble again with "
                "archive=, which computes nothing twice"
            )
        return self._problem.case(self._members, int(member)).run(every)

    def dataset(self) -> Any:
        """Return all results as an xarray Dataset with the dimension `member` (extra `files`).

        What varies are coordinates; a member that failed has NaN, `failed` and its `reason`.
        """
        try:
            import xarray
        except ImportError:
            raise ModelError("dataset needs xarray: pip install 'poinsot[files]'") from None
        count, table = len(self), self._table
        reasons = np.array([table.failed.get(k, "") for k in range(count)], dtype=np.str_)
        data: dict[str, Any] = {
            "failed": ("member", np.isin(np.arange(count), [*table.failed])),
            "reason": ("member", reasons),
        }
        coordinates: dict[str, Any] = {"member": np.arange(count), **self._labels()}
        for path, one in self._members.columns.items():
            name = f"start_{path}" if self._members.starts else path
            values = np.asarray(one) if not isinstance(one, list) else _plain(one)
            named = {"start_q": "coordinate", "start_v": "rate"}.get(name)
            own = tuple(f"{name}.{k}" for k in range(values.ndim - 1))
            coordinates[name] = (("member", *((named,) if named else own)), values)
        times = table.columns.get("time")
        same = times is not None and bool(((times == times[:1]) | np.isnan(times)).all()) and len(times)
        if times is not None and same:
            coordinates["time"] = ("time", np.nanmax(times, axis=0), {"long_name": "time [s]"})
        for name in sorted(table.columns):
            values = table.columns[name]
            if name == "time" and same:
                continue
            title = "sample_time" if name == "time" else name
            data[title.replace("/", "_")] = (("member", *self._axes(name, values)), values)
        return xarray.Dataset(data, coordinates, {"members": count, **self._head.get("versions", {})})

    def _axes(self, name: str, values: Array) -> tuple[str, ...]:
        """Return the names of the axes of a result, after that of the members."""
        last = (
            {"q": "coordinate", "v": "rate"}.get(name[-1:])
            if name.endswith(("_q", "_v")) or name in "qv"
            else None
        )
        if name == "time":
            return ("time",)
        if name in ("q", "v"):
            return "time", str(last)
        if last is not None and values.ndim == 2:
            return (last,)
        return tuple(f"{name}.{k}" for k in range(values.ndim - 1))

    def _labels(self) -> dict[str, Any]:
        """Return the names of coordinates and rates, if all members have the same."""
        if self._problem is None:
            return {}
        m, found = self._problem.base.mechanism, {}
        for axis, array, column in (("coordinate", "q", "final_q"), ("rate", "v", "final_v")):
            names = [one.label for one in columns_of(m) if one.array == array]
            if self._column(column, int(array == "v")).shape[1] == len(names):
                found[axis] = names
        return found

    def save(self, path: PathLike) -> Path:
        """Write the ensemble to a file at `path`; `ps.load` reads it.

        An existing file is replaced by a complete one only.
        """
        return journal.save(path, self._head, self._members, self._table)

    def to_netcdf(self, path: PathLike) -> Path:
        """Write the Dataset of `dataset` to a NetCDF file at `path`; return the path (extra `files`)."""
        whole, target, data = io.BytesIO(), file_path(path), self.dataset()
        try:
            data.to_netcdf(whole, engine="h5netcdf")
        except (ImportError, ValueError) as error:
            if importlib.util.find_spec("h5netcdf"):
                raise
            raise ScenarioError(
                f"NetCDF files need h5netcdf: pip install 'poinsot[files]' ({error})"
            ) from None
        with writing(target), replaced(target) as fresh:
            fresh.write_bytes(whole.getbuffer())
        return target

    def mean(self, name: str = "final_q") -> Array:
        """Return the mean of the result `name` over the members that did not fail.

        `failed` says who is not in it.
        """
        found: Array = self._good(name).mean(axis=0)
        return found

    def quantiles(self, name: str, levels: Any = (0.05, 0.25, 0.5, 0.75, 0.95)) -> Array:
        """Return quantiles of a result over the members that did not fail, levels first.

        Parameters
        ----------
        name : Name of the result, such as "final_q" or "q".
        levels : Levels between 0 and 1.
        """
        wanted = np.atleast_1d(checks.real(levels))
        if wanted.ndim != 1 or not ((wanted >= 0) & (wanted <= 1)).all():
            raise ScenarioError(f"levels must lie between 0 and 1, got {show(levels)}")
        found: Array = np.quantile(self._good(name), wanted, axis=0)
        return found

    def _good(self, name: str) -> Array:
        """Return a result of the members that did not fail."""
        good = self._good_members()  # whoever failed has no results
        found: Array = self[name][good]
        return found

    def _good_members(self) -> list[int]:
        """Return the numbers of the members that did not fail; at least one."""
        good = [int(k) for k in np.flatnonzero(self._table.done) if k not in self._table.failed]
        if not good:
            raise ScenarioError("every member of the ensemble failed: e.failed says why")
        return good

    def plot(self, kind: str = "fan", path: PathLike | None = None, *, of: str | None = None) -> Any:
        """Draw the ensemble and return the matplotlib Figure.

        Parameters
        ----------
        kind : "fan": samples of all members over time; "bands": their quantiles; "map": a result over two
            values of a grid, or one value; "parallel": values and a result of each member as a line.
        path : File to write the figure to: svg, png or pdf.  Default: no file.
        of : What is drawn: a coordinate such as "lower.angle", or a result.  Default: the first coordinate.
        """
        from poinsot.ensemble.figures import figure_of

        return figure_of(kind, self, of, path)

    def to_html(
        self,
        path: PathLike,
        members: int | Sequence[int] = SHOWN,
        *,
        title: str = "",
        notes: str = "",
        trail: "Trail" = None,
        ground: "Ground" = None,
    ) -> Path:
        """Write a page on which members move together: the first one solid, the others as glass.

        Returns the path of the page.  The members are run again.

        Parameters
        ----------
        path : File to write.
        members : Numbers of the members, the solid one first, or how many of those that did not fail.
        title, notes, trail, ground : As of `Run.to_html`.

        >>> s = ps.scenario("double-pendulum")
        >>> e = ps.ensemble(s, vary={"start.upper.angle": [1.0, 1.01, 1.02]}, step=0.01, until=1.0)
        >>> e.to_html("fan.html", members=[1, 0, 2]).name
        'fan.html'
        """
        from poinsot.view.page import to_html

        runs, look = self._crowd(members, trail, ground)
        return to_html(path, runs, title=title, notes=notes, look=look)

    def view(
        self,
        members: int | Sequence[int] = SHOWN,
        *,
        title: str = "",
        notes: str = "",
        trail: "Trail" = None,
        ground: "Ground" = None,
    ) -> "Page":
        """Write the page of `to_html` to a temporary folder, and open it in a browser if there is a desktop.

        Returns the page, as `Run.view` does.

        Parameters
        ----------
        members, title, notes, trail, ground : As of `to_html`.
        """
        from poinsot.view.page import view

        runs, look = self._crowd(members, trail, ground)
        return view(runs, title=title, notes=notes, look=look)

    def _crowd(self, members: Any, trail: "Trail", ground: "Ground") -> tuple[dict[str, Run], "Look"]:
        """Return the solid member by name, and how it is drawn: with the others."""
        from poinsot.view.look import Look

        if isinstance(members, int | np.integer):
            good = self._good_members()
            count = min(checks.whole("ensemble", "members", members, 1, MOST_SHOWN), len(good))
            numbers: list[Any] = [good[k * len(good) // count] for k in range(count)]
        else:
            numbers = checks.items("ensemble", "members", members, "numbers of members, or how many")
            checks.whole("ensemble", "the number of members", len(numbers), 1, MOST_SHOWN)
        for one in (x for x in numbers if isinstance(x, int)):
            if one in self.failed:
                raise ScenarioError(f"member {one} failed, it cannot be shown: {self.failed[one]}")
        solid, *rest = {f"member {one}": self.rerun(one) for one in numbers}.items()
        return dict([solid]), Look(trail, ground, crowd=dict(rest))

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism, with the values of no member."""
        if self._problem is None:
            raise ArchiveError("the file of the ensemble does not hold its Python functions")
        return self._problem.base.mechanism


def _plain(values: list[Any]) -> Any:
    """Return a list of values as an array: of numbers, else of texts."""
    try:
        found = np.array(values)
    except ValueError:
        found = np.array(list(map(str, values)))
    return found if found.dtype.kind in "biufU" else np.array(list(map(str, values)))
