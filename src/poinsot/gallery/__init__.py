"""The gallery: scenarios by name, and experiments of papers."""

from poinsot.gallery.compare import compare
from poinsot.gallery.reproduction import reproduce
from poinsot.gallery.scenario import Scenario, gallery, scenario

__all__ = ["Scenario", "compare", "gallery", "reproduce", "scenario"]
