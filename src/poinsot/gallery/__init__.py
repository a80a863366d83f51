"""The gallery: ready-made scenarios by name."""

from poinsot.gallery.scenario import Scenario, gallery, scenario

__all__ = ["Scenario", "gallery", "scenario"]
