"""Request bodies of ``POST /coderag/query`` and ``/coderag/refresh``, in their published format.

What is not known is passed over; what is known must be right.
"""

import json
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias, TypeVar

from attrs import field, frozen

from rove_code.model import Boost, CodeQuestion, ModelFamily
from rove_core import WrongCall

Body = TypeVar("Body")

_HINT: Final = "See docs/how-to/serve-code.md for a request that works."
_MOST: Final = 10_000_000
_MOST_PLACES: Final = 10_000
NameQuestion: TypeAlias = Literal[
    "symbol", "refs", "callers", "callees", "implementers", "tests", "impact"
]
#: Whose words say what it is about; a system's are the same in every conversation.
_SAYING: Final = frozenset({"user", "assistant"})


@frozen
class Part:
    """A part of a message; of one that is not a text nothing is read."""

    text: str | None = None


@frozen
class ChatMessage:
    """A message of a conversation, as OpenAI's chat has it."""

    role: str = "user"
    content: str | tuple[Part, ...] | None = None

    @property
    def words(self) -> str:
        """All its text."""
        if isinstance(self.content, str):
            return self.content.strip()
        return "\n".join(part.text for part in self.content or () if part.text).strip()


@frozen
class RepositoryBody:
    """A repository, and which version of it."""

    origin_uri: str | None = field(default=None, alias="originUri")
    checkout_host: str | None = field(default=None, alias="checkoutHost")
    checkout_path: str | None = field(default=None, alias="checkoutPath")
    repo_path: str | None = field(default=None, alias="repoPath")
    version: str | None = field(default=None, alias="versionSpecifier")


@frozen
class FileBoost:
    """A file that is to be shown in any case."""

    path: str
    whole: bool | None = field(default=True, alias="includeImplementation")
    repo: str | None = None


@frozen
class DeclarationBoost:
    """A declaration that is to be shown in any case."""

    path: str
    name: str
    whole: bool | None = field(default=True, alias="includeImplementation")
    repo: str | None = None


@frozen
class Boosts:
    """Code that must be shown."""

    files: tuple[str | FileBoost, ...] | None = None
    declarations: tuple[str | DeclarationBoost, ...] | None = None


@frozen
class QueryBody:
    """A question."""

    messages: tuple[ChatMessage, ...]
    budget: int = field(default=10_000, alias="approxLength")
    repos: tuple[RepositoryBody, ...] | None = None
    boosts: Boosts | None = None
    family: ModelFamily | None = field(default=None, alias="modelFamily")
    token: str | None = None

    def question(self) -> CodeQuestion:
        """Return the question that the conversation comes to.

        Raises:
            WrongCall: Nobody says anything, or the budget is none.
        """
        if not 0 < self.budget <= _MOST:
            raise WrongCall(f"approxLength {self.budget}: give 1 to {_MOST}", hint=_HINT)
        messages = [each for each in reversed(self.messages) if each.role in _SAYING and each.words]
        if not messages:
            raise WrongCall("messages: no user or assistant says anything", hint=_HINT)
        latest = next((each for each in messages if each.role == "user"), messages[0])
        earlier = tuple(each.words for each in messages if each is not latest)
        boosted = tuple(_boosts(self.boosts or Boosts()))
        return CodeQuestion(
            latest.words,
            self.budget,
            boosted=boosted,
            earlier=earlier,
            family=self.family or ModelFamily.CLAUDE,
        )


@frozen
class RefreshBody(RepositoryBody):
    """The repository to refresh."""

    token: str | None = None


@frozen
class NamesBody(RepositoryBody):
    """A question about a name: ``callers``, ``refs``, ``impact``..."""

    asked: NameQuestion = "symbol"
    name: str = ""
    limit: int | None = None
    unsure: bool | None = None
    token: str | None = None

    @property
    def checked_limit(self) -> int:
        """How many places the answer may have; raise WrongCall if that, or the name, is none."""
        limit = 100 if self.limit is None else self.limit
        if not self.name.strip() or not 0 < limit <= _MOST_PLACES:
            raise WrongCall(f"give a name, and a limit of 1 to {_MOST_PLACES}", hint=_HINT)
        return limit


def read_body(data: bytes, shape: type[Body]) -> Body:
    """Return what a body says, or raise WrongCall."""
    from rove_core.wire import TOLERANT, WrongShape  # noqa: PLC0415  # the list of routes needs none

    try:
        return TOLERANT.structure(json.loads(data.decode()), shape)
    except WrongShape as error:
        what = "; ".join(map(str, error.problems))
        raise WrongCall(f"the body does not fit: {what}", hint=_HINT) from error
    except (ValueError, RecursionError) as error:
        raise WrongCall(f"the body is not JSON: {error}", hint=_HINT) from error


def token_of(data: bytes) -> str:
    """Return the token that a body holds; empty if it holds none, or is no JSON."""
    try:
        body = json.loads(data.decode())
    except (ValueError, RecursionError):
        return ""
    token = body.get("token") if isinstance(body, dict) else None
    return token if isinstance(token, str) else ""


def boost_of(text: str, *, whole: bool = True) -> Boost:
    """Return what a text asks for: ``path``, or ``path#Outer.name``."""
    path, _, name = text.partition("#")
    if not path:
        raise WrongCall(f"{text!r} names no file", hint="Write path, or path#Outer.name.")
    return Boost(path, name, whole)


def _boosts(boosts: Boosts) -> Iterator[Boost]:
    for file in boosts.files or ():
        if isinstance(file, str):
            yield Boost(file)
        else:
            yield Boost(file.path, "", file.whole is not False, file.repo or "")
    for each in boosts.declarations or ():
        if isinstance(each, str):
            yield boost_of(each)
        else:
            yield Boost(each.path, each.name, each.whole is not False, each.repo or "")
