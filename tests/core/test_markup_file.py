"""Attached files as Markdown."""

import pytest

from rove_core import file_to_markdown


@pytest.mark.parametrize(
    ("name", "body", "media_type", "shown"),
    [
        ("a.log", b"x\r\ny\n", "", "```\nx\ny\n```"),
        ("a.md", "\ufeff# Schlüssel".encode(), "", "# Schlüssel"),
        ("a.csv", "ä;b".encode("utf-16"), "", "```\nä;b\n```"),
        ("a.txt", "ä".encode("cp1252"), "text/plain", "```\nä\n```"),
        ("a.bin", "ä".encode("cp1252"), "application/octet-stream", ""),
        ("a.png", b"\x89PNG\0", "text/plain", ""),
        ("a.txt", b" \n", "text/plain", ""),
    ],
)
def test_text_is_shown_whatever_its_encoding(
    name: str, body: bytes, media_type: str, shown: str
) -> None:
    """Markdown stays as it is, other text is a block of code, and what is not a text is empty."""
    assert file_to_markdown(name, body, media_type=media_type) == shown
