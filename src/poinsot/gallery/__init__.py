"""The gallery: ready-made scenarios by name, and the experiments of the papers."""

from poinsot.gallery.compare import compare
from poinsot.gallery.reproduction import reproduce
from poinsot.gallery.scenario import Scenario, gallery, scenario

__all__ = ["Scenario", "compare", "gallery", "reproduce", "scenario"]
