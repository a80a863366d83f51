"""Facts about all methods, without their kernels: reading them needs no compiler."""
