"""Which command of the shell is at work: archives and pages say how a run was made."""

from contextvars import ContextVar

command: ContextVar[str] = ContextVar("command", default="")
