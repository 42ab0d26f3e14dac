"""Rules that find acceptance criteria in a block tree, each with its reason.

1. The items, scenarios, rows or paragraphs below a heading or a label that means criteria.
2. Scenarios, and Given/When/Then, wherever they stand.
3. Only where these find nothing: boxes below a heading that means requirements, or below none,
   unless the text is a form that a repository gives to everybody.

What an item holds belongs to it. Sentences with "must" or "should" are no criteria by themselves:
of those that people wrote, most are not.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from attrs import evolve, frozen

from rove_core import JSON
from rove_memory.criteria import gherkin
from rove_memory.criteria.blocks import COLONS, Block, read_blocks
from rove_memory.criteria.headings import Announces, announces
from rove_memory.criteria.words import compared

Markup: TypeAlias = Literal["markdown", "wiki", "adf", "html"]
Rule: TypeAlias = Literal["section", "scenario", "checkbox", "field"]

_INLINE: Final = re.compile(r"(?P<label>[^:\n]{2,40}):\s+(?P<words>\S.*)", re.DOTALL)
_NUMBER: Final = re.compile(
    r"(?:AC|A\.C\.)[ -]?#?\d+(?:\.\d+)*[.:)]?\s+(?=\S)|#?\d+[.:)]\s+", re.IGNORECASE
)
_BRACKETED: Final = re.compile(r"\[[^\[\]]*\]|<[^<>]*>|\{[^{}]*\}")
_PLACEHOLDER: Final = re.compile(
    r"(?:acceptance )?(?:criteri(?:on|a)|item|ac|requirement|condition|scenario|step|thing)"
    r"(?: (?:\d+|[a-z]|one|two|three|four|five))?"
    r"|tbd|tbc|to be (?:defined|determined|done)|todo|n a|na|none|xxx+|fill in|add (?:here|more)"
    r"|(?:given|when|then|and|but|i|the|a|as|want|so|that| )*"
)
_FORM: Final = re.compile(
    r"\b(?:pull requests?|thanks?(?: you)?|contribut\w+|check-? ?list|please|before submitting)\b",
    re.IGNORECASE,
)
_REPORTER: Final = re.compile(
    r"(?:i(?:'ve| have| am|'m| agree| confirm| understand)|my code)\b", re.IGNORECASE
)
_SHORTEST: Final = 2


@frozen(kw_only=True)
class FoundCriterion:
    """A criterion found in a description.

    Attributes:
        text: Its words; lines after the first are what stands in it.
        rule: Which rule found it.
        reason: Why it is a criterion, for people.
        section: The headings above it, the outermost first.
        line: Where it begins in the description's Markdown; the first line is 1.
        checked: Whether its box is ticked.
    """

    text: str
    rule: Rule
    reason: str
    section: tuple[str, ...] = ()
    line: int = 1
    checked: bool = False


def to_markdown(text: JSON, markup: Markup) -> str:
    """Return a description as Markdown.

    Args:
        text: The description: text, or the tree of an Atlassian document, also as JSON text.
        markup: What it is written in.
    """
    if markup == "markdown":
        return text if isinstance(text, str) else ""
    # Most commands convert nothing, and these take longer to import than the commands run.
    from rove_core import adf_to_markdown, html_to_markdown, wiki_to_markdown  # noqa: PLC0415  # see above

    if markup == "adf":
        return adf_to_markdown(_tree(text) if isinstance(text, str) else text)
    if not isinstance(text, str):
        return ""
    return wiki_to_markdown(text) if markup == "wiki" else html_to_markdown(text)


def find_criteria(markdown: str, *, headings: Collection[str] = ()) -> tuple[FoundCriterion, ...]:
    """Return the acceptance criteria of a description, in the order of reading.

    Args:
        markdown: The description.
        headings: Further headings that criteria stand under in this project.
    """
    root = read_blocks(markdown)
    finder = _Finder(frozenset(map(compared, headings)) - {""})
    finder.look(root.children, ())
    found = finder.found or [*_boxes(root)]
    return _without_duplicates(sorted(found, key=lambda one: one.line))


def criteria_of_field(markdown: str) -> tuple[FoundCriterion, ...]:
    """Return the criteria of a field that holds nothing else, such as Azure DevOps' own."""
    listed = _Finder()
    listed.collect(read_blocks(markdown).children, (), "the tracker's own field for criteria")
    return _without_duplicates(evolve(one, rule="field") for one in listed.found)


