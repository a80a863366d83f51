"""`python -m poinsot` is the command line."""

from poinsot.cli import main

main()
