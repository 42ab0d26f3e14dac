"""Taking the text out of files, in a process that may break."""

import os
import random
import resource
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from tests.folder import formats

import rove_folder
from rove_core import Account, MemoryStore, Query, TextExtractor, open_project
from rove_core.testing import VirtualClock
from rove_folder.extract.content import ExtractedContent
from rove_folder.extract.extractor import Extractor, ReadingLimits
from rove_folder.extract.image import without_metadata
from rove_folder.extract.text_decoder import decoded
from rove_folder.project_folder import ProjectFolder
from rove_folder.scan import scan
from rove_folder.settings import FolderSourceSettings
from rove_folder.storage.files import manifest_files
from rove_folder.summary.extractive import extractive_summary

EXAMPLES = int(os.environ.get("ROVE_EXAMPLES", "150"))
UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
GERMAN = "Größe, Übung, Straße: schöne Grüße aus Österreich. " * 4
RUSSIAN = "Встреча состоится в пятницу, бюджет проекта составляет сорок тысяч рублей. " * 3
JAPANESE = "会議は金曜日に行われます。予算は四万円です。" * 4
CHINESE = "会议在星期五举行。这个项目的预算是四万元。我们不需要更多的人。" * 3
KOREAN = "회의는 금요일에 열립니다. 예산은 사만 원입니다. " * 4
GREEK = "Η συνάντηση είναι την Παρασκευή και ο προϋπολογισμός είναι μικρός. " * 3  # noqa: RUF001  # it is Greek


@pytest.fixture(scope="module")
def extractor() -> Iterator[Extractor]:
    """Give an extractor."""
    with Extractor(VirtualClock()) as given:
        yield given


def _content(extractor: Extractor, name: str, data: bytes) -> ExtractedContent:
    found = extractor.read(name, data)
    assert isinstance(found, ExtractedContent), found
    return found


