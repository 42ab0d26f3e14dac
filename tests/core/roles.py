"""The roles of what the shipped sources call by these names."""

from collections.abc import Mapping
from typing import Final

from rove_core._item_words import Role

ROLES: Final[Mapping[str, Role]] = {
    "ticket": "ticket",
    "issue": "ticket",
    "pr": "change",
    "merge_request": "change",
    "thread": "talk",
    "message": "talk",
    "note": "page",
    "page": "page",
    "commit": "commit",
    "code": "code",
    "comment": "comment",
    "change": "comment",
    "review": "review",
}
