"""Functions are called by verbs or nouns, and words that the house has left do not come back.

A participle as the name of a function (`kept`, `struck`, `told`) says neither what it does nor what it gives.
`ALLOWED` has those that are left, room by room; the list may only shrink.  Decorators and context managers
read well as participles (`@fused`, `with writing(path):`) and stand there for good.
"""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "poinsot"
IRREGULAR = (
    "begun born bought bound broken brought built caught chosen drawn driven fallen fed felt flown "
    "forgotten found frozen given gone grown held hidden kept known laid led left lost made met paid "
    "proven ridden risen said seen sent shot shown sought spent spoken spun stood struck stuck swept "
    "swung taken taught thought thrown told torn understood won worn woven written"
)
NOUNS = (
    "bearing building ceiling damping ending feed heading mapping meaning need nothing opening reading "
    "recording ring rounding seed setting spacing speed spring string thing timing wing"
)
OLD_WORDS = {  # of functions, classes and files: what to say instead
    "performed": "a verb",
    "kept": "cache",
    "told": "a verb",
    "struck": "apply_impulse",
    "room": "workspace",
    "dress": "style_axes",
    "settle": "verify",
}
ALLOWED = {
    "analytical": "checked trusted",
    "compile/functions": "_applied _called combined _compiled compiled differentiated given grouped holding "
    "_interpreted listed normalised returning viewed wrapped",
    "control": "_begun begun called _checked composed corrected _decided lagged _lasting _located matching "
    "_measured moved _moving moving _observed predicted sampled turning",
    "core": "called checked fused _given _interpreted reached replaced",
    "core/body": "aligned combined gained seen settled shifted spun turned",
    "core/control": "_limited moving tracking transported",
    "core/lie": "_coupling polished",
    "core/methods": "allowed articulated composed displaced forced generalised inverse_transposed kicked "
    "missed _mixed mixed moved opened _padded placed posed pulled pushed raised remembered rescaled "
    "returned rotated settling shared _summed summed turned twisted twisting untwisted "
    "weighted",
    "core/numba_parts": "_retargeted",
    "core/numbers": "left _shaped _typed typed",
    "core/solve": "_copied",
    "core/tree": "accelerated _compiled compiled linked loaded _moved placed received rotated seated _seeded "
    "seeded seen written",
    "elementary": "completed expm1_reduced filled _rotated scaled _wrapped",
    "formats": "replaced writing",
    "gallery": "turning",
    "lie": "described",
    "run": "_held _made",
    "scenario": "_listed named _written",
    "simulation": "_answered _checked _clipped _compiled _crossing _growing _leaving",
    "live": "connection_lost connection_made",  # of asyncio
    "model": "Rolling",
    "view": "_fixed fixed",
}
FILES = {
    "applied",
    "arm_tracking",
    "compiled",
    "held",
    "interpreted",
    "revolute_tracking",
    "stopping",
    "stored",
    "swing",
    "tracking",
    "tuning",
    "writing",
}


def participle(name: str) -> bool:
    """Return whether the last word of a name is a participle."""
    *before, last = name.strip("_").lower().split("_")
    if {"is", "are", "any", "never", "make", "if"} & {*before}:  # a question, or a verb
        return False
    return last in IRREGULAR.split() or (
        bool(re.fullmatch(r"\w{2,}(ed|ing)", last)) and last not in NOUNS.split()
    )


def functions(path: Path) -> list[ast.FunctionDef]:
    """Return the functions and methods of a file that are no properties."""
    found = [one for one in ast.walk(ast.parse(path.read_text())) if isinstance(one, ast.FunctionDef)]
    return [one for one in found if not any("property" in ast.unparse(two) for two in one.decorator_list)]


@cache
def participles() -> dict[str, set[str]]:
    """Return the names of functions that are participles, by room."""
    found = defaultdict(set)
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).parts
        room = "/".join(parts[: 2 if parts[0] in ("core", "compile") and len(parts) > 2 else 1])
        found[room] |= {one.name for one in functions(path) if participle(one.name)}
    return {room: names for room, names in found.items() if names}


def test_no_new_function_is_called_by_a_participle():
    known = {room: set(names.split()) for room, names in ALLOWED.items()}
    new = {room: names - known.get(room, set()) for room, names in participles().items()}
    assert not {room: names for room, names in new.items() if names}, "call it by a verb or a noun"


def test_the_list_of_participles_only_shrinks():
    found = participles()
    gone = {room: set(names.split()) - found.get(room, set()) for room, names in ALLOWED.items()}
    assert not {room: names for room, names in gone.items() if names}, "take them off the list"


def test_old_words_do_not_come_back():
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        names = [path.stem]
        for one in ast.walk(ast.parse(path.read_text())):
            if isinstance(one, ast.FunctionDef | ast.ClassDef):
                names.append(one.name)
        words = {(word, name) for name in names for word in re.split(r"_|(?<=[a-z])(?=[A-Z])", name)}
        found += [(str(path), name, OLD_WORDS[w.lower()]) for w, name in words if w.lower() in OLD_WORDS]
    assert not found


def test_files_are_nouns():
    stems = {path.stem for path in SOURCE.rglob("*.py") if participle(path.stem)}
    assert stems <= FILES, stems - FILES
