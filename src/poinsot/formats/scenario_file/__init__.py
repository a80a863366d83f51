"""Scenario files (TOML): fields, reading with all mistakes at once, building, writing, the schema for editors."""
