"""The description of the interface. Verdicts and audits are described by the schemas that the package publishes."""

from __future__ import annotations

from typing import Any, Final

from viscritic.audit.document import audit_schema
from viscritic.verdict import verdict_schema

_COMPONENTS: Final = "#/components/schemas/"
ERROR: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "additionalProperties": False,
            "required": ["type", "message", "field"],
            "properties": {
                "type": {"type": "string", "description": "ScreenError, ActionError, ...: the package's own errors."},
                "message": {"type": "string", "description": "What is wrong, and the way out."},
                "field": {"type": ["string", "null"], "description": "The part of the request that is to blame."},
            },
        }
    },
}
_REFUSALS: Final = {
    "401": "The token is missing or wrong.",
    "408": "The body took too long to arrive.",
    "413": "The body is too large.",
    "422": "The request cannot be understood; the error names the field.",
    "429": "The server is busy: try again after the seconds of Retry-After.",
}


def published(name: str) -> dict[str, Any]:
    """A response's content that has one of the published schemas."""
    return {"content": {"application/json": {"schema": {"$ref": _COMPONENTS + name}}}}


def refusals() -> dict[int | str, dict[str, Any]]:
    """The errors that every route may answer with."""
    return {status: {"description": text} | published("Error") for status, text in _REFUSALS.items()}


def add_schemas(description: dict[str, Any]) -> dict[str, Any]:
    """The description with the published schemas among its components."""
    schemas = description.setdefault("components", {}).setdefault("schemas", {})
    schemas["Verdict"] = _moved(verdict_schema(), "Verdict")
    schemas["Audit"] = _moved(audit_schema(), "Audit")
    schemas["Error"] = ERROR
    for name in ("HTTPValidationError", "ValidationError"):  # the framework's own form of errors, never sent
        schemas.pop(name, None)
    description["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    description["security"] = [{}, {"token": []}]
    return description


def _moved(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """A schema whose references hold where it now stands."""
    moved: dict[str, Any] = _rewritten(schema, f"{_COMPONENTS}{name}/$defs/")
    return {key: value for key, value in moved.items() if key not in ("$schema", "$id")}


def _rewritten(value: Any, place: str) -> Any:
    if isinstance(value, dict):
        return {
            key: item.replace("#/$defs/", place) if key == "$ref" else _rewritten(item, place)
            for key, item in value.items()
        }
    return [_rewritten(item, place) for item in value] if isinstance(value, list) else value
