"""The bibliography that the citations of methods refer to."""

import re
from functools import cache
from importlib.resources import files


@cache
def bibliography() -> dict[str, str]:
    """Return the BibTeX entries of `references.bib` by citation key."""
    text = files("poinsot").joinpath("references.bib").read_text(encoding="utf-8")
    entries = [entry.strip() for entry in re.split(r"\n(?=@)", text) if entry.strip()]
    return {entry[entry.index("{") + 1 : entry.index(",")]: entry for entry in entries}