def test_reads_text_in_any_encoding(extractor: Extractor) -> None:
    """Nobody has to say how a text is encoded, and a short one is enough."""
    encoded = [(GERMAN, encoding) for encoding in UNICODE]
    encoded += [(GERMAN, "cp1252"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r"), (GREEK, "cp1253")]
    encoded += [(JAPANESE, "shift_jis"), (JAPANESE, "euc_jp"), (CHINESE, "gb18030")]
    encoded += [(KOREAN, "euc_kr"), ("plain", "ascii"), ("Größe: schöne Grüße", "cp1252")]
    for text, encoding in encoded:
        # In the reading process: it can load no codec any more.
        found = extractor.read("a.txt", text.encode(encoding))

        assert isinstance(found, ExtractedContent), (encoding, found)
        assert found.text == text, encoding


def test_a_cut_character_costs_no_more_than_itself() -> None:
    """A text that was cut within a character is still UTF-8."""
    assert decoded(GERMAN.encode()[:2]) == "Gr"[:1] + "r"


def test_reads_pdf(extractor: Extractor) -> None:
    """The pages of a PDF document are told apart, and it has its own title."""
    found = _content(extractor, "a.pdf", formats.pdf(["First page", "Second (page)"], "Audit"))

    assert (found.kind, found.title, found.note) == ("pdf", "Audit", "2 pages")
    assert [found.text[start:].split("\n")[0] for start in found.pages] == [
        "First page",
        "Second (page)",
    ]


def test_reads_docx(extractor: Extractor) -> None:
    """The paragraphs of a Word document are text, and its headings are known."""
    data = formats.docx(["# Scope", "The shop & its till."], "Offer")
    found = _content(extractor, "a.docx", data)

    assert (found.kind, found.title, found.note) == ("docx", "Offer", "Scope")
    assert found.text == "Scope\nThe shop & its till.\n"


def test_reads_the_shape_of_a_table(extractor: Extractor) -> None:
    """A table is known by its columns and how many rows it has, whatever separates them."""
    for name, mark in (("a.csv", ","), ("b.csv", ";"), ("c.tsv", "\t")):
        rows = "\n".join(mark.join(row) for row in (["city", "sum"], ["Rome", "1"], ["Bonn", "2"]))
        found = _content(extractor, name, rows.encode())

        assert found.note == "Table, 2 rows, 2 columns: city, sum"


def test_reads_images(extractor: Extractor) -> None:
    """Of an image its size and the caption it carries are read."""
    found = _content(extractor, "a.png", formats.png(640, 48, "Final logo"))
    other = _content(extractor, "b.jpg", formats.jpeg(16, 8, "A golden bird"))

    assert (found.note, found.title) == ("PNG image, 640 x 48", "Final logo")
    assert (other.note, other.title) == ("JPEG image, 16 x 8", "A golden bird")


def test_the_content_decides(extractor: Extractor) -> None:
    """A file is what its bytes are, whatever its name says."""
    assert _content(extractor, "a.txt", formats.pdf(["Page"])).kind == "pdf"
    assert _content(extractor, "a.md", formats.png()).kind == "image"
    assert _content(extractor, "a.pdf.txt", formats.docx(["Text"])).kind == "docx"
    assert extractor.read("a.md", b"\x7fELF" + bytes(100)) == "Binary content"
    assert extractor.read("a.docx", b"no archive") == "Could not extract text"


def test_images_lose_what_was_written_into_them() -> None:
    """Where an image was taken, and by whom, is not sent along."""
    for data in (formats.jpeg(comment="by Ann"), formats.png(caption="by Ann")):
        bare = without_metadata(data)

        assert b"Ann" in data
        assert b"Ann" not in bare
        assert b"Exif" not in bare
        assert bare[:3] == data[:3]


@cache
def _bombs() -> dict[str, bytes]:
    deep = b"<a>" * 100_000
    entities = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><x>&a;</x>'
    rows = zlib.compress(bytes(10))
    huge = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    return {
        "zeros.docx": formats.archive({"word/document.xml": b"<a>" + bytes(65 << 20)}),
        "deep.docx": formats.archive({"word/document.xml": deep}),
        "entities.docx": formats.archive({"word/document.xml": entities}),
        "empty.docx": formats.archive({}),
        "many.docx": formats.archive({f"{number}": b"" for number in range(2_000)}),
        "huge.png": b"\x89PNG\r\n\x1a\n"
        + formats.chunk(b"IHDR", huge)
        + formats.chunk(b"IDAT", rows),  # a chunk by hand
        "loop.pdf": formats.pdf(["x"]).replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"),
        "gzip.md": b"\x1f\x8b\x08\x00" + bytes(1_000),
    }


@pytest.mark.parametrize(
    "name",
    [
        "zeros.docx",
        "deep.docx",
        "entities.docx",
        "empty.docx",
        "many.docx",
        "huge.png",
        "loop.pdf",
        "gzip.md",
    ],
)
def test_traps_are_skipped(extractor: Extractor, name: str) -> None:
    """A file that is made to cost memory or time has a reason instead of a text."""
    found = extractor.read(name, _bombs()[name])

    assert isinstance(found, str), found
    assert found.startswith(
        ("Could not extract text", "Not a readable image", "Image of", "Binary")
    )


def test_broken_files_are_skipped_with_a_reason(extractor: Extractor) -> None:
    """Documents and images with bytes changed or cut off are read or skipped, never more."""
    dice = random.Random(21)  # noqa: S311  # the same files each time
    whole = {
        "a.pdf": formats.pdf(["The first page of it", "and the second"] * 3),
        "a.docx": formats.docx(["# One", "Two words", "and three more of them"]),
        "a.png": formats.png(40, 30, "caption"),
        "a.jpg": formats.jpeg(40, 30, "caption"),
    }
    reasons = []
    for number in range(EXAMPLES):
        name = sorted(whole)[number % len(whole)]
        data = bytearray(whole[name])
        if number % 3 == 0:
            del data[dice.randrange(10, len(data)) :]
        for _ in range(dice.randrange(1, 60)):
            data[dice.randrange(8, len(data))] = dice.randrange(256)
        found = extractor.read(name, bytes(data))
        reasons.append(found if isinstance(found, str) else found.kind)

    assert len(reasons) == EXAMPLES
    assert all(reasons)
    assert sum(reason.startswith(("Could not", "Not a", "Image of")) for reason in reasons) > 40
    assert _content(extractor, "a.pdf", whole["a.pdf"]).kind == "pdf"


@pytest.fixture
def _readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reading processes import the readers of these tests."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


@pytest.mark.usefixtures("_readers")
def test_a_reader_that_does_not_end_is_ended() -> None:
    """Whatever a reader does, it is over in time, and the next file is read."""
    readers = [
        TextExtractor(name=name, suffixes=(f".{name}",), function=f"tests.folder.readers:{name}")
        for name in ("endless", "crashing", "greedy", "raising", "writing", "calling")
    ]
    limits = ReadingLimits(memory=1 << 29, cpu=0, wall=60.0)
    with Extractor(VirtualClock(), readers, limits) as extractor:
        told = {reader.name: extractor.read(f"x.{reader.name}", b"") for reader in readers}
        children = [each._process.pid for each in extractor._children.values()]  # noqa: SLF001  # its processes

    assert told["endless"] == told["crashing"] == "Could not extract text: its reader ended"
    assert told["greedy"] == "Could not extract text: it needs too much memory"
    assert told["raising"] == "Could not extract text"
    assert told["writing"] == told["calling"] == "Could not extract text"
    assert [pid for pid in children if Path(f"/proc/{pid}").exists()] == []


@pytest.mark.usefixtures("_readers")
def test_packages_read_their_own_formats() -> None:
    """An extractor that a package brings is used for its endings, and returns pages."""
    reader = TextExtractor(
        name="pages", suffixes=(".pages",), function="tests.folder.readers:pages"
    )
    with Extractor(VirtualClock(), [reader]) as extractor:
        found = _content(extractor, "a.pages", b"one two")

    assert (found.text, found.pages) == ("one\ntwo", (0, 4))


@pytest.mark.anyio
async def test_scan_and_source_read_what_a_package_reads(
    tmp_path: Path, folder: Path, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example of the page on hooks, from its ending to a line of the manifest."""
    examples = str(Path(__file__).parents[2] / "docs_src" / "hooks")
    monkeypatch.setenv("PYTHONPATH", examples)
    monkeypatch.syspath_prepend(examples)
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as parts:
        parts.writestr("content.xml", '<a xmlns:t="u"><t:p>A brief about partners.</t:p></a>')
    write("brief.odt", archive.getvalue())
    plugins = [rove_folder, import_module("rove_opendocument")]

    account = Account(
        name="folder",
        kind="folder",
        settings=FolderSourceSettings(folder=str(folder)),
        base_url=tmp_path.as_uri(),
    )
    async with open_project(
        tmp_path, accounts=(account,), plugins=plugins, credentials=MemoryStore()
    ) as rove:
        linked = ProjectFolder.of(rove)
        linked.link(str(folder), relative_to=folder)
        await scan(linked)
        with linked.database.reading() as db:
            (found,) = manifest_files(db, linked.id)
        query = Query(account="folder", text="partners")
        (item,) = [each async for each in rove.accounts.search(query)]

    assert (found.kind, found.summary) == ("text", "A brief about partners")
    assert (item.ref.id, item.content) == ("linked/brief.odt", "A brief about partners.")


def test_no_text_costs_time() -> None:
    """A text that is made to be looked at again and again has a summary at once."""
    for part in ("@a\n", "\r\n", "\t", "<script>", "public ", "[[", "```\n", "A\n"):
        text = part * (60_000 // len(part))
        for name, form in (("a.py", "code"), ("a.html", "code"), ("a.md", "prose")):
            content = ExtractedContent(kind="text", text=text, form=form)

            assert len(extractive_summary(name, content)) <= 500


def test_this_process_keeps_its_limits() -> None:
    """Only the reading process is limited."""
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 3
