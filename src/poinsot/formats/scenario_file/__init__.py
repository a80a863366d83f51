"""Scenario files (TOML): fields, reading with all mistakes at once, writing, the schema for editors."""
