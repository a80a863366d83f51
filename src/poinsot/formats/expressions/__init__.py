"""The expression language of scenario files: grammar, meaning, and translation from Python functions."""
