"""Claims of the Poinsot documentation about its own methods."""
