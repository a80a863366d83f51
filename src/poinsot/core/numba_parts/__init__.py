"""All that touches internals of Numba and llvmlite: names, the target, kernel files, and a self-test."""
