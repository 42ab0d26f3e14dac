"""Entry point: answer the most frequent questions at once, and hand the rest to Click."""

import atexit
import gc
import os
import sys

from rove import fast, isolation

_INTERRUPTED = 130


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        answer = fast.answer(sys.argv[1:])
        if answer is not None and _write_answer(answer):
            return 0
        _spare_the_collector()
        from rove.cli import cli  # noqa: PLC0415  # Click takes longer than the whole answer

        isolation.want_isolation()
        code = cli(sys.argv[1:])
        isolation.end_isolated(code)
    except KeyboardInterrupt:  # Even while something is still being imported.
        return _INTERRUPTED
    return code


def _spare_the_collector() -> None:
    """Exclude imported objects from garbage collection."""
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)


def _write_answer(answer: bytes) -> bool:
    """Write an answer without buffers; on failure Click prints it or reports the error."""
    try:
        return os.write(sys.stdout.fileno(), answer) == len(answer)
    except (AttributeError, OSError):  # Python has no standard output when it is closed.
        return False


if __name__ == "__main__":
    sys.exit(main())
