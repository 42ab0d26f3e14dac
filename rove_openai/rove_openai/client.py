"""The only module that imports ``openai``.

The package builds the request and reads the errors. What goes over the network is Rove's own
client: it adds the key, which the package never sees, keeps the deadline and the limits, asks
again where that makes sense, follows no redirect and reads no more than it should.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import httpx2
from openai import APIStatusError, AsyncOpenAI, OpenAIError, omit

from rove_core import JSON, Endpoint, Http, MalformedReply, Message, Reply

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionContentPartParam

#: What Rove says itself, or does not say: the login, and what machine this is.
_NOT_PASSED_ON: Final = ("accept", "authorization", "connection", "content-", "host", "user-agent")
_ABOUT_THIS_MACHINE: Final = "x-stainless-"


class OpenAiClient:
    """Asks one endpoint for chat completions, or for vectors."""

    def __init__(self, endpoint: Endpoint, http: Http, *, deadline: float) -> None:
        self._endpoint = endpoint
        self._client = AsyncOpenAI(
            # The package insists on a key; the real one is added by Rove's own client.
            api_key="not-the-key",
            base_url=endpoint.base_url,
            max_retries=0,
            http_client=httpx2.AsyncClient(
                transport=_Door(http, deadline, passes_headers=endpoint.is_openais_own),
                follow_redirects=False,
                timeout=None,  # the deadline is for the request as a whole
                trust_env=False,
            ),
        )

    async def complete(
        self, messages: tuple[Message, Message], options: Mapping[str, JSON]
    ) -> Reply:
        """Return the reply to a question, whatever its status; a RoveError when there is none."""
        system, user = messages
        try:
            raw = await self._client.chat.completions.with_raw_response.create(
                model=self._endpoint.model,
                messages=[
                    {"role": "system", "content": system.content},
                    {"role": "user", "content": _parts(user)},
                ],
                extra_body=dict(options),
            )
        except APIStatusError as error:
            return _reply(error.response)
        except OpenAIError as error:
            raise self._malformed_reply(error) from error
        return _reply(raw.http_response)

    async def embed(self, texts: Sequence[str], dimensions: int = 0) -> Reply:
        """Request vectors, and return the reply, whatever its status.

        Args:
            texts: The texts to embed.
            dimensions: The length of each vector; 0 for that of the model.

        Raises:
            RoveError: There is no reply.
        """
        try:
            raw = await self._client.embeddings.with_raw_response.create(
                model=self._endpoint.model,
                input=list(texts),
                dimensions=dimensions or omit,
                # Few servers know the package's own choice, which is shorter.
                encoding_format="float",
            )
        except APIStatusError as error:
            return _reply(error.response)
        except OpenAIError as error:
            raise self._malformed_reply(error) from error
        return _reply(raw.http_response)

    def _malformed_reply(self, error: OpenAIError) -> MalformedReply:
        return MalformedReply(f"{self._endpoint.address.where}: {type(error).__name__}")


def _parts(message: Message) -> "str | list[ChatCompletionContentPartParam]":
    """Return what a message says, with the images that it shows."""
    if not message.images:
        return message.content
    shown: list[ChatCompletionContentPartParam] = [
        {"type": "image_url", "image_url": {"url": each.url, "detail": "low"}}
        for each in message.images
    ]
    return [{"type": "text", "text": message.content}, *shown]


class _Door(httpx2.AsyncBaseTransport):
    """Lets what the package sends out through Rove's own client."""

    def __init__(self, http: Http, deadline: float, *, passes_headers: bool) -> None:
        self._http = http
        self._deadline = deadline
        self._passes_headers = passes_headers

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request and return its reply."""
        reply = await self._http.post(
            str(request.url),
            json=json.loads(request.content),
            headers=_passed_on(request.headers) if self._passes_headers else {},
            deadline=self._deadline,
            repeatable=True,
        )
        headers = {"content-type": reply.headers.get("content-type", "")}
        return httpx2.Response(reply.status, headers=headers, content=reply.body, request=request)


def _passed_on(headers: Mapping[str, str]) -> dict[str, str]:
    """Return what the package's own variables add: an organization, a project, custom headers."""
    refused = (*_NOT_PASSED_ON, _ABOUT_THIS_MACHINE)
    return {name: text for name, text in headers.items() if not name.lower().startswith(refused)}


def _reply(response: httpx2.Response) -> Reply:
    return Reply(response.status_code, str(response.url), dict(response.headers), response.content)
