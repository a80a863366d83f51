"""Every key and value of a TOML text has its place."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from poinsot.formats.scenario_file.places import Places

TEXT = '''# comment
title = "a # b"
"q.r".s = [1, 2, # ]
  [3, {k = "}", 'z y' = 1}],
]
[[bodies]]
name = 'a'
[[bodies.parts]]
long = """a
"" b""""
[[bodies]]
name = "\\u0062"
[bodies.sub.deeper]
r = 1979-05-27T07:32:00 # day
'''


def paths(value, path=()):
    """Yield the paths of all values."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        yield from paths(one, (*path, key))


def test_every_value_has_its_place():
    found = Places(TEXT)
    assert set(paths(tomllib.loads(TEXT))) <= {*found.keys, *found.values}
    assert found.key(("title",)) == (2, 1)
    assert found.value(("title",)) == (2, 9)
    assert found.value(("q.r", "s", 2, 1, "z y")) == (4, 25)
    assert found.value(("bodies", 0, "parts", 0, "long")) == (9, 8)
    assert found.key(("bodies", 1, "name")) == (12, 1)
    assert found.value(("bodies", 1, "sub", "deeper", "r")) == (14, 5)
    assert found.key(("bodies", 1, "mass")) == (11, 1)  # missing: its table


words = st.text("ab c.#\"'\\=[]{}\n\té", min_size=0, max_size=6)
values = st.recursive(
    st.one_of(st.integers(-9, 9), st.booleans(), st.floats(-9, 9), words),
    lambda one: st.one_of(st.lists(one, max_size=3), st.dictionaries(words, one, max_size=3)),
    max_leaves=8,
)


@given(
    st.dictionaries(words, values, max_size=4),
    st.lists(st.dictionaries(words, values, max_size=3), max_size=3),
)
def test_random_documents(data, tables):
    from poinsot.formats.scenario_file.writing import table

    text = table("", data) + "".join(table("[[many.'x y']]", one) for one in tables if "many" not in data)
    found = Places(text)
    assert set(paths(tomllib.loads(text))) <= {*found.keys, *found.values}
    for path, at in found.values.items():
        assert text[at] not in " \n=", path
