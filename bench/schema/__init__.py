"""JSON Schemas of every record, and the two validators that read them.

`jsonschema-rs` decides (about 250,000 rows/s); `jsonschema` then words what is wrong with the few rows it refuses.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).resolve().parent


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema of `annotation`, `corpus`, `run`, `atoms`, `source` or `votes`."""
    loaded: dict[str, Any] = json.loads((_FOLDER / f"{name}.schema.json").read_text("utf-8"))
    return loaded


@cache
def _fast(name: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(schema(name), validate_formats=True)


@cache
def _explaining(name: str) -> Any:
    import jsonschema

    validator = jsonschema.validators.validator_for(schema(name))
    return validator(schema(name), format_checker=validator.FORMAT_CHECKER)


def problems(name: str, record: object) -> list[str]:
    """Every way in which `record` breaks the schema, as `$.path: what is wrong`, in a stable order; [] where none."""
    if _fast(name).is_valid(record):
        return []
    found = sorted(
        f"{error.json_path}: {_short(error.message)}"
        for top in _explaining(name).iter_errors(record)
        for error in (top.context or [top])
    )
    return found or ["$: refused by the schema"]


def _short(message: str) -> str:
    return message if len(message) <= 300 else message[:297] + "..."
