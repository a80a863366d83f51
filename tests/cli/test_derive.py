"""`poinsot derive`."""

from click.testing import CliRunner

from poinsot.cli import commands


def derive(*arguments: str) -> str:
    found = CliRunner().invoke(commands, ["derive", *arguments])
    assert found.exit_code == 0, found.output
    return found.output


def test_derive() -> None:
    assert "Derivative(upper_angle(t), (t, 2))" in derive("double-pendulum")
    assert "void field(double t" in derive("double-pendulum", "--c")
    assert "def field(t, x, z):" in derive("double-pendulum", "--python")
    assert "\\begin{aligned}" in derive("double-pendulum", "--latex", "--keep", "gravity")
