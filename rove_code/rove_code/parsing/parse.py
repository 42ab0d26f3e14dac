"""Parse a text."""

from rove_code.model import ParsedFile
from rove_code.parsing.captures import Captures, find
from rove_code.parsing.chunks import chunks_of
from rove_code.parsing.declarations import DeclarationNode, declare
from rove_code.parsing.generated_files import is_marked, is_squeezed
from rove_code.parsing.grammars import grammar_of
from rove_code.parsing.languages import language_named
from rove_code.parsing.lines import Lines
from rove_code.parsing.references import references_of
from rove_core.clock import SYSTEM, Clock


def parse(text: str, language: str, *, clock: Clock = SYSTEM) -> ParsedFile:
    """Parse a text; without a grammar, cut it into windows."""
    spec = language_named(language)
    lines = Lines(text)
    if is_squeezed(text, spec):
        return ParsedFile(language, (), tuple(chunks_of(lines, (), 0)), is_generated=True)
    grammar = None if spec.is_generated else grammar_of(language)
    found = (grammar and find(text, grammar, clock)) or Captures()
    nodes = declare(found, lines)
    chunks = tuple(chunks_of(lines, nodes, _head(found, nodes, lines)))
    return ParsedFile(
        language,
        tuple(each.declaration for node in nodes for each in node.all()),
        chunks,
        tuple(references_of(found, lines, chunks, language=language)),
        is_marked(text, spec),
    )


def _head(found: Captures, nodes: list[DeclarationNode], lines: Lines) -> int:
    """Return the last line of the imports and comments that a file begins with."""
    ends = {end for _, end in found.heads}
    others = (node.declaration.place for node in nodes if node.declaration.place.end not in ends)
    first = next(others, None)
    stop = first.start if first else len(lines.text)
    end = 0
    for start, span_end in sorted((*found.heads, *found.comments)):
        if start >= stop or not _is_blank(lines.text[end:start]):
            break
        end = max(end, span_end)
    last = lines.number(max(end - 1, 0)) if end else 0
    return min(last, first.first - 1) if first else last


def _is_blank(text: str) -> bool:
    return not text or text.isspace()
