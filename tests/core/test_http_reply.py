from contextlib import suppress

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from rove_core.errors import MalformedReply
from rove_core.http import Reply


def _reply(body: bytes, content_type: str = "application/json") -> Reply:
    return Reply(200, "https://acme.example/thing?q=words", {"content-type": content_type}, body)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'{"a": [1, 2.5, true, null]}', {"a": [1, 2.5, True, None]}),
        (b"\xef\xbb\xbf[]", []),
        ('"ü😀"'.encode(), "ü😀"),
        (rb'"\ud83d\ude00"', "😀"),
        (rb'"\\ud83d"', r"\ud83d"),
        (rb'["x\ud83d", {"\udc00": "y"}]', ["x\ufffd", {"\ufffd": "y"}]),
        (b'"caf\xe9"', "caf\ufffd"),
        (b"1e-999", 0.0),
    ],
)
def test_json_is_read(body: bytes, value: object) -> None:
    """What no file could hold is replaced."""
    assert _reply(body).json() == value


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "sent no JSON"),
        (b"{", "sent no JSON"),
        (b"NaN", "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
        (b"1e999", "out of range"),
        (b"9" * 5_000, "sent no JSON"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deep"),
    ],
)
def test_what_is_no_json_is_a_malformed_reply(body: bytes, message: str) -> None:
    """It never is another error; the message says whose it is, without the query."""
    with pytest.raises(MalformedReply, match=message) as caught:
        _reply(body).json()
    assert str(caught.value).startswith("acme.example/thing sent")


@pytest.mark.parametrize("depth", range(100, 1000, 50))
def test_cleaning_never_goes_too_deep(depth: int) -> None:
    """What can be parsed but not be walked is a malformed reply too."""
    body = b"[" * depth + rb'"\ud83d"' + b"]" * depth

    with suppress(MalformedReply):
        _reply(body).json()


def test_html_is_called_html() -> None:
    """A proxy or a login page is what stands behind it."""
    with pytest.raises(MalformedReply, match=r"^got HTML from acme\.example/thing: a proxy"):
        _reply(b"<html>", "text/html; charset=utf-8").json()


@pytest.mark.parametrize(
    ("content_type", "body", "text"),
    [
        ("text/plain", "ü".encode(), "ü"),
        ("text/plain; charset=utf-8", "ü".encode(), "ü"),
        ("text/plain; charset=ISO-8859-1", b"\xfc", "ü"),
        ('text/plain; Charset="windows-1252"', b"\x80", "€"),
        ("text/plain; charset=shift_jis", b"\x83\x65", "テ"),
        ("text/plain; charset=utf-16", "ü".encode("utf-16"), "ü"),
        ("text/plain; charset=nonsense", "ü".encode(), "ü"),
        ("text/plain; charset=zlib", "ü".encode(), "ü"),
        ("text/plain; charset=unicode_escape", b"\\ud800", "\\ud800"),
        ("text/plain", b"a\xffb", "a\ufffdb"),
    ],
)
def test_text_is_read_by_its_charset(content_type: str, body: bytes, text: str) -> None:
    """What is no charset counts as none; what does not fit is replaced."""
    assert _reply(body, content_type).text == text


def test_json_has_its_charset_too() -> None:
    """Old servers send Latin-1 and say so."""
    assert _reply(b'"\xfc"', "application/json; charset=iso-8859-1").json() == "ü"


@given(st.binary(max_size=200), st.sampled_from(["", "utf-8", "utf-16", "latin-1", "gbk", "big5"]))
def test_any_bytes_are_text_that_can_be_kept(body: bytes, charset: str) -> None:
    """No body is an error before it is read as something."""
    _reply(body, f"text/plain; charset={charset}").text.encode()


@frozen
class _Thing:
    id: int
    name: str = ""


def test_a_reply_is_read_as_a_class() -> None:
    """Unknown keys are left out, missing ones have their defaults."""
    assert _reply(b'{"id": 1, "more": {}}').read(_Thing) == _Thing(1)


def test_a_reply_of_another_shape_is_malformed() -> None:
    """It says where it came from."""
    with pytest.raises(MalformedReply, match=r"^acme\.example/thing sent an unexpected reply"):
        _reply(b'{"id": []}').read(_Thing)
