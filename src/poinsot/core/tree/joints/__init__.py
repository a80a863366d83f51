"""Joints, one file for each kind; `joint.py` defines their interface, `table.py` dispatches to them."""
