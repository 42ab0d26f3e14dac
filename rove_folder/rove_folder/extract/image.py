"""Images: size and caption from their metadata; pixels are not decoded."""

import struct
import zlib
from collections.abc import Iterator
from typing import Final

from rove_folder.extract.content import ExtractedContent, UnreadableContent
from rove_folder.files.content_kinds import JPEG, PNG

_MOST_PIXELS: Final = 40_000_000
_MOST_CAPTION: Final = 400
#: The markers of a JPEG file that begin a frame, and so tell its size.
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_COMMENT: Final = 0xFE
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD8)})
#: The chunks that a picture needs to be shown.
_SHOWN: Final = frozenset({b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"sRGB", b"IDAT", b"IEND"})
_FAULT: Final = "Not a readable image"


def read_image(_name: str, data: bytes) -> ExtractedContent:
    """Return the size of an image, and its caption.

    Raises:
        UnreadableContent: It is damaged, or larger than anybody looks at.
    """
    try:
        width, height, captions = _png(data) if data.startswith(PNG) else _jpeg(data)
    except (struct.error, IndexError, zlib.error) as error:
        raise UnreadableContent(_FAULT) from error
    if not (width and height):
        raise UnreadableContent(_FAULT)
    if width * height > _MOST_PIXELS:
        raise UnreadableContent(f"Image of {width} x {height} pixels is too large")
    form = "PNG" if data.startswith(PNG) else "JPEG"
    title = " ".join(" ".join(captions).split())[:_MOST_CAPTION]
    note = f"{form} image, {width} x {height}"
    return ExtractedContent(kind="image", title=title, note=note)


def without_metadata(data: bytes) -> bytes:
    """Return an image without its metadata: places, cameras, people, comments."""
    if data.startswith(PNG):
        chunks = (chunk for name, _, chunk in _chunks(data) if name in _SHOWN)
        return PNG + b"".join(chunks)
    return JPEG[:2] + b"".join(
        part
        for marker, _, part in _segments(data)
        if not (0xE1 <= marker <= 0xEF or marker == _COMMENT)
    )


def _png(data: bytes) -> tuple[int, int, list[str]]:
    width = height = 0
    captions: list[str] = []
    ended = False
    for name, body, _ in _chunks(data):
        if name == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        elif name == b"tEXt":
            key, _, text = body.partition(b"\0")
            if key.lower() in {b"title", b"description", b"comment"}:
                captions.append(text.decode("latin-1"))
        ended = name == b"IEND"
    if not ended:
        raise UnreadableContent(_FAULT)
    return width, height, captions


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield the chunks of a PNG file: name, body, and the whole of it."""
    place = len(PNG)
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        end = place + 12 + length
        if end > len(data):
            raise UnreadableContent(_FAULT)
        name, body = data[place + 4 : place + 8], data[place + 8 : end - 4]
        if zlib.crc32(data[place + 4 : end - 4]) != struct.unpack_from(">I", data, end - 4)[0]:
            raise UnreadableContent(_FAULT)
        yield name, body, data[place:end]
        if name == b"IEND":
            return
        place = end


def _jpeg(data: bytes) -> tuple[int, int, list[str]]:
    width = height = 0
    captions: list[str] = []
    scanned = False
    for marker, body, _ in _segments(data):
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", body[1:5])
        elif marker == _COMMENT:
            captions.append(body.decode("utf-8", "replace"))
        scanned = marker == 0xDA
    if not scanned:
        raise UnreadableContent(_FAULT)
    return width, height, captions


def _segments(data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the segments of a JPEG file: marker, body, and the whole; the scan ends it."""
    place = 2
    while place + 4 <= len(data):
        if data[place] != 0xFF:
            raise UnreadableContent(_FAULT)
        marker = data[place + 1]
        if marker == 0xFF or marker in _ALONE:
            place += 1 if marker == 0xFF else 2
            continue
        if marker == 0xDA:  # What follows are the picture's own bits.
            yield marker, b"", data[place:]
            return
        (length,) = struct.unpack_from(">H", data, place + 2)
        end = place + 2 + length
        if length < 2 or end > len(data):
            raise UnreadableContent(_FAULT)
        yield marker, data[place + 4 : end], data[place:end]
        place = end
