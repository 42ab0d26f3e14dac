"""Summaries without a model: sentences of the file itself."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from rove_folder.extract.content import ExtractedContent
from rove_folder.summary.line import MOST_CHARACTERS, summary_line

#: The version of these rules: a summary made by others is made anew.
RECIPE: Final = "extractive-3"

#: How much of a text is looked at.
_LOOKED_AT: Final = 60_000
_MOST_HEADINGS: Final = 12
_MOST_DECLARATIONS: Final = 16
_LONGEST_SENTENCE: Final = 220
_SHORTEST_SENTENCE: Final = 12

#: No expression looks from each line over all the lines behind it: that would take hours of a file
#: made for it.
_FRONT: Final = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE: Final = re.compile(
    r"^(title|description|summary):\s*(.+)$", re.MULTILINE | re.IGNORECASE
)
_HEADING: Final = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_UNDERLINED: Final = re.compile(r"^(\S[^\n]{0,120})\n(?:=+|-{3,}|~{3,})[ \t]*$", re.MULTILINE)
#: A line of its own in capitals or with a number before it, as in documents without markup.
_BARE_HEADING: Final = re.compile(
    r"^(?:\d+(?:\.\d+)*\.?[ \t]+[^\W\d_][^\n.:;]{2,70}|[^\W\d_a-z][^\na-z.;]{3,70}[^\W\d_a-z])$",
    re.MULTILINE,
)
_FENCE: Final = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"!?\[([^\]\n]{0,200})\](?:\([^()\n]{0,500}\)|\[[^\]\n]{0,100}\])")
#: Not within a word: there they are no marks, and a token would not be known without them.
_MARKS: Final = re.compile(
    r"(?<!\w)[*_~#>|]{1,6}|[*_~#>|]{1,6}(?!\w)|^[ \t]*(?:[-+]|\d+[.)])[ \t]+", re.MULTILINE
)
_SENTENCE: Final = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])[\"'\u00bb)]*\s+")
_WORD: Final = re.compile(r"\w+")
#: Numbers, dates, amounts and names tell one file from another.
_TELLING: Final = re.compile(r"\d[\d.,:%/-]*|(?<=[\w,;] )[^\W\d_a-z][\w-]{2,}|[$\u20ac\u00a3]")

_DECLARATION: Final = re.compile(
    r"^[ \t]*(?:@\w+[ \t]+)*(?:(?:export|default|public|private|protected|internal|static|final"
    r"|abstract|async|pub(?:\([\w:]+\))?|unsafe|const|override|sealed|data|inline|virtual"
    r"|declare)[ \t]+)*"
    r"(?:class|interface|struct|enum|trait|impl|module|namespace|object|protocol|extension|record"
    r"|def|fn|func|function|fun|sub|type|create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:table|view"
    r"|function|index|procedure)(?:[ \t]+if[ \t]+not[ \t]+exists)?|message|service"
    r"|resource)[ \t]+[*&\"'`]?"
    r"(?:\([^()\n]{0,80}\)[ \t]*)?([A-Za-z_$][\w$.:]*)",
    re.MULTILINE | re.IGNORECASE,
)
_C_FUNCTION: Final = re.compile(
    r"^(?:[A-Za-z_][\w:<>,*& ]{1,60}[ *&])([A-Za-z_]\w*)\([^;{}\n]{0,200}\)\s*(?:const\s*)?\{",
    re.MULTILINE,
)
_BINDING: Final = re.compile(
    r"^(?:export\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=", re.MULTILINE
)
_DOCSTRING: Final = re.compile(r"\A(?:\s|#[^\n]*\n)*[rRuU]?(\"\"\"|''')(.+?)\1", re.DOTALL)
_COMMENT: Final = re.compile(
    r"\A(?:#!.*\n)?(?:<\?php\s*+)?\s*+(?:/\*+(.*?)\*/|<!--(.*?)-->|((?:[ \t]*(?://|\#|--|;)[^\n]*\n)+))",
    re.DOTALL,
)
_COMMENT_MARKS: Final = re.compile(r"^[ \t]*(?:///?|//!|#+|--|;+|\*+)[ \t]?", re.MULTILINE)
_LICENCE: Final = re.compile(
    r"copyright|licen[sc]ed?|spdx|eslint|coding[:=]|@ts-|pragma", re.IGNORECASE
)
_KEY: Final = re.compile(
    r"^(?:\[\[?([\w.\"' -]{1,60})\]\]?|([A-Za-z_][\w.-]{0,60})[ \t]*[:=](?!=))", re.MULTILINE
)
_TITLE_TAG: Final = re.compile(r"<title[^>]{0,100}>([^<]{1,300})</title>", re.IGNORECASE)
_TAG: Final = re.compile(
    r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]{0,1000}>", re.IGNORECASE | re.DOTALL
)


def extractive_summary(name: str, content: ExtractedContent, caption: str = "") -> str:
    """Return a one-line summary in the file's own words.

    Args:
        name: The file's name.
        content: What was taken out of it.
        caption: What a file beside an image says about it.
    """
    if content.kind == "image":
        return summary_line(_join_sentences([content.title, caption, content.note]))
    if content.form == "table":
        return summary_line(_join_sentences([content.note, _first_rows(content.text)]))
    if content.form == "code":
        return summary_line(_join_sentences(_code_parts(name, content.text[:_LOOKED_AT])))
    return summary_line(_join_sentences(_prose_parts(content)))


def _join_sentences(parts: Sequence[str] | Iterator[str]) -> str:
    """Return parts as sentences, each once."""
    seen: list[str] = []
    for part in parts:
        plain = " ".join(part.split()).rstrip(" .")
        if plain and not any(plain.lower() in other.lower() for other in seen):
            seen.append(plain)
    return ". ".join(seen)


def _prose_parts(content: ExtractedContent) -> Iterator[str]:
    """Yield a title, the first telling sentence, the headings, and what else fits."""
    text = content.text[:_LOOKED_AT]
    front = _FRONT.match(text)
    if front:
        yield from (found[1] for found in _FRONT_TITLE.findall(front[1]))
        text = text[front.end() :]
    text = _FENCE.sub("\n", text)
    headings = _headings(text, content)
    yield content.title
    yield from headings[:1]
    # Each line of a Word document is a paragraph.
    blocks = text.replace("\n", "\n\n") if content.kind == "docx" else text
    sentences = list(_sentences(blocks, set(headings)))
    if not headings and not content.title:
        yield next((line.strip() for line in text.splitlines() if _WORD.search(line)), "")[:150]
    yield from sentences[:1]
    yield "; ".join(headings[1:_MOST_HEADINGS])
    yield from sorted(sentences[1:], key=_specificity, reverse=True)[:6]


def _headings(text: str, content: ExtractedContent) -> list[str]:
    found = [*_HEADING.finditer(text), *_UNDERLINED.finditer(text)]
    marked = [_plain_text(match[1]) for match in sorted(found, key=lambda match: match.start())]
    if content.kind == "docx":
        marked = content.note.splitlines()
    if not marked:
        marked = [_plain_text(match[0]) for match in _BARE_HEADING.finditer(text)][:_MOST_HEADINGS]
    return [each for each in dict.fromkeys(marked) if _WORD.search(each)]


def _sentences(text: str, headings: set[str]) -> Iterator[str]:
    """Yield the sentences of a text that say something."""
    plain = _LINK.sub(lambda found: found[1], text)
    for block in re.split(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d+[.)])[ \t])|\n(?=#)", plain):
        if block.lstrip().startswith(("#", "<", "[", "|", "=")) or _plain_text(block) in headings:
            continue
        for sentence in _SENTENCE.split(_plain_text(block)):
            if len(sentence) >= _SHORTEST_SENTENCE:
                yield sentence[:_LONGEST_SENTENCE]


def _specificity(sentence: str) -> float:
    """Return how specific a sentence is to this file, relative to its length."""
    return len(_TELLING.findall(sentence)) / (40 + len(sentence))


def _plain_text(text: str) -> str:
    return " ".join(_MARKS.sub(" ", _LINK.sub(lambda found: found[1], text)).split())


def _code_parts(name: str, text: str) -> Iterator[str]:
    """Yield the stated purpose of a source file, and its declarations."""
    suffix = name.rpartition(".")[2].lower()
    if suffix in {"html", "htm", "vue", "svelte"}:
        yield from _TITLE_TAG.findall(text)[:1]
        words = " ".join(_TAG.sub(" ", text).split())
        yield from [each[:_LONGEST_SENTENCE] for each in _SENTENCE.split(words)[:2]]
    if suffix in {"json", "ipynb"}:
        yield _json_keys(text)
        return
    yield _purpose(text)
    if suffix in {"yaml", "yml", "toml", "ini", "cfg"}:
        keys = [first or second for first, second in _KEY.findall(text)]
        yield _name_list("Keys", keys)
        return
    declared = [*_DECLARATION.findall(text), *_C_FUNCTION.findall(text), *_BINDING.findall(text)]
    yield _name_list("Declares", declared)


def _purpose(text: str) -> str:
    """Return the first sentence of the comment at the top of a source file."""
    if found := _DOCSTRING.match(text):
        return _SENTENCE.split(" ".join(found[2].split()))[0]
    rest = text
    for _ in range(3):  # A licence may stand before what the file is for.
        comment = _COMMENT.match(rest)
        if not comment:
            return ""
        words = " ".join(_COMMENT_MARKS.sub("", next(filter(None, comment.groups()), "")).split())
        if words and not _LICENCE.search(words):
            return _SENTENCE.split(words)[0][:_LONGEST_SENTENCE]
        rest = rest[comment.end() :]
    return ""


def _name_list(what: str, names: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(name for name in names if name))
    more = (
        f" and {len(distinct) - _MOST_DECLARATIONS} more"
        if len(distinct) > _MOST_DECLARATIONS
        else ""
    )
    return f"{what} {', '.join(distinct[:_MOST_DECLARATIONS])}{more}" if distinct else ""


def _json_keys(text: str) -> str:
    """Return the keys of a JSON object, and what its short texts say."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(re.findall(r'"([\w -]{1,60})"\s*:', text)[:_MOST_DECLARATIONS])
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, dict):
        return " ".join(text[:MOST_CHARACTERS].split())
    parts = [
        f"{key}: {each}" if isinstance(each, str | int) and len(str(each)) < 60 else key
        for key, each in first.items()
    ]
    count = f"{len(value)} entries with " if isinstance(value, list) else ""
    return f"{count}{', '.join(parts[:_MOST_DECLARATIONS])}"


def _first_rows(text: str) -> str:
    rows = [line.strip() for line in text[:2_000].splitlines()[1:4] if line.strip()]
    return f"First rows: {' / '.join(rows)}" if rows else ""
