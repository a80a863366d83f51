"""The moving-frame thesis (undated): N-body pendulums with quaternions and Gauss-Legendre methods."""
