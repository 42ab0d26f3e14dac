"""Parse a file's content into the record that is stored.

``python -m rove_code.content_record`` is a worker process: it reads batches of files from standard
input and writes their records to standard output until its input ends.
"""

import gc
import os
import pickle
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from attrs import frozen

from rove_code.model import text_of
from rove_code.parsing import pack, parse
from rove_code.ranking.features import features
from rove_code.skip_reasons import BINARY, is_binary
from rove_code.store import ContentRecord

#: After so many new objects those that refer to themselves are looked for.
_OBJECTS: Final = 200_000


@frozen
class SourceContent:
    """A file's content.

    Attributes:
        blob: What git calls it.
        language: What it is written in.
        data: It.
    """

    blob: str
    language: str
    data: bytes


def make_all(contents: Sequence[SourceContent]) -> list[ContentRecord]:
    """Return the records of files, in order."""
    return [_make(each) for each in contents]


def main() -> None:
    """Make records on request until the parent process ends or closes the pipe."""
    # Whoever started it decides what an interruption from the keyboard means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Next to nothing that is made here refers to itself: to look for it often is a waste of time.
    gc.set_threshold(_OBJECTS)
    # What anybody prints is no answer.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        with suppress(EOFError, BrokenPipeError):
            while True:
                made = make_all(pickle.load(sys.stdin.buffer))  # noqa: S301  # our own process's
                pickle.dump(made, answers)
                answers.flush()


def _make(content: SourceContent) -> ContentRecord:
    if is_binary(content.data):
        return ContentRecord(content.blob, content.language, b"", b"", BINARY)
    text = text_of(content.data)
    parsed = parse(text, content.language)
    return ContentRecord(content.blob, content.language, features(parsed, text), pack(parsed))


if __name__ == "__main__":
    main()
