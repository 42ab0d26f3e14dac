"""File uploads as ``multipart/form-data``."""

import re
from collections.abc import Mapping
from secrets import token_hex
from typing import Final

#: What would end the quoted name of a file, or its line.
_UNSAFE: Final = re.compile(r'["\\\x00-\x1f\x7f]')


def multipart_body(
    content: bytes,
    *,
    field: str,
    name: str,
    media_type: str = "application/octet-stream",
    further: Mapping[str, str] | None = None,
) -> tuple[str, bytes]:
    """Return the media type and the body of a form with one file.

    Args:
        content: What is in the file.
        field: How the vendor names the field.
        name: The name of the file.
        media_type: What the file is.
        further: Other fields of the form, by their names.
    """
    boundary = token_hex(16)
    fields = (
        f"--{boundary}\r\n"
        f'Content-Disposition: form-data; name="{_UNSAFE.sub("_", other)}"\r\n\r\n{value}\r\n'
        for other, value in (further or {}).items()
    )
    head = (
        f"{''.join(fields)}--{boundary}\r\n"
        f'Content-Disposition: form-data; name="{field}"; filename="{_UNSAFE.sub("_", name)}"\r\n'
        f"Content-Type: {_UNSAFE.sub('_', media_type)}\r\n\r\n"
    )
    body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", body
