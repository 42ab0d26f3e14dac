"""Import of ``.pm/config.json``, the settings of Semfora PM in a project."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rove_core import WrongCall, clean
from rove_memory.memory.redaction import without_secrets
from rove_memory.store.values import json_text

_SECRET: Final = re.compile(r"(?i)key$|token|secret|password|pat$")
#: Its settings that have the same name and meaning here.
_SETTINGS: Final[Mapping[str, str]] = {
    "memory": "max_items_per_type decay_after_days importance_threshold auto_decay_on_session_end",
    "session": "auto_generate_summary max_events_before_compaction warn_on_unended_session",
    "acceptance_criteria": "auto_parse patterns require_evidence_for_verification",
    "sync": "auto_pull_on_session_start auto_pull_threshold_seconds pull_item_types "
    "auto_push_on_session_end auto_push_on_status_change push_debounce_seconds "
    "queue_changes_when_offline max_queued_changes retry_interval_seconds",
}
#: Sources for its trackers.
_SOURCES: Final[Mapping[str, str]] = {
    "linear": "linear",
    "jira": "jira",
    "asana": "asana",
    "azure_ado": "azure",
}
#: Patterns of its own that Rove knows without being told.
_USUAL: Final = frozenset({"ac", "acceptance criteria", "- [ ]", "given/when/then"})


def provider_values(
    provider: object, config: Mapping[str, Any], project: object = None
) -> dict[str, str | None]:
    """Return the columns of a project's tracker, without credentials.

    Args:
        provider: The tracker's name.
        config: Its settings.
        project: The id of the project or team there.
    """
    config_json = without_secrets(clean(json_text(_without_credentials(config))))
    return {
        "provider_type": clean(provider) if isinstance(provider, str) else None,
        "provider_project_id": clean(project) if isinstance(project, str) else None,
        "provider_config": config_json if config else None,
    }


def read_config(config: Mapping[str, Any]) -> tuple[dict[str, str | None], list[str]]:
    """Return the tracker of ``.pm/config.json``, and how to keep its settings.

    Raises:
        WrongCall: It is another file.
    """
    for name in ("provider_config", *_SETTINGS):
        if not isinstance(config.get(name) or {}, Mapping):
            raise WrongCall(f"its {name} is not an object")
    if not isinstance(config.get("provider") or "", str):
        raise WrongCall("its provider is not a name")
    provider = config.get("provider")
    lines = ["To keep its settings, write into .rove/settings.toml:"]
    for section, key_names in _SETTINGS.items():
        own = config.get(section) or {}
        values = [line for key in key_names.split() if key in own for line in _line(key, own[key])]
        if values:
            lines += [f"[{section}]", *values]
    notes = lines if len(lines) > 1 else ["It holds no settings of memory."]
    if source := _SOURCES.get(provider or ""):
        notes.append(f"Log in to its tracker with: rove --add-source {source}")
    return provider_values(provider, config.get("provider_config") or {}), notes


def _line(key: str, value: object) -> Iterator[str]:
    """Yield a setting as TOML; none for a value that it cannot have."""
    if isinstance(value, list):
        texts = [each for each in value if isinstance(each, str)]
        if key == "patterns":
            texts = [each.strip(": ") for each in texts if each.strip(": ").lower() not in _USUAL]
        if texts:
            yield f"{key} = {json.dumps(texts, ensure_ascii=False)}"
    elif isinstance(value, bool | int):
        yield f"{key} = {str(value).lower()}"


def _without_credentials(value: Any) -> Any:  # noqa: ANN401  # any JSON
    match value:
        case dict():
            return {
                key: _without_credentials(each)
                for key, each in value.items()
                if not _SECRET.search(key) or key == "project_key"
            }
        case list():
            return [_without_credentials(each) for each in value]
        case _:
            return value
