"""What is wrong with a model file: findings by level, place, line and rule."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from poinsot.errors import ModelError

Level = Literal["error", "warning", "remark"]
LEVELS: tuple[Level, ...] = ("error", "warning", "remark")


@dataclass(frozen=True)
class Finding:
    """What `ps.check` found at a place of a model file.

    Attributes
    ----------
    level : "error" (it cannot be simulated as it stands), "warning" (it is likely wrong) or "remark".
    where : the element, such as "link 'arm'".
    line : line of the file; 0 if it is not known.
    rule : name of the rule, such as "triangle".
    message : what is wrong, with the numbers, and what to do.
    file : the file.
    """

    level: Level
    where: str
    line: int
    rule: str
    message: str
    file: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.level}: {self.where}: {self.message} [{self.rule}]"


def raise_errors(findings: Iterable[Finding]) -> None:
    """Raise a ModelError for the first error, if there is one."""
    errors = [one for one in findings if one.level == "error"]
    if errors:
        one = errors[0]
        place = f"{one.file}:{one.line}" if one.line else one.file
        more = f" ({len(errors) - 1} more: poinsot check {one.file})" if len(errors) > 1 else ""
        raise ModelError(f"{place}: {one.where}: {one.message}{more}")
