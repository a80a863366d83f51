"""The JSON schema of scenario files, for editors."""

from typing import Any

from poinsot.formats.scenario_file.fields import SCENARIO

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """Return the schema of scenario files."""
    return {"$schema": DRAFT, "title": "Poinsot scenario", **SCENARIO.schema()}
