"""A repository as a large company has it, made up: several languages, and services that use others.

It is the same for the same size. Names are made of a vocabulary in which few words are frequent and
most are rare, as in real code; most files are small, and a few are long.
"""

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from attrs import define, field

_SYLLABLES: Final = re.findall(
    r"\w+", "ba co di fa ge ho in ka lu me no or pa qua re sta tri us ver wi xe yor zen"
)
_VERBS: Final = re.findall(r"\w+", "get set make find load save check parse apply merge close read")
#: How many files there are of each language, for one of data.
_LANGUAGES: Final = {"py": 8, "ts": 6, "go": 4, "java": 4, "rs": 2, "md": 1, "yaml": 1}
_WORDS: Final = 6_000
#: So many functions are known to whoever writes the next one.
_RECENT: Final = 4_000
#: So many files belong to one service.
_SERVICE: Final = 40


@define
class Monorepo:
    """A repository that is being written.

    Attributes:
        folder: Where.
        size: How many bytes of source it has.
    """

    folder: Path
    size: int = 0
    _random: random.Random = field(factory=lambda: random.Random(7))  # noqa: S311  # no secret
    _words: Sequence[str] = ()
    _declared: list[str] = field(factory=list)
    _paths: list[str] = field(factory=list)

    @classmethod
    def write(cls, folder: Path, size: int) -> "Monorepo":
        """Write one of about so many bytes, and commit it."""
        made = cls(folder)
        made._words = [made._word() for _ in range(_WORDS)]
        folder.mkdir(parents=True)
        made._git("init", "--quiet")
        while made.size < size:
            made._add_file()
        made._commit("Begin")
        return made

    def change(self) -> None:
        """Change what one commit changes: three files, by a few lines each."""
        topic = self._name()
        for path in self._random.sample(self._paths, 3):
            file = self.folder / path
            text = file.read_text("utf-8") + self._function(path.rpartition(".")[2])
            file.write_text(text, "utf-8")
        self._commit(f"Fix {topic} when {self._sentence(6)}")

    def questions(self, count: int) -> Iterator[str]:
        """Yield questions: tickets, some of them long, and a few about callers of a name."""
        for number in range(count):
            if number % 8 == 7:
                yield f"Who calls {self._random.choice(self._declared)}?"
                continue
            named = self._random.choice(self._declared) if number % 2 else self._sentence(1)
            title = f"Wrong {self._sentence(3)} in {named}"
            yield "\n".join([title, *(self._sentence(12) for _ in range(number % 5 * 4))])

    def _add_file(self) -> None:
        service = len(self._paths) // _SERVICE
        (ending,) = self._random.choices([*_LANGUAGES], [*_LANGUAGES.values()])
        kind = "tests/test_" if self._random.random() < 0.25 else "src/"
        path = f"services/s{service:04}/{kind}{self._name()}_{len(self._paths)}.{ending}"
        lines = self._random.lognormvariate(4.6, 0.9)
        parts: list[str] = []
        while sum(part.count("\n") for part in parts) < lines:
            parts.append(self._function(ending))
        text = "\n".join(parts)
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, "utf-8")
        self._paths.append(path)
        self.size += len(text)

    def _function(self, ending: str) -> str:
        name = f"{self._random.choice(_VERBS)}_{self._name()}"
        self._declared = [*self._declared[1 - _RECENT :], name]
        body = [self._statement() for _ in range(self._random.randint(2, 14))]
        form = _FORMS[ending]
        between = f"{form.end}\n    "
        return form.whole.format(
            name=name, said=self._sentence(9), body=between.join(body) + form.end
        )

    def _statement(self) -> str:
        called = self._random.choice(self._declared)
        return f"{self._name()} = {called}({self._name()}, {self._sentence(1)!r})"

    def _name(self) -> str:
        return "_".join(self._some(self._random.randint(1, 2)))

    def _sentence(self, count: int) -> str:
        return " ".join(self._some(count))

    def _some(self, count: int) -> list[str]:
        # The words are drawn so that the tenth is ten times as rare as the first.
        places = (int(len(self._words) ** self._random.random()) - 1 for _ in range(count))
        return [self._words[place] for place in places]

    def _word(self) -> str:
        return "".join(self._random.choices(_SYLLABLES, k=self._random.randint(2, 4)))

    def _commit(self, message: str) -> None:
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", message)

    def _git(self, *arguments: str) -> None:
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
        command = ["git", "-C", str(self.folder), *who, *arguments]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603  # git, in our folder


@define
class _Form:
    """How a language writes a function, and ends a statement."""

    whole: str
    end: str = ";"


_FORMS: Final = {
    "py": _Form(
        'def {name}(value, other):\n    """{said}."""\n    {body}\n    return value\n\n', ""
    ),
    "ts": _Form(
        "/** {said}. */\nexport function {name}(value: string): string {{\n    {body}\n"
        "    return value;\n}}\n"
    ),
    "go": _Form("// {name}: {said}.\nfunc {name}(value string) string {{\n    {body}\n}}\n", ""),
    "java": _Form(
        "/** {said}. */\nclass {name}Holder {{\n  static Object {name}(Object value) {{\n"
        "    {body}\n    return value;\n  }}\n}}\n"
    ),
    "rs": _Form("/// {said}.\npub fn {name}(value: &str) -> String {{\n    {body}\n}}\n"),
    "md": _Form("## {name}\n\n{said}.\n\n    {body}\n", ""),
    "yaml": _Form("{name}:\n  said: {said}\n  body: |\n    {body}\n", ""),
}
