"""Accuracy: reference solutions, work against precision, advice on method and step."""
