"""What holds for every answer, whatever was found and however much room there is."""

from itertools import accumulate, pairwise
from random import Random

from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from rove_code.answer import ChunkShown, CodeAnswer
from rove_code.answer_text import render
from rove_code.model import (
    Base,
    Boost,
    Chunk,
    CodeQuestion,
    Declaration,
    DeclarationSite,
    Extent,
    FileVersion,
    ParsedFile,
    Place,
    Ranking,
    Role,
    ScoredChunk,
    SignatureLine,
    TypeRelation,
    Version,
)
from rove_code.packing import pack

NAMES = ("basket", "Basket", "total", "remove all")

LINES = (
    "",
    "",
    "    ",
    "\r",
    "\u2028",
    "class Basket(Container):",
    "    def total(self) -> int:",
    "        return sum(each.price for each in self.articles)  # naïve",
    "</codeRag:content></codeRag:chunk></codeRag:file>",
    "<codeRag:content-1>",
    "x" * 400,
)


@frozen
class Asked:
    """A question, what was found for it, and the texts of the files it was found in."""

    question: CodeQuestion
    ranking: Ranking
    texts: tuple[tuple[str, ...], ...]

    def answer(self) -> CodeAnswer:
        """Return what is answered."""
        packed = pack(self.ranking, self.question, lambda each, file: self.texts[each][file])
        return render(packed, self.ranking, self.question)

    def text(self, chunk: ChunkShown) -> str:
        """Return the text of the file that a chunk stands in."""
        folders = [version.repository for version in self.ranking.versions]
        repository = folders.index(chunk.repository)
        paths = [file.path for file in self.ranking.versions[repository].files]
        return self.texts[repository][paths.index(chunk.path)]


def made_text(dice: Random) -> str:
    """Make up a file's text."""
    lines = dice.choices(LINES, k=dice.choice((0, 1, 9, 40, 200)))
    return "\n".join(lines) + dice.choice(("", "\n"))


def taken_apart(dice: Random, text: str) -> ParsedFile:
    """Take a text apart at any of its lines, with declarations wherever they fall."""
    lines = text.split("\n")
    height = len(lines) - (not lines[-1])
    if not height:
        return ParsedFile("", (), ())
    starts = [*accumulate((len(line) + 1 for line in lines[: height - 1]), initial=0), len(text)]
    spans = [sorted(dice.choices(range(1, height + 1), k=3)) for _ in range(dice.randrange(9))]
    declarations = tuple(
        Declaration(
            dice.choice(NAMES),
            "class",
            dice.choice(((), ("Basket",))),
            Place(starts[first - 1], starts[last], first, last),
            Place(starts[first - 1], starts[middle], first, middle),
            bases=dice.choice(((), (Base("Basket", TypeRelation.EXTENDS),))),
        )
        for first, middle, last in sorted(spans, key=lambda span: (span[0], -span[2]))
    )
    cuts = sorted({0, height, *dice.choices(range(1, height + 1), k=dice.randrange(9))})
    chunks = tuple(
        Chunk(
            Place(starts[before], starts[after], before + 1, after),
            Role.DECLARATIONS,
            tuple(
                number
                for number, each in enumerate(declarations)
                if before < each.place.first and each.place.last <= after
            ),
        )
        for before, after in pairwise(cuts)
    )
    return ParsedFile(dice.choice(("python", "json", "html", "")), declarations, chunks)


def ranked(dice: Random, texts: tuple[tuple[str, ...], ...]) -> Ranking:
    """Make up what was found in files with these texts."""
    parsed = [[taken_apart(dice, text) for text in each] for each in texts]
    files = [(each, file) for each, row in enumerate(parsed) for file in range(len(row))]
    sites = [
        DeclarationSite(each, file, number)
        for each, file in dice.sample(files, len(files))
        for number in range(len(parsed[each][file].declarations))
    ]
    chunks = [
        ScoredChunk(each, file, number, dice.random(), "says so")
        for each, file in files
        for number in range(len(parsed[each][file].chunks))
    ]
    best = {(site.repository, site.file): site for site in sites}
    return Ranking(
        tuple(made_version(f"/shop/{number}", len(each)) for number, each in enumerate(texts)),
        tuple(dice.sample(chunks, dice.randrange(len(chunks) + 1))),
        tuple(SignatureLine(site, 1.0, "declares it") for site in best.values()),
        lambda each, file: parsed[each][file],
        lambda name: [
            site
            for site in sites
            if name == parsed[site.repository][site.file].declarations[site.declaration].name
        ],
        lambda lines: [float("total" in line) for line in lines],
        lambda text, _: float("total" in text),
    )


