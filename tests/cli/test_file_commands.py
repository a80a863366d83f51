"""`poinsot new`, `check`, `schema`, `run my.toml`, `resume` and `replay`."""

import json

import pytest

import poinsot as ps
from poinsot.cli import main


def called(words, capsys):
    """Return exit code, stdout and stderr of a command."""
    with pytest.raises(SystemExit) as end:
        main([str(word) for word in words])
    said = capsys.readouterr()
    return end.value.code or 0, said.out, said.err


def test_a_new_file_is_checked(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert called(["new", "my.toml"], capsys)[0] == 0
    code, _, said = called(["new", "my.toml"], capsys)
    assert (code, "the file exists" in said) == (2, True)
    code, out, _ = called(["check", "my.toml"], capsys)
    assert (code, out) == (0, "my.toml: no mistakes: 2 bodies, 2 forces, 0 loops, method gauss3\n")


def test_a_file_is_run_resumed_and_replayed(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = ps.to_toml(ps.scenario("soft-wall", step=0.005))
    (tmp_path / "my.toml").write_text(text.replace("step =", "every = 2\nstep ="))
    code, out, _ = called(["run", "my.toml", "--until", "0.1", "--out", "run", "--json"], capsys)
    assert code == 0
    first = json.loads(out)
    assert (first["steps"], first["samples"]) == (20, 11)  # every = 2 in the file
    code, out, _ = called(["resume", "run", "--until", "0.2", "--json"], capsys)
    assert (code, json.loads(out)["steps"]) == (0, 40)
    code, whole, _ = called(["run", "my.toml", "--until", "0.2", "--json"], capsys)
    assert json.loads(out)["final"] == json.loads(whole)["final"]
    assert called(["resume", "run"], capsys)[0] == 0
    assert called(["replay", "run"], capsys)[:2] == (0, "identical: 21 samples have the same bits\n")
    code, out, _ = called(["replay", "run", "--json"], capsys)
    assert json.loads(out)["identical"] is True
    assert ps.load("run").final.time == pytest.approx(0.2)


def test_check_tells_all_mistakes_and_ends_with_one(tmp_path, capsys):
    path = tmp_path / "my.toml"
    path.write_text("step = 'x'\nuntil = 1\n[[bodies]]\nnmae = 'a'\n")
    code, out, err = called(["check", path], capsys)
    assert code == 1
    assert out.splitlines() == [
        f"{path}:1:8: step: 'x' is not a number with a unit, such as '1.5 s'",
        f"{path}:3:1: bodies.0.joint: is missing",
        f"{path}:3:1: bodies.0.name: is missing",
        f"{path}:4:1: bodies.0.nmae: not known, did you mean 'name'?",
    ]
    assert err == "4 mistakes\n"
    assert called(["run", path], capsys)[0] == 2
    assert called(["check", tmp_path / "no.toml"], capsys)[0] == 1


def test_the_schema_is_json(capsys):
    code, out, _ = called(["schema"], capsys)
    assert code == 0
    assert json.loads(out)["properties"]["bodies"]["type"] == "array"


def test_a_replay_that_differs_ends_with_one(tmp_path, capsys):
    """The archive says another method than it was computed with: the bits cannot be the same."""
    s = ps.scenario("fast-top")
    path = tmp_path / "run"
    ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=20, archive=path)
    from attacks.odd_archives import archive
    from poinsot.run.archive.blocks import blocks

    (_, header), *rest = blocks(path)
    changed = header.replace(b'"method": "srkn4"', b'"method": "nmb"')
    parts = [("H", changed), *rest]
    path.write_bytes(archive(parts))
    code, out, _ = called(["replay", path], capsys)
    assert code == 1
    assert "differs from step 1 on (t = 0.01)" in out
