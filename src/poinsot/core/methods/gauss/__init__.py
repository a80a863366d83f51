"""The Gauss methods, by fixed-point iteration or a simplified Newton method."""
