"""Pages that are made at build: each module has `pages()`, which yields where a page stands and its Markdown.

They need no Sphinx, so that tests look at them without it; `generated.py` writes them into docs/.
"""
