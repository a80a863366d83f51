"""The methods by name.  Their records need no compiler."""

from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError
from poinsot.model.checks import show, suggestion


def by_name(name: str) -> Method:
    """Return the method of this name; raise a ScenarioError that suggests a similar one."""
    if isinstance(name, str):
        for method in ALL:
            if method.name == name:
                return method
    names = [method.name for method in ALL]
    hint = suggestion(name, names) or f": one of {', '.join(names)}"
    raise ScenarioError(f"unknown method {show(name)}{hint}")


def methods() -> list[Method]:
    """Return the records of all methods.

    Returns
    -------
    list of Method
        One record per method: its name, order, scope, whether it is symplectic and reversible, what it keeps,
        and whether it keeps loops closed.

    Examples
    --------
    >>> import poinsot as ps
    >>> {method.name: method.order for method in ps.methods()}["srkn4"]
    4
    >>> [method.name for method in ps.methods() if method.loops and not method.variant]
    ['variational', 'variational_midpoint', 'variational4', 'variational6']
    """
    return list(ALL)
