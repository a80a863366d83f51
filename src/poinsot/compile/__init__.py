"""From a mechanism to the data of the core: the only bridge between `model` and `core`."""
