"""What a vendor answered, without a type of the HTTP library."""

import json
from collections.abc import Mapping
from typing import NoReturn, TypeVar, cast

from attrs import frozen

from rove_core.errors import MalformedReply
from rove_core.items import JSON
from rove_core.wire import TOLERANT, WrongShape

Shape = TypeVar("Shape")


@frozen
class Reply:
    """One answer.

    Attributes:
        status: The HTTP status.
        url: What was asked, after redirects.
        headers: Its headers, names in lower case.
        body: Its body, decoded from any content encoding.
    """

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text; bytes that are no UTF-8 are replaced."""
        return self.body.decode("utf-8", errors="replace")

    def json(self) -> JSON:
        """Return the body as JSON, or raise :class:`MalformedReply`."""
        try:
            return cast("JSON", json.loads(self.body, parse_constant=_no_constant))
        except (ValueError, RecursionError) as error:
            raise MalformedReply(f"{self._host()} sent {self._looks_like()}: {error}") from error

    def read(self, shape: type[Shape]) -> Shape:
        """Return the body as an attrs class; unknown keys are left out, wrong ones refused."""
        try:
            return TOLERANT.structure(self.json(), shape)
        except WrongShape as error:
            raise MalformedReply(f"{self._host()} sent an unexpected reply: {error}") from error

    def _host(self) -> str:
        return self.url.split("/")[2] if "://" in self.url else self.url

    def _looks_like(self) -> str:
        kind = self.headers.get("content-type", "").partition(";")[0]
        return "HTML" if kind == "text/html" else "no JSON"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
