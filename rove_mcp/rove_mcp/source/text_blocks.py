"""Parse results that a server writes as Markdown blocks of named lines."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from rove_core import JSON

#: A line that names something: `From: Ann`, `- **Status**: open`.
_NAMED: Final = re.compile(r"(?:[-*] )?(?:\*\*)?([A-Z][A-Za-z_ ]{0,30}?)(?:\*\*)?:(?:\*\*)? ?(.*)")
#: A value that is a link alone is the address.
_LINK: Final = re.compile(r"\[[^\]\n]{0,200}\]\((\S{1,2000})\)")
#: What follows the name of a person: an address, an id.
_BESIDE_NAME: Final = re.compile(r" [<(].*")
_RULE: Final = "---"


def blocks_of(text: str, begin: str) -> Iterator[Mapping[str, JSON]]:
    """Yield the records of a text.

    Args:
        text: The text.
        begin: The pattern of the line that begins a block; what its groups find belongs to it.
    """
    for found, following in pairwise((*re.finditer(begin, text, re.MULTILINE), None)):
        if found:
            end = following.start() if following else len(text)
            yield {**_named_lines(text[found.end() : end]), **found.groupdict()}


def _named_lines(block: str) -> Mapping[str, JSON]:
    """Return the named lines of a block; all behind an empty `Text:` is the text."""
    fields: dict[str, JSON] = {}
    lines = block.strip().removesuffix(_RULE).splitlines()
    for number, line in enumerate(lines):
        named = _NAMED.fullmatch(line.rstrip())
        if named is None:
            continue
        name, value = named[1].lower(), named[2].strip()
        if name == "text" and not value:
            fields[name] = "\n".join(lines[number + 1 :]).strip()
            break
        link = _LINK.fullmatch(value)
        fields.setdefault(name, link[1] if link else value)
    if isinstance(author := fields.get("from"), str):
        fields["from"] = _BESIDE_NAME.sub("", author)
    return fields
