"""Messages to and from the reader process: length-prefixed bytes."""

import json
import os
import struct
from typing import Final, NamedTuple

import attrs

from rove_folder.extract.content import ExtractedContent

_LENGTH: Final = struct.Struct(">I")


class Job(NamedTuple):
    """A file to read."""

    name: str
    data: bytes


def packed_job(job: Job) -> bytes:
    """Return the bytes of a job."""
    name = job.name.encode("utf-8", "replace")
    return struct.pack(">II", len(name), len(job.data)) + name + job.data


def packed_result(result: ExtractedContent | str) -> bytes:
    """Return the bytes of a result, or of the reason for having none."""
    if isinstance(result, str):
        head, text = {"fault": result}, b""
    else:
        head = attrs.asdict(result, filter=lambda each, _: each.name != "text")
        text = result.text.encode("utf-8", "replace")
    head_bytes = json.dumps(head).encode()
    return b"".join([_LENGTH.pack(len(head_bytes)), _LENGTH.pack(len(text)), head_bytes, text])


def unpacked_result(head: bytes, text: bytes) -> ExtractedContent | str:
    """Return the result that :func:`packed_result` packed."""
    fields = json.loads(head)
    if "fault" in fields:
        return str(fields["fault"])
    return ExtractedContent(text=text.decode(), **fields)


def read_exactly(descriptor: int, count: int) -> bytes:
    """Return so many bytes of a pipe; none when it was closed."""
    parts: list[bytes] = []
    while count:
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
