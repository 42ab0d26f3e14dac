"""Questions of the same moment share a request."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from rove_core.http import Batches

pytestmark = pytest.mark.anyio


def counted() -> tuple["Batches[str, int]", list[Sequence[str]]]:
    """Return batches that answer with the length of words, and the batches asked for."""
    asked: list[Sequence[str]] = []

    async def lengths(words: Sequence[str]) -> Mapping[str, int]:
        asked.append(words)
        return {word: len(word) for word in words if word}

    return Batches(lengths), asked


async def test_questions_of_one_moment_are_answered_together() -> None:
    """Equal ones are asked once."""
    batches, asked = counted()
    answers = await asyncio.gather(*map(batches.ask, ("keys", "vault", "keys")))

    assert answers == [4, 5, 4]
    assert asked == [["keys", "vault"]]


async def test_a_later_question_is_another_request() -> None:
    """Nobody waits for more questions to come."""
    batches, asked = counted()
    await batches.ask("keys")
    await batches.ask("vault")

    assert asked == [["keys"], ["vault"]]


async def test_what_has_no_answer_is_none() -> None:
    """The caller asks in another way then."""
    assert await counted()[0].ask("") is None


async def test_an_error_is_raised_for_all() -> None:
    """Each caller knows why there is no answer."""

    async def fail(_: Sequence[str]) -> Mapping[str, int]:
        raise OSError

    batches: Batches[str, int] = Batches(fail)
    outcomes = await asyncio.gather(*map(batches.ask, ("a", "b")), return_exceptions=True)

    assert [type(each) for each in outcomes] == [OSError, OSError]


async def test_a_request_that_nobody_waits_for_is_cancelled() -> None:
    """Its answer would help nobody."""
    waits, ended = asyncio.Event(), asyncio.Event()

    async def wait(_: Sequence[str]) -> Mapping[str, int]:
        try:
            await waits.wait()
        finally:
            ended.set()
        return {}

    batches: Batches[str, int] = Batches(wait)
    asking = asyncio.ensure_future(batches.ask("keys"))
    for _ in range(3):
        await asyncio.sleep(0)  # noqa: TID251  # lets it go on by one step
    asking.cancel()
    await ended.wait()

    assert not waits.is_set()
