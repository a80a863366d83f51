"""`python -m poinsot` is the command line."""

from poinsot.cli import main

if __name__ == "__main__":
    main()
