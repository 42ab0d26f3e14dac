"""Files of each format, made by hand, as small as they can be and still right."""

import io
import struct
import zipfile
import zlib
from collections.abc import Sequence
from xml.sax.saxutils import escape

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf(pages: Sequence[str], title: str = "") -> bytes:
    """Return a PDF document with these texts, one a page."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, text in enumerate(pages):
        lines = "".join(f"({_literal(line)}) Tj T* " for line in text.splitlines())
        stream = f"BT /F1 11 Tf 14 TL 50 780 Td {lines}ET".encode("cp1252")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects.append(f"<< /Title ({_literal(title)}) >>".encode("cp1252"))
    return _pdf_file(objects)


def _literal(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _pdf_file(objects: Sequence[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        len(objects),
        start,
    )
    return bytes(out)


def docx(
    paragraphs: Sequence[str], title: str = "", extra: dict[str, bytes] | None = None
) -> bytes:
    """Return a Word document; a paragraph that begins with ``# `` is a heading."""
    body = "".join(map(_paragraph, paragraphs))
    xml = f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
    parts = {"word/document.xml": xml.encode(), **(extra or {})}
    if title:
        core = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
        dc = "http://purl.org/dc/elements/1.1/"
        parts["docProps/core.xml"] = (
            f'<c:coreProperties xmlns:c="{core}" xmlns:d="{dc}"><d:title>{escape(title)}</d:title>'
            "</c:coreProperties>"
        ).encode()
    return archive(parts)


def archive(parts: dict[str, bytes]) -> bytes:
    """Return a ZIP archive of some parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return out.getvalue()


def _paragraph(text: str) -> str:
    style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' if text.startswith("# ") else ""
    words = escape(text.removeprefix("# "))
    return f"<w:p>{style}<w:r><w:t>{words}</w:t></w:r></w:p>"


def png(width: int = 3, height: int = 2, caption: str = "") -> bytes:
    """Return a PNG image."""
    rows = b"".join(b"\0" + b"\x80\x40\x20" * width for _ in range(min(height, 64)))
    chunks = [chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))]
    if caption:
        chunks.append(chunk(b"tEXt", b"Description\0" + caption.encode("latin-1")))
    chunks += [chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def chunk(name: bytes, body: bytes) -> bytes:
    """Return a chunk of a PNG image."""
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def jpeg(width: int = 16, height: int = 8, comment: str = "") -> bytes:
    """Return the segments of a JPEG image, with nothing in its scan."""
    frame = struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"
    parts = [(0xE1, b"Exif\0\0 at 48.2 N, 16.4 E"), (0xC0, frame)]
    if comment:
        parts.insert(0, (0xFE, comment.encode()))
    written = (
        b"\xff%c" % marker + struct.pack(">H", len(body) + 2) + body for marker, body in parts
    )
    return b"\xff\xd8" + b"".join(written) + b"\xff\xda\x00\x08\x01\x01\x00\x00?\x00\x00\xff\xd9"
