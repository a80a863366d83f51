"""All methods, in the order in which `ps.methods()` lists them.  Kernels: one file or folder each."""

from poinsot.core.methods.method import Method
from poinsot.core.methods.records import one_body, trees

ALL: tuple[Method, ...] = (*one_body.METHODS, *trees.METHODS)
