"""All methods, in the order in which `ps.methods()` lists them.  Kernels: a file or folder a family."""

from poinsot.core.methods.method import Method
from poinsot.core.methods.records import ONE_BODY, TREES

ALL: tuple[Method, ...] = (*ONE_BODY, *TREES)
