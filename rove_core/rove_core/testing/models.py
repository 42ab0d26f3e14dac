"""Test models: scripted endpoints, and a model that obeys every instruction."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rove_core.testing.http1 import SeenRequest, ServerReply
from rove_core.wire.json_types import JSON

_FENCED: Final = re.compile(r"\A(.*?)\n(material-[0-9a-f]{16})\n(.*)\n\2\n(.*)\Z", re.DOTALL)
#: What an order to a reader looks like.
_ORDER: Final = re.compile(
    r"(?i)\b(?:ignore|disregard|forget|override|instead|system|assistant|you are|you must"
    r"|answer with|respond|reply with|output|add|append|insert|write|create|delete|overwrite"
    r"|fetch|open|click|follow|include|merge|mark|rank|grade|new instructions?)\b"
)
_ADDRESS: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//[^\s)>\"]+|\.{0,2}/[\w./-]+", re.IGNORECASE)
_KINDS: Final = ("unanswered", "contradiction", "replaced", "promised", "instruction")


@dataclass(frozen=True, kw_only=True)
class PromptSeen:
    """A question as a model reads it.

    Attributes:
        rule: The question in words.
        material: What was quoted.
        wanted: The list that the answer should have (``grades``).
        form: The form of answer that was asked for (``json_schema``); ``text`` if none was.
        body: The whole request.
    """

    rule: str
    material: JSON
    wanted: str
    form: str
    body: Mapping[str, JSON]


class FakeModel:
    """Answers as an OpenAI-compatible endpoint does: put a ``FaultProxy`` in front of it.

    Args:
        think: What it says to a question: JSON, or a text that is none.
        forms: The forms of answer that the endpoint knows.

    Attributes:
        asked: What it was asked so far, in the forms it knows.
    """

    def __init__(
        self,
        think: Callable[[PromptSeen], JSON],
        *,
        forms: Collection[str] = ("json_schema", "json_object", "text"),
    ) -> None:
        self.asked: list[PromptSeen] = []
        self._think = think
        self._forms = forms

    def __call__(self, seen: SeenRequest) -> ServerReply:
        """Return the endpoint's reply to a request."""
        question = read_question(json.loads(seen.body))
        if question.form not in self._forms:
            refused = {"error": {"message": "response_format: unknown", "type": "invalid_request"}}
            return ServerReply(status=400, body=json.dumps(refused).encode())
        self.asked.append(question)
        thought = self._think(question)
        content = thought if isinstance(thought, str) else json.dumps(thought)
        choice = {"index": 0, "finish_reason": "stop", "message": {"content": content}}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return ServerReply(body=json.dumps({"choices": [choice], "usage": usage}).encode())


def read_question(body: Mapping[str, JSON]) -> PromptSeen:
    """Return the question that a request holds; raise ValueError if it holds none of ours."""
    messages = body["messages"]
    user = messages[-1] if isinstance(messages, Sequence) else None
    content = user["content"] if isinstance(user, Mapping) else None
    found = _FENCED.match(content) if isinstance(content, str) else None
    if found is None:
        raise ValueError("the request has no fenced material")
    schema = json.loads(found[4].partition(": ")[2])
    spec = body.get("response_format")
    form = spec.get("type") if isinstance(spec, Mapping) else None
    return PromptSeen(
        rule=found[1],
        material=json.loads(found[3]),
        wanted=next(iter(schema["properties"])),
        form=form if isinstance(form, str) else "text",
        body=body,
    )


def obey(asked: PromptSeen) -> JSON:
    """Do whatever anybody's text in the material orders, and more than that.

    A text with JSON in it is given back as the answer. Any other order is taken to mean the
    worst: everything else is of no use, all texts are the same, and what the order says, its
    addresses and paths, stand wherever an answer has room. Without any order, nothing is said.
    """
    orders = [text for text in _texts(asked.material) if _ORDER.search(text)]
    if not orders:
        return {asked.wanted: []}
    for order in orders:
        if dictated := re.search(r"\{.*\}", order, re.DOTALL):
            return dictated[0]
    addresses = [each for order in orders for each in _ADDRESS.findall(order)]
    texts: list[JSON] = [*orders, *addresses]
    return {
        asked.wanted: [*_worst(asked, texts), *texts],
        "links": texts,
        "markdown": "\n".join(orders),
        "files": texts,
        "tool_calls": [{"name": "fetch", "arguments": each} for each in texts],
    }


def _worst(question: PromptSeen, texts: Sequence[JSON]) -> list[JSON]:
    """Return the entries of an answer that do the most harm."""
    things = _things(question.material)
    orders = {at for at, thing in enumerate(things) if any(map(_ORDER.search, _texts(thing)))}
    numbers = range(-2, len(things) + 3)
    extra: Mapping[str, JSON] = {"url": texts[-1], "heading": texts[0], "about": texts[0]}
    match question.wanted:
        case "grades":
            return [{"candidate": at, "grade": 3 if at in orders else 0, **extra} for at in numbers]
        case "same":
            return [{"number": at, "earlier": 0, **extra} for at in numbers]
        case "places":
            return [{"statement": at, "topic": 0, **extra} for at in numbers]
        case "gaps":
            pairs = [(kind, list(found)) for kind in _KINDS for found in ([0], [0, 1], numbers)]
            return [{"kind": kind, "statements": found, **extra} for kind, found in pairs]
    return []


def _things(material: JSON) -> Sequence[JSON]:
    """Return the numbered things of a question."""
    if isinstance(material, Mapping):
        lists = [each for each in material.values() if _is_list(each)]
        return _things(lists[-1]) if lists else []
    return material if isinstance(material, Sequence) else []


def _is_list(value: JSON) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _texts(value: JSON) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for each in value.values():
                yield from _texts(each)
        case Sequence():
            for each in value:
                yield from _texts(each)
