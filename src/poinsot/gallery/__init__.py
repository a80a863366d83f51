"""The gallery: scenarios by name, and experiments of papers."""

from poinsot.gallery.archived import replay, resume
from poinsot.gallery.compare import compare
from poinsot.gallery.files import to_toml
from poinsot.gallery.reproduction import reproduce
from poinsot.gallery.scenario import Scenario, gallery, scenario

__all__ = ["Scenario", "compare", "gallery", "replay", "reproduce", "resume", "scenario", "to_toml"]
