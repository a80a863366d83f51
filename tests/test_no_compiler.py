"""What needs no compiler does not load one: `import poinsot`, models, records of methods, files, and lists.

Seconds are not tested (see bench/start.py): what costs them is the modules that are imported.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import poinsot as ps

HEAVY = {"numba", "llvmlite", "scipy", "matplotlib", "xarray", "h5py", "importlib.metadata", "tqdm"}
DESCRIBED = """
import poinsot as ps
m = ps.Mechanism(gravity=(0, 0, -9.81))
m.add("arm", ps.Box((0.1, 0.1, 1.0)).body(density=1000), ps.Revolute((0, 1, 0)), body_at=(0, 0, 0.5))
m.add("bob", ps.Body(1.0, (1.0, 2.0, 2.5)), ps.Spherical(), parent="arm", at=(0, 0, -1))
m.apply(ps.Spring("world", "bob", 3.0, 1.0))
start = m.state({"arm": dict(angle=0.3)})
assert [method.name for method in ps.methods() if method.order == 8] and ps.scenario("fast-top").mechanism
"""


@pytest.fixture
def loaded(environment):
    """The modules that are imported when a script ends."""

    def run(script, cwd=None):
        script += "\nimport sys; print(*sys.modules)"
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return set(done.stdout.splitlines()[-1].split())

    return run


def of_command(line):
    """The script of a command, as the shell would call it, with a terminal for its messages."""
    return f"""
import contextlib, io, sys
sys.stderr.isatty = lambda: True
from poinsot.cli import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main({line.split()!r})
"""


def test_import_and_describing_a_model_need_no_compiler(loaded):
    assert not loaded(DESCRIBED) & HEAVY
    ours = {name for name in loaded("import poinsot") if name.startswith("poinsot.")}
    assert ours == {"poinsot.ensemble", "poinsot.gallery", "poinsot.scenario", "poinsot.version"}
    assert "numpy" not in loaded("import poinsot")
    ours = {name for name in loaded(DESCRIBED) if name.startswith("poinsot.")}
    compiled = {name for name in ours if name.startswith(("poinsot.core.", "poinsot.compile."))}
    assert compiled == {
        "poinsot.compile.catalogue",
        "poinsot.core.methods",
        "poinsot.core.methods.method",
        "poinsot.core.methods.parts",
        "poinsot.core.methods.parts.coefficients",
        "poinsot.core.methods.records",
    }


@pytest.mark.parametrize(
    "line", ["methods", "methods --json", "gallery", "cite nmb", "--help", "--version", "warm --help"]
)
def test_commands_that_list_need_no_compiler(loaded, line):
    assert not loaded(of_command(line)) & HEAVY


def test_the_doctor_needs_no_compiler(loaded):
    assert not loaded(of_command("doctor")) & {"numba", "llvmlite", "scipy"}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive") / "nut.poinsot"
    s = ps.scenario("dzhanibekov")
    ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0, archive=path)
    return path


def test_reading_a_file_needs_no_compiler(loaded, archive):
    script = f"import poinsot as ps; run = ps.load({str(archive)!r}); assert run.method.order == 4"
    assert not loaded(script) & {"numba", "llvmlite"}


@pytest.mark.parametrize("line", ["view {} --out page.html", "export {} --html page.html --csv table.csv"])
def test_showing_a_file_compiles_nothing(loaded, archive, line):
    """The sums over the bodies are compiled: their kernels come from the wheel, or from the cache."""
    run = ps.load(archive)
    run.to_html(archive.parent / "here.html")
    assert len(run.angular_momentum) == len(run.time)
    script = of_command(line.format(archive)) + "from poinsot.core import kernel_cache\n"
    loaded(script + "assert not kernel_cache.compiled, kernel_cache.compiled", cwd=archive.parent)
    assert (archive.parent / "page.html").stat().st_size > 1000


def test_a_compiler_would_be_seen(loaded):
    assert loaded("import poinsot as ps; ps.so3") >= {"numba", "llvmlite"}


def test_names_that_are_imported_later_are_those_of_the_type_checker():
    tree = ast.parse(Path(ps.__file__).read_text())
    typed = next(node for node in tree.body if isinstance(node, ast.If))
    said = {alias.asname: node.module for node in typed.body for alias in node.names}
    assert said == ps._LATER
    assert all(alias.name == alias.asname for node in typed.body for alias in node.names)


def test_names_that_are_imported_later_are_names_of_the_package():
    space = {}
    exec("from poinsot import *", space)
    assert {*ps._LATER, "Body", "gallery"} <= set(space)
    assert {*ps._LATER, "Body", "gallery", "__version__"} <= set(dir(ps))
    with pytest.raises(AttributeError, match="module 'poinsot' has no attribute 'simulat'"):
        ps.simulat  # noqa: B018
    for name in ("__main__", "a.b", ""):
        with pytest.raises(AttributeError, match=f"module 'poinsot' has no attribute '{name}'"):
            getattr(ps, name)


def test_modules_are_names_of_the_package(loaded):
    loaded("import poinsot as ps; assert ps.errors.ModelError is ps.ModelError")


def test_a_name_is_not_hidden_by_the_folder_of_the_same_name(loaded):
    script = "import poinsot.scenario.compare, poinsot as ps; assert ps.gallery()[0] and callable(ps.compare)"
    loaded(script)


def test_with_the_compiler_come_all_functions_that_replace_those_of_numba(loaded):
    """Kernels are imported one by one: their bits must not depend on what else is imported."""
    numbers = {f"poinsot.core.numbers.{name}" for name in ("functions", "mathematics", "products")}
    for module in ("core.numbers.rows", "core.lie.so3", "core.body.time_loop", "core.tree.time_loop"):
        assert numbers <= loaded(f"import poinsot.{module}")
