"""The docs site: Sphinx, MyST, furo.  `make docs` builds it from what is installed, and fetches nothing."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))

from poinsot.version import __version__  # noqa: E402

project = "Poinsot"
author = "the authors of Poinsot"
version = release = __version__
language = "en"

extensions = [
    "myst_nb",  # Markdown, and notebooks that are executed
    "sphinx_design",
    "generated",  # from here on, our own: docs/_ext
    "mathematics",
]
exclude_patterns = ["_ext", "figures"]
nitpicky = False

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4

nb_execution_mode = "auto"  # a notebook is stored without outputs and runs at build
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True

html_theme = "furo"
html_title = f"Poinsot {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "katex"
html_copy_source = html_show_sourcelink = False
html_show_sphinx = html_show_copyright = False
pygments_style, pygments_dark_style = "friendly", "monokai"
python_maximum_signature_line_length = 88
