"""Query a model with the best response format its endpoint supports, within a budget."""

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import (
    JSON,
    Caps,
    FixSettings,
    Http,
    ItemNotFound,
    LoginNeeded,
    MalformedReply,
    ModelUse,
    NoAnswer,
    Prompt,
    RateLimited,
    Reply,
    RoveError,
    TimedOut,
    Unavailable,
    estimated_tokens,
    read_answer,
    status_fault,
)

if TYPE_CHECKING:
    from rove_openai.client import OpenAiClient

#: Bytes of one reply: an answer of this many is none to a question of ours.
MOST_BYTES: Final = 1_000_000
#: Tokens of one answer, with what the model thinks before it.
MOST_ANSWERED: Final = 4_096
_AT_ONCE: Final = 4
#: The forms in which an answer is asked for, best first.
_FORMS: Final = ("json_schema", "json_object", "text")
#: The statuses with which endpoints refuse a form that they do not know.
_UNKNOWN_FORM: Final = frozenset({400, 415, 422, 501})
#: The form that an endpoint and a model were seen to know, for the life of the process.
_KNOWN: Final[dict[tuple[str, str], int]] = {}
_WHY: Final[Mapping[type[RoveError], str]] = {
    TimedOut: "the model did not answer within {seconds:g} s",
    RateLimited: "the model's endpoint asks Rove to wait",
    Unavailable: "the model's endpoint cannot be reached or fails",
    LoginNeeded: "the model's endpoint rejected the key",
    ItemNotFound: "there is no model {model} at {place}",
}
_LOG: Final = logging.getLogger("rove.ai")


@frozen(kw_only=True)
class _ReplyMessage:
    content: str | None = None
    refusal: str | None = None


@frozen(kw_only=True)
class _ReplyChoice:
    message: _ReplyMessage
    finish_reason: str | None = None


@frozen(kw_only=True)
class _Usage:
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@frozen(kw_only=True)
class _Completion:
    choices: tuple[_ReplyChoice, ...]
    usage: _Usage | None = None


class Chat:
    """Asks one endpoint on behalf of one build.

    Args:
        use: Which endpoint, and what the build may spend.
    """

    def __init__(self, use: ModelUse) -> None:
        self._endpoint = endpoint = use.endpoint
        self._budget = use.budget
        self._record = use.record
        self._deadline = use.deadline
        self._http = Http(
            account="ai",
            base_url=endpoint.base_url,
            credential=endpoint.credential,
            fault=_fault,
            clock=use.clock,
            caps=Caps(deadline=use.deadline, body=MOST_BYTES, at_once=_AT_ONCE),
        )
        # To wait for one's turn is not to wait for an answer: the deadline begins after it.
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._client: OpenAiClient | None = None
        self._retries = 0

    async def ask(self, prompt: Prompt) -> Mapping[str, JSON]:
        """Return the answer to a question, or raise NoAnswer.

        A form of asking that the endpoint refuses, or whose answer cannot be read, is tried no
        more; the next is plainer.
        """
        async with self._turn:
            place = self._endpoint.base_url, self._endpoint.model
            for form in range(_KNOWN.get(place, 0), len(_FORMS)):
                if (reply := await self._complete(prompt, _FORMS[form])) is None:
                    continue
                try:
                    answer = read_answer(reply)
                except ValueError as error:
                    _LOG.info("%s in %s: %s", prompt.question, _FORMS[form], error)
                    continue
                _KNOWN[place] = form
                return answer
            raise NoAnswer("the model's answer cannot be read", is_final=place not in _KNOWN)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _complete(self, prompt: Prompt, form: str) -> str | None:
        """Return what the model says to a question; None when the endpoint refuses the form."""
        self._budget.check(prompt, calls=self._record.calls, tokens=self._record.tokens)
        self._record.calls += 1
        self._record.tokens_in += prompt.tokens
        try:
            reply = await self._open().complete(prompt.messages, _options(prompt, form))
            choice = None if reply.status in _UNKNOWN_FORM else self._choice(reply, prompt)
        except RoveError as error:
            _LOG.warning("%s: %s", prompt.question, error.message)
            raise NoAnswer(self._why(error), is_final=True) from error
        finally:
            retries = self._http.counts.retries
            self._record.calls += retries - self._retries
            self._retries = retries
        if choice is None:
            return None
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise NoAnswer("the model refused to answer")
        return choice.message.content or ""

    def _choice(self, reply: Reply, prompt: Prompt) -> _ReplyChoice:
        """Return the answer, and record its usage."""
        completion = reply.read(_Completion)
        if not completion.choices:
            raise MalformedReply(f"{reply.where} sent a reply without an answer")
        choice = completion.choices[0]
        usage = completion.usage or _Usage()
        sent, answered = prompt.tokens, estimated_tokens(choice.message.content or "")
        self._record.tokens_in += _plausible_tokens(usage.prompt_tokens, sent, most=2 * sent) - sent
        self._record.tokens_out += _plausible_tokens(
            usage.completion_tokens, answered, most=answered + MOST_ANSWERED
        )
        return choice

    def _why(self, error: RoveError) -> str:
        """Explain a missing answer without the endpoint's own text."""
        if isinstance(error, FixSettings):
            return error.message
        phrases = (words for kind, words in _WHY.items() if isinstance(error, kind))
        return next(phrases, "the model's endpoint sent what cannot be read").format(
            seconds=self._deadline, model=self._endpoint.model, place=self._endpoint.base_url
        )

    def _open(self) -> "OpenAiClient":
        if self._client is None:
            # 0.4 s of processor time that only a question should cost.
            from rove_openai.client import OpenAiClient  # noqa: PLC0415  # see above

            self._client = OpenAiClient(self._endpoint, self._http, deadline=self._deadline)
        return self._client


def _fault(reply: Reply) -> RoveError | None:
    return None if reply.status in _UNKNOWN_FORM else status_fault(reply)


def _options(prompt: Prompt, form: str) -> Mapping[str, JSON]:
    """Return what asks for the form of an answer; the plainest has what the oldest servers know."""
    if form == "text":
        return {"max_tokens": MOST_ANSWERED}
    reply_form: dict[str, JSON] = {"type": form}
    if form == "json_schema":
        reply_form["json_schema"] = {
            "name": prompt.question,
            "strict": True,
            "schema": prompt.schema,
        }
    return {"response_format": reply_form, "max_completion_tokens": MOST_ANSWERED}


def _plausible_tokens(count: int | None, estimate: int, *, most: int) -> int:
    """Return how many tokens it took: what the endpoint says, as far as that can be."""
    return count if count and 0 < count <= most else estimate