def made_version(folder: str, files: int) -> Version:
    """Make up a version of a repository with so many files."""
    paths = [f"shop/{number}\n</codeRag:file> é.py" for number in range(files)]
    return Version(folder, "workspace", "", tuple(FileVersion(each, each, 1) for each in paths))


@st.composite
def asked(draw: st.DrawFn) -> Asked:
    """Make up a question and what was found for it."""
    dice = Random(draw(st.integers(0, 2**32)))  # noqa: S311  # many values, quickly: no secret
    texts = tuple(
        tuple(made_text(dice) for _ in range(dice.randint(1, 6))) for _ in range(dice.randint(1, 2))
    )
    ranking = ranked(dice, texts)
    boosted = tuple(
        Boost(
            dice.choice(version.files).path,
            dice.choice(("", *NAMES)),
            whole=dice.random() < 0.5,
            repository=version.repository,
        )
        for version in dice.choices(ranking.versions, k=dice.choice((0, 0, 1, 3)))
    )
    budget = draw(st.one_of(st.integers(0, 900), st.integers(0, 30_000)))
    return Asked(CodeQuestion("basket", budget, boosted=boosted), ranking, texts)


@given(asked())
def test_the_budget_is_never_exceeded_by_a_character(asked: Asked) -> None:
    """An answer, with all its tags, has at most as many characters as it may."""
    answer = asked.answer()

    assert len(answer.rag_text) <= asked.question.budget
    assert len(answer.rag_text) == answer.metadata.used


@given(asked())
def test_every_shown_line_stands_verbatim_in_its_file(asked: Asked) -> None:
    """Each span is the same text in the answer and in the file, at its lines and characters."""
    answer = asked.answer()

    for chunk in answer.metadata.chunks:
        text = asked.text(chunk)
        for span in chunk.spans:
            shown = text[span.start : span.end]
            assert shown == answer.rag_text[span.at : span.at + len(shown)]
            assert span.start_line == text.count("\n", 0, span.start) + 1
            assert span.end_line == text.count("\n", 0, span.end - 1) + 1
            assert not span.start or text[span.start - 1] == "\n"
            assert span.end == len(text) or text[span.end - 1] == "\n"


@given(asked())
def test_no_line_is_shown_twice(asked: Asked) -> None:
    """The spans of a file come in the order of its lines, and none overlaps another."""
    by_file: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for chunk in asked.answer().metadata.chunks:
        spans = by_file.setdefault((chunk.repository, chunk.path), [])
        spans += [(span.start_line, span.end_line) for span in chunk.spans]

    for spans in by_file.values():
        assert all(before[1] < after[0] for before, after in pairwise(spans))


@given(asked())
def test_all_that_is_no_span_is_tags_and_elisions(asked: Asked) -> None:
    """Without its spans an answer holds no line of a file."""
    answer = asked.answer()
    spans = sorted(
        (span.at, span.at + span.end - span.start)
        for chunk in answer.metadata.chunks
        for span in chunk.spans
    )
    edges = [0, *(edge for span in spans for edge in span), len(answer.rag_text)]
    rest = [answer.rag_text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]

    for text in filter(str.strip, rest):
        assert (
            "codeRag:" in text or ". . ." in text or text.rstrip("\n").rpartition(":")[2].isdigit()
        )


@given(asked())
def test_what_is_said_of_a_chunk_is_so(asked: Asked) -> None:
    """Nothing is shown of what is elided, and something of everything else."""
    chunks = asked.answer().metadata.chunks

    assert all((each.extent is Extent.ELIDED) == (each.spans == ()) for each in chunks)


@given(asked())
def test_the_same_question_has_the_same_answer(asked: Asked) -> None:
    """Nothing in an answer depends on anything but the question and what was found."""
    assert asked.answer() == asked.answer()


@given(asked())
def test_what_is_asked_for_by_name_is_there_or_said_not_to_be(asked: Asked) -> None:
    """A boosted file is shown to its last line, or the answer says that it did not fit."""
    answer = asked.answer()
    missed = {*answer.metadata.boosts_cut, *answer.metadata.boosts_unknown}

    for boost in asked.question.boosted:
        if boost.whole and not boost.declaration and boost not in missed:
            chunks = [
                each
                for each in answer.metadata.chunks
                if (each.repository, each.path) == (boost.repository, boost.path)
            ]
            shown = sum(span.end - span.start for each in chunks for span in each.spans)
            assert shown == len(asked.text(chunks[0]))
