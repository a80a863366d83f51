"""Groups on tuples: one page each, the same verbs, generic over the number type."""
