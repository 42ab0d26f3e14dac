"""Code that a test writes, ready to be found."""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha1

from attrs import field, frozen

from rove_code.model import CodeQuestion, FileVersion, ParsedFile, Ranking, Version
from rove_code.parsing import language_of, parse
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.features import features
from rove_code.ranking.rank import rank


@frozen(eq=False)
class Written:
    """A version of a repository, as the texts of its files by their paths."""

    texts: Mapping[str, str]
    repository: str = "/shop"
    asked: list[str] = field(factory=list)

    @property
    def version(self) -> Version:
        """The version."""
        files = tuple(
            FileVersion(path, sha1(text.encode(), usedforsecurity=False).hexdigest(), len(text))
            for path, text in self.texts.items()
        )
        return Version(self.repository, "workspace", "", files)

    def key(self, file: FileVersion) -> str:
        """Return what stands for a file's content."""
        return f"{file.blob}:{language_of(file.path)}"

    def features(self, files: Sequence[FileVersion]) -> Iterable[bytes]:
        """Yield files' features, and note whose were asked for."""
        for file, parsed in zip(files, self.parsed(files), strict=True):
            self.asked.append(file.path)
            yield features(parsed, self.texts[file.path])

    def parsed(self, files: Sequence[FileVersion]) -> Sequence[ParsedFile]:
        """Return files, taken apart."""
        return [parse(self.texts[file.path], language_of(file.path)) for file in files]


def ask(texts: Mapping[str, str], text: str) -> Ranking:
    """Ask a question of one repository."""
    return rank(CodeCorpus.of([Written(texts)]), CodeQuestion(text, budget=4000))


def found(ranking: Ranking) -> list[str]:
    """Return the paths of what was found, each once, the best first."""
    paths = (ranking.versions[at.repository].files[at.file].path for at in ranking.scored)
    return list(dict.fromkeys(paths))
