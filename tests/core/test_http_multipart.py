"""A file as the body of a request."""

from email import message_from_bytes
from email.message import Message

from rove_core.http import multipart_body


def _parts(content: tuple[str, bytes]) -> list[Message]:
    kind, body = content
    payload = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + body).get_payload()
    return [each for each in payload if isinstance(each, Message)]


def test_a_form_has_a_file_and_other_fields() -> None:
    """Each with its name, and the bytes of the file as they are."""
    form = multipart_body(b"a\0\r\nb", field="file", name="a.txt", further={"parent": "12"})
    parent, file = _parts(form)

    assert parent.get_payload(decode=True) == b"12"
    assert (file.get_payload(decode=True), file.get_filename()) == (b"a\0\r\nb", "a.txt")


def test_a_name_cannot_end_its_line() -> None:
    """Nor the quotes around it."""
    (file,) = _parts(multipart_body(b"", field="file", name='a"\r\nX: y'))

    assert (file.get_filename(), file["X"]) == ("a___X: y", None)
