"""Interrupt signals that a run defers, for the Python functions that its compiled time loop calls.

A run reads them at the end of each chunk of steps.  A chunk that waits for slow Python functions may take
minutes: such a function is not called any more once a signal has arrived, but raises it (once for each
signal, so that the good steps before it can be made again).
"""

import signal
import threading


class Terminated(KeyboardInterrupt):
    """The process was asked to end by SIGTERM."""


class Deferred:
    """The signals that have arrived since a run defers them; None: no run does."""

    arrived: list[int] | None = None
    raised = 0  # of them


deferred = Deferred()


def raise_signal(fault: BaseException | None) -> None:
    """Raise KeyboardInterrupt, or Terminated, if a new signal has arrived (in the main thread).
    Raise the `fault` of an earlier call again if it ends the program: what follows it is not wanted."""
    if fault is not None and not isinstance(fault, Exception):
        raise fault
    arrived = deferred.arrived
    if arrived and len(arrived) > deferred.raised and threading.current_thread() is threading.main_thread():
        deferred.raised = len(arrived)
        raise interrupt(arrived)


def interrupt(arrived: list[int]) -> KeyboardInterrupt:
    """Return what these signals raise."""
    return Terminated() if signal.SIGTERM in arrived else KeyboardInterrupt()
