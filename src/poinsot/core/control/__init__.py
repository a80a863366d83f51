"""Control laws as kernels on named records: Python and the time loops call the same entries."""
