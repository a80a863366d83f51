"""One algebra: functions of the same name agree, wherever they are."""

import ast
from importlib import import_module
from pathlib import Path

import numpy as np

import poinsot as ps

SOURCES = Path(ps.__file__).parent
NAMES = ("ad", "coad", "Ad", "coAd")


def definitions(name):
    """Modules of the package that define a function of this name."""
    for path in sorted(SOURCES.rglob("*.py")):
        tree = ast.parse(path.read_text())
        if any(isinstance(one, ast.FunctionDef) and one.name == name for one in tree.body):
            yield ".".join(path.relative_to(SOURCES.parent).with_suffix("").parts)


def matrix(module, name, x):
    """The 6x6 matrix of a function: it takes a twist or pose and a twist, or a twist or pose alone."""
    f, eye = getattr(import_module(module), name), np.eye(6)
    if not module.startswith("poinsot.core."):
        return np.asarray(f(x))
    flat = lambda y: (tuple(y[:3].tolist()), tuple(y[3:].tolist()))  # noqa: E731
    first = (tuple(x[:3, :3].ravel().tolist()), tuple(x[:3, 3].tolist())) if x.ndim == 2 else flat(x)
    return np.array([np.concatenate(f(first, flat(column))) for column in eye]).T


def test_all_definitions_agree():
    """A second `coad` with the opposite sign stood in the laws of controllers."""
    random = np.random.default_rng(1)
    x, pose = random.normal(size=6), np.eye(4)
    pose[:3, :3], pose[:3, 3] = ps.so3.exp(random.normal(size=3)), random.normal(size=3)
    eye = np.eye(6)
    wanted = {
        "ad": np.array([ps.se3.ad(x, e) for e in eye]).T,
        "Ad": np.array([ps.se3.Ad(pose, e) for e in eye]).T,
    }
    wanted["coad"], wanted["coAd"] = wanted["ad"].T, wanted["Ad"].T
    public = np.array([ps.se3.coad(x, e) for e in eye]).T
    assert np.abs(public - wanted["coad"]).max() < 1e-15
    found = {name: [module for module in definitions(name) if ".so3" not in module] for name in NAMES}
    assert "poinsot.core.lie.se3" in found["coad"]
    for name, modules in found.items():
        for module in modules:
            if module.startswith("poinsot.lie"):
                continue  # the public ones, above
            here = pose if name in ("Ad", "coAd") else x
            assert np.abs(matrix(module, name, here) - wanted[name]).max() < 1e-14, f"{module}.{name}"
