"""Accuracy: reference solutions, work-precision diagrams, advice on method and step."""