def _tree(text: str) -> JSON:
    """Return the tree that a JSON text holds; a text that is none stays a text."""
    try:
        tree: JSON = json.loads(text)
    except ValueError:
        return text
    return tree


class _Finder:
    """Goes through a tree and gathers what rules 1 and 2 find."""

    def __init__(self, headings: Collection[str] = ()) -> None:
        self.found: list[FoundCriterion] = []
        self._headings = headings

    def _announces(self, words: str) -> Announces:
        return announces(words, self._headings)

    def look(self, blocks: Sequence[Block], path: tuple[str, ...]) -> None:
        """Search blocks that are not below a heading for criteria."""
        at = 0
        while at < len(blocks):
            block = blocks[at]
            at += 1
            if block.kind == "heading":
                below = (*path, block.text)
                if self._announces(block.text) == "criteria":
                    self.collect(block.children, below, f"listed under “{block.text}”")
                else:
                    self.look(block.children, below)
            elif block.is_label and self._announces(block.text) == "criteria":
                end = _end_of_label(blocks, at, bold=block.bold)
                name = block.text.rstrip("".join(COLONS) + " ")
                self.collect(blocks[at:end], (*path, name), f"listed under “{name}”")
                at = end
            else:
                self._one(block, path)

    def collect(self, blocks: Sequence[Block], path: tuple[str, ...], reason: str) -> None:
        """Collect a criteria section's list items or, without lists, its sentences."""
        before = len(self.found)
        loose: list[FoundCriterion] = []
        skipping = False
        items: list[Block] = []
        for block in blocks:
            if block.kind == "item":
                items += [] if skipping else [block]
                continue
            self._take_items(items, path, reason)
            items = []
            if block.kind == "heading":
                if self._announces(block.text) != "apart":
                    self.collect(block.children, (*path, block.text), reason)
            elif block.is_label:
                skipping = self._announces(block.text) == "apart"
            elif not skipping:
                loose += self._collect_other(block, path, reason)
        self._take_items(items, path, reason)
        if len(self.found) == before:
            self.found += loose

    def _collect_other(
        self, block: Block, path: tuple[str, ...], reason: str
    ) -> list[FoundCriterion]:
        """Collect scenarios, code or quotes; return fallbacks for sections without lists."""
        match block.kind:
            case "scenario" | "code":
                self._scenarios(block, path)
            case "quote":
                self.collect(block.children, path, reason)
            case "paragraph" if groups := gherkin.step_groups(block.text.split("\n")):
                self.found += [_scenario(text, block.line, path) for text in groups]
            case "paragraph" | "row" if not block.struck:
                return [*_criterion(_words(block), block, path, reason)]
        return []

    def _take_items(self, items: Sequence[Block], path: tuple[str, ...], reason: str) -> None:
        for group in _step_items(items):
            if len(group) > 1:
                text = "\n".join(item.text for item in group)
                self.found.append(_scenario(text, group[0].line, path))
                continue
            (item,) = group
            boxes = [child for child in item.children if child.checked is not None]
            if item.checked is None and boxes and item.text.endswith(":"):
                self._take_items(boxes, (*path, item.text.rstrip(":")), reason)
            elif not item.struck:
                self.found += _criterion(_with_parts(item), item, path, reason)

    def _one(self, block: Block, path: tuple[str, ...]) -> None:
        """Collect criteria recognised anywhere."""
        match block.kind:
            case "scenario" | "code":
                self._scenarios(block, path)
            case "quote" | "item":
                self.look(block.children, path)
            case "paragraph":
                inline = _INLINE.fullmatch(block.text)
                if inline and self._announces(inline["label"]) == "criteria":
                    reason = f"follows “{inline['label']}:”"
                    self.found += _criterion(inline["words"], block, path, reason)
                groups = gherkin.step_groups(block.text.split("\n"))
                self.found += [_scenario(text, block.line, path) for text in groups]

    def _scenarios(self, block: Block, path: tuple[str, ...]) -> None:
        texts = [block.text] if block.kind == "scenario" else gherkin.scenarios_in(block.text)
        self.found += [_scenario(text, block.line, path) for text in texts if not _is_empty(text)]


