"""A vendor's reply, independent of the HTTP library."""

import codecs
import json
import math
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final, NoReturn, TypeVar, cast

from attrs import frozen

from rove_core.errors import MalformedReply
from rove_core.http.addresses import where
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import TOLERANT, WrongShape

Shape = TypeVar("Shape")

_CHARSET: Final = re.compile(r"charset\s*=\s*\"?([\w.:-]+)", re.IGNORECASE)
#: By the names of Python's codecs. Others are slow, or are no charset at all (``zlib``).
_CHARSETS: Final = frozenset(
    {"ascii", "big5", "euc_jp", "euc_kr", "gb18030", "gb2312", "gbk", "koi8-r", "shift_jis"}
    | {"utf-16", "utf-16-be", "utf-16-le"}
    | {f"iso8859-{part}" for part in range(1, 17)}
    | {f"cp{page}" for page in range(1250, 1259)}
)
_HALF_OF_A_PAIR: Final = re.compile(r"\\u[dD][89a-fA-F]")


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
    def where(self) -> str:
        """Host and path of the request, for messages."""
        return where(self.url)

    @property
    def content_type(self) -> str:
        """The media type of the body, in lower case and without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body as text, by its charset; bytes that do not fit are replaced."""
        return self.body.decode(self._charset(), errors="replace")

    def json(self) -> JSON:
        """Return the body as JSON, or raise :class:`MalformedReply`.

        Halves of surrogate pairs, which no file could hold, are replaced; numbers that are
        none (``NaN``, ``1e999``) and numbers of thousands of digits are refused.
        """
        return self._json

    @cached_property
    def _json(self) -> JSON:
        """The body as JSON, parsed once."""
        text = self.text.removeprefix("\ufeff")
        try:
            value = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
            return cast(
                "JSON", _without_surrogates(value) if _HALF_OF_A_PAIR.search(text) else value
            )
        except RecursionError as error:
            raise MalformedReply(f"{self.where} sent JSON that is nested too deep") from error
        except ValueError as error:
            raise MalformedReply(f"{self._sent_text()}: {error}") from error

    def read(self, shape: type[Shape]) -> Shape:
        """Return the body as an attrs class; unknown keys are left out, wrong ones refused.

        Args:
            shape: The class, or several of it where the vendor sends a list: ``tuple[Page, ...]``.
        """
        try:
            return TOLERANT.structure(self.json(), shape)
        except WrongShape as error:
            raise MalformedReply(f"{self.where} sent an unexpected reply: {error}") from error

    def _charset(self) -> str:
        named = _CHARSET.search(self.headers.get("content-type", ""))
        try:
            charset = codecs.lookup(named[1]).name if named else "utf-8"
        except LookupError:
            return "utf-8"
        return charset if charset in _CHARSETS else "utf-8"

    def _sent_text(self) -> str:
        return got_html(self) if self.content_type == "text/html" else f"{self.where} sent no JSON"


def got_html(reply: Reply) -> str:
    """Raise the error for HTML in place of JSON."""
    return f"got HTML from {reply.where}: a proxy or a login page?"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:20]} is out of range for a number")
    return number


def _without_surrogates(value: object) -> object:
    """Replace the halves of surrogate pairs in every text of a JSON value."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_without_surrogates(item) for item in value]
        case dict():
            return {
                _without_surrogates(key): _without_surrogates(item) for key, item in value.items()
            }
        case _:
            return value
