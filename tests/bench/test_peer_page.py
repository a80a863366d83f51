"""The page of peers is written from its numbers, says why Poinsot is not first, and shows no drift of it."""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest

BENCH = Path(__file__).parents[2] / "bench"


def module(name):
    """A file of bench/, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"bench_{Path(name).stem}", BENCH / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


page, rows = module("peer_page/page"), module("peer_page/rows")
NUMBERS = json.loads(page.RESULTS.read_text(encoding="utf-8"))


def test_the_page_is_what_its_numbers_say():
    assert page.PAGE.read_text(encoding="utf-8") == page.page()


def test_no_energy_of_poinsot_drifts():
    ours = [row["energy"] for row in NUMBERS["drift"] if row["engine"].startswith("Poinsot")]
    assert len(ours) == 2
    assert all(len(row) == 6 and max(map(abs, row.values())) < 1e-9 for row in ours)
    others = [x for row in NUMBERS["drift"] for x in row["energy"].values()]
    assert max(map(abs, others)) > 0.1, "the table can show a drift"


def test_a_row_says_first_or_why_not():
    said = [page.reason(name, row) for name, one in NUMBERS["tables"].items() for row in one["rows"]]
    assert said
    assert all(text == "first" or ": " in text for text in said)
    slow = {"case": "6R arm: energy", "ours": 2.0, "others": {"a": 1.0, "b": 3.0, "c": None}}
    assert page.reason("calls", slow) == "behind a: the call is checked"
    assert page.reason("step", {**slow, "ours": 0.5}) == "first"


def test_a_ratio_is_above_one_where_the_other_is_slower():
    assert [page.ratio(*pair) for pair in ((3.0, 2.0), (1.0, 4.0), (50.0, 1.0), (None, 1.0))] == [
        "1.50",
        "0.25",
        "50",
        "not reached",
    ]


def test_rows_go_into_one_file(tmp_path, monkeypatch):
    file = tmp_path / "new" / "numbers.json"
    rows.record("a", [])  # no file is wanted
    monkeypatch.setattr(sys, "argv", ["bench", "--json", str(file)])
    rows.record("a", [rows.row("x", 1.0, {"peer": 2.0})])
    rows.record("b", [])
    rows.record("a", [rows.row("y", 1.0, {}, "rk4")])
    found = json.loads(file.read_text())["tables"]
    assert found == {"a": {"rows": [rows.row("y", 1.0, {}, "rk4")]}, "b": {"rows": []}}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "near"), [("free body", 1e-8), ("four balls", 1e-3)])
def test_the_ensembles_of_mujoco_have_our_bodies_and_starts(kind, near, monkeypatch):
    """RK4 of MuJoCo converges to our members with its order."""
    pytest.importorskip("mujoco")
    monkeypatch.setattr(sys, "argv", ["bench"])
    monkeypatch.syspath_prepend(str(BENCH))
    bench = module("ensemble")
    m = bench.free_body() if kind == "free body" else bench.chain()
    q, v = bench.starts(m, 4)
    options = dict(step=0.002, until=2.0, workers=1, progress=False)
    exact = bench.ps.ensemble(m, starts=(q, v), method="gauss4" if len(m.links) > 1 else "exact", **options)
    first = bench.theirs(kind, q, v)
    errors = [bench.off(bench.rolled(kind, n, first)(), exact.final_q) for n in (400, 800)]
    assert errors[1] < near
    assert 3.5 < np.log2(errors[0] / errors[1]) < 4.5
