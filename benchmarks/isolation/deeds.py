"""What a plugin can do wrong, in which of its hooks."""

from collections.abc import Iterator
from typing import Final

from attrs import frozen

#: What code can do that waits for nothing, wherever it runs.
ANYWHERE: Final = (
    "raise",
    "raise odd",
    "recurse",
    "sys.exit",
    "exit",
    "exit as if well",
    "abort",
    "block",
    "spin",
    "hold",
    "take",
    "leak",
    "leak little",
    "print",
    "write",
    "descriptor",
    "child",
    "atexit",
    "thread",
    "clear",
)
#: What a coroutine can do besides.
WAITING: Final = (
    "hang",
    "swallow",
    "swallow in a task",
    "block a thread",
    "block a task",
    "tasks",
    "stop the loop",
    "cancel all",
    "cancel itself",
    "raise cancelled",
)
_ITEM_LIES: Final = (
    "none",
    "text",
    "foreign",
    "no text",
    "no author",
    "looped metadata",
    "objects in metadata",
    "huge text",
    "many links",
    "many replies",
    "deep thread",
    "wrong thread",
    "wrong facts",
    "wrong role",
)
_BROUGHT_LIES: Final = ("text", "number")
#: What each hook can do besides.
OF_HOOKS: Final = {
    "import": ANYWHERE,
    "settings": ("dict", "required", "raise", "exit", "block"),
    "connect": ("raise", "sys.exit", "exit", "block", "recurse"),
    "rove_sources": ("raise", "sys.exit", "exit", "block", "flood", *_BROUGHT_LIES),
    "rove_operations": ("raise", "sys.exit", "exit", "block", "flood", *_BROUGHT_LIES),
    "rove_routes": ("raise", "sys.exit", "exit", "block", *_BROUGHT_LIES),
    "rove_search": (*ANYWHERE, *WAITING, *_ITEM_LIES),
    "rove_item_detail": (*ANYWHERE, *WAITING, *_ITEM_LIES),
    "rove_recognise": (
        *ANYWHERE,
        "raise cancelled",
        "raise stop",
        "cancel all",
        "flood",
        "text",
        "number",
        "object",
    ),
    "rove_filter_item": (*ANYWHERE, "raise cancelled", "text", "foreign", "no text", "deep thread"),
    "rove_sections": (
        *ANYWHERE,
        *WAITING,
        "flood",
        "many words",
        "many lines",
        "endless",
        "wrong section",
        "text",
        "number",
    ),
    "beside a filter": ("raise", "exit", "abort", "block", "hold", "leak"),
}
#: What ends the process that a plugin runs in, so that the plugin is left out of the next one.
_ENDING: Final = frozenset(
    {"exit", "exit as if well", "abort", "block", "spin", "hold", "take", "leak"}
)


#: What keeps a plugin from being imported, though the process goes on.
_BREAKING: Final = frozenset(
    {
        "raise",
        "raise odd",
        "recurse",
        "sys.exit",
        "leak little",
        "print",
        "write",
        "atexit",
        "thread",
        "clear",
    }
)


@frozen
class Misdeed:
    """One thing that a plugin does wrong.

    Attributes:
        hook: Where.
        deed: What.
    """

    hook: str
    deed: str

    @property
    def withholds(self) -> bool:
        """Whether nothing may pass: who is to keep something back cannot be asked."""
        if self.hook == "import":
            # The plugin's file names the hook, and nobody can find out what it would have kept.
            return self.deed in _ENDING | _BREAKING
        if self.hook == "beside a filter":
            return self.deed in _ENDING
        return self.hook == "rove_filter_item" and not self.is_harmless

    @property
    def is_harmless(self) -> bool:
        """Whether it costs nothing but a remark."""
        return self.deed in {"print", "write", "descriptor", "child"}


def misdeeds() -> Iterator[Misdeed]:
    """Yield all of them."""
    for hook, deeds in OF_HOOKS.items():
        for deed in deeds:
            yield Misdeed(hook, deed)
