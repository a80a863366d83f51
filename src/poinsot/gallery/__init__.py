"""The gallery: scenarios that are data in *.toml, those with Python functions in modules, and the papers.

A module has a `Recipe` for each of its scenarios in RECIPES.
"""

SEVERAL = {
    "chains": "coil-drop pendulum-4 pendulum-16 pendulum-16-damped pendulum-64 torsion-euler torsion-log "
    "torsion-trace",
    "disp4": "4disp-balance 4disp-swingup",
    "events": "bouncing-ball latch-release",
    "quadcopter": "quadcopter-flip quadcopter-loop quadcopter-recovery quadcopter-transitions",
    "tricopter": "tricopter-helix tricopter-transitions",
}
ONE = (  # a module each, of the same name
    "arm-free-base arm-tracking attitude-flip bicopter-circle cart-pole governor n-four-bar necklace "
    "planar-body pvtol revolute-tracking satellite-wheels scara slider-crank tricopter-load two-masses "
    "unicycle"
)
MODULES = {  # of scenarios: `ps.scenario` imports only the one that it needs
    **{name: module for module, names in SEVERAL.items() for name in names.split()},
    **{name: name.replace("-", "_") for name in ONE.split()},
}
