"""Linked folders: scans, extraction, memory, and whether a manifest leads to the right file.

Every figure is processor time of this process and its children, but for the questions. The
questions are made with the folders: each asks for one fact of one file in a reader's words. What
stands only in a file's body is asked for as often as what stands at its top. A reader is played by
a plain BM25 over lines of text: once the manifest's, once the paths alone.
"""

import asyncio
import os
import random
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from attrs import frozen
from tests.folder import formats

import rove_folder
from rove_core import MemoryStore, open_project
from rove_folder.extract.extractor import Extractor
from rove_folder.file_choice import fitting_lines, ranked_lines
from rove_folder.manifest import manifest_line
from rove_folder.project_folder import ProjectFolder
from rove_folder.scan import ScanCounts, scan
from rove_folder.storage.files import ManifestFile, manifest_files
from rove_sim import sample_company

FILES: Final = 20_000
RENAMED: Final = 1_000
_OLD: Final = 1_700_000_000


def _row(what: str, figure: str, target: str, note: str = "") -> None:
    print(f"{what:38} {figure:28} {target:10} {note}".rstrip(), flush=True)


def _asked(counts: ScanCounts) -> str:
    return f"{counts.read} read, the model asked {counts.asked} times"


def _megabytes(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1_024


def _cpu() -> float:
    sides = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own, children = map(resource.getrusage, sides)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


@asynccontextmanager
async def _linked(files: Path) -> AsyncIterator[ProjectFolder]:
    with tempfile.TemporaryDirectory() as project:
        async with open_project(
            Path(project), accounts=(), plugins=[rove_folder], credentials=MemoryStore()
        ) as rove:
            folder = ProjectFolder.of(rove)
            folder.link(str(files), relative_to=files)
            yield folder


async def _timed(folder: ProjectFolder, **options: object) -> tuple[float, ScanCounts]:
    before = _cpu()
    counts = await scan(folder, **options)  # type: ignore[arg-type]  # as scan() has them
    return _cpu() - before, counts


async def scans() -> None:
    """Scan 20,000 files, again, and after 1,000 were renamed."""
    with tempfile.TemporaryDirectory() as place:
        files = Path(place)
        for number in range(FILES):
            part = files / f"part-{number % 200}"
            part.mkdir(exist_ok=True)
            path = part / f"note-{number}.md"
            path.write_text(f"# Note {number}\n\nIt is about matter number {number} alone.\n")
            os.utime(path, (_OLD, _OLD))
        await asyncio.sleep(0.2)  # noqa: TID251  # files this young are looked at twice
        async with _linked(files) as folder:
            first, counts = await _timed(folder, limit=0)
            _row(f"first scan of {counts.total} files", f"{first:.2f} s CPU", "<= .5")
            read, counts = await _timed(folder)
            _row("reading and summarising them", f"{read:.2f} s CPU", "", _asked(counts))
            again, counts = await _timed(folder)
            _row("rescan with nothing new", f"{again:.2f} s CPU", "<= .3", _asked(counts))
            for number in range(RENAMED):
                path = files / f"part-{number % 200}" / f"note-{number}.md"
                path.rename(path.with_name(f"moved-{number}.md"))
            moved, counts = await _timed(folder)
            _row(f"after {counts.renamed} renames", f"{moved:.2f} s CPU", "0 calls", _asked(counts))


def extraction() -> None:
    """Take the text out of 40 MB of text and of 2,000 pages of PDF."""
    from rove_core.testing import VirtualClock  # noqa: PLC0415  # a clock that nobody asks

    line = "A line of text that says a little about the price of tea in June 2026.\n"
    text = (line * (1_000_000 // len(line))).encode()
    page = "\n".join(line.strip() for _ in range(45))
    document = formats.pdf([page] * 50)
    with Extractor(VirtualClock()) as extractor:
        extractor.read("a.md", b"x"), extractor.read("a.pdf", document)
    before = _cpu()
    with Extractor(VirtualClock()) as extractor:
        for _ in range(40):
            extractor.read("a.md", text)
    spent = _cpu() - before
    _row("text", f"{40 * len(text) / 1e6 / spent:.0f} MB/s of CPU", ">= 20")
    before = _cpu()
    with Extractor(VirtualClock()) as extractor:
        for _ in range(40):
            extractor.read("a.pdf", document)
    spent = _cpu() - before
    _row("PDF", f"{2_000 / spent:.0f} pages/s of CPU", ">= 500")
    own, child = map(_megabytes, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    _row("memory", f"{own:.0f} MB, {child:.0f} MB in a child", "<= 150 MB")


_NAMES: Final = [
    "Acme",
    "Birch",
    "Corvo",
    "Delta",
    "Ember",
    "Falk",
    "Gamma",
    "Hohn",
    "Iris",
    "Jansen",
]
_SUBJECTS: Final = {
    "en": (
        (
            "invoice reminders",
            "The reminders go out after {n} days and stop after the third letter.",
        ),
        (
            "warehouse move",
            "The warehouse in {c} closes in {m} and all pallets go to the new hall.",
        ),
        ("data retention", "Customer records are erased after {n} months unless a claim is open."),
        ("press release", "The press release about {c} is held back until {m}."),
    ),
    "de": (
        ("Mietvertrag", "Die Kaution für das Büro in {c} beträgt {n} Euro und ist verzinst."),
        ("Schulung", "Die Schulung der Fahrer beginnt im {m} und dauert {n} Stunden."),
        ("Reklamation", "Die Reklamation von {c} betrifft {n} beschädigte Gehäuse."),
    ),
    "it": (
        ("preventivo", "Il preventivo per la fiera di {c} prevede {n} metri quadrati."),
        ("spedizione", "La spedizione verso {c} parte in {m} con {n} colli."),
        ("garanzia", "La garanzia delle pompe dura {n} mesi dalla consegna."),
    ),
}
_CITIES: Final = [
    "Lyon",
    "Graz",
    "Turin",
    "Leeds",
    "Bergen",
    "Porto",
    "Gent",
    "Basel",
    "Tartu",
    "Vigo",
]
_MONTHS: Final = [
    "January",
    "March",
    "April",
    "June",
    "July",
    "August",
    "October",
    "November",
    "December",
    "May",
]
_FILLER: Final = (
    "This was agreed in the last call.",
    "Further points are open and will be settled later.",
    "Everybody who was there has seen the minutes.",
)


@frozen(kw_only=True)
class FolderQuestion:
    """A question, and the file that answers it."""

    text: str
    path: str


def _write_folder(root: Path, dice: random.Random, name: str) -> Iterator[FolderQuestion]:
    """Write a folder of ten files and yield a question about each."""
    forms = ["md", "txt", "docx", "pdf", "md", "docx", "csv", "py", "png", "md"]
    subjects = [(each, sentence) for group in _SUBJECTS.values() for each, sentence in group]
    dice.shuffle(subjects)
    for number, (form, (subject, sentence)) in enumerate(zip(forms, subjects, strict=True)):
        fact = sentence.format(
            n=dice.randrange(11, 990), c=dice.choice(_CITIES), m=dice.choice(_MONTHS)
        )
        deep = number % 2 == 1
        # File names as people give them: half say something, half do not.
        stem = subject.split()[0].lower() if dice.random() < 0.5 else f"doc-{number:02}"
        path = root / f"{stem}.{form}"
        before = [dice.choice(_FILLER) for _ in range(12 if deep else 0)]
        _write(path, form, f"{name}: {subject}", [*before, fact, *_FILLER])
        words = [word.strip(".,") for word in fact.split() if len(word) > 3]
        dice.shuffle(words)
        yield FolderQuestion(text=" ".join(words[:4]), path=path.name)


def _write(path: Path, form: str, title: str, sentences: Sequence[str]) -> None:
    text = " ".join(sentences)
    match form:
        case "docx":
            path.write_bytes(formats.docx([f"# {title}", *sentences]))
        case "pdf":
            path.write_bytes(formats.pdf([f"{title}\n" + "\n".join(sentences)], title))
        case "csv":
            path.write_text("date,subject,note\n" + f'2026-05-01,{title},"{text}"\n' * 3)
        case "py":
            path.write_text(f'"""{title}: {text}"""\n\ndef run():\n    pass\n')
        case "png":
            path.write_bytes(
                formats.png(
                    caption=f"{title}. {text}".encode("latin-1", "replace").decode("latin-1")
                )
            )
        case _:
            path.write_text(f"# {title}\n\n{text}\n" if form == "md" else f"{title}\n\n{text}\n")


async def questions() -> None:
    """Ask 100 questions of ten folders, by the manifest and by the paths alone."""
    dice = random.Random(4)  # noqa: S311  # the same folders each time
    hits: Counter[str] = Counter()
    count = 0
    company = sample_company()
    foreign = [(each.title, each.description) for each in company.tickets]
    for name in _NAMES:
        with tempfile.TemporaryDirectory() as place:
            batch = list(_write_folder(Path(place), dice, name))
            async with _linked(Path(place)) as folder:
                await scan(folder)
                with folder.database.reading() as db:
                    files = list(manifest_files(db, folder.id))
            lines = _lines(files)
            hits["foreign"] += sum(bool(fitting_lines(*each, lines)) for each in foreign)
            for question in batch:
                count += 1
                hits["document"] += question.path in fitting_lines(question.text, "", lines)[:5]
                hits["manifest"] += question.path in _best(question.text, lines)
                hits["paths"] += question.path in _best(question.text, _paths(files))
    by_manifest, by_paths = (100 * hits[way] / count for way in ("manifest", "paths"))
    _row(
        "the right file among the first three",
        f"{by_manifest:.0f} % by manifest",
        ">= 85 %",
        f"{by_paths:.0f} % by paths alone, {count} questions",
    )
    _row(
        "named in the document of its ticket",
        f"{100 * hits['document'] / count:.0f} %",
        "",
        f"{hits['foreign']} of {len(_NAMES) * len(foreign)} documents of others name a file",
    )


def _lines(files: Sequence[ManifestFile]) -> dict[str, str]:
    return {each.path: manifest_line(each.path, each.kind, each.summary) for each in files}


def _paths(files: Sequence[ManifestFile]) -> dict[str, str]:
    return {each.path: each.path for each in files}


def _best(question: str, lines: dict[str, str]) -> list[str]:
    """Return the three files whose lines fit a question best."""
    return [each.key for each in ranked_lines(question, lines)[:3]]


def main() -> None:
    """Measure all of it, or what is named."""
    parts = sys.argv[1:] or ["questions", "extraction", "scans"]
    if "questions" in parts:
        asyncio.run(questions())
    if "extraction" in parts:
        extraction()
    if "scans" in parts:
        asyncio.run(scans())


if __name__ == "__main__":
    main()
