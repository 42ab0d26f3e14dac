"""The files of one version of a repository, analysed on demand."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from attrs import define, field

from rove_code.exact.facts import FileFacts
from rove_code.exact.modules import Modules
from rove_code.exact.resolver import Resolver
from rove_code.exact.walker import facts_of
from rove_code.model import FileVersion, ParsedFile, Version, text_of
from rove_code.parsing import language_of
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.paths import Kind
from rove_code.ranking.words import terms
from rove_code.repositories.repository import Repository

#: Characters of source. What is known of them takes about twenty times as many bytes.
_LARGE: Final = 8_000_000


@define(slots=False, eq=False)
class Codebase:
    """One version of a repository.

    Attributes:
        corpus: What is found in it by words.
        repository: Where its files are read.
    """

    corpus: CodeCorpus
    repository: Repository
    _texts: dict[str, str | None] = field(factory=dict, init=False)
    _facts: dict[str, FileFacts | None] = field(factory=dict, init=False)
    _having: dict[str, list[str]] = field(factory=dict, init=False)

    @property
    def is_large(self) -> bool:
        """Whether so much was read for its answers that it should not stay in memory."""
        # Another thread may be adding texts.
        return sum(map(len, filter(None, list(self._texts.values())))) > _LARGE

    @property
    def version(self) -> Version:
        """The version."""
        return self.corpus.versions[0]

    @cached_property
    def files(self) -> Mapping[str, FileVersion]:
        """Its files by their paths."""
        return {each.path: each for each in self.version.files}

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """The role of each file."""
        paths = (path for _, path in self.corpus.names)
        return dict(zip(paths, self.corpus.kinds, strict=True))

    @cached_property
    def resolver(self) -> Resolver:
        """Finds out what names mean."""
        return Resolver(Modules(tuple(self.files), self.text), self.facts)

    def text(self, path: str) -> str | None:
        """Return a file's text; None if it is gone."""
        if path not in self._texts:
            self.load([path])
        return self._texts[path]

    def load(self, paths: Iterable[str]) -> None:
        """Read files at once: each of them alone would take longer."""
        new_paths = [path for path in paths if path not in self._texts]
        self._texts |= dict.fromkeys(new_paths)
        files = [self.files[path] for path in new_paths if path in self.files]
        for file, data in self.repository.read(self.version, files):
            self._texts[file.path] = text_of(data)

    def facts(self, path: str) -> FileFacts | None:
        """Return the facts of a file; None without a grammar for its language."""
        if path not in self._facts:
            text = self.text(path)
            facts = facts_of(path, text, language_of(path)) if text is not None else None
            self._facts[path] = facts
        return self._facts[path]

    def parsed(self, path: str) -> ParsedFile:
        """Return a file, taken apart."""
        (parsed,) = self.corpus.sources[0].parsed([self.files[path]])
        return parsed

    def having(self, name: str) -> Sequence[str]:
        """Return the files that contain a name as a word, by path."""
        if name not in self._having:
            self._having[name] = self._files_with(name)
        return self._having[name]

    def _files_with(self, name: str) -> list[str]:
        numbers = terms(name)
        paths = self._with_term(numbers[-1]) if numbers else list(self.files)
        self.load(paths)
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        return [path for path in paths if word.search(self._texts[path] or "")]

    def _with_term(self, term: int) -> list[str]:
        _, rows, _ = self.corpus.find("body", np.array([term], "<u4"))
        documents = np.zeros(self.corpus.starts.size - 1, np.bool_)
        documents[self.corpus.document_of[rows]] = True
        there = documents[self.corpus.document]
        named = zip(self.corpus.names, there.tolist(), strict=True)
        return sorted(path for (_, path), is_there in named if is_there)
