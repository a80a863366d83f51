"""Elementary functions made of operations that IEEE 754 fixes, so that they have the same bits everywhere.

The C library and NumPy choose their code by the processor: with fused operations or without, in vectors of
this length or that, and the last bit differs.  Here every function consists of + - * / and square roots in a
fixed order, without a fused operation.  Errors are below 1 ulp; most are below 0.53 ulp.

One source serves floats and NumPy arrays in Python, and float64 and SIMD lanes in the compiled core
(`core.numbers.functions` compiles the primitives, the formulas are compiled as they stand): all have the same
bits.  Chain rules of dual numbers are in `core.numbers`.
"""
