"""The child process that parses untrusted files: bytes in, text out, within limits.

It gets the content over a pipe. Once its reader is imported it cannot open a file or a socket any
more, so that whatever a broken document makes of it has nowhere to go.
"""

import ctypes
import importlib
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from rove_folder.extract.content import ExtractedContent, UnreadableContent, paged
from rove_folder.extract.messages import Job, packed_result, read_exactly
from rove_folder.extract.text_decoder import load_codecs

_PR_SET_PDEATHSIG: Final = 1
_HEAD: Final = struct.Struct(">II")

Reader = Callable[[str, bytes], object]


def main() -> None:
    """Read files until no more come."""
    function, memory, seconds, is_closed = sys.argv[1:5]
    out = os.dup(1)
    os.dup2(2, 1)  # What a library prints is no answer.
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    place, _, name = function.partition(":")
    module = importlib.import_module(place)
    reader: Reader = getattr(module, name)
    if warm_up := getattr(module, "warm_up", None):
        warm_up()
    _confine(int(memory), closed=is_closed == "closed")
    while head := read_exactly(0, _HEAD.size):
        name_length, data_length = _HEAD.unpack(head)
        name = read_exactly(0, name_length).decode("utf-8", "replace")
        data = read_exactly(0, data_length)
        _allow(int(seconds))
        answer = packed_result(_read(reader, Job(name, data)))
        while answer:
            answer = answer[os.write(out, answer) :]


def _read(reader: Reader, job: Job) -> ExtractedContent | str:
    """Return a file's content, or the reason why it is unreadable."""
    try:
        found = reader(job.name, job.data)
    except UnreadableContent as unreadable:
        return str(unreadable)
    except MemoryError:
        return "Could not extract text: it needs too much memory"
    except Exception:  # noqa: BLE001  # whatever a broken file does to a library
        return "Could not extract text"
    if isinstance(found, ExtractedContent):
        return found
    if isinstance(found, list | tuple) and all(isinstance(page, str) for page in found):
        return paged("text", list(found))
    return "Could not extract text: the extractor returned no pages"


def _confine(memory: int, *, closed: bool) -> None:
    """Drop privileges that a reader does not need."""
    load_codecs()
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if closed:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


def _allow(seconds: int) -> None:
    """Set the CPU limit for the next file."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    limit = int(used.ru_utime + used.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))


if __name__ == "__main__":
    main()
