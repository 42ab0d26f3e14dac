"""Multipart forms with uploaded files."""

from email import message_from_bytes
from email.message import Message

from attrs import frozen

from rove_sim.server import Request


@frozen
class FormPart:
    """A field of a form.

    Attributes:
        content: What is in it.
        filename: The name of the file; empty if it is none.
        media_type: What the file is.
    """

    content: bytes
    filename: str
    media_type: str

    @classmethod
    def of(cls, part: Message) -> "FormPart":
        """Return a part of a message as a field."""
        content = part.get_payload(decode=True)
        return cls(
            content if isinstance(content, bytes) else b"",
            part.get_filename() or "",
            part.get_content_type(),
        )


def form_parts(request: Request) -> dict[str, FormPart]:
    """Return the fields of a form with a file, by their names."""
    kind = request.headers.get("content-type", "")
    form = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + request.body)
    payload = form.get_payload()
    parts = payload if isinstance(payload, list) else []
    return {
        str(each.get_param("name", header="content-disposition")): FormPart.of(each)
        for each in parts
        if isinstance(each, Message)
    }
