"""The engine's five questions as prompts, and the interpretation of the answers.

An answer refers to what was sent by number, and nothing else of it is ever used; unknown numbers
are ignored.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Generic, TypeAlias, TypeVar, get_args

from attrs import frozen

from rove_core.build.compose.outline import QuestionKind, Statement, Topic
from rove_core.build.model.answers import Answer, entries, number, numbered
from rove_core.build.model.prompts import Prompt, Schema, excerpt
from rove_core.build.model.token_estimate import estimated_tokens
from rove_core.items import ContextItem
from rove_core.wire.json_types import JSON

Found = TypeVar("Found")
Pair: TypeAlias = tuple[int, int]
#: A kind of open question, and the positions of the statements that raise it.
Gap: TypeAlias = tuple[QuestionKind, tuple[int, ...]]

#: The highest grade of relevance.
BEST_GRADE: Final = 3
#: Maximum tokens of material per request, besides what every request contains.
_BATCH: Final = 6_000
#: Maximum characters that are sent of each text.
_TICKET: Final = 4_000
_CANDIDATE: Final = 900
_STATEMENT: Final = 700
_LINE: Final = 200
#: How many other titles are sent to show what is common to all.
_TITLES: Final = 40
_MOST_RAISING: Final = 6
_KINDS: Final[tuple[QuestionKind, ...]] = get_args(QuestionKind)
_NUMBER: Final[Schema] = {"type": "integer"}


@frozen
class ModelQuestion(Generic[Found]):
    """A prompt with the interpretation of its answer.

    Attributes:
        prompt: What is sent.
        read: Reads the result from an answer, and nothing that was not sent.
    """

    prompt: Prompt
    read: Callable[[Answer], Iterator[Found]]


def ask_keywords(ticket: ContextItem, seen: Sequence[ContextItem]) -> list[ModelQuestion[str]]:
    """Build the question for words that distinguish a ticket."""
    prompt = Prompt(
        question="keywords",
        rule="Somebody will search chats, code and tickets for what belongs to this ticket. Which"
        " words or phrases of it tell it from others of the same team? At most 12, best first, of"
        " at most three words, exactly as they stand in the ticket: names, identifiers, error"
        " texts. What many of the other titles share tells nothing.",
        material={
            "ticket": _item_shown(ticket, _TICKET),
            "other titles": [excerpt(item.title, _LINE) for item in seen[:_TITLES]],
        },
        schema=_list_of("keywords", {"type": "string"}),
    )
    return [ModelQuestion(prompt, _read_keywords)]


def ask_grades(ticket: ContextItem, candidates: Sequence[ContextItem]) -> list[ModelQuestion[Pair]]:
    """Build the question for relevance: each position, and a grade up to BEST_GRADE."""
    shown: list[JSON] = [_item_shown(item, _CANDIDATE) for item in candidates]

    def asking(batch: range) -> ModelQuestion[Pair]:
        prompt = Prompt(
            question="relevance",
            rule="How much does somebody who implements the ticket need each candidate? 0: it is"
            " about something else. 1: the same area, but nothing to act on. 2: it helps. 3: it is"
            " needed: it decides, explains, contradicts or has done a part of it. Grade them all.",
            material={
                "ticket": _item_shown(ticket, _TICKET),
                "candidates": _by_number("candidate", shown, batch),
            },
            schema=_list_of("grades", _object({"candidate": _NUMBER, "grade": _NUMBER})),
        )
        return ModelQuestion(prompt, lambda answer: _grades(answer, batch))

    return [asking(batch) for batch in _batches(shown)]


def ask_same(texts: Sequence[str]) -> list[ModelQuestion[Pair]]:
    """Build the question for texts that repeat an earlier one: both positions."""
    shown: list[JSON] = [{"text": excerpt(text, _STATEMENT)} for text in texts]

    def asking(batch: range) -> ModelQuestion[Pair]:
        prompt = Prompt(
            question="same",
            rule="Which of these texts say nothing that an earlier one does not say already? Name"
            " each of them, and the earlier one. A text that adds a number, a name, a date, a"
            " condition or a reason, or says the opposite, is not the same. When in doubt it is"
            " not.",
            material=_by_number("number", shown, batch),
            schema=_list_of("same", _object({"number": _NUMBER, "earlier": _NUMBER})),
        )
        return ModelQuestion(prompt, lambda answer: _same(answer, batch))

    return [asking(batch) for batch in _batches(shown) if len(batch) > 1]


def ask_places(
    statements: Sequence[Statement], topics: Sequence[Topic]
) -> list[ModelQuestion[Pair]]:
    """Build the question for the topic of each statement; one beyond the last for none."""
    shown: list[JSON] = [_statement_shown(statement) for statement in statements]
    headings: list[JSON] = [
        {
            "heading": excerpt(topic.heading, _LINE),
            "begins": excerpt(topic.statements[0].text, _LINE) if topic.statements else "",
        }
        for topic in topics
    ]

    def asking(batch: range) -> ModelQuestion[Pair]:
        prompt = Prompt(
            question="place",
            rule="To which topic does each statement belong? Give the topic's number, or"
            f" {len(topics)} where it belongs to none of them.",
            material={
                "topics": _by_number("topic", headings, range(len(topics))),
                "statements": _by_number("statement", shown, batch),
            },
            schema=_list_of("places", _object({"statement": _NUMBER, "topic": _NUMBER})),
        )
        return ModelQuestion(prompt, lambda answer: _places(answer, batch, len(topics)))

    return [asking(batch) for batch in _batches(shown)]


def ask_gaps(ticket: ContextItem, statements: Sequence[Statement]) -> list[ModelQuestion[Gap]]:
    """Build the question for gaps: the kind of each, and the statements that raise it."""
    shown: list[JSON] = [_statement_shown(statement) for statement in statements]
    kinds: Schema = {"type": "string", "enum": list(_KINDS)}
    numbers: Schema = {"type": "array", "items": _NUMBER}

    def asking(batch: range) -> ModelQuestion[Gap]:
        prompt = Prompt(
            question="gaps",
            rule="What would somebody who implements the ticket still have to ask? Name only what"
            " matters for that, by the statements that raise it. unanswered: somebody asks, and"
            " nobody answers. contradiction: two statements disagree, and nothing settles it."
            " replaced: a later statement overrules an earlier one. promised: somebody said it"
            " would be done, and nobody says that it was. Name none where there is none.",
            material={
                "ticket": _item_shown(ticket, _TICKET),
                "statements": _by_number("statement", shown, batch),
            },
            schema=_list_of("gaps", _object({"kind": kinds, "statements": numbers})),
        )
        return ModelQuestion(prompt, lambda answer: _gaps(answer, batch))

    return [asking(batch) for batch in _batches(shown)]


def _read_keywords(answer: Answer) -> Iterator[str]:
    for entry in entries(answer, "keywords"):
        if isinstance(entry, str):
            yield entry


def _grades(answer: Answer, batch: range) -> Iterator[Pair]:
    for position, grade in numbered(answer, "grades", "candidate", "grade"):
        if 0 <= position < len(batch) and 0 <= grade <= BEST_GRADE:
            yield batch[position], grade


def _same(answer: Answer, batch: range) -> Iterator[Pair]:
    for position, earlier in numbered(answer, "same", "number", "earlier"):
        if 0 <= earlier < position < len(batch):
            yield batch[position], batch[earlier]


def _places(answer: Answer, batch: range, topics: int) -> Iterator[Pair]:
    for position, topic in numbered(answer, "places", "statement", "topic"):
        if 0 <= position < len(batch) and 0 <= topic <= topics:
            yield batch[position], topic


def _gaps(answer: Answer, batch: range) -> Iterator[Gap]:
    for entry in entries(answer, "gaps"):
        if not isinstance(entry, Mapping):
            continue
        kind = next((each for each in _KINDS if each == entry.get("kind")), None)
        positions = {number(value) for value in entries(entry, "statements")[:_MOST_RAISING]}
        raising = tuple(batch[at] for at in range(len(batch)) if at in positions)
        if kind and len(raising) == len(positions) and len(raising) >= _statements_needed(kind):
            yield kind, raising


def _statements_needed(kind: QuestionKind) -> int:
    """Return how many statements it takes to raise a question."""
    return 2 if kind in {"contradiction", "replaced"} else 1


def _item_shown(item: ContextItem, most: int) -> Mapping[str, JSON]:
    """Return the part of an item that is sent: title, and the start of its texts."""
    words = "\n".join((item.content, *(part.content for part in item.thread)))
    return {"title": excerpt(item.title, _LINE), "text": excerpt(words, most)}


def _statement_shown(statement: Statement) -> Mapping[str, JSON]:
    return {
        "by": excerpt(statement.part.author, _LINE),
        "on": statement.part.timestamp.date().isoformat(),
        "text": excerpt(statement.text, _STATEMENT),
    }


def _batches(shown: Sequence[JSON]) -> Iterator[range]:
    """Yield runs of positions, each as long as one request may be."""
    begin, tokens = 0, 0
    for position, value in enumerate(shown):
        more = estimated_tokens(str(value))
        if tokens + more > _BATCH and position > begin:
            yield range(begin, position)
            begin, tokens = position, 0
        tokens += more
    if begin < len(shown):
        yield range(begin, len(shown))


def _by_number(name: str, shown: Sequence[JSON], batch: range) -> list[JSON]:
    """Return the sent form of a batch, numbered from 0."""
    return [
        {name: position, **value}
        for position, at in enumerate(batch)
        if isinstance(value := shown[at], Mapping)
    ]


def _list_of(name: str, entry: Schema) -> Schema:
    return _object({name: {"type": "array", "items": entry}})


def _object(properties: Mapping[str, JSON]) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
