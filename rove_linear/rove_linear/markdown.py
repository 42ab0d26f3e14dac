"""Linear's Markdown, in which HTML tags are plain text."""

import re
from typing import Final

#: Code and escaped characters, then where a tag would begin; an address between angles is a link.
_TAG: Final = re.compile(
    r"^(?P<fence>[ \t]*(?P<sign>```+|~~~+))[^\n]*(?:\n.*?)?(?:^[ \t]*(?P=sign)|\Z)"
    r"|(?<!`)(?P<ticks>`+)(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`)"
    r"|\\[\\<`]"
    r"|(?P<tag><)(?=[A-Za-z/!?])(?!(?:https?|mailto):)",
    re.MULTILINE | re.DOTALL,
)


def show_tags(markdown: str) -> str:
    """Return Markdown in which apparent HTML is shown as text, as Linear does."""
    if "<" not in markdown:
        return markdown
    return _TAG.sub(lambda found: "\\<" if found["tag"] else found[0], markdown)
