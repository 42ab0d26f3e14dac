"""What is asked of a build, and what it gives."""

from collections.abc import Mapping

from attrs import frozen

from rove_core.documents import Document
from rove_core.items import ItemRef
from rove_core.windows import Window


@frozen(kw_only=True)
class Request:
    """What a document is asked for.

    Attributes:
        ticket: The ticket; of no account when there is none but words.
        words: The words, when there is no ticket.
        window: When it must have been said; as in the last build unless given.
        fresh: Whether to ask for everything again, and to write again what people changed.
        max_tokens: How much Rove may write; as the settings say unless given.
    """

    ticket: ItemRef
    words: str = ""
    window: Window | None = None
    fresh: bool = False
    max_tokens: int | None = None


@frozen(kw_only=True)
class Built:
    """What a build gave.

    Attributes:
        document: The document.
        failures: What went wrong at a source, by account.
        notes: What else a person should know.
    """

    document: Document
    failures: Mapping[str, str]
    notes: tuple[str, ...] = ()
