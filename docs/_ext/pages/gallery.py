"""The gallery: a page for each scenario and demonstration, with a picture and an interactive page."""

import re
import tempfile
import warnings
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import poinsot as ps
from pages import picture
from pages.markdown import escape, fence, table
from poinsot.gallery.demonstrations import DEMONSTRATIONS, write_demonstration
from poinsot.scenario.archives import run_for_page

FOLDER = "gallery"
MOST = 16_000  # samples of all bodies together on a page
PAGE = (
    '```{{raw}} html\n<iframe class="run" src="{name}.view.html" title="{name}" loading="lazy"></iframe>\n'
    '<p><a href="{name}.view.html">Open the page alone</a></p>\n```'
)


@lru_cache(maxsize=1)
def scenario(name: str) -> Any:
    """Return a scenario; a body that cannot be real is explained in its notes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.PhysicsWarning)
        return ps.scenario(name)


@lru_cache(maxsize=1)
def shown(name: str) -> tuple[Any, str]:
    """Return the run of a scenario as its page shows it, and what is said about it."""
    s = scenario(name)
    steps = s.until / s.step
    every = max(s.every, int(steps * len(s.mechanism.links) / MOST))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.poinsot")
        ps.simulate(
            s.mechanism, s.start, s.method, step=s.step, until=s.until, every=every, controller=s.controller,
            events=s.events, archive=path, progress=False,
        )  # fmt: skip
        return _load(path)


def _load(path: Path) -> tuple[Any, str]:
    """Return the run in an archive for its page."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.PhysicsWarning)
        return run_for_page(path)


def pages(home: Path | None = None, out: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield path and text of each page; with folders, run each scenario, draw it and write its page."""
    cards = []
    for name in ps.gallery():
        cards.append(_card(name, scenario(name).title, f"{name}.png"))
        if home is not None and out is not None:
            _show(name, home / FOLDER, out / FOLDER)
        yield f"{FOLDER}/{name}.md", _page(name, home is not None)
    for name, one in DEMONSTRATIONS.items():
        text = [f"# {escape(one.title)}", escape(one.notes), PAGE.format(name=name)]
        text += [f"`poinsot gallery {name} --out FILE` writes this page."]
        yield f"{FOLDER}/{name}.md", "\n\n".join(text) + "\n"
        if out is not None:
            write_demonstration(name, out / FOLDER / f"{name}.view.html")
    demonstrations = "\n".join(f"- [{escape(one.title)}]({name}.md)" for name, one in DEMONSTRATIONS.items())
    listed = "\n".join([*ps.gallery(), *DEMONSTRATIONS])
    yield (
        f"{FOLDER}/index.md",
        f"# Gallery\n\n{len(cards)} scenarios. Each runs with `poinsot run NAME`, moves under your hands "
        "with `poinsot live NAME`, and is `ps.scenario(name)` in Python. Pictures and pages are made when "
        "this site is built.\n\n"
        f"::::{{grid}} 1 2 3 3\n:gutter: 2\n\n{''.join(cards)}::::\n\n"
        f"## Demonstrations\n\nPages without a run, on which sliders move a picture.\n\n{demonstrations}\n\n"
        f"```{{toctree}}\n:hidden:\n{listed}\n```\n",
    )


def _show(name: str, pictures: Path, views: Path) -> None:
    """Draw the picture of a scenario, and write its interactive page."""
    run, notes = shown(name)
    pictures.mkdir(parents=True, exist_ok=True)
    picture.draw(run).savefig(pictures / f"{name}.png", dpi=110, transparent=True)
    title, command = scenario(name).title, f"poinsot run {name}"
    run.to_html(views / f"{name}.view.html", title=title, notes=notes, command=command)


def _card(name: str, title: str, image: str) -> str:
    return (
        f":::{{grid-item-card}} {escape(title)}\n:link: {name}\n:link-type: doc\n:img-top: {image}\n:::\n\n"
    )


def _page(name: str, draw: bool) -> str:
    """Return the page of a scenario."""
    s = scenario(name)
    facts = {
        "bodies": str(len(s.mechanism.links)),
        "loops": str(len(s.mechanism.loops)),
        "degrees of freedom of the tree": str(s.mechanism.lengths[1]),
        "method": shown(name)[0].method.label if draw else s.method,
        "step": f"{s.step:g} s",
        "until": f"{s.until:g} s",
    }
    parts = [
        f"# {escape(s.title)}",
        escape(s.notes),
        f"```{{image}} {name}.png\n:alt: {name}\n:width: 340px\n```",
        PAGE.format(name=name),
    ]
    parts += [fence(f"poinsot run {name}\npoinsot live {name}", "console")]
    parts += [fence(f's = ps.scenario("{name}")\nrun = ps.simulate({_arguments(s)})\nrun.view()', "py")]
    parts += [table(("", ""), facts.items()), "## The mechanism", fence(str(s.mechanism))]
    if draw:
        run, notes = shown(name)
        report = re.sub(r", [\d.e+-]+ s$", "", str(run.report()))
        parts += [
            "## What a run reports",
            *([escape(notes)] if notes and notes != s.notes else []),
            fence(report),
        ]
    source = files("poinsot.gallery").joinpath(f"{name}.toml")
    if source.is_file():
        parts += ["## The scenario file", fence(source.read_text(encoding="utf-8").strip(), "toml")]
    return "\n\n".join(parts) + "\n"


def _arguments(s: Any) -> str:
    """Return the arguments of `ps.simulate` for a scenario, as text."""
    more = (", controller=s.controller" if s.controller else "") + (", events=s.events" if s.events else "")
    return f"s.mechanism, s.start, s.method, step=s.step, until=s.until{more}"
