"""The files of a corpus, parsed on demand."""

from collections.abc import Sequence

import numpy as np
from attrs import field, frozen

from rove_code.model import DeclarationSite, ParsedFile
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.words import exact


@frozen(eq=False)
class Files:
    """Files, each of which is read once.

    Attributes:
        corpus: Where they are.
    """

    corpus: CodeCorpus
    _read: dict[tuple[int, int], ParsedFile] = field(factory=dict, init=False, repr=False)

    def parsed(self, repository: int, file: int) -> ParsedFile:
        """Return a file by the numbers of its repository and its own."""
        place = (repository, file)
        if place not in self._read:
            source = self.corpus.sources[repository]
            (self._read[place],) = source.parsed([source.version.files[file]])
        return self._read[place]

    def declaring(self, name: str) -> Sequence[DeclarationSite]:
        """Return where something of a name is declared."""
        _, rows, _ = self.corpus.find("declared", np.array([exact(name)], "<u4"))
        entry_rows, files, _ = self.corpus.entries
        meant = dict.fromkeys(files[np.isin(entry_rows, rows)].tolist())
        places = (self.corpus.files[number][:2] for number in meant)
        return tuple(site for place in places for site in self._sites(place, name))

    def _sites(self, place: tuple[int, int], name: str) -> Sequence[DeclarationSite]:
        return [DeclarationSite(*place, at) for at in self.parsed(*place).named(name)]
