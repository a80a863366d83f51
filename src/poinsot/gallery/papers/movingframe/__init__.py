"""The moving-frame thesis: N-body pendulums with quaternions and Gauss-Legendre methods."""
