"""Choose the human-readable texts of a block."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from rove_core.json_reader import elements

if TYPE_CHECKING:
    from rove_core import JSON

#: Keys whose texts nobody reads in Slack.
_FOR_MACHINES: Final = frozenset(
    {
        *("type", "subtype", "style", "indent", "offset", "border", "align", "column_settings"),
        *("id", "action_id", "block_id", "bot_id", "app_id", "team_id", "callback_id", "file_id"),
        *("channel_id", "user_id", "usergroup_id", "external_id", "call_id", "workflow_id"),
        *("author_id", "service_id", "channel_team", "private_channel_prompt", "color", "ts"),
        *("image_url", "thumb_url", "video_url", "icon_url", "provider_icon_url", "service_url"),
        *("author_icon", "author_link", "footer_icon", "service_icon", "title_link", "title_url"),
        *("from_url", "original_url", "app_unfurl_url", "mrkdwn_in", "attachment_type"),
        *("slack_file", "metadata", "state", "emoji", "unicode", "skin_tone", "verbatim", "unsafe"),
        *("response_action", "focus_on_load", "dispatch_action", "default_to_current"),
    }
)
#: In which order people read the parts of a block, whatever order they come in.
_ORDER: Final = ("pretext", "label", "author_name", "title", "text", "description", "fields")


def parts(raw: "Mapping[str, JSON]", *but: str) -> Iterator[tuple[str, "JSON"]]:
    """Yield the text parts of a block with their keys; lists are flattened.

    Args:
        raw: The block.
        but: Keys that need not be looked at.
    """
    keys = [*(key for key in _ORDER if key in raw), *(key for key in raw if key not in _ORDER)]
    for key in keys:
        value = raw[key]
        # The value of what can be chosen is for the app that offers it.
        if key in but or key in _FOR_MACHINES or (key == "value" and "text" in raw):
            continue
        yield from ((key, each) for each in _flat(value))


def all_words(value: "JSON") -> Iterator[str]:
    """Yield all words in a value, at any depth."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            left.extend(reversed([part for _, part in parts(each)]))
        else:
            left.extend(reversed(elements(each)))


def _flat(value: "JSON") -> Iterator["JSON"]:
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, str | dict):
            yield each
        else:
            left.extend(reversed(elements(each)))
