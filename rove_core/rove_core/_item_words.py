"""The words of items: their roles, their statuses and how they relate.

They stand apart from the facts for whoever needs no more: to make the classes takes time.
"""

from typing import Literal, TypeAlias

#: What an item is to people, whatever its vendor calls it.
#:
#: ``ticket``: a ticket, issue, story, bug. ``change``: a pull or merge request, a patch under
#: review. ``talk``: a thread, message or meeting. ``page``: a document, wiki page, note.
#: ``commit``: a commit. ``code``: lines of a file in a repository. ``comment``: what stands below
#: another item. ``review``: a verdict on a change. ``file``: an attached or linked file.
#: ``memory``: what an agent or a team kept for later.
Role: TypeAlias = Literal[
    "ticket", "change", "talk", "page", "commit", "code", "comment", "review", "file", "memory"
]

#: Where work stands, whatever a vendor calls its statuses.
StatusCategory: TypeAlias = Literal["todo", "in_progress", "done", "canceled"]

#: How an item stands to the one it links to: a ticket ``blocks`` another one, a comment
#: ``replies_to`` another one, a pull request ``implements`` a ticket. ``parent`` leads to what the
#: item is a part of, ``child`` to a part of it. ``mentions`` is a link without further meaning.
Relation: TypeAlias = Literal[
    "mentions",
    "mentioned_by",
    "parent",
    "child",
    "blocks",
    "blocked_by",
    "duplicates",
    "duplicated_by",
    "relates",
    "implements",
    "replies_to",
]
