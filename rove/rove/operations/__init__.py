"""The table of Rove's own operations; help pages do not load them."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from rove_core.operations import Operation


class OperationEntry(NamedTuple):
    """An operation as a list shows it.

    Attributes:
        home: The module below this package that defines it, and its name there.
        title: What it does, in one line.
    """

    home: str
    title: str

    def load(self) -> "Operation":
        """Return the operation itself."""
        module, _, name = self.home.partition(":")
        operation: Operation = getattr(import_module(f"{__name__}.{module}"), name)
        return operation


#: Every operation of Rove's own, by its command.
OWN: Final[Mapping[str, OperationEntry]] = {
    "build": OperationEntry("build:BUILD", "Build or refresh the documents of tickets."),
    "cancel": OperationEntry(
        "cancel:CANCEL",
        "Cancel waiting or running builds and refreshes.",
    ),
    "doctor": OperationEntry(
        "doctor:DOCTOR",
        "Check the installation and this project, and suggest fixes.",
    ),
    "eval": OperationEntry(
        "evaluate:EVAL",
        "Measure how well Rove judges what belongs to a ticket here.",
    ),
    "explain": OperationEntry(
        "explain:EXPLAIN",
        "Explain why each item that was found is in a document or not.",
    ),
    "find": OperationEntry("find:FIND", "Find the document of a ticket."),
    "learn": OperationEntry(
        "evaluate:LEARN",
        "Learn from this project's own links what belongs to a ticket.",
    ),
    "list": OperationEntry(
        "list_documents:LIST", "List the documents of this project, newest first."
    ),
    "mirror drop": OperationEntry(
        "mirror:DROP",
        "Delete a mirror and its texts in indexes; quotes in documents stay.",
    ),
    "mirror scope": OperationEntry("mirror_scope:SCOPE", "Show or change what a mirror copies."),
    "mirror start": OperationEntry(
        "mirror:START", "Copy an account's content to this machine, and keep the copy up to date."
    ),
    "mirror status": OperationEntry(
        "mirror_status:STATUS", "Show each account's mirror: content, size and age."
    ),
    "mirror stop": OperationEntry(
        "mirror:STOP", "Stop using and updating a mirror; the copy stays."
    ),
    "mirror update": OperationEntry(
        "mirror:UPDATE", "Bring mirrors up to date, as far as the vendors' limits allow now."
    ),
    "open": OperationEntry(
        "open_document:OPEN",
        "Show a document in the browser, with a timeline and its sources.",
    ),
    "preview": OperationEntry(
        "preview:PREVIEW", "Show what a search term would add, without writing anything."
    ),
    "prime": OperationEntry(
        "prime:PRIME", "Print the current branch's ticket and document for an agent."
    ),
    "purge": OperationEntry(
        "purge:PURGE",
        "Remove what Rove keeps for this project.",
    ),
    "refresh": OperationEntry("refresh:REFRESH", "Refresh documents."),
    "reindex": OperationEntry(
        "reindex:REINDEX", "Rebuild the list of documents from the files in .context."
    ),
    "remove": OperationEntry(
        "remove:REMOVE", "Remove a document, and what Rove has stored about it."
    ),
    "search": OperationEntry(
        "search:SEARCH", "Search documents and the items that were found for them."
    ),
    "settings": OperationEntry(
        "settings:SETTINGS", "List the settings, and where each comes from."
    ),
    "settings get": OperationEntry(
        "settings_change:GET", "Show one setting, and where it comes from."
    ),
    "settings set": OperationEntry(
        "settings_change:SET", "Set a setting for this project, or for all of yours."
    ),
    "settings unset": OperationEntry(
        "settings_change:UNSET", "Remove a setting from this project's file, or from yours."
    ),
    "setup": OperationEntry(
        "setup:SETUP", "Tell coding agents about Rove, in their configuration files."
    ),
    "show": OperationEntry("show:SHOW", "Show the document of a ticket in the terminal."),
    "skill": OperationEntry("skill:SKILL", "Print the skill that tells agents how to use Rove."),
    "sources default": OperationEntry("sources:DEFAULT", "Set where tickets are read by default."),
    "sources item": OperationEntry(
        "source_item:ITEM", "Read one item in full, with its discussion and its links."
    ),
    "sources list": OperationEntry(
        "sources:LIST", "List your accounts and whether you are logged in, without asking vendors."
    ),
    "sources move-logins": OperationEntry(
        "move_logins:MOVE",
        "Move your logins to the keychain, or to the encrypted file, and keep them there.",
    ),
    "sources plugins": OperationEntry(
        "plugins:PLUGINS", "List the installed plugins and their sources."
    ),
    "sources recognise": OperationEntry(
        "source_item:RECOGNISE", "List the items that a text refers to."
    ),
    "sources remove": OperationEntry(
        "source_remove:REMOVE",
        "Remove one of your accounts: its login, its record, and its place in this project.",
    ),
    "sources rename": OperationEntry(
        "source_rename:RENAME", "Rename one of your accounts; you stay logged in."
    ),
    "sources schema": OperationEntry(
        "plugins:SCHEMA", "Show what a kind of source lets you set, as JSON Schema."
    ),
    "sources search": OperationEntry("source_search:SEARCH", "Search one account."),
    "sources test": OperationEntry(
        "source_test:TEST", "Test an account: who you are there, and what you can read."
    ),
    "sources unuse": OperationEntry(
        "source_use:UNUSE",
        "Stop using accounts in this project; you stay logged in, and documents stay.",
    ),
    "sources use": OperationEntry(
        "source_use:USE", "Use accounts of yours in this project; you stay logged in."
    ),
    "status": OperationEntry(
        "status:STATUS",
        "Show the tasks, the documents and the server of this project.",
    ),
    "trust": OperationEntry("trust:TRUST", "Trust this project's settings file."),
    "verify": OperationEntry(
        "verify:VERIFY", "Read again what a document cites, and show what has changed."
    ),
}


def own_operations() -> tuple["Operation", ...]:
    """Return all operations of Rove's own."""
    return tuple(listed.load() for listed in OWN.values())