def _end_of_label(blocks: Sequence[Block], at: int, *, bold: bool) -> int:
    """Return where the section of a label ends: at a heading, or at the next label of its kind."""
    seen = False  # Whether its list has come.
    for end in range(at, len(blocks)):
        block = blocks[end]
        if block.kind == "heading":
            return end
        if block.is_label and (block.bold == bold or announces(block.text) != "other"):
            return end
        if seen and block.kind == "paragraph" and not block.is_label:
            return end
        seen = seen or block.kind in ("item", "row", "scenario")
    return len(blocks)


def _step_items(items: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield items one by one, but those that are the steps of one scenario together."""
    group: list[Block] = []
    has_then = False
    for item in items:
        goes_on = bool(group) and gherkin.is_step(item.text, "when", "then", "and", "but")
        if goes_on and has_then and gherkin.is_step(item.text, "when"):
            goes_on = False
        if group and not goes_on:
            yield from _join_scenario(group)
            group, has_then = [], False
        if group or _opens_steps(item.text):
            group.append(item)
            has_then = has_then or gherkin.is_step(item.text, "then")
        else:
            yield [item]
    yield from _join_scenario(group)


def _opens_steps(text: str) -> bool:
    """Return whether an item is the first step of several, not all of them in one line."""
    one_line = re.search(r"\bthen\b", text, re.IGNORECASE)
    return gherkin.is_step(text, "given", "when") and not one_line


def _join_scenario(group: list[Block]) -> Iterator[list[Block]]:
    """Yield steps as one scenario if they come to a Then, else as items."""
    if any(gherkin.is_step(item.text, "then") for item in group):
        yield group
    else:
        yield from ([item] for item in group)


def _with_parts(item: Block) -> str:
    """Return an item's words with those of its nested items."""
    lines = [item.text]
    for child in item.children:
        lines += [f"- {one.text}" if one.kind == "item" else one.text for one in child.walk()]
    return "\n".join(filter(None, lines))


def _words(block: Block) -> str:
    """Return the words of a paragraph, or of a row without the cell that only counts."""
    cells = [cell.strip() for cell in block.text.split("\t")]
    if len(cells) > 1 and re.fullmatch(r"(?:[A-Za-z]{1,4}[ -]?)?#?\d*(?:\.\d+)*", cells[0]):
        cells = cells[1:]
    return " — ".join(filter(None, cells)) if block.kind == "row" else block.text


def _criterion(
    text: str, block: Block, path: tuple[str, ...], reason: str
) -> Iterator[FoundCriterion]:
    if not _is_empty(text):
        yield FoundCriterion(
            text=_NUMBER.sub("", text, count=1) if _NUMBER.match(text) else text,
            rule="section",
            reason=reason,
            section=path,
            line=block.line,
            checked=bool(block.checked),
        )


def _scenario(text: str, line: int, path: tuple[str, ...]) -> FoundCriterion:
    reason = "a scenario of Given, When and Then"
    return FoundCriterion(text=text, rule="scenario", reason=reason, section=path, line=line)


def _is_empty(text: str) -> bool:
    """Return whether a text is an unfilled placeholder."""
    first = text.split("\n", 1)[0]
    phrase = compared(_BRACKETED.sub(" ", first))
    return len(phrase) < _SHORTEST or _PLACEHOLDER.fullmatch(phrase) is not None


def _boxes(root: Block) -> Iterator[FoundCriterion]:
    """Yield the boxes that rule 3 takes for criteria."""
    if any(_FORM.search(block.text) for block in root.walk() if block.kind != "code"):
        return
    yield from _boxes_below(root.children, ())


def _boxes_below(blocks: Sequence[Block], path: tuple[str, ...]) -> Iterator[FoundCriterion]:
    open_here = not path or announces(path[-1]) == "requirements"
    where = f"under “{path[-1]}”" if path else "under no heading"
    for block in blocks:
        if block.kind == "heading":
            yield from _boxes_below(block.children, (*path, block.text))
        elif block.is_label:
            open_here = announces(block.text) == "requirements"
            where = f"under “{block.text.rstrip(':')}”"
        elif open_here and block.checked is not None and not _REPORTER.match(block.text):
            found = _criterion(_with_parts(block), block, path, f"a box {where}")
            yield from (evolve(one, rule="checkbox") for one in found)


def _without_duplicates(
    found: Sequence[FoundCriterion] | Iterator[FoundCriterion],
) -> tuple[FoundCriterion, ...]:
    """Return criteria without duplicates."""
    unique: dict[str, FoundCriterion] = {}
    for one in found:
        unique.setdefault(compared(one.text), one)
    return tuple(unique.values())
