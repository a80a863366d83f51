"""Control laws: tracking by least constraint, laws in joint coordinates, linear regulators."""
