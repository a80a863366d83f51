"""Shapes of bodies: solids with closed formulas, and meshes."""
