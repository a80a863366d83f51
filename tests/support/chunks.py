"""Chunks of a run that do not depend on the speed of the machine."""

from poinsot.simulation import driver


class Always:
    """In the place of `driver.Chunk`: every chunk has so many steps."""

    def __init__(self, steps):
        self.steps, self.over = steps, True

    def count(self, steps, short):
        assert 0 < steps <= self.steps, "a chunk is longer than wanted"


def chunks_of(monkeypatch, steps):
    """Every chunk of the runs that follow has (at most) so many steps."""
    monkeypatch.setattr(driver, "Chunk", lambda bodies: Always(steps))
