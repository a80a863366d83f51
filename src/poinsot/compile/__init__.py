"""From a mechanism to the numbers of the core: the only bridge between `model` and `core`."""
