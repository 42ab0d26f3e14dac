"""Let the configured model describe files, on request only."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_code.commentary import Commentaries, Commentator, in_short
from rove_core import JSON

if TYPE_CHECKING:
    from rove_core import LocalProject, ModelClient

_NAME: Final = "code-commentary.db"
#: So much of a file is sent.
_EXCERPT: Final = 12_000
_RULE: Final = (
    "Say in one or two plain sentences, in English, what this file is for and how it hangs"
    " together with what it uses. Describe; do not judge, advise or repeat its text."
)
_SCHEMA: Final[Mapping[str, JSON]] = {
    "type": "object",
    "properties": {"commentary": {"type": "string"}},
    "required": ["commentary"],
    "additionalProperties": False,
}


@frozen
class FileToComment:
    """A file without commentary.

    Attributes:
        path: It.
        blob: What git calls its content.
        text: Its content.
    """

    path: str
    blob: str
    text: str


@frozen
class ModelCommentator:
    """Asks a model; secrets in a file are taken out before it is sent."""

    _model: "ModelClient"

    async def comment(self, path: str, text: str) -> str:
        """Return the model's commentary; raise NoAnswer without one."""
        from rove_core import Prompt, excerpt  # noqa: PLC0415  # only a model needs it

        prompt = Prompt(
            question="commentary",
            rule=_RULE,
            material={"path": path, "text": excerpt(text, _EXCERPT)},
            schema=_SCHEMA,
        )
        answer = (await self._model.ask(prompt)).get("commentary")
        return answer if isinstance(answer, str) else ""


def commentaries_of(folder: Path) -> Commentaries:
    """Return the commentaries stored in a project's ``.rove``."""
    return Commentaries(folder / _NAME)


@asynccontextmanager
async def commentator(project: "LocalProject") -> "AsyncIterator[Commentator]":
    """Yield the configured commentator, or raise WrongSetting."""
    async with project.model() as model:
        yield ModelCommentator(model)


async def comment_on(
    files: Sequence[FileToComment], by: Commentator, commentaries: Commentaries
) -> tuple[int, str]:
    """Comment on files, storing each answer at once; return the count and the first error.

    Args:
        files: The files.
        by: Who comments.
        commentaries: Where it is kept.
    """
    from rove_core import NoAnswer  # noqa: PLC0415  # only a model needs it

    done = 0
    for file in files:
        try:
            comment = in_short(await by.comment(file.path, file.text))
        except NoAnswer as none:
            return done, none.reason
        commentaries.keep([(file.blob, comment)])
        done += bool(comment)
    return done, ""
